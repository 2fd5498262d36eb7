import BlogHTTP
import BlogMockServer
import BlogModel
import BlogTestSupport
import Foundation
import Testing

@Suite("The mock server", .serialized) struct MockServerTests {
    private func get(_ server: MockServer, _ path: String, etag: String? = nil) async throws -> HTTPDocument {
        try await HTTPClient(transport: TransportKind.used.make(), timeout: 60).get(
            try #require(URL(string: server.address + path)),
            validators: etag.map { CacheValidators(etag: $0, lastModified: nil) }, limit: 100 << 20)
    }

    private func respond(_ site: any MockSite, _ path: String) throws -> MockResponse {
        let request = try #require(MockRequest(path, [:]))
        return try #require(site.response(to: request))
    }

    @Test("responds with 304 to a matching ETag")
    func notModified() async throws {
        let server = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog)])
        defer { server.stop() }
        let etag = try #require(try await get(server, "/post-metadata").head["ETag"])
        #expect(try await get(server, "/post-metadata", etag: etag).isNotModified)
        #expect(try await get(server, "/post-metadata", etag: "\"other\"").head.status == 200)
    }

    @Test(
        "never serves files outside its folder",
        arguments: [
            "/post/..%2Fall", "/post/%2E%2E", "/images/..%2F..%2Fall.json", "/images/%2Fetc%2Fpasswd", "/post/.",
            "/post/",
        ])
    func paths(path: String) async throws {
        let server = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog)])
        defer { server.stop() }
        await #expect {
            try await get(server, path)
        } throws: { error in
            guard case HTTPError.status(_, 404, _) = error else { return false }
            return true
        }
    }

    @Test("returns all posts with their bodies, which are those of the single posts")
    func allPosts() throws {
        func posts(_ data: Data) throws -> [Post] { try JSONDecoder().decode([Post].self, from: data) }
        let sites: [any MockSite] = [try BlogSite(folder: Repository.mockBlog, isTimed: false), MadeUpSite(posts: 3)]
        for site in sites {
            let all = try posts(try bytes(respond(site, "/post")))
            let list = try JSONDecoder().decode([PostMetadata].self, from: try bytes(respond(site, "/post-metadata")))
            #expect(all.map(\.metadata) == list && all.allSatisfy { !$0.body.isEmpty })
            for post in all {
                let one = try bytes(respond(site, "/post/\(post.id)"))
                #expect(try JSONDecoder().decode(Post.self, from: one) == post)
            }
        }
        #expect(try posts(try bytes(respond(MadeUpSite(posts: 0), "/post"))).isEmpty)
    }

    private func bytes(_ response: MockResponse) throws -> Data {
        guard case .bytes(let data) = response.body else { throw MockServerError(message: "expected bytes") }
        return data
    }

    @Test("streams the massive post slowly")
    func grown() async throws {
        let site = try BlogSite(folder: Repository.mockBlog)
        let response = try respond(site, "/post/2007")
        guard case .trickle(_, _, _, let milliseconds, _) = response.body else {
            Issue.record("expected a trickling body")
            return
        }
        #expect(milliseconds == 4000)
    }

    @Test("applies faults to some of many paths, including null")
    func null() async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 4)])
        defer { server.stop() }
        server.setFault(.null, for: ["/post-metadata/2", "/post-metadata/3"])
        func nulls() async throws -> [Int] {
            var found: [Int] = []
            for id in 1...4 where try await get(server, "/post-metadata/\(id)").body.data == Data("null".utf8) {
                found.append(id)
            }
            return found
        }
        #expect(try await nulls() == [2, 3])
        server.setFault(nil, for: ["/post-metadata/2"])
        #expect(try await nulls() == [3])
        #expect(Fault("null") == .null)
    }

    @Test("keeps its port to itself after it has stopped")
    func reservedPort() throws {
        let server = try MockServer(sites: [])
        server.stop()
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = server.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let error = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 ? 0 : errno
            }
        }
        #expect(error == EADDRINUSE)
        withExtendedLifetime(server) {}
    }

    @Test("delays each path by its own time")
    func delays() async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 4)])
        defer { server.stop() }
        server.setDelays { path in path.hasSuffix("/1") ? 150 : path.hasSuffix("/2") ? 3_600_000 : 0 }
        let late = Task { try await get(server, "/post-metadata/2") }
        let started = ContinuousClock.now
        _ = try await get(server, "/post-metadata/1")
        #expect(ContinuousClock.now - started >= .milliseconds(150))
        _ = try await get(server, "/post-metadata/3")
        server.stop()
        await #expect(throws: HTTPError.self) { try await late.value }
    }

    @Test("counts the connections it accepted")
    func connections() async throws {
        let server = try MockServer(sites: [MadeUpSite(posts: 4)])
        defer { server.stop() }
        #expect(server.connectionCount == 0)
        server.setFault(.refuse, for: "/post/*", times: 1)
        _ = try? await get(server, "/post/1000001")
        _ = try await get(server, "/post-metadata")
        #expect(server.connectionCount >= 2)
    }

    @Test("generates the same posts every time")
    func madeUp() throws {
        func list() throws -> Data? {
            guard case .bytes(let data) = try respond(MadeUpSite(posts: 40), "/post-metadata").body else { return nil }
            return data
        }
        let data = try #require(try list())
        #expect(try list() == data)
        #expect(try JSONDecoder().decode([PostMetadata].self, from: data).count == 40)
    }

    @Test("has a missing image, postIds unlike the ids, and five authors over three years")
    func data() throws {
        let data = try Data(contentsOf: Repository.mockBlog.appending(path: "all.json"))
        let posts = try JSONDecoder().decode([PostMetadata].self, from: data)
        #expect(posts.count >= 12)
        #expect(Set(posts.map(\.author.name)).count == 5)
        #expect(Set(posts.map { $0.publishDate.text.prefix(4) }).count == 3)
        #expect(posts.allSatisfy { $0.id != $0.postId })
        let missing = Set(posts.compactMap(\.author.image)).filter { image in
            !FileManager.default.fileExists(atPath: Repository.mockBlog.path + image)
        }
        #expect(missing.count == 1)
    }
}
