import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A library", .serialized) struct FollowingTests {
    private let blog: MockServer
    private let other: MockServer
    private let news: MockServer
    private let running: RunningServers
    private let store: PostStore

    init() throws {
        blog = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog, isTimed: false)])
        other = try MockServer(sites: [MadeUpSite(posts: 20)])
        news = try MockServer(sites: [Repository.hackerNewsSite.get()])
        running = RunningServers(blog, other, news)
        store = try PostStore()
    }

    private func library(
        _ freshness: Freshness = .normal, now: @escaping @Sendable () -> Date = { Date() }
    ) -> Library {
        Library(
            store: store, client: .impatient(clock: .patient(now: now)),
            defaultSource: SourceID(kind: "blog", address: blog.address), freshness: freshness)
    }

    private func followAll() async throws {
        _ = try await library().follow(blog.address, as: "nerds", folder: "a/b")
        _ = try await library().follow(other.address, as: "other")
        _ = try await library().follow(news.address + "/v0", as: "news", folder: "a")
    }

    private func ids(_ list: PostList, _ library: Library) async throws -> [String] {
        let typed = try await library.shortIDs()
        return try await list.posts.reduce(into: []) { $0.append(typed.text($1.id)) }
    }

    @Test("detects what kind of source an address is, and has its posts at once")
    func kinds() async throws {
        let first = try await library().follow(blog.address)
        #expect(first.source == SourceID(kind: "blog", address: blog.address))
        #expect((first.name, first.posts) == ("127-0-0-1", 15))
        let second = try await library().follow(news.address + "/v0/")
        #expect(second.source.kind == "hackernews")
        #expect(second.name.hasPrefix("127-0-0-1-"))
        #expect(second.posts == 30)
    }

    @Test(
        "requests sources that are due, and all of them if the clock was set back",
        arguments: [(-3600.0, true), (1.0, false), (259_200.0, true)])
    func clock(seconds: Double, isRequested: Bool) async throws {
        try await followAll()
        let before = [blog, other, news].map(\.requests.count)
        let now = Date().addingTimeInterval(seconds)
        _ = try await library(now: { now }).list(Query())
        #expect(zip([blog, other, news], before).allSatisfy { ($0.requests.count > $1) == isRequested })
    }

    @Test("says what it found if an address isn't a source")
    func noSource() async throws {
        blog.setFault(.html, for: "/x/*")
        blog.setFault(.html, for: "/x")
        await #expect {
            try await library().follow(blog.address + "/x")
        } throws: { error in
            guard case LibraryError.notASource(_, found: "a web page without a feed") = error else { return false }
            return true
        }
        #expect(try await store.read { try Sources($0).all() }.isEmpty)
        await #expect(throws: LibraryError.self) { try await library().follow("nonsense") }
        await #expect(throws: LibraryError.self) { try await library().follow(blog.address, as: "Big Name") }
        await #expect(throws: LibraryError.self) { try await library().follow(blog.address, as: "hn") }
    }

    @Test("changes nothing when a source is followed again, unless under another name")
    func again() async throws {
        try await followAll()
        #expect(try await library().follow(blog.address).outcome == .unchanged)
        #expect(try await library().follow(blog.address, as: "n2").outcome == .changed)
        #expect(try await library().sources().map(\.name) == ["n2", "news", "other"])
        #expect(try await library().sources().map(\.folder) == ["a/b", "a", ""])
        await #expect(throws: LibraryError.self) { try await library().follow(blog.address, as: "other") }
    }

    @Test("lists the posts of all sources by date, with IDs that include the source")
    func oneList() async throws {
        try await followAll()
        let list = try await ids(library().list(Query()), library())
        #expect(list.count == 65)
        #expect(list.prefix(2).allSatisfy { $0.hasPrefix("news:") })
        let dates = try await library().list(Query()).posts
            .reduce(into: [Int64]()) { $0.append($1.metadata.publishDate.milliseconds) }
        #expect(dates == dates.sorted(by: >))
        let folder = try await ids(library().list(Query(), in: .folder("a")), library())
        #expect(folder.count == 45)
        #expect(try await ids(library().list(Query(), in: .folder("a/b")), library()).count == 15)
        let groups = try await library().list(Query(arrangement: Arrangement(grouping: .source))).groups
        #expect(groups == ["nerds": 15, "news": 30, "other": 20].sorted { $0.key < $1.key }.map(PostGroup.init))
        let query = Query(arrangement: Arrangement(grouping: .folder), limit: 40)
        #expect(try await library().list(query).groups.map(\.count).reduce(0, +) == 40)
    }

    @Test("refreshes only sources that are due")
    func due() async throws {
        try await followAll()
        [blog, other].forEach { $0.clearRequests() }
        _ = try await library().list(Query())
        #expect(blog.requests.isEmpty && other.requests.isEmpty)
        _ = try await library(now: { Date(timeIntervalSinceNow: 31 * 60) }).list(Query())
        #expect(blog.requests.count == 1 && other.requests.count == 1)
        _ = try await library().list(Query(), in: .sources([SourceID(kind: "blog", address: other.address)]))
        #expect(other.requests.count == 2)
        _ = try await library(.refresh).list(Query())
        #expect(blog.requests.count == 2)
    }

    @Test("lists the stored posts of an unreachable source among the others")
    func gone() async throws {
        try await followAll()
        other.stop()
        let list = try await library(.refresh).list(Query())
        #expect(try await ids(list, library()).count == 65)
        #expect(list.refreshes.count { $0.report.failure != nil } == 1)
        #expect(try await library().sources().first { $0.name == "other" }?.problem == .unreachable)
    }

    @Test("prefers the followed one of two sources at an address")
    func sameAddress() async throws {
        let followed = SourceID(kind: "feed", address: SourceID.one.address)
        try await store.list([], of: .one)
        _ = try await store.writeToDisk {
            try Sources($0).follow(followed, in: nil, site: nil, at: .day(1)) { _ in "a" }
        }
        #expect(try await library().directory.id(at: followed.address) == followed)
    }

    @Test("names a source without a title by its name as long as it is followed, and then by its address")
    func place() async throws {
        _ = try await store.writeToDisk { try Sources($0).follow(.one, in: nil, site: nil, at: .day(1)) { _ in "one" } }
        #expect(try await library().resolve(.sources([.one])).place == "one")
        try await store.writeToDisk { try Sources($0).unfollow(.one) }
        #expect(try await library().resolve(.sources([.one])).place == SourceID.one.address)
    }

    @Test("names sources without titles by their names in a list of several")
    func names() async throws {
        try await followAll()
        let library = library()
        let shown = try await Presentation(of: library.resolve(.everything), in: library, isForPages: false)
        #expect(shown.title(of: SourceID(kind: "blog", address: blog.address)) == "nerds")
    }

    @Test("counts the new posts of a full refresh, those of a ranking once")
    func newPosts() async throws {
        let hn = SourceID(kind: "hackernews", address: news.address + "/v0")
        for new in [30, 0] {
            #expect(try await library().fullRefresh.refresh(.sources([hn]), onlyDue: false) { _, _ in }.new == new)
        }
    }

    @Test("accepts any printed ID, and a short one if only one source has it")
    func shortIDs() async throws {
        try await followAll()
        let library = library()
        #expect(try await library.postID("nerds:11").source.address == blog.address)
        #expect(try await library.postID("news:8863").local == "8863")
        #expect(try await library.postID("19").source.address == other.address)
        #expect(try await library.postID("https://news.ycombinator.com/item?id=8863").local == "8863")
        #expect(try await library.postID("https://quire.example/").source.kind == "hackernews")
        await #expect {
            try await library.postID("11")
        } throws: { error in
            guard case LibraryError.ambiguous("11", let candidates) = error else { return false }
            return Set(candidates) == ["nerds:11", "other:11"]
        }
        await #expect(throws: LibraryError.self) { try await library.postID("99999") }
        #expect(try await library.read(library.postID("other:19")).post.metadata.id == "19")
    }

    @Test("resolves “last” to the post read last, whichever sources are followed or named")
    func last() async throws {
        let library = library()
        await #expect {
            try await library.postID("last")
        } throws: { error in
            if case LibraryError.nothingRead = error { true } else { false }
        }
        _ = try await library.list(Query())
        let read = try await library.postID("11")
        try await library.noteReading(of: [try await library.postID("12"), read])
        #expect(try await library.lastRead() == read)
        #expect(try await library.postID("last") == read)
        try await followAll()
        let scope = try await library.scope(named: ["other"])
        #expect(try await library.postID("last", in: scope) == read)
        #expect(try await library.lookup.ids(for: "last", in: scope) == ["last"])
    }

    @Test(
        "skips unread posts before the next one",
        arguments: [(0, ["20", "19"]), (1, ["19", "18"]), (19, ["1"]), (20, [])])
    func skip(count: Int, ids: [String]) async throws {
        _ = try await library().follow(other.address, as: "other")
        let next = try await library().lookup.ids(for: "other:next:2", in: .everything, skipping: count)
        #expect(next == ids.map { "other:\($0)" })
    }

    @Test("keeps the saved posts and the name of an unfollowed source")
    func unfollow() async throws {
        try await followAll()
        let id = try await library().postID("nerds:11")
        _ = try await library().mark(.saved, ids: [id])
        #expect(try await library().unfollow("nerds").name == "nerds")
        #expect(try await !ids(library().list(Query()), library()).contains { $0.hasPrefix("nerds:") })
        let saved = Query(filter: Filter(isSaved: true))
        #expect(try await ids(library().list(saved), library()) == ["nerds:11"])
        #expect(try await library().postID("nerds:11") == id)
        #expect(try await library().follow(blog.address).name == "nerds")
        #expect(try await ids(library().list(Query()), library()).count == 65)
        await #expect(throws: LibraryError.self) { try await library().unfollow("nobody") }
        for name in ["nerds", "other", "news"] { _ = try await library().unfollow(name) }
        #expect(try await ids(library().list(saved), library()) == ["nerds:11"])
    }

    @Test("searches, marks and syncs all sources")
    func all() async throws {
        try await followAll()
        let reports = try await library().sync()
        #expect(reports.map(\.report.failed) == [0, 0, 0])
        #expect(try await library().resolve(.everything).stored.missingBodies == 0)
        let found = try await library().search(Query(arrangement: Arrangement(sorting: .relevance), words: "the"))
        #expect(Set(try await ids(found, library()).compactMap { $0.split(separator: ":").first }).count >= 2)
        #expect(try await library().mark(.read, all: Filter()).changed == 65)
        #expect(try await library().sources().map(\.unread) == [0, 0, 0])
        #expect(try await library().undo()?.changed == 65)
    }

    @Test("lists what is new for a cursor, from every source")
    func cursor() async throws {
        _ = try await library().follow(blog.address, as: "nerds")
        _ = try await library().follow(news.address + "/v0", as: "news")
        let query = Query(newFor: "cron")
        try await library().moveCursor("cron", past: library().list(query))
        #expect(try await ids(library().list(query), library()).isEmpty)
        _ = try await library().follow(other.address, as: "other")
        #expect(try await ids(library().list(query), library()).count == 20)
    }

    @Test("lists the same posts page by page as all at once")
    func pages() async throws {
        try await followAll()
        let typed = try await library().shortIDs()
        for (sorting, isReversed) in Sorting.allCases.flatMap({ [($0, false), ($0, true)] }) {
            let query = Query(arrangement: Arrangement(sorting: sorting, isReversed: isReversed))
            let all = try await ids(library(.offline).list(query), library())
            var (paged, last): ([String], ListPosition?) = ([], nil)
            while case let page = try await library().page(query, after: last, count: 7), !page.isEmpty {
                paged += page.map { typed.text($0.id) }
                last = page.last?.position
            }
            #expect(paged == all, "\(sorting), reversed: \(isReversed)")
        }
    }

    @Test("lists only the front page of a ranking among other posts, whatever else is stored")
    func frontPages() async throws {
        try await followAll()
        let before = try await ids(library(.offline).list(Query()), library())
        let hackerNews = SourceID(kind: "hackernews", address: news.address + "/v0")
        let filtered = Query(filter: Filter(title: "a"), arrangement: Arrangement(sorting: .rank))
        _ = try await ids(library().list(filtered, in: .sources([hackerNews])), library())
        #expect(try await ids(library(.offline).list(Query()), library()) == before)
    }

    @Test("lists saved posts of a ranking among others, even beyond its front page")
    func savedBeyondFrontPage() async throws {
        try await followAll()
        let hackerNews = SourceID(kind: "hackernews", address: news.address + "/v0")
        let filtered = Query(filter: Filter(title: "a"), arrangement: Arrangement(sorting: .rank))
        let all = try await ids(library().list(filtered, in: .sources([hackerNews])), library())
        let front = try await Set(ids(library(.offline).list(Query()), library()))
        let other = try #require(all.first { !front.contains($0) })
        _ = try await library().mark(.saved, ids: [library().postID(other)])
        let saved = Query(filter: Filter(isSaved: true))
        for scope in [Scope.everything, .folder("a")] {
            #expect(try await ids(library(.offline).list(saved, in: scope), library()) == [other])
        }
    }

    @Test("finds saved posts of a source that is no longer followed, in a list and in a search")
    func savedOfFormerSource() async throws {
        try await followAll()
        let nerds = SourceID(kind: "blog", address: blog.address)
        let posts = try await library(.offline).page(Query(), in: .sources([nerds]), after: nil, count: 1)
        let post = try #require(posts.first)
        _ = try await library().mark(.saved, ids: [post.id])
        _ = try await library().unfollow("nerds")
        let word = try #require(post.metadata.title.split(separator: " ").first { $0.count > 3 })
        var saved = Query(filter: Filter(isSaved: true))
        #expect(try await ids(library(.offline).list(saved), library()) == ["nerds:" + post.id.local])
        saved.words = String(word)
        #expect(try await ids(library(.offline).search(saved), library()) == ["nerds:" + post.id.local])
    }

    static let hosts = [
        ("swift.org", "swift"), ("www.swift.org", "swift"), ("blog.example.co.uk", "example"),
        ("jane.github.io", "jane"), ("localhost", "localhost"), ("127.0.0.1", "127-0-0-1"), ("münchen.de", "munchen"),
        ("blog.xn--mnchen-3ya.de", "munchen"), ("xn--wgv71a119e.jp", "xn-wgv71a119e"), ("xn--a-0ub.ru", "xn-a-0ub"),
        ("a.b.c.example.com", "example"), ("x", "x"),
    ]

    @Test("names a source after its host", arguments: hosts)
    func names(host: String, name: String) {
        #expect(SourceName.of(host: host) == name)
    }
}

extension UndoReport {
    /// How many posts have other marks now.
    fileprivate var changed: Int? { if case .marks(let report) = self { report.changed } else { nil } }
}
