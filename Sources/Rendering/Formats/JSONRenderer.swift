import Markup
import Model

/// A JSON array of records in the API's own shape, one a line; in a grouped list an array of groups with their posts.
package struct JSONRenderer: Renderer {
    private var parts: JSONParts
    private let isGrouped: Bool
    private var isFirstGroup = true
    private var isFirstRecord = true
    private var comments = CommentTree()

    package init(fields: [Field]?, isGrouped: Bool) {
        parts = JSONParts(JSONRecord(fields: fields), withGroup: false)
        self.isGrouped = isGrouped
    }

    package mutating func start() -> StyledText { "[" }

    package mutating func group(_ group: PostGroup) -> StyledText {
        defer { (isFirstGroup, isFirstRecord) = (false, true) }
        let head = "{\"group\":\(JSONText.string(group.name)),\"count\":\(group.count),\"posts\":["
        return StyledText((isFirstGroup ? "\n" : "\n]},\n") + head)
    }

    package mutating func record(_ record: Record) -> StyledText { StyledText(object(record)) }

    private mutating func object(_ record: Record) -> String {
        (parts.isOpen ? "" : separator()) + parts.end(record)
    }

    package var takesParts: Bool { parts.object.takesParts }

    package var isCompleteOnly: Bool { true }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        let isOpen = parts.isOpen
        return parts.add(text, of: record.metadata).map { StyledText((isOpen ? "" : separator()) + $0) }
    }

    package mutating func giveUp() { parts.giveUp() }

    private mutating func separator() -> String {
        defer { isFirstRecord = false }
        return isFirstRecord ? "\n" : ",\n"
    }

    package mutating func thread(_ record: Record) -> StyledText { StyledText(comments.start(object(record))) }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(comments.add(comment)) }

    package mutating func endThread() -> StyledText { StyledText(comments.end()) }

    package mutating func end() -> StyledText {
        let hasGroups = isGrouped && !isFirstGroup
        return StyledText((hasGroups ? "\n]}" : "") + (isFirstRecord && !hasGroups ? "]\n" : "\n]\n"))
    }
}

/// One JSON object a line.
///
/// In a grouped list each has a member `group` in front.
package struct JSONLinesRenderer: Renderer {
    private var parts: JSONParts
    private var comments = CommentTree()

    package init(fields: [Field]?) {
        parts = JSONParts(JSONRecord(fields: fields), withGroup: true)
    }

    package mutating func record(_ record: Record) -> StyledText {
        StyledText(parts.end(record) + "\n")
    }

    package var takesParts: Bool { parts.object.takesParts }

    package var isCompleteOnly: Bool { true }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        parts.add(text, of: record.metadata).map { StyledText($0) }
    }

    package mutating func giveUp() { parts.giveUp() }

    package mutating func thread(_ record: Record) -> StyledText {
        StyledText(comments.start(parts.end(record)))
    }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(comments.add(comment)) }

    package mutating func endThread() -> StyledText { StyledText(comments.end() + "\n") }
}

/// A record as a JSON object: the API's own shape, or the fields that were picked.
struct JSONRecord {
    let fields: [Field]?

    private static let metadata = exported + [.photo]
    /// What a list says of a post besides: a post that is read has the API's own shape.
    private static let listed = metadata + [.source, .read, .saved]

    /// The members of a post that is exported, to which its details are added as they are stored.
    static let exported: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .author, .link, .score, .commentCount, .rank, .parent, .story,
        .tags, .enclosures, .image, .updated, .changed, .type, .snippet,
    ]

    /// The object on one line.
    func text(_ record: Record, withGroup: Bool = false) -> String {
        let group: [(key: String, value: String?)] =
            withGroup ? [("group", record.group.map(JSONText.string))] : []
        if let fields { return JSONText.object(group + members(fields, record)) }
        guard let body = record.body else { return JSONText.object(group + members(Self.listed, record)) }
        return JSONText.object([
            ("id", JSONText.string(record.metadata.postId)),
            // What a list has as the id.
            ("typedId", JSONText.string(record.metadata.id)),
            ("metadata", JSONText.object(members(Self.metadata, record))),
            ("body", JSONText.string(body)),
        ])
    }

    /// The object before and after the text of its body; nil if it has none.
    func around(bodyOf record: Record, withGroup: Bool) -> (head: String, tail: String)? {
        var record = record
        record.body = ""
        let text = self.text(record, withGroup: withGroup)
        // Inside a string each quote has a backslash in front, so this is the member.
        guard let place = text.utf8.firstRange(of: "\"body\":\"".utf8) else { return nil }
        return (String(text[..<place.upperBound]), String(text[place.upperBound...]))
    }

    /// Whether the object can be written before the body is complete.
    var takesParts: Bool { fields.map { $0.count { $0 == .body } <= 1 } ?? true }

    private func members(_ fields: [Field], _ record: Record) -> [(key: String, value: String?)] {
        fields.map { ($0.rawValue, $0.json(record)) }
    }
}

