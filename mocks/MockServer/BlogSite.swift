import Foundation

/// The Blog Nerd Ranch API for a folder with `all.json`, `post/POSTID.json`, `images/…` and optionally `routes.json`.
///
/// In `mocks/data/blog`, one image is missing on purpose: `/images/authors/misaki.jpg`.
public struct BlogSite: MockSite {
    /// The timing of a path, or of all paths below one that ends in `/*`.
    private struct Timing: Decodable, Sendable {
        /// The delay before the response, in milliseconds.
        var delay: Int?
        /// The size to which a post's body is grown by repeating it, in bytes.
        var grow: Int?
        /// The time over which a grown body is sent, in milliseconds.
        var over: Int?
    }

    private let folder: URL
    private let timings: [String: Timing]

    /// Throws a ``MockServerError`` if the folder has no `all.json`.
    ///
    /// - Parameter isTimed: whether `routes.json` is read; otherwise, responses aren't delayed and posts don't grow.
    public init(folder: URL, isTimed: Bool = true) throws {
        guard FileManager.default.fileExists(atPath: folder.appending(path: "all.json").path) else {
            throw MockServerError(message: "\(folder.path) has no all.json")
        }
        self.folder = folder
        timings = try isTimed ? ServedFile.routes(in: folder) : [:]
    }

    /// The response to a request; nil if the path isn't part of the API.
    public func response(to request: MockRequest) -> MockResponse? {
        let (segments, timing) = (request.segments, timing(of: request.path))
        let found: MockResponse?
        switch (segments.first, segments.count) {
        case ("post-metadata", 1): found = file("all.json")
        case ("post-metadata", 2): found = metadata(id: segments[1])
        case ("post", 1) where request.path == "/post": found = posts()
        case ("post", 2): found = post(segments[1], timing)
        case ("images", 2...): found = file(segments.joined(separator: "/"))
        default: return nil
        }
        var response = found ?? .error(404, "not found")
        response.delay += timing?.delay ?? 0
        return response
    }

    private func timing(of path: String) -> Timing? {
        let parent = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) + "/*"
        return timings[path] ?? timings[String(parent)]
    }

    /// All posts with their bodies, in the order of the list.
    private func posts() -> MockResponse? {
        let names = records.compactMap { $0["postId"] as? String }
        let files = names.compactMap { ServedFile("post/\($0).json", in: folder) }
        return .json(Data("[".utf8) + Data(files.map(\.data).joined(separator: Data(",".utf8))) + Data("]".utf8))
    }

    private var records: [[String: Any]] {
        let data = FileManager.default.contents(atPath: folder.appending(path: "all.json").path)
        return data.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [[String: Any]] } ?? []
    }

    private func metadata(id: String) -> MockResponse? {
        guard let record = records.last(where: { $0["id"] as? String == id }),
            let json = try? JSONSerialization.data(withJSONObject: record, options: .withoutEscapingSlashes)
        else { return nil }
        return .json(json)
    }

    private func post(_ id: String, _ timing: Timing?) -> MockResponse? {
        let name = "post/\(id).json"
        guard let size = timing?.grow, let original = ServedFile(name, in: folder) else { return file(name) }
        return GrownPost(original.data)?.response(size: size, milliseconds: timing?.over ?? 0)
    }

    private func file(_ name: String) -> MockResponse? {
        guard let file = ServedFile(name, in: folder) else { return nil }
        var response = MockResponse.json(file.data, etag: file.etag)
        if !name.hasSuffix(".json") { response.headers["Content-Type"] = ServedFile.mediaType(of: name) }
        return response
    }
}

/// A small post that is grown into a massive one by repeating its body.
private struct GrownPost {
    private let start: Data
    private let paragraphs: Data

    /// Nil if the JSON is invalid.
    init?(_ json: Data) {
        guard let post = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            let body = post["body"] as? String, let metadata = post["metadata"], let id = post["id"] as? String,
            let metadataJSON = try? JSONSerialization.data(
                withJSONObject: metadata, options: [.sortedKeys, .withoutEscapingSlashes]),
            let bodyJSON = try? JSONSerialization.data(
                withJSONObject: body + "\n\n", options: [.fragmentsAllowed, .withoutEscapingSlashes])
        else { return nil }
        start = Data("{\"id\":\"\(id)\",\"metadata\":".utf8) + metadataJSON + Data(",\"body\":\"".utf8)
        paragraphs = bodyJSON.dropFirst().dropLast()
    }

    /// The post with a body of about `size` bytes, sent over `milliseconds`.
    func response(size: Int, milliseconds: Int) -> MockResponse {
        let repeats = max(1, size / max(1, paragraphs.count))
        // A few hundred writes make a progress bar move smoothly.
        let perWrite = max(1, repeats / 400)
        let chunk = Data(repeatElement(paragraphs, count: perWrite).joined())
        return MockResponse(
            headers: ["Content-Type": "application/json"],
            body: .trickle(
                start: start, chunk: chunk, count: max(1, repeats / perWrite), milliseconds: milliseconds,
                end: Data("\"}".utf8)))
    }
}
