import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogModel
@testable import BlogRendering

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
        let response = try await client(kind).getWhole(try url(way.path), limit: 100)
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
        let response = try? await HTTPClient(transport: site).getWhole(url, options: options, limit: 100)
        #expect(response?.finalURL.absoluteString == final)
        #expect(response?.permanentURL == nil)
        #expect(response?.head["ETag"] == (connected.count == 1 && final != nil ? "1" : nil))
        #expect(site.connected == connected)
    }

    @Test("reports permanent redirects for a 304 too", arguments: TransportKind.allCases)
    func notModified(kind: TransportKind) async throws {
        defer { server.stop() }
        let validators = CacheValidators(etag: "\"end\"", lastModified: nil)
        let response = try await client(kind).getWhole(try url("/301/end"), validators: validators, limit: 100)
        #expect(response.isNotModified)
        #expect(response.permanentURL == (try url("/end")))
    }

    @Test("follows no redirects as a probe", arguments: TransportKind.allCases)
    func probe(kind: TransportKind) async throws {
        defer { server.stop() }
        let address = try url("/301/end")
        await #expect(throws: HTTPError.status(address, code: 301, retryAfter: nil)) {
            try await client(kind).getWhole(address, options: .probe, limit: 100)
        }
        #expect(server.requests.count == 1)
        #expect(try await client(kind).getWhole(try url("/end"), options: .probe, limit: 100).head.status == 200)
    }

    @Test("sends its Accept and User-Agent headers", arguments: TransportKind.allCases)
    func headers(kind: TransportKind) async throws {
        defer { server.stop() }
        _ = try await client(kind).getWhole(try url("/end"), limit: 100)
        _ = try await client(kind).getWhole(try url("/end"), options: .feed, limit: 100)
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
            _ = try await client(kind).getWhole(address, options: options, limit: 1000)
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
