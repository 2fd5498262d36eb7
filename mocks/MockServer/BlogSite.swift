import Foundation

/// The Blog Nerd Ranch API over a folder: `all.json`, `post/POSTID.json`, `images/…` and perhaps `routes.json`.
public struct BlogSite: MockSite {
    private let folder: URL
    private let timings: RouteTimings

    /// A site over a folder.
    ///
    /// Throws a ``MockServerError`` if it has no `all.json`.
    public init(folder: URL) throws {
        guard FileManager.default.fileExists(atPath: folder.appending(path: "all.json").path) else {
            throw MockServerError(message: "\(folder.path) has no all.json")
        }
        self.folder = folder
        timings = try RouteTimings(folder: folder)
    }

    /// The response to a GET or HEAD, or nil if the path is not part of the API.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        var response: MockResponse?
        switch (segments.first, segments.count) {
        case ("post-metadata", 1): response = file("all.json", request)
        case ("post-metadata", 2): response = metadata(id: segments[1])
        case ("post", 1): response = .json(allPosts())
        case ("post", 2): response = post(segments[1], request)
        case ("images", 2...): response = file(segments.joined(separator: "/"), request)
        default: return nil
        }
        let missing = MockResponse.error(404, "not found")
        var found = response ?? missing
        found.delay += timings[request.path]?.delay ?? 0
        return found
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
        guard let timing = timings[request.path], let size = timing.grow, let original = contents(name) else {
            return file(name, request)
        }
        return GrownPost(original)?.response(size: size, milliseconds: timing.over ?? 0)
    }

    /// Every post with its body.
    ///
    /// It is as slow as the real one; clients should not request it.
    private func allPosts() -> Data {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "post").path)) ?? []
        let posts = names.filter { $0.hasSuffix(".json") }.sorted().compactMap { contents("post/\($0)") }
        return Data("[".utf8) + Data(posts.joined(separator: Data(",".utf8))) + Data("]".utf8)
    }

    /// A file, compressed where there is a `.gz` beside it and the client takes that.
    private func file(_ name: String, _ request: MockRequest) -> MockResponse? {
        let takesGzip = request.headers["accept-encoding"]?.contains("gzip") == true
        let compressed = takesGzip ? contents(name + ".gz") : nil
        guard let data = compressed ?? contents(name) else { return nil }
        var response = MockResponse.json(data, etag: etag(name + (compressed == nil ? "" : ".gz")))
        if compressed != nil { response.headers["Content-Encoding"] = "gzip" }
        if !name.hasSuffix(".json") {
            response.headers["Content-Type"] = "image/" + (name.split(separator: ".").last ?? "")
        }
        return response
    }

    private func contents(_ name: String) -> Data? {
        // An id may hold anything; only what is one plain name below the folder is a file.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !name.contains("\0") else {
            return nil
        }
        return FileManager.default.contents(atPath: folder.appending(path: name).path)
    }

    /// Size and time tell versions of a file apart, as they do for web servers.
    private func etag(_ name: String) -> String? {
        let path = folder.appending(path: name).path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let size = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
        else { return nil }
        return "\"\(String(size, radix: 16))-\(String(Int(date.timeIntervalSince1970 * 1000), radix: 16))\""
    }
}
