import BlogMockServer
import BlogTestSupport
import Foundation
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// A server of the mock feeds, and a store for what is followed there.
struct FeedFixture {
    let server: MockServer
    let store: PostStore
    private let running: RunningServers

    init() throws {
        server = try MockServer(sites: [try FeedSite(folder: Repository.mockFeeds)])
        running = RunningServers(server)
        store = try PostStore()
    }
}

/// Tests of feeds that are followed on a server, into a store of their own.
protocol FeedFollowing {
    var fixture: FeedFixture { get }
}

extension FeedFollowing {
    var server: MockServer { fixture.server }
    var store: PostStore { fixture.store }

    func library(
        _ freshness: Freshness = .refresh, store other: PostStore? = nil, netrc: String = "",
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> Library {
        Library(
            store: other ?? store, client: .impatient(netrc: netrc, clock: .patient(now: now)), freshness: freshness)
    }

    func follow(_ path: String) async throws -> FollowReport {
        try await library().follow(FollowRequest(server.address + path, name: "feed"))
    }

    func serve(_ items: String..., feed: String = "", at path: String = "/feeds/feed.xml") {
        let rss = "<rss version='2.0'><channel><title>T</title>\(feed)\(items.joined())</channel></rss>"
        server.setFault(.body(Data(rss.utf8)), for: path)
    }

    func posts(_ query: Query = Query(arrangement: Arrangement(isReversed: true))) async throws -> [StoredPost] {
        try await library().page(query, after: nil, count: 100)
    }

    func refresh(at date: Date = Date()) async throws {
        let ids = try await library().sourceIDs(in: .everything)
        _ = await library(now: { date }).refresh(ids, onlyDue: false, deadline: nil)
    }
}
