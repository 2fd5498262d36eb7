import BlogMockServer
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// The older posts of blogs, which their feeds have no more.
@Suite("The archive of a blog") struct ArchiveReadingTests {
    private let store: PostStore

    init() throws { store = try PostStore() }

    private var library: Library { Library(store: store, client: .impatient()) }

    /// Follows a blog of a site with an archive.
    private func follow(_ server: MockServer, _ kind: ArchiveSite.Kind, as name: String = "old") async throws
        -> SourceID
    {
        try await library.follow("\(server.address)/archives/\(kind.rawValue)", as: name).source
    }

    @discardableResult
    private func read(_ source: SourceID, keep: Retention? = nil) async throws -> ArchiveReport {
        try await library.archives.read(source, keep: keep) { _ in }
    }

    private func posts(_ query: Query = Query(), of source: SourceID) async throws -> [StoredPost] {
        try await library.offline.list(query, in: .sources([source])).posts.reduce(into: []) { $0.append($1) }
    }

    @Test("has every post once, the older ones read, and ends", arguments: ArchiveSite.Kind.allCases)
    func whole(kind: ArchiveSite.Kind) async throws {
        let server = try MockServer(sites: [ArchiveSite(posts: 83)])
        defer { server.stop() }
        let source = try await follow(server, kind)
        #expect(try await posts(of: source).count == 10)
        let report = try await read(source)
        #expect((report.new, report.isFull) == (73, false))
        let all = try await posts(of: source)
        #expect(all.map(\.metadata.title) == (1...83).reversed().map { "Post \($0)" })
        #expect(all.count { !$0.state.isRead } == 10)
        #expect(
            try await store.read { try Bodies($0).find(all[80].id.local, of: source) }?.text.hasSuffix(" 3.") == true
                || kind != .wordpress)
        // Nothing is asked for again but the first page.
        server.clearRequests()
        #expect(try await read(source).new == 0)
        #expect(server.requestLines.count == 2)
    }

    @Test("goes on where it was left, whenever that was", arguments: [1, 2, 5, 8])
    func resumed(pages: Int) async throws {
        let server = try MockServer(sites: [ArchiveSite(posts: 100)])
        defer { server.stop() }
        let source = try await follow(server, .paged)
        struct Left: Error {}
        let count = Mutex(0)
        var clock = WallClock.patient()
        clock = WallClock(
            now: clock.now,
            pause: { _ in
                if count.withLock({
                    $0 += 1; return $0
                }) > pages {
                    throw Left()
                }
            }, expire: clock.expire)
        let leaving = Library(store: store, client: .impatient(clock: clock))
        await #expect(throws: Left.self) { _ = try await leaving.archives.read(source, keep: nil) { _ in } }
        #expect(try await posts(of: source).count == 10 + 10 * pages)
        server.clearRequests()
        #expect(try await read(source).new == 90 - 10 * pages)
        #expect(server.requestLines.count == 9 - pages)
        #expect(Set(try await posts(of: source).map(\.metadata.title)).count == 100)
    }

    @Test("has posts that were published since, and those that were stored before keep their marks")
    func known() async throws {
        let site = ArchiveSite(posts: 20)
        let server = try MockServer(sites: [site])
        defer { server.stop() }
        let source = try await follow(server, .wordpress)
        let first = try await posts(of: source)
        _ = try await library.mark(.saved, ids: first.map(\.id))
        // The feed has lost sight of 15 posts that weren't fetched, and of those that were.
        site.publish(25)
        _ = await library.refreshing.refresh([source], onlyDue: false)
        #expect(try await read(source).new == 25)
        let all = try await posts(of: source)
        #expect(all.count == 45 && all.count { $0.state.isSaved } == 10)
        #expect(all.count { !$0.state.isRead } == 20)
    }

    @Test("isn't among the new posts, by any cursor, also in another store")
    func cursors() async throws {
        let server = try MockServer(sites: [ArchiveSite(posts: 30)])
        defer { server.stop() }
        let source = try await follow(server, .json)
        try await read(source)
        for name in ["", "mail"] {
            var query = Query()
            query.newFor = name
            #expect(try await posts(query, of: source).count == 10)
        }
        let other = try PostStore()
        let exported = try await ExportedPosts(of: store).reduce(into: [ExportedPost]()) { $0.append($1) }
        #expect(exported.count { $0.archived == true } == 20)
        _ = try await other.merge(exported)
        #expect(
            try await other.read { try $0.integer("SELECT count(*) FROM posts WHERE is_archived AND is_read") } == 20)
        #expect(try await ExportedPosts(of: other).reduce(into: [ExportedPost]()) { $0.append($1) } == exported)
    }

    @Test("is hidden by rules, and marked by them only once they are added later")
    func rules() async throws {
        let server = try MockServer(sites: [ArchiveSite(posts: 30)])
        defer { server.stop() }
        let source = try await follow(server, .archived)
        _ = try await library.rules.add(Rule(words: "title:5 OR title:25", isHiding: true, marks: [.saved]))
        try await read(source)
        #expect(try await posts(of: source).count == 28)
        _ = try await library.rules.add(Rule(words: "title:7 OR title:17", marks: [.labelled("seven")]))
        var query = Query()
        query.filter.label = "seven"
        #expect(try await posts(query, of: source).map(\.metadata.title) == ["Post 17", "Post 7"])
        query = Query(filter: Filter(isSaved: true))
        query.filter.hidden = .included
        #expect(try await posts(query, of: source).map(\.metadata.title) == ["Post 25"])
    }

    @Test("marks no post of the same story as read")
    func stories() async throws {
        let site = ArchiveSite(posts: 30)
        let server = try MockServer(sites: [site])
        defer { server.stop() }
        let source = try await follow(server, .paged)
        try await read(source)
        let old = try #require(try await posts(of: source).last)
        let planet = SourceID(kind: "feed", address: "https://planet.example/feed")
        let link = PostMetadata(
            id: "", title: old.metadata.title, publishDate: old.metadata.publishDate, postId: "guid", summary: nil,
            author: Author(name: "Bob"), link: old.metadata.link)
        let entry = Entry(link, numbering: Entry.Numbering(hasDate: true))
        let post = try await store.write { try Posts($0).addNumbered(entry, to: planet, at: Date()) }
        #expect(try await store.read { try Posts($0).facts(of: post) }?.hasTwin == true)
        #expect(try await store.read { try Posts($0).states(of: [post]) }[post]?.isRead == false)
    }

    @Test("ends at the age that the source keeps")
    func keep() async throws {
        let server = try MockServer(sites: [ArchiveSite(posts: 100)])
        defer { server.stop() }
        // The posts are of January to April 2010.
        let date = try #require(Timestamp("2010-04-11T00:00:00Z")?.date)
        let library = Library(store: store, client: .impatient(clock: .patient(now: { date })))
        let source = try await library.follow("\(server.address)/archives/paged", as: "old").source
        let report = try await library.archives.read(source, keep: Retention("30d")) { _ in }
        // The last one has only older posts.
        #expect(report.pages == 4)
        #expect(try await posts(of: source).count == 31)
    }

    @Test("ends if a server sends the same page again and again", arguments: ArchiveSite.Kind.allCases)
    func stuck(kind: ArchiveSite.Kind) async throws {
        let server = try MockServer(sites: [ArchiveSite(posts: 30, isStuck: true)])
        defer { server.stop() }
        let source = try await follow(server, kind)
        let report = try await read(source)
        #expect(report.new == 0 && report.pages <= 2)
    }

    @Test("is no reading: an import that brings it marks no unread post")
    func imported() async throws {
        let site = ArchiveSite(posts: 20)
        let server = try MockServer(sites: [site])
        defer { server.stop() }
        // One store has all posts as unread, the other one half of them from the archive.
        let source = try await follow(server, .paged)
        site.publish(10)
        _ = await library.refreshing.refresh([source], onlyDue: false)
        let other = try PostStore()
        let otherLibrary = Library(store: other, client: .impatient())
        let same = try await otherLibrary.follow("\(server.address)/archives/paged", as: "old").source
        _ = try await otherLibrary.archives.read(same, keep: nil) { _ in }
        _ = try await store.merge(try await ExportedPosts(of: other).reduce(into: [ExportedPost]()) { $0.append($1) })
        let all = try await posts(of: source)
        #expect(all.count == 30 && all.count { !$0.state.isRead } == 20)
    }

    @Test(
        "goes on at the beginning if the page where it was left is gone, or the blog has moved",
        arguments: [true, false])
    func lost(hasMoved: Bool) async throws {
        let site = ArchiveSite(posts: 100)
        let server = try MockServer(sites: [site])
        defer { server.stop() }
        let source = try await follow(server, .paged)
        let gone =
            "http://\(hasMoved ? "127.0.0.9:1" : server.address.dropFirst("http://".count))/archives/paged?page=99"
        try await store.writeToDisk { try ArchiveStoring(source, in: $0).note(.page(gone)) }
        guard hasMoved else {
            #expect(try await read(source).new == 90)
            return
        }
        let new = "\(server.address)/archives/blogger"
        try await store.write { try Sources($0).move(source, to: new) }
        #expect(try await read(SourceID(kind: source.kind, address: new)).pages > 0)
    }

    @Test("is read again from its beginning if that is wanted")
    func again() async throws {
        let server = try MockServer(sites: [ArchiveSite(posts: 50)])
        defer { server.stop() }
        let source = try await follow(server, .json)
        try await read(source)
        for (isWhole, requests) in [(false, 2), (true, 5)] {
            server.clearRequests()
            #expect(try await library.archives.read(source, isWhole: isWhole, keep: nil) { _ in }.new == 0)
            #expect(server.requestLines.count == requests)
        }
    }

    @Test("is refused for what has none: the feeds of a service, other kinds, feeds that lead nowhere")
    func refused() async throws {
        let server = try MockServer(sites: [
            FeedSite(folder: Repository.mockFeeds), ServiceSite(.freshRSS, feeds: 1, items: 1),
            BlogSite(folder: Repository.mockBlog, isTimed: false),
        ])
        defer { server.stop() }
        let library = Library(
            store: store, client: .impatient(),
            logins: { _ in ServiceLogin(user: "alice", password: "apipass1") })
        let feed = try await library.follow("\(server.address)/feeds/lantern/feed.xml", as: "lantern").source
        let blog = try await library.follow(server.address, kind: "blog", as: "nerds").source
        let home = try await library.follow("\(server.address)/api/greader.php", as: "home").source
        let subscription = try #require(try await library.sources().first { $0.id.service != nil }).id
        for source in [feed, blog] {
            await #expect { try await library.archives.read(source, keep: nil) { _ in } } throws: {
                if case .noArchive? = $0 as? LibraryError { true } else { false }
            }
        }
        for source in [home, subscription] {
            await #expect { try await library.archives.read(source, keep: nil) { _ in } } throws: {
                if case .archiveOfService? = $0 as? LibraryError { true } else { false }
            }
        }
    }

    @Test("doesn't lead into a private network")
    func elsewhere() async throws {
        let other = try MockServer(sites: [ArchiveSite(posts: 30)], host: 2)
        defer { other.stop() }
        let page = """
            {"version":"https://jsonfeed.org/version/1.1","title":"T","next_url":"\(other.address)/archives/json?page=2",\
            "items":[{"id":"1","title":"One","content_text":"a"}]}
            """
        let server = try MockServer(sites: [ServedText(page)])
        defer { server.stop() }
        let source = try await library.follow("\(server.address)/feed.json", as: "old").source
        await #expect { try await read(source) } throws: {
            if case .privateAddress? = $0 as? HTTPError { true } else { false }
        }
        #expect(other.requestLines.isEmpty)
    }
}

/// A site with one text at each path.
private struct ServedText: MockSite {
    let text: String

    init(_ text: String) { self.text = text }

    func response(to request: MockRequest) -> MockResponse? {
        MockResponse(headers: ["Content-Type": "application/feed+json"], body: .bytes(Data(text.utf8)))
    }
}
