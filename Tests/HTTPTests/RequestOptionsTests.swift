import BlogMockServer
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogModel
@testable import BlogRendering

/// A transport that redirects by address, and records which addresses get validators.
private final class ValidatorRecorder: Transport {
    private let redirects: [String: String]
    private let addresses = Mutex<[String]>([])

    init(_ redirects: [String: String]) { self.redirects = redirects }

    var receivers: [String] { addresses.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let address = request.url.absoluteString
        if request.headers["If-None-Match"] != nil { addresses.withLock { $0.append(address) } }
        let target = redirects[address].map { ["Location": $0] }
        return HTTPResponse(
            url: request.url, head: HTTPHead(status: target == nil ? 200 : 302, headers: target ?? ["ETag": "\"2\""]),
            body: ResponseBody(Data()))
    }
}

/// Redirects by the statuses in a path: `/301/308/end` with a 301 to `/308/end`, and so on.
private struct RedirectingSite: MockSite {
    func response(to request: MockRequest) -> MockResponse? {
        guard let status = request.segments.first.flatMap({ Int($0) }) else {
            return MockResponse(headers: ["ETag": "\"end\""], body: .bytes(Data("here".utf8)))
        }
        let rest = request.segments.dropFirst().joined(separator: "/")
        return MockResponse(status: status, headers: ["Location": "/" + rest])
    }
}

@Suite("A request", .serialized) struct RequestOptionsTests {
    private let server: MockServer

    init() throws {
        server = try MockServer(sites: [RedirectingSite()])
    }

