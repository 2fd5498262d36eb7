import Foundation

/// A file of a data folder, with validators.
struct ServedFile {
    let data: Data
    let etag: String
    private let lastModified: String
    private let name: String

    /// Nil if the file doesn't exist, or if the name leads out of the folder.
    init?(_ name: String, in folder: URL) {
        // Names come from clients.
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
        self.name = name
        etag = "\"\(String(data.count, radix: 16))-\(String(milliseconds, radix: 16))\""
        lastModified = Self.httpDate(date)
    }

    /// The folder's `routes.json`; empty if it is missing.
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

    /// The file as a response, by default with the media type of its extension.
    func response(as type: String? = nil) -> MockResponse {
        MockResponse(
            headers: ["Content-Type": type ?? Self.mediaType(of: name), "ETag": etag, "Last-Modified": lastModified],
            body: .bytes(data))
    }

    /// The file as a response that may be cached forever.
    var immutableResponse: MockResponse {
        var response = response()
        response.headers["Cache-Control"] = "max-age=31536000"
        return response
    }

    /// The media type of a file by its extension.
    static func mediaType(of name: String) -> String {
        mediaTypes[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream"
    }

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "xml": "application/xml", "json": "application/feed+json",
        "md": "text/markdown; charset=utf-8", "pdf": "application/pdf", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "png": "image/png", "gif": "image/gif", "svg": "image/svg+xml", "webp": "image/webp",
    ]

    /// An HTTP date: `Sun, 06 Nov 1994 08:49:37 GMT`.
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
