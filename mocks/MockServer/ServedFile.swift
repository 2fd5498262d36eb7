import Foundation

/// A file of a data folder, as web servers serve one.
struct ServedFile {
    let data: Data
    /// Made of size and modification time.
    let etag: String
    /// The modification time as an HTTP date.
    let lastModified: String
    /// What follows the last dot of its name.
    private let ending: String

    /// A file in a folder; nil if there is none, or if the name leads out of the folder.
    init?(_ name: String, in folder: URL) {
        // Names come from clients, so only plain ones are allowed.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !name.contains("\0") else {
            return nil
        }
        let path = folder.appending(path: name).path
        guard let data = FileManager.default.contents(atPath: path),
            let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let date = attributes[.modificationDate] as? Date
        else { return nil }
        let milliseconds = Int(date.timeIntervalSince1970 * 1000)
        self.data = data
        ending = String(name.split(separator: ".").last ?? "")
        etag = "\"\(String(data.count, radix: 16))-\(String(milliseconds, radix: 16))\""
        lastModified = Self.httpDate(date)
    }

    /// The routes in a folder's `routes.json`; empty without that file.
    ///
    /// Throws a ``MockServerError`` if it can't be decoded.
    static func routes<Route: Decodable>(in folder: URL) throws -> [String: Route] {
        let file = folder.appending(path: "routes.json").path
        guard let data = FileManager.default.contents(atPath: file) else { return [:] }
        do {
            return try JSONDecoder().decode([String: Route].self, from: data)
        } catch {
            throw MockServerError(message: "could not decode \(file): \(error)")
        }
    }

    /// The file as a response, of a media type or of that of its name.
    func response(as type: String?) -> MockResponse {
        MockResponse(
            headers: [
                "Content-Type": type ?? Self.types[ending] ?? "application/octet-stream", "ETag": etag,
                "Last-Modified": lastModified,
            ], body: .bytes(data))
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "xml": "application/xml", "json": "application/feed+json",
        "md": "text/markdown; charset=utf-8", "pdf": "application/pdf",
    ]

    /// The media type of a picture by the ending of its name; nil for any other file.
    static func imageType(of name: String) -> String? { imageTypes[String(name.split(separator: ".").last ?? "")] }

    private static let imageTypes = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "svg": "image/svg+xml",
        "webp": "image/webp",
    ]

    /// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func httpDate(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        return "\(day) \(parts.tm_year + 1900) \(time) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