    private func url(_ path: String) throws -> URL { try #require(URL(string: server.address + path)) }

    private func client(_ kind: TransportKind) -> HTTPClient {
        HTTPClient(transport: kind.make(), timeout: 60, retryPolicy: RetryPolicy(maxAttempts: 3, base: 0.001))
    }

    @Test(
        "reports its final URL, and whether every redirect was permanent", arguments: TransportKind.allCases,
        [
            ("/end", nil), ("/301/end", "/end"), ("/308/end", "/end"), ("/301/308/301/end", "/end"), ("/302/end", nil),
            ("/307/end", nil), ("/301/302/end", nil), ("/302/301/end", nil), ("/303/end", nil),
        ] as [(String, String?)])
    func redirects(kind: TransportKind, way: (path: String, permanent: String?)) async throws {
        defer { server.stop() }
        let response = try await client(kind).get(try url(way.path), limit: 100)
        #expect(response.url == (try url(way.path)))
        #expect(response.finalURL == (try url("/end")))
        #expect(response.permanentURL == (try way.permanent.map(url)))
    }

    @Test(
        "follows the redirects in pages like those of servers, but never as permanent ones",
        arguments: [
            ("http://b.example/", "http://b.example/", ["8.8.8.8", "8.8.4.4"]),
            ("/self", "http://a.example/self", ["8.8.8.8"]),
            ("ftp://b.example/", "http://a.example/self", ["8.8.8.8"]), ("http://in.example/", nil, ["8.8.8.8"]),
            ("/loop", "http://a.example/back", Array(repeating: "8.8.8.8", count: 11)),
        ] as [(String, String?, [String])])
    func pages(target: String, final: String?, connected: [String]) async throws {
        let page = HTTPHead(status: 200, headers: ["Content-Type": "text/html", "ETag": "1"])
        let site = PeersByAddress(
            [
                "http://a.example/self": ("8.8.8.8", page), "http://b.example/": ("8.8.4.4", page),
                "http://in.example/": ("192.168.1.1", page), "http://a.example/loop": ("8.8.8.8", page),
                "http://a.example/back": ("8.8.8.8", page),
            ],
            bodies: [
                "http://a.example/self": Data(target.utf8), "http://a.example/loop": Data("/back".utf8),
                "http://a.example/back": Data("/loop".utf8),
            ])
        let options = RequestOptions.page.following { _, body in
            body.isEmpty ? nil : String(decoding: body, as: UTF8.self)
        }
        let url = try #require(URL(string: "http://a.example/self"))
        let response = try? await HTTPClient(transport: site).get(url, options: options, limit: 100)
        #expect(response?.finalURL.absoluteString == final)
        #expect(response?.permanentURL == nil)
        #expect(response?.head["ETag"] == (connected.count == 1 && final != nil ? "1" : nil))
        #expect(site.connected == connected)
    }

    @Test("reports permanent redirects for a 304 too", arguments: TransportKind.allCases)
    func notModified(kind: TransportKind) async throws {
        defer { server.stop() }
        let validators = CacheValidators(etag: "\"end\"", lastModified: nil)
        let response = try await client(kind).get(try url("/301/end"), validators: validators, limit: 100)
        #expect(response.isNotModified)
        #expect(response.permanentURL == (try url("/end")))
    }

    /// The origin of the validators, nil for that of the request; the address to which that is redirected; and the
    /// servers that get them.
    private static let owners: [(origin: String?, target: String, [String])] = [
        (nil, "http://a.example/2", ["http://a.example/1", "http://a.example/2"]),
        (nil, "http://b.example/2", ["http://a.example/1"]), (nil, "http://a.example:81/", ["http://a.example/1"]),
        (nil, "https://a.example/2", ["http://a.example/1"]),
        ("http://b.example", "http://b.example/2", ["http://b.example/2"]),
        ("http://c.example", "http://b.example/2", []),
    ]

    @Test("sends validators only to the origin that they come from", arguments: owners)
    func validatorOwners(row: (origin: String?, target: String, receivers: [String])) async throws {
        let transport = ValidatorRecorder(["http://a.example/1": row.target])
        let validators = CacheValidators(etag: "\"1\"", origin: row.origin)
        let response = try await HTTPClient(transport: transport).get(
            try #require(URL(string: "http://a.example/1")), validators: validators, limit: 100)
        #expect(transport.receivers == row.receivers)
        let isElsewhere = Origin(response.finalURL) != Origin(response.url)
        #expect(response.validators.origin == (isElsewhere ? "\(Origin(response.finalURL))" : nil))
    }

    @Test(
        "keeps and sends validators of visible ASCII of at most 1 KB",
        arguments: [
            ("\"1\"", true), ("W/\"a b\"", true), (String(repeating: "x", count: 1024), true),
            (String(repeating: "x", count: 1025), false), ("\"é\"", false), ("\"a\tb\"", false),
            ("\"a\u{7F}\"", false), ("\"a\r\nX: y\"", false),
        ])
    func validators(value: String, isKept: Bool) throws {
        let url = try #require(URL(string: "http://a.example/"))
        let head = HTTPHead(status: 200, headers: ["ETag": value, "Last-Modified": value])
        let validators = HTTPDocument(url: url, head: head, body: DocumentBody([])).validators
        #expect(validators == CacheValidators(etag: isKept ? value : nil, lastModified: isKept ? value : nil))
        // An older version may have stored others.
        let stored = CacheValidators(etag: value, lastModified: value)
        #expect(stored.requestHeaders == (isKept ? ["If-None-Match": value, "If-Modified-Since": value] : [:]))
    }

    @Test("follows no redirects as a probe", arguments: TransportKind.allCases)
    func probe(kind: TransportKind) async throws {
        defer { server.stop() }
        let address = try url("/301/end")
        await #expect(throws: HTTPError.status(address, code: 301, retryAfter: nil)) {
            try await client(kind).get(address, options: .probe, limit: 100)
        }
        #expect(server.requests.count == 1)
        #expect(try await client(kind).get(try url("/end"), options: .probe, limit: 100).head.status == 200)
    }

    @Test("sends its Accept and User-Agent headers", arguments: TransportKind.allCases)
    func headers(kind: TransportKind) async throws {
        defer { server.stop() }
        _ = try await client(kind).get(try url("/end"), limit: 100)
        _ = try await client(kind).get(try url("/end"), options: .feed, limit: 100)
        #expect(server.requests.map { $0.headers["accept"] } == ["application/json", RequestOptions.feed.accept])
        #expect(
            RequestOptions.feed.accept.hasPrefix("application/atom+xml, application/rss+xml, application/feed+json"))
        #expect(server.requests.allSatisfy { $0.headers["user-agent"] == UserAgent.standard })
    }

    @Test("times out if the whole transfer takes too long", arguments: TransportKind.allCases)
    func timeLimit(kind: TransportKind) async throws {
        defer { server.stop() }
        let address = try url("/end")
        func get(in seconds: TimeInterval) async throws {
            let options = RequestOptions(accept: "*/*", timeLimit: seconds)
            _ = try await client(kind).get(address, options: options, limit: 1000)
        }
        server.setFault(.delay(60_000), for: "/end")
        await #expect(throws: HTTPError.timedOut(address, seconds: 0.3)) { try await get(in: 0.3) }
        server.setFault(.drip(milliseconds: 20), for: "/end")
        try await EnoughTime.from(0.5) { seconds in
            await #expect(throws: HTTPError.self) { try await get(in: seconds) } == .tooSlow(address)
        }
        server.setFault(.status(503, retryAfter: 60), for: "/end")
        await #expect(throws: HTTPError.status(address, code: 503, retryAfter: 60)) { try await get(in: 50) }
    }
}
