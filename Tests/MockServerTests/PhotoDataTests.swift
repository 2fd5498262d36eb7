import BlogTestSupport
import Foundation
import Testing

@Suite("The mock 500px data") struct PhotoDataTests {
    /// The photos that aren't hostile, with all their details.
    private let photos: [[String: Any]]

    init() throws {
        photos = try Self.parsed.get()
    }

    /// Parsed once, then only read.
    nonisolated(unsafe) private static let parsed = Result {
        let data = try Data(contentsOf: Repository.mockPhotos.appending(path: "details.jsonl"))
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").prefix(127).map { line in
            let details = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(details?["photo"] as? [String: Any])
        }
    }

    /// The kind of a value, as the API's documentation distinguishes them.
    private static func kind(_ value: Any?) -> String {
        switch value {
        case nil: return "absent"
        case is NSNull: return "null"
        case let text as String:
            if text.isEmpty { return "empty" }
            return text.contains("<") ? "HTML" : Double(text) == nil ? "text" : "number as text"
        case is [Any]: return "array"
        case is [String: Any]: return "object"
        case let number as NSNumber:
            return number.doubleValue == 0
                ? "zero" : number.doubleValue.rounded() == number.doubleValue ? "integer" : "number"
        default: return "other"
        }
    }

    /// Each field, with every kind of value that the API has sent for it, and some more.
    static let kinds: [(field: String, kinds: Set<String>)] = [
        ("name", ["text", "empty", "null"]), ("description", ["text", "HTML", "null", "empty"]),
        ("rating", ["number", "integer", "null", "absent", "zero"]),
        ("highest_rating", ["number", "integer", "null", "absent"]), ("created_at", ["text", "null", "absent"]),
        ("taken_at", ["text", "null", "absent", "empty"]), ("times_viewed", ["integer", "null", "absent"]),
        ("votes_count", ["integer", "null", "absent"]), ("category", ["integer", "null", "absent"]),
        ("license_type", ["integer", "zero", "null", "absent"]), ("url", ["text", "null", "absent"]),
        ("image_url", ["text", "null", "absent", "empty", "array"]), ("images", ["text", "array", "null", "absent"]),
        ("camera", ["text", "empty", "null", "absent"]), ("lens", ["text", "empty", "null", "absent"]),
        ("focal_length", ["number as text", "text", "integer", "empty", "null", "absent"]),
        ("shutter_speed", ["text", "number as text", "empty", "null", "absent"]),
        ("aperture", ["number as text", "text", "number", "empty", "null", "absent"]),
        ("iso", ["number as text", "integer", "empty", "null", "absent"]),
        ("location", ["text", "empty", "null", "absent"]),
        ("latitude", ["number", "integer", "zero", "number as text", "empty", "null", "absent"]),
        ("longitude", ["number", "integer", "zero", "number as text", "empty", "null", "absent"]),
        ("user", ["object", "null", "absent"]),
    ]

    @Test("has every field with every kind of value that the API has sent", arguments: kinds)
    func forms(field: String, kinds: Set<String>) {
        #expect(Set(photos.map { Self.kind($0[field]) }) == kinds)
    }

    @Test("has users with missing fields")
    func users() {
        let users = photos.compactMap { $0["user"] as? [String: Any] }
        for field in ["username", "firstname", "lastname", "fullname", "city", "country", "userpic_url", "avatars"] {
            #expect(users.contains { $0[field] != nil } && users.contains { $0[field] == nil }, "\(field)")
        }
        let pictures = users.compactMap { $0["userpic_url"] as? String }
        #expect(pictures.contains { $0.hasPrefix("/") } && pictures.contains { $0.hasPrefix("{site}/") })
        #expect(users.contains { ($0["firstname"] as? String)?.hasSuffix(" ") == true })
    }

    @Test("has titles that end in spaces, and very long ones")
    func names() {
        let names = photos.compactMap { $0["name"] as? String }
        #expect(names.contains { $0.hasSuffix("   ") })
        #expect(names.contains { (63..<100).contains($0.count) } && names.contains { $0.count > 150 })
    }

    @Test("has the API's placeholders for unknown values", arguments: ["0", "1/∞"])
    func unknown(value: String) {
        let fields = ["focal_length", "shutter_speed", "aperture", "iso", "latitude"]
        #expect(photos.contains { photo in fields.contains { photo[$0] as? String == value } })
    }

    @Test(
        "has places all over the world, including its edges",
        arguments: [
            "Reykjavik", "Cape Town", "Fiji", "Tokyo", "Ushuaia", "Ulaanbaatar", "London", "North Pole", "South Pole",
            "Mid-Pacific", "Antimeridian", "Null Island",
        ])
    func places(name: String) {
        #expect(photos.contains { ($0["location"] as? String)?.contains(name) == true })
    }

    @Test("has each id once, from 1 to 127")
    func ids() {
        #expect(Set(photos.compactMap { $0["id"] as? Int }) == Set(1...127))
    }
}
