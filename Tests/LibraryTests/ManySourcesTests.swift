import BlogStore
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A library with many sources") struct ManySourcesTests {
    private static let feed = """
        <rss version="2.0"><channel><title>Feed</title>\
        <item><guid>1</guid><title>One</title><description>Text</description></item></channel></rss>
        """

    /// A library whose sources have one post each.
    private struct Site {
        let store: PostStore
        let library: Library
        let addresses: [String]

        init(_ count: Int) throws {
            store = try PostStore()
            library = Library(
                store: store, client: .impatient(StubTransport(chunks: [ManySourcesTests.feed])),
                defaultSource: SourceID(kind: "blog", address: "http://default"))
            addresses = (1...count).map { "http://127.0.0.1:9/\($0)/feed.xml" }
        }

        func follow() async throws {
            var names: Set<String> = []
            for await report in library.follow(addresses.map { FollowRequest($0) }) {
                names.insert(try report.get().name)
            }
            #expect(names.count == addresses.count)
        }
    }

    /// Work to be done once all sources are followed.
    enum Work: CaseIterable {
        case follow
        case followAgain
        case list
        case sources
        case sync
        case unfollow
        case exportAndImport
    }

    /// The number of SQLite instructions that the work takes with `count` sources.
    private func steps(_ work: Work, _ count: Int) async throws -> Int {
        let site = try Site(count)
        if work == .follow {
            try await site.follow()
            return try await site.store.steps
        }
        try await site.follow()
        let before = try await site.store.steps
        switch work {
        case .follow: break
        case .followAgain: try await site.follow()
        case .list:
            let list = try await site.library.list(Query(limit: 10))
            #expect(try await list.posts.reduce(0) { count, _ in count + 1 } == 10)
        case .sources: #expect(try await site.library.sources().count == count)
        case .sync: #expect(try await site.library.sync().count == count)
        case .unfollow:
            for address in site.addresses { _ = try await site.library.unfollow(address) }
            #expect(try await site.store.read { try Sources($0).followed() }.isEmpty)
        case .exportAndImport:
            let other = try Archive()
            for source in try await site.store.read({ try Sources($0).named() }).compactMap({ ExportedSource($0) }) {
                // The same name for each, as if all had the same host.
                #expect(try await other.merge(source.named("same")))
            }
            return try await other.store.steps
        }
        return try await site.store.steps - before
    }

    @Test("does at most 2.5 times as much work in SQL for twice as many", arguments: Work.allCases)
    func statements(work: Work) async throws {
        let (one, two) = (try await steps(work, 60), try await steps(work, 120))
        #expect(one > 60)
        #expect(Double(two) < 2.5 * Double(one), "\(one) and \(two)")
    }

    @Test("finds a free name in few attempts", arguments: [100, 1000, 10_000])
    func names(taken: Int) throws {
        let names = Set(["example"] + (2...taken).map { "example-\($0)" })
        var lookups = 0
        let name = try SourceName.of(SourceID(kind: "feed", address: "http://example.org/")) { name in
            lookups += 1
            return names.contains(name)
        }
        #expect(name == "example-\(taken + 1)")
        #expect(lookups < 40)
    }

    @Test("refreshes one source at a time if nobody waits for it, else several", arguments: [true, false])
    func quiet(isQuiet: Bool) async throws {
        let (store, meeting) = (try PostStore(), MeetingTransport(Self.feed))
        let library = Library(store: store, client: .impatient(meeting))
        for number in 1...5 {
            _ = try await library.follow(FollowRequest("http://\(number).example/feed", kind: "feed"))
        }
        meeting.begin(waitingFor: isQuiet ? 1 : 5)
        let refreshes = try await library.fullRefresh.refresh(.everything, onlyDue: false, isQuiet: isQuiet) { _, _ in }
            .0
        #expect(refreshes.count == 5)
        #expect(meeting.most == (isQuiet ? 1 : 5))
    }

    @Test("asks a source that can't be reached ever less often, at last daily, but only if others can be reached")
    func unreachable() async throws {
        let (store, clock) = (try PostStore(), TestClock(Date(timeIntervalSince1970: 1_800_000_000)))
        let network = PartialNetwork(Self.feed)
        let library = Library(store: store, client: .impatient(network, clock: clock.wall))
        for host in ["a.example", "b.example", "c.localhost"] {
            _ = try await library.follow(FollowRequest("http://\(host)/feed", kind: "feed"))
        }
        /// The minutes until sources are due, after a refresh of all.
        func minutes() async throws -> [Double?] {
            _ = await library.refresh(
                try await store.read { try Sources($0).all() }.map(\.id), onlyDue: false, deadline: nil)
            let now = clock.now
            let sources = try await store.read { try Sources($0).all() }.sorted { $0.id.address < $1.id.address }
            return sources.map { source in source.dueAt.map { $0.timeIntervalSince(now) / 60 } }
        }
        network.set(unreachable: ["a.example", "b.example", "c.localhost"])
        for _ in 1...5 { #expect(try await minutes() == [29, 29, 29]) }
        // Those of this machine say nothing about the others.
        network.set(unreachable: ["a.example", "b.example"])
        #expect(try await minutes() == [29, 29, 29])
        network.set(unreachable: ["a.example"])
        for expected in [29, 29, 29, 58, 116, 232, 464, 928, 1440, 1440] as [Double] {
            #expect(try await minutes() == [expected, 29, 29])
            // Asking earlier doesn't make the wait longer.
            #expect(try await minutes() == [expected, 29, 29])
            clock.pass(expected * 60 + 1)
        }
        network.set(unreachable: [])
        #expect(try await minutes() == [29, 29, 29])
    }

    @Test("counts a source as failing that is asked alone if another has responded since the last half hour")
    func unreachableAlone() async throws {
        let (store, clock) = (try PostStore(), TestClock(Date(timeIntervalSince1970: 1_800_000_000)))
        let network = PartialNetwork(Self.feed)
        let library = Library(store: store, client: .impatient(network, clock: clock.wall))
        for host in ["a.example", "b.example"] {
            _ = try await library.follow(FollowRequest("http://\(host)/feed", kind: "feed"))
        }
        network.set(unreachable: ["a.example"])
        let alone = try #require(
            try await store.read { try Sources($0).all() }.map(\.id).first { $0.address.contains("a.example") })
        clock.pass(60)
        let all = try await store.read { try Sources($0).all() }.map(\.id)
        try await store.writeToDisk { try Sources($0).setInterval(nil, dueAt: nil, of: alone) }
        for expected in [1, 0] {
            let refreshes = await library.refresh(all, onlyDue: true, deadline: nil)
            #expect(refreshes.count { $0.report.failure != nil } == expected)
        }
    }

    @Test("refreshes a source as often as it is told, or as its own interval says")
    func interval() async throws {
        let (store, clock) = (try PostStore(), TestClock(Date(timeIntervalSince1970: 1_800_000_000)))
        let network = PartialNetwork(Self.feed)
        let library = Library(store: store, client: .impatient(network, clock: clock.wall)).refreshing(every: 600)
        for host in ["a.example", "b.example"] {
            _ = try await library.follow(FollowRequest("http://\(host)/feed", kind: "feed"))
        }
        let ids = try await store.read { try Sources($0).all() }.map(\.id).sorted { $0.address < $1.address }
        let own = try #require(RefreshInterval("2h"))
        try await store.writeToDisk { try Sources($0).setInterval(own, dueAt: nil, of: ids[1]) }
        _ = await library.refresh(ids, onlyDue: false, deadline: nil)
        let sources = try await store.read { try Sources($0).all() }.sorted { $0.id.address < $1.id.address }
        #expect(sources.map { $0.dueAt.map { $0.timeIntervalSince(clock.now) / 60 } } == [9, 119])
    }

    @Test("refreshes at once what is due by an interval that is shorter than that of the last refresh")
    func shorterInterval() async throws {
        let (store, clock) = (try PostStore(), TestClock(Date(timeIntervalSince1970: 1_800_000_000)))
        let network = PartialNetwork(Self.feed)
        let library = Library(store: store, client: .impatient(network, clock: clock.wall))
        for host in ["a.example", "b.example"] {
            _ = try await library.follow(FollowRequest("http://\(host)/feed", kind: "feed"))
        }
        let ids = try await store.read { try Sources($0).all() }.map(\.id)
        func refreshedAt(_ library: Library) async throws -> Set<Date?> {
            _ = await library.refresh(ids, deadline: nil)
            return Set(try await store.read { try Sources($0).all() }.map(\.refreshedAt))
        }
        let start = clock.now
        clock.pass(240)
        #expect(try await refreshedAt(library) == [start])
        #expect(try await refreshedAt(library.refreshing(every: 300)) == [clock.now])
    }

    @Test("finds the free name in a gap between taken ones")
    func gap() throws {
        let names = Set(["example", "example-2", "example-4"])
        let name = try SourceName.of(SourceID(kind: "feed", address: "http://example.org/"), isTaken: names.contains)
        #expect(!names.contains(name) && name.hasPrefix("example-"))
    }
}

