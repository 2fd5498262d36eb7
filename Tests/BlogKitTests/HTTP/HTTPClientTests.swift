import BlogKit
import Foundation
import MockServer
import Testing

@Suite("The HTTP client") struct HTTPClientTests {
    private let server: MockServer
    private let url: URL

    init() throws {
        server = try MockServer(sites: [MadeUpSite(posts: 3)])
        url = try #require(URL(string: server.address + "/post-metadata"))
    }

    private func client(timeout: TimeInterval = 5) -> HTTPClient {
        HTTPClient(
            transport: URLSessionTransport(), timeout: timeout, retryPolicy: RetryPolicy(tries: 3, base: 0.001))
    }

    /// What a fault leads to, and after how many requests.
    static let wrongs: [(Fault, @Sendable (URL) -> HTTPError, Int)] = [
        (.status(404), { .status($0, code: 404, retryAfter: nil) }, 1),
        (.status(410), { .status($0, code: 410, retryAfter: nil) }, 1),
        (.status(429, retryAfter: 9), { .status($0, code: 429, retryAfter: 9) }, 1),
        (.status(500), { .status($0, code: 500, retryAfter: nil) }, 3),
        (.status(503, retryAfter: 3600), { .status($0, code: 503, retryAfter: 3600) }, 1),
        (.refuse, { .interrupted($0) }, 3),
        (.reset, { .interrupted($0) }, 3),
        (.wrongLength, { .interrupted($0) }, 3),
        (.redirectLoop, { .tooManyRedirects($0) }, 11),
        (.redirect("file:///etc/passwd"), { .badRedirect($0, location: "file:///etc/passwd") }, 1),
        (.endless, { .tooLarge($0, limit: 100_000) }, 1),
    ]

    @Test("says what a server did wrong, and tries again where that may help", arguments: wrongs)
    func faults(fault: Fault, error: @Sendable (URL) -> HTTPError, requests: Int) async throws {
        defer { server.stop() }
        server.setFault(fault, for: "/post-metadata")
        await #expect(throws: error(url)) { try await client().get(url, limit: 100_000) }
        #expect(server.requests.count == requests)
    }

    @Test("gives up on a server that falls silent")
    func stall() async throws {
        defer { server.stop() }
        server.setFault(.stall, for: "/post-metadata")
        await #expect(throws: HTTPError.timedOut(url, seconds: 0.2)) {
            try await client(timeout: 0.2).get(url, limit: 100_000)
        }
    }

    @Test("gets through when a failure passes", arguments: [Fault.status(503), .refuse, .reset])
    func recovery(fault: Fault) async throws {
        defer { server.stop() }
        server.setFault(fault, for: "/post-metadata", times: 2)
        let answer = try await client().get(url, limit: 100_000)
        #expect(answer.head.status == 200)
        #expect(server.requests.count == 3)
    }

    @Test("says that nothing listens")
    func refused() async throws {
        server.stop()
        await #expect(throws: HTTPError.unreachable(url, reason: .refused)) {
            try await client().get(url, limit: 100_000)
        }
    }

    @Test("joins the pieces of an answer, up to the limit")
    func limit() async throws {
        let head = HTTPHead(status: 200, headers: [:])
        let stub = StubTransport(events: [.head(head), .bytes(Data("abc".utf8)), .bytes(Data("def".utf8))])
        let answer = try await HTTPClient(transport: stub).get(url, limit: 6)
        #expect(answer.body == Data("abcdef".utf8))
        await #expect(throws: HTTPError.tooLarge(url, limit: 5)) {
            try await HTTPClient(transport: stub).get(url, limit: 5)
        }
    }

    @Test("takes 304 only where it asked with validators")
    func notModified() async throws {
        defer { server.stop() }
        server.setFault(.status(304), for: "/post-metadata")
        await #expect(throws: HTTPError.status(url, code: 304, retryAfter: nil)) {
            try await client().get(url, limit: 100_000)
        }
        let validators = CacheValidators(etag: "\"x\"", lastModified: nil)
        #expect(try await client().get(url, validators: validators, limit: 100_000).isNotModified)
        #expect(server.requests.last?.headers["if-none-match"] == "\"x\"")
    }

    @Test("unpacks gzip")
    func gzip() async throws {
        // "[]\n" as gzip makes it.
        let packed = Data([
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8B, 0x8E, 0xE5, 0x02, 0x00, 0x44, 0xD2, 0x68,
            0x70, 0x03, 0x00, 0x00, 0x00,
        ])
        defer { server.stop() }
        server.setFault(.body(packed, headers: ["Content-Encoding": "gzip"]), for: "/post-metadata")
        let answer = try await client().get(url, limit: 100_000)
        #expect(server.requests.first?.headers["accept-encoding"]?.contains("gzip") == true)
        #expect(answer.body == Data("[]\n".utf8))
    }
}