/// A record that is written as JSON while its body is read part by part.
struct JSONParts {
    let object: JSONRecord
    let withGroup: Bool
    /// What follows the body that is being written; nil if none is.
    private var tail: String?

    init(_ object: JSONRecord, withGroup: Bool) {
        self.object = object
        self.withGroup = withGroup
    }

    /// Whether a part of the record was written.
    var isOpen: Bool { tail != nil }

    /// A part of the body, and in front of the first what comes before it; nil if no body is wanted.
    mutating func add(_ text: String, of metadata: PostMetadata) -> String? {
        if tail != nil { return JSONText.part(text) }
        guard let (head, tail) = object.around(bodyOf: Record(metadata), withGroup: withGroup) else { return nil }
        self.tail = tail
        return head + JSONText.part(text)
    }

    /// The record, or where its body was written what follows that.
    mutating func end(_ record: Record) -> String {
        defer { tail = nil }
        return tail ?? object.text(record, withGroup: withGroup)
    }

    /// Forgets a record of which a part was written.
    mutating func giveUp() { tail = nil }
}

/// Writes compact JSON, with keys in the given order.
///
/// Foundation's encoder gives keys in no order and lets C1 and bidi controls through; here every character that could
/// move a terminal is escaped.
package enum JSONText {
    /// A string in quotes, or `null`.
    package static func string(_ text: String?) -> String {
        guard var text else { return "null" }
        return "\"" + text.withUTF8(escaped) + "\""
    }

    /// A part of a string, escaped but without quotes around it.
    package static func part(_ text: String) -> String {
        var text = text
        return text.withUTF8(escaped)
    }

    /// An object; a member whose value is nil is left out.
    package static func object(_ members: [(key: String, value: String?)]) -> String {
        let present = members.compactMap { member in member.value.map { "\(string(member.key)):\($0)" } }
        return "{" + present.joined(separator: ",") + "}"
    }

    /// Works on bytes, because a body can be of many megabytes.
    private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.endOfPlainText(from: 0) == bytes.count { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 16)
        var index = 0
        while true {
            let start = index
            index = bytes.endOfPlainText(from: start)
            result += bytes[start..<index]
            guard index < bytes.count else { break }
            let byte = bytes[index]
            let (code, length) = Sanitizer.harmfulScalar(bytes, index)
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
            case 0x0A: result += Array("\\n".utf8)
            case 0x09: result += Array("\\t".utf8)
            case 0x0D: result += Array("\\r".utf8)
            case _ where code != nil:
                let hex = String(code ?? 0, radix: 16)
                result += Array(("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8)
            default: result += bytes[index..<index + length]
            }
            index += length
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// A photo as a JSON object, in the shape in which ``Photo`` is decoded; the comments on it are no part of it.
enum PhotoJSON {
    static func object(_ photo: Photo) -> String {
        JSONText.object([
            ("pictures", "[" + photo.pictures.map(picture).joined(separator: ",") + "]"),
            ("rating", photo.rating.flatMap(number)), ("highestRating", photo.highestRating.flatMap(number)),
            ("views", photo.views.map { String($0) }), ("votes", photo.votes.map { String($0) }),
            ("category", photo.category.map(JSONText.string)), ("license", photo.license.map(JSONText.string)),
            ("nsfw", String(photo.isAdult)), ("photographer", photo.photographer.map(photographer)),
            ("camera", photo.camera.map(camera)), ("place", photo.place.map(place)),
        ])
    }

    static func camera(_ camera: Camera) -> String {
        JSONText.object([
            ("model", camera.model.map(JSONText.string)), ("lens", camera.lens.map(JSONText.string)),
            ("focalLength", camera.focalLength.map(JSONText.string)),
            ("shutterSpeed", camera.shutterSpeed.map(JSONText.string)),
            ("aperture", camera.aperture.map(JSONText.string)), ("iso", camera.iso.map(JSONText.string)),
            ("takenAt", camera.takenAt.map { JSONText.string($0.text) }),
        ])
    }

    static func place(_ place: Place) -> String {
        let point = place.coordinates.map { point in
            JSONText.object([("latitude", number(point.latitude)), ("longitude", number(point.longitude))])
        }
        return JSONText.object([("name", place.name.map(JSONText.string)), ("coordinates", point)])
    }

    /// A number; nil for one that JSON can't hold.
    static func number(_ number: Double) -> String? { number.isFinite ? "\(number)" : nil }

    private static func picture(_ picture: Picture) -> String {
        JSONText.object([("url", JSONText.string(picture.url)), ("size", picture.size.map { String($0) })])
    }

    private static func photographer(_ photographer: Photographer) -> String {
        JSONText.object([
            ("username", photographer.username.map(JSONText.string)), ("city", photographer.city.map(JSONText.string)),
            ("country", photographer.country.map(JSONText.string)),
        ])
    }
}
