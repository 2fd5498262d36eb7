import Foundation

/// The Blog Nerd Ranch API over a folder: `all.json`, `post/POSTID.json`, `images/…` and perhaps `routes.json`.
///
/// In `mocks/data/blog` one of the images that posts name is missing on purpose: `/images/authors/misaki.jpg`.
public struct BlogSite: MockSite {
    private let folder: URL
    private let timings: RouteTimings

    /// A site over a folder.
    ///
    /// Throws a ``MockServerError`` if it has no `all.json`.
    ///
    /// - Parameter isTimed: whether what `routes.json` says holds: without it, each response comes at once and no post
    ///   grows.
    public init(folder: URL, isTimed: Bool = true) throws {
        guard FileManager.default.fileExists(atPath: folder.appending(path: "all.json").path) else {
            throw MockServerError(message: "\(folder.path) has no all.json")
        }
        self.folder = folder
        timings = try isTimed ? RouteTimings(folder: folder) : RouteTimings()
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

/// One site at many addresses: `/blog/1`, `/blog/2` and so on have below them what the site has below `/`.
public struct ManyBlogs: MockSite {
    private let site: any MockSite
    private let count: Int

    /// A site at `count` addresses.
    public init(_ count: Int, of site: any MockSite) {
        self.count = count
        self.site = site
    }

    /// The site's response, or nil if the path is below none of the addresses.
    public func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        guard segments.count > 2, segments[0] == "blog", let number = Int(segments[1]), (1...count).contains(number)
        else { return nil }
        return site.response(to: request.below(segments: 2))
    }
}
