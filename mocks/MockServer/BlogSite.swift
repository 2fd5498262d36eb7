import Foundation

/// The Blog Nerd Ranch API over a folder: `all.json`, `post/POSTID.json`, `images/…` and perhaps `routes.json`.
///
/// In `mocks/data/blog` one of the images that posts name is missing on purpose: `/images/authors/misaki.jpg`.
public struct BlogSite: MockSite {
    /// How long a path takes, or all paths below one that ends in `/*`.
    private struct Timing: Decodable, Sendable {
        /// Milliseconds before the response begins.
        var delay: Int?
        /// The size in bytes to which a post's body grows by repeating it.
        var grow: Int?
        /// The milliseconds over which a grown body trickles in.
        var over: Int?
    }

    private let folder: URL
    private let timings: [String: Timing]

    /// A site over a folder.
    ///
    /// Throws a ``MockServerError`` if it has no `all.json`.
    ///
    /// - Parameter isTimed: whether `routes.json` is read; without it, responses aren't delayed and no post grows.
    public init(folder: URL, isTimed: Bool = true) throws {
        guard FileManager.default.fileExists(atPath: folder.appending(path: "all.json").path) else {
            throw MockServerError(message: "\(folder.path) has no all.json")
        }
        self.folder = folder
        timings = try isTimed ? ServedFile.routes(in: folder) : [:]
    }

    /// The response to a GET or HEAD, or nil if the path is not part of the API.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        let response: MockResponse?
        switch (segments.first, segments.count) {
        case ("post-metadata", 1): response = file("all.json", request)
        case ("post-metadata", 2): response = metadata(id: segments[1])
        case ("post", 2): response = post(segments[1], request)
        case ("images", 2...): response = file(segments.joined(separator: "/"), request)
        default: return nil
        }
        var found = response ?? .error(404, "not found")
        found.delay += timing(of: request.path)?.delay ?? 0
        return found
    }

    private func timing(of path: String) -> Timing? {
        let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) + "/*"
        return timings[path] ?? timings[String(parent)]
    }

    private func metadata(id: String) -> MockResponse? {
        guard let data = FileManager.default.contents(atPath: folder.appending(path: "all.json").path),
            let records = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]],
            let record = records.last(where: { $0["id"] as? String == id }),
            let json = try? JSONSerialization.data(withJSONObject: record, options: .withoutEscapingSlashes)
        else { return nil }
        return .json(json)
    }

    private func post(_ id: String, _ request: MockRequest) -> MockResponse? {
        let name = "post/\(id).json"
        guard let timing = timing(of: request.path), let size = timing.grow, let original = contents(name) else {
            return file(name, request)
        }
        return GrownPost(original)?.response(size: size, milliseconds: timing.over ?? 0)
    }

    /// A file, compressed if there is a `.gz` file and the client accepts that.
    private func file(_ name: String, _ request: MockRequest) -> MockResponse? {
        let takesGzip = request.headers["accept-encoding"]?.contains("gzip") == true
        let compressed = takesGzip ? ServedFile(name + ".gz", in: folder) : nil
        guard let file = compressed ?? ServedFile(name, in: folder) else { return nil }
        var response = MockResponse.json(file.data, etag: file.etag)
        if compressed != nil { response.headers["Content-Encoding"] = "gzip" }
        if !name.hasSuffix(".json") {
            response.headers["Content-Type"] = ServedFile.imageType(of: name) ?? "application/octet-stream"
        }
        return response
    }

    private func contents(_ name: String) -> Data? { ServedFile(name, in: folder)?.data }
}

/// A small post that is turned into a massive one by repeating its body.
struct GrownPost {
    private let start: Data
    private let piece: Data

    /// A post from its JSON; nil if that is invalid.
    init?(_ json: Data) {
        guard let post = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            let body = post["body"] as? String, let metadata = post["metadata"], let id = post["id"] as? String,
            let metadataJSON = try? JSONSerialization.data(
                withJSONObject: metadata, options: [.sortedKeys, .withoutEscapingSlashes]),
            let bodyJSON = try? JSONSerialization.data(
                withJSONObject: body + "\n\n", options: [.fragmentsAllowed, .withoutEscapingSlashes])
        else { return nil }
        start = Data("{\"id\":\"\(id)\",\"metadata\":".utf8) + metadataJSON + Data(",\"body\":\"".utf8)
        piece = bodyJSON.dropFirst().dropLast()
    }

    /// The post with a body of about `size` bytes that trickles in over `milliseconds`.
    func response(size: Int, milliseconds: Int) -> MockResponse {
        let repeats = max(1, size / max(1, piece.count))
        // A few hundred writes are smooth enough for a progress bar.
        let perWrite = max(1, repeats / 400)
        let block = Data(repeatElement(piece, count: perWrite).joined())
        return MockResponse(
            headers: ["Content-Type": "application/json"],
            body: .trickle(
                start: start, piece: block, count: max(1, repeats / perWrite), milliseconds: milliseconds,
                end: Data("\"}".utf8)))
    }
}
