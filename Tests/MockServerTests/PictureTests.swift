import BlogHTTP
import BlogKit
import BlogLibrary
import BlogMockServer
import BlogModel
import BlogTestSupport
import Foundation
import Testing

@Suite("The mocks' pictures", .serialized) struct PictureTests {
    private let server: MockServer

    init() throws {
        server = try MockServer(sites: [
            BlogSite(folder: Repository.mockBlog, isTimed: false), Repository.photoSite.get(),
        ])
    }

    private func get(_ target: String) async throws -> HTTPDocument {
        let address = target.hasPrefix("/") ? server.address + target : target
        return try await HTTPClient(transport: TransportKind.used.make(), timeout: 60)
            .get(try #require(URL(string: address)), limit: 10 << 20)
    }

    /// The media type of a picture by its first bytes.
    private func kind(of data: Data) -> String? {
        let kinds: [(type: String, start: [UInt8])] = [
            ("image/jpeg", [0xFF, 0xD8, 0xFF]), ("image/png", [0x89, 0x50, 0x4E, 0x47]),
            ("image/webp", Array("RIFF".utf8)), ("image/svg+xml", Array("<svg ".utf8)),
        ]
        return kinds.first { data.starts(with: $0.start) }?.type
    }

    /// Requests pictures; returns those that are missing, and the types of the others.
    private func served(_ targets: Set<String>) async throws -> (missing: [String], types: Set<String>) {
        var (missing, types): ([String], Set<String>) = ([], [])
        for target in targets.sorted() {
            do {
                let response = try await get(target)
                let type = try #require(response.head["Content-Type"])
                #expect(try type == kind(of: response.body.data), "\(target)")
                types.insert(type)
            } catch HTTPError.status(_, code: 404, _) {
                missing.append(target)
            }
        }
        return (missing, types)
    }

    /// The images that a body names, in Markdown and in HTML.
    private func images(in body: String) -> [String] {
        let starts = body.ranges(of: "](/images/") + body.ranges(of: "src=\"/images/")
        return starts.map { start in
            "/images/" + body[start.upperBound...].prefix { !"\") ".contains($0) }
        }
    }

    @Test("of the blog exist in every format, except one author's portrait")
    func blog() async throws {
        defer { server.stop() }
        var named: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: Repository.mockBlog.path + "/post") {
            let json = try Data(contentsOf: Repository.mockBlog.appending(path: "post/\(name)"))
            let post = try JSONDecoder().decode(Post.self, from: json)
            named.formUnion(images(in: post.body))
            if let portrait = post.metadata.author.image { named.insert(portrait) }
        }
        let found = try await served(named)
        #expect(found.missing == ["/images/authors/misaki.jpg"])
        #expect(found.types == ["image/jpeg", "image/png", "image/webp", "image/svg+xml"])
    }

    @Test("of post 42 are in four formats")
    func example() async throws {
        defer { server.stop() }
        let api = try #require(BlogAPI(address: server.address))
        let metadata = try await api.metadata(id: "42")
        let post = try await api.post(postId: metadata.postId)
        #expect(post.id == "2042" && post.metadata == metadata)
        #expect(images(in: post.body).map { String($0.suffix(4)) } == [".png", ".jpg", ".svg", "webp"])
    }

    @Test("of photos exist in both sizes at the API's addresses")
    func photos() async throws {
        defer { server.stop() }
        var named: Set<String> = []
        for page in 1...2 {
            let list = try await get("/v1/photos?feature=popular&rpp=64&page=\(page)&image_size=440,1600")
            let json = try JSONSerialization.jsonObject(with: list.body.data) as? [String: Any]
            for photo in try #require(json?["photos"] as? [[String: Any]]) {
                for image in photo["images"] as? [[String: Any]] ?? [] {
                    let urls = ["url", "https_url"].compactMap { image[$0] as? String }
                    named.formUnion(urls.filter { !$0.isEmpty })
                }
            }
        }
        #expect(named.count > 200)
        let found = try await served(named)
        #expect(found.missing.isEmpty)
        #expect(found.types == ["image/jpeg", "image/png"])
    }

    @Test("of photographers exist wherever the API says")
    func avatars() async throws {
        defer { server.stop() }
        let data = try Data(contentsOf: Repository.mockPhotos.appending(path: "list.jsonl"))
        var named: Set<String> = []
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let photo = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let user = photo?["user"] as? [String: Any] ?? [:]
            let sizes = (user["avatars"] as? [String: Any] ?? [:]).values.compactMap {
                ($0 as? [String: String])?["https"]
            }
            let all = sizes + ["userpic_url", "userpic_https_url"].compactMap { user[$0] as? String }
            named.formUnion(all.map { $0.replacing("{site}", with: "") })
        }
        #expect(named.contains("/graphics/userpic.png") && named.contains("/avatars/5/large.jpg"))
        #expect(try await served(named).missing.isEmpty)
    }

    @Test("can have faults and delays, like single pages of a list")
    func faults() async throws {
        defer { server.stop() }
        let list = "/v1/photos?feature=popular&page="
        server.setFault(.status(500), for: "/v1/photos?page=2")
        #expect(try await get(list + "1").head.isSuccess)
        await #expect(throws: HTTPError.self) { try await get(list + "2") }
        server.setFault(.html, for: "/graphics/*")
        #expect(try await get("/graphics/userpic.png").head["Content-Type"] == "text/html")
        server.setDelays { $0.hasPrefix("/avatars/") ? 150 : 0 }
        let started = ContinuousClock.now
        #expect(try await get("/avatars/2/tiny.jpg").head.isSuccess)
        #expect(ContinuousClock.now - started >= .milliseconds(150))
    }

    @Test("come from a server that records the queries of requests")
    func queries() async throws {
        defer { server.stop() }
        _ = try await get("/v1/photos?feature=popular&image_size=440%2C1600&consumer_key=a+b&page=1&page=2&x")
        let expected = ["feature": "popular", "image_size": "440,1600", "consumer_key": "a b", "page": "2", "x": ""]
        #expect(server.requests.first?.query == expected)
        #expect(server.requestLines == ["GET /v1/photos"])
        let etag = try #require(try await get("/avatars/2/tiny.jpg").head["ETag"])
        #expect(etag.hasPrefix("\""))
    }
}
