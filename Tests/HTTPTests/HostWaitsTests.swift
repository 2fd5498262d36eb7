import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A rate-limiting host", .serialized) struct HostWaitsTests {
    private let folder: TemporaryFolder
    private let server: MockServer

    init() throws {
        folder = try TemporaryFolder()
        server = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog, isTimed: false)])
    }

    /// A reader as in a new process.
    private func reader(timeout: TimeInterval = 60) throws -> SourceReader {
        let store = try PostStore(path: folder.path("blog.sqlite3"))
        let client = HTTPClient(transport: TransportKind.used.make(), timeout: timeout, waits: store)
        let source = BlogAPISource(address: try #require(URL(string: server.address)), client: client)
        return SourceReader(source: source, store: store)
    }

    @Test(
        "isn't requested again before its Retry-After has passed, even in a new process; after a 503, only the address",
        arguments: [429, 503])
    func remembered(status: Int) async throws {
        defer { server.stop() }
        _ = try await reader().list(Query())
        server.setFault(.status(status, retryAfter: 3600), for: "/post-metadata", times: 1)
        let start = Date()
        for _ in 1...3 {
            guard case .waiting(let until?, .some) = try await reader().refreshed(respectsMaxAge: false).outcome
            else {
                Issue.record("expected the source to wait")
                return
            }
            #expect((start...Date()).contains(until.addingTimeInterval(-3600)))
            #expect(server.requests.count == 2)
        }
        #expect(server.requests.count == 2)
        let body = try? await reader().read(id: "1")
        #expect((body != nil) == (status == 503))
        #expect(server.requests.count == (status == 503 ? 3 : 2))
    }

    @Test("isn't requested for a minute after a 429 without Retry-After")
    func pause() async throws {
        defer { server.stop() }
        let waits = CountingWaits()
        let site = HeadsByAddress([
            "http://a.example/x": HTTPHead(status: 429), "http://a.example/y": HTTPHead(status: 200),
        ])
        let now = Date(timeIntervalSince1970: 4_000_000_000)
        let client = HTTPClient(transport: site, timeout: 1, clock: WallClock(now: { now }), waits: waits)
        for path in ["x", "y"] {
            let url = try #require(URL(string: "http://a.example/\(path)"))
            await #expect(throws: HTTPError.self) { try await client.get(url, limit: 1) }
        }
        #expect(site.requested == ["http://a.example/x"])
        #expect(await waits.waits() == ["a.example:80": now.addingTimeInterval(60)])
    }

    @Test("is requested again if its Retry-After is within the timeout")
    func waiting() async throws {
        defer { server.stop() }
        server.setFault(.status(429, retryAfter: 0), for: "/post-metadata", times: 1)
        _ = try await reader().list(Query())
        #expect(server.requests.count == 2)
    }

    @Test("is looked up in the store at most once a second")
    func recent() async throws {
        defer { server.stop() }
        let store = CountingWaits()
        let waits = RecentWaits(store)
        let start = ContinuousClock.now
        let urls = try ["http://a/x", "http://a/y", "http://b/x"].map { try #require(URL(string: $0)) }
        for number in 1...1000 { #expect(await waits.wait(of: urls[number % 3], at: Date()) == nil) }
        // Once a second, however slow the machine.
        #expect(await Double(store.lookUps) <= 1 + (ContinuousClock.now - start) / .seconds(1))
        let until = Date(timeIntervalSinceNow: 100)
        await waits.remember(wait: until, of: "a:80")
        await waits.remember(wait: until + 1, of: "http://a/y")
        var found: [Date?] = []
        for url in urls { found.append(await waits.wait(of: url, at: Date())) }
        #expect(found == [until, until + 1, nil])
    }

    @Test("is the one that sent the 429, even after a redirect")
    func redirected() async throws {
        defer { server.stop() }
        let waits = CountingWaits()
        let site = HeadsByAddress([
            "http://a.example/feed": HTTPHead(status: 302, headers: ["Location": "http://b.example/feed"]),
            "http://b.example/feed": HTTPHead(status: 429, headers: ["Retry-After": "60"]),
            "http://a.example/x": HTTPHead(status: 200), "http://b.example/x": HTTPHead(status: 200),
        ])
        let client = HTTPClient(transport: site, timeout: 1, waits: waits)
        func get(_ address: String) async throws {
            _ = try await client.get(try #require(URL(string: address)), limit: 1)
        }
        await #expect(throws: HTTPError.self) { try await get("http://a.example/feed") }
        try await get("http://a.example/x")
        await #expect(throws: HTTPError.self) { try await get("http://b.example/x") }
        #expect(site.requested == ["http://a.example/feed", "http://b.example/feed", "http://a.example/x"])
    }

    @Test("is requested anyway if its wait exceeds a day, since the clock must have been set back")
    func clock() async throws {
        defer { server.stop() }
        let waits = CountingWaits()
        let site = HeadsByAddress(["http://a.example/x": HTTPHead(status: 200)])
        let client = HTTPClient(transport: site, timeout: 1, waits: waits)
        let url = try #require(URL(string: "http://a.example/x"))
        await waits.remember(wait: Date(timeIntervalSinceNow: 23 * 3600), of: "a.example:80")
        await #expect(throws: HTTPError.self) { try await client.get(url, limit: 1) }
        await waits.remember(wait: Date(timeIntervalSinceNow: 25 * 3600), of: "a.example:80")
        let later = HTTPClient(transport: site, timeout: 1, waits: waits)
        _ = try await later.get(url, limit: 1)
        #expect(site.requested.count == 1)
    }

    @Test("has its latest wait stored for this process and the next")
    func again() async throws {
        defer { server.stop() }
        let path = folder.path("waits.sqlite3")
        let times = [1000.0, 5000, 3000].map { Date(timeIntervalSince1970: 4_000_000_000 + $0) }
        let store = try PostStore(path: path)
        for time in times {
            await store.remember(wait: time, of: "a:80")
            #expect(await store.waits() == ["a:80": time])
            #expect(await (try PostStore(path: path)).waits() == ["a:80": time])
        }
    }

    @Test("has waits forgotten a day after they have ended")
    func forgotten() async throws {
        defer { server.stop() }
        let (store, now) = (try PostStore(), Date(timeIntervalSince1970: 4_000_000_000))
        for (days, place) in [(0.0, "http://a/x"), (0, "a:80"), (0.9, "http://a/y"), (1.1, "http://a/z")] {
            await store.remember(wait: now.addingTimeInterval(days * 86_400), of: place)
        }
        #expect(await Set(store.waits().keys) == ["http://a/y", "http://a/z"])
    }

    @Test("isn't remembered for a 404, or under another host's name")
    func others() async throws {
        defer { server.stop() }
        let store = try PostStore()
        await store.remember(wait: Date(timeIntervalSinceNow: 100), of: "a:80")
        #expect(await Array(store.waits().keys) == ["a:80"])
        server.setFault(.status(404, retryAfter: 3600), for: "/post-metadata", times: 1)
        _ = try? await reader().list(Query())
        _ = try await reader().list(Query())
    }
}

/// Waits in memory only.
private actor CountingWaits: HostWaits {
    private(set) var lookUps = 0
    private var stored: [String: Date] = [:]

    func waits() -> [String: Date] {
        lookUps += 1
        return stored
    }

    func remember(wait: Date, of place: String) {
        stored[place] = wait
    }
}