/// Responds to every request with the same feed, unless the host can't be reached.
private final class PartialNetwork: Transport {
    private let feed: String
    private let unreachable = Mutex<Set<String>>([])

    init(_ feed: String) {
        self.feed = feed
    }

    func set(unreachable hosts: Set<String>) { unreachable.withLock { $0 = hosts } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        if unreachable.withLock({ $0.contains(request.url.host ?? "") }) {
            throw HTTPError.unreachable(request.url, reason: .refused)
        }
        let head = HTTPHead(status: 200, headers: ["Content-Type": "application/rss+xml"])
        return HTTPResponse(url: request.url, head: head, body: ResponseBody(Data(feed.utf8)))
    }
}

/// Responds when a number of requests are in progress at a time.
private final class MeetingTransport: Transport {
    private let feed: String
    private let counts = Mutex((now: 0, most: 0, wanted: 1))

    init(_ feed: String) {
        self.feed = feed
    }

    /// The most requests at once.
    var most: Int { counts.withLock { $0.most } }

    func begin(waitingFor wanted: Int) { counts.withLock { $0 = (0, 0, wanted) } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
        while counts.withLock({ $0.most < $0.wanted }) { try await Task.sleep(for: .milliseconds(5)) }
        for _ in 0..<20 { await Task.yield() }
        counts.withLock { $0.now -= 1 }
        let head = HTTPHead(status: 200, headers: ["Content-Type": "application/rss+xml"])
        return HTTPResponse(url: request.url, head: head, body: ResponseBody(Data(feed.utf8)))
    }
}

extension PostStore {
    fileprivate var steps: Int { get throws { connection.database.steps } }
}

extension ExportedSource {
    fileprivate func named(_ name: String) throws -> ExportedSource {
        let json = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(self)) as? [String: Any])
        let data = try JSONSerialization.data(withJSONObject: json.merging(["name": name]) { $1 })
        return try JSONDecoder().decode(ExportedSource.self, from: data)
    }
}
