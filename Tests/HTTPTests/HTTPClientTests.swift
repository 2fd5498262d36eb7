import BlogHTTP
import BlogMockServer
import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Synchronization
import Testing

@Suite("The HTTP client", .serialized) struct HTTPClientTests {
    private let server: MockServer
    private let url: URL

    init() throws {
        server = try MockServer(sites: [MadeUpSite(posts: 3)])
        url = try #require(URL(string: server.address + "/post-metadata"))
    }

    private func client(_ kind: TransportKind, timeout: TimeInterval = 60) -> HTTPClient {
        HTTPClient(
            transport: kind.make(), timeout: timeout, retryPolicy: RetryPolicy(maxAttempts: 3, base: 0.001))
    }

    /// The error that each fault causes, and after how many requests.
    static let faultCases: [(Fault, @Sendable (URL) -> HTTPError, Int)] = [
        (.status(404), { .status($0, code: 404, retryAfter: nil) }, 1),
        (.status(410), { .status($0, code: 410, retryAfter: nil) }, 1),
        (.status(429, retryAfter: 90), { .status($0, code: 429, retryAfter: 90) }, 1),
        (.status(500), { .status($0, code: 500, retryAfter: nil) }, 3),
        (.status(503, retryAfter: 3600), { .status($0, code: 503, retryAfter: 3600) }, 1),
        (.refuse, { .interrupted($0) }, 3),
        (.reset, { .interrupted($0) }, 3),
        (.wrongLength, { .interrupted($0) }, 3),
        (.redirectLoop, { .tooManyRedirects($0) }, 11),
        (.redirect("file:///etc/passwd"), { .badRedirect($0, location: "file:///etc/passwd") }, 1),
        (.endless, { .tooLarge($0, limit: 100_000) }, 1),
    ]

    @Test(
        "reports what a server did wrong, and retries if that may help", arguments: TransportKind.allCases, faultCases)
    func faults(kind: TransportKind, wrong: (Fault, @Sendable (URL) -> HTTPError, Int)) async throws {
        let (fault, error, requests) = wrong
        defer { server.stop() }
        server.setFault(fault, for: "/post-metadata")
        await #expect(throws: error(url)) { try await client(kind).get(url, limit: 100_000) }
        #expect(server.requests.count == requests)
    }

    @Test("times out if the server falls silent", arguments: TransportKind.allCases)
    func stall(kind: TransportKind) async throws {
        defer { server.stop() }
        server.setFault(.stall, for: "/post-metadata")
        try await EnoughTime.from(1) { seconds in
            let error = await #expect(throws: HTTPError.self) {
                try await client(kind, timeout: seconds).get(url, limit: 100_000)
            }
            return error == .stalled(url, seconds: seconds)
        }
        server.setFault(.delay(60_000), for: "/post-metadata")
        await #expect(throws: HTTPError.timedOut(url, seconds: 1)) {
            try await client(kind, timeout: 1).get(url, limit: 100_000)
        }
    }

    @Test(
        "succeeds after two retries if the failure passes", arguments: TransportKind.allCases,
        [Fault.status(503), .refuse, .reset])
    func recovery(kind: TransportKind, fault: Fault) async throws {
        defer { server.stop() }
        server.setFault(fault, for: "/post-metadata", times: 2)
        let response = try await client(kind, timeout: 60).get(url, limit: 100_000)
        #expect(response.head.status == 200)
        #expect(server.requests.count == 3)
    }

    @Test("reports a refused connection", arguments: TransportKind.allCases)
    func refused(kind: TransportKind) async throws {
        server.stop()
        await #expect(throws: HTTPError.unreachable(url, reason: .refused)) {
            try await client(kind).get(url, limit: 100_000)
        }
    }

    @Test("retries once for all addresses of a server that can't be reached")
    func unreachable() async throws {
        server.stop()
        let retries = Mutex<[URL]>([])
        let client = HTTPClient(
            transport: TransportKind.used.make(), retryPolicy: RetryPolicy(maxAttempts: 3, base: 0.001)
        ) { activity in
            if case .retrying(let url, _, _) = activity { retries.withLock { $0.append(url) } }
        }
        for path in ["a", "b", "c"] {
            let url = url.appending(path: path)
            await #expect(throws: HTTPError.unreachable(url, reason: .refused)) {
                try await client.get(url, limit: 100)
            }
        }
        #expect(retries.withLock { $0 } == [url.appending(path: "a"), url.appending(path: "a")])
    }

    @Test("joins the chunks of a body, and rejects one over the limit")
    func limit() async throws {
        defer { server.stop() }
        let client = HTTPClient(transport: StubTransport(chunks: ["abc", "def"]))
        let response = try await client.get(url, limit: 6)
        #expect(try response.body.data == Data("abcdef".utf8))
        await #expect(throws: HTTPError.tooLarge(url, limit: 5)) { try await client.get(url, limit: 5) }
    }

    @Test("accepts 304 only if it sent validators")
    func notModified() async throws {
        defer { server.stop() }
        server.setFault(.status(304), for: "/post-metadata")
        await #expect(throws: HTTPError.status(url, code: 304, retryAfter: nil)) {
            try await client(.used).get(url, limit: 100_000)
        }
        let validators = CacheValidators(etag: "\"x\"", lastModified: nil)
        #expect(try await client(.used).get(url, validators: validators, limit: 100_000).isNotModified)
        #expect(server.requests.last?.headers["if-none-match"] == "\"x\"")
    }

    /// `[]\n`, compressed with gzip.
    private static let packed = Data([
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8B, 0x8E, 0xE5, 0x02, 0x00, 0x44, 0xD2, 0x68,
        0x70, 0x03, 0x00, 0x00, 0x00,
    ])

    @Test("rejects gzip with a wrong checksum")
    func brokenGzip() async throws {
        defer { server.stop() }
        var broken = Self.packed
        broken[16] ^= 1
        server.setFault(.body(broken, headers: ["Content-Encoding": "gzip"]), for: "/post-metadata")
        await #expect(throws: HTTPError.malformed(url, problem: .encoding)) {
            try await client(.used).get(url, limit: 100_000)
        }
    }

    @Test("decompresses gzip", arguments: TransportKind.allCases)
    func gzip(kind: TransportKind) async throws {
        let packed = Self.packed
        defer { server.stop() }
        server.setFault(.body(packed, headers: ["Content-Encoding": "gzip"]), for: "/post-metadata")
        let response = try await client(kind).get(url, limit: 100_000)
        #expect(server.requests.first?.headers["accept-encoding"]?.contains("gzip") == true)
        #expect(try response.body.data == Data("[]\n".utf8))
    }
}
