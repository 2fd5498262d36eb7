import BlogTestSupport
import Foundation
import Testing
@testable import BlogEssentials
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("The pages that sources link to") struct LinkedPagesTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// Feeds with posts about pages.
    struct Blogs {
        let store: PostStore
        let clock = TestClock(LinkedPagesTests.now)
        private var posts: [String: [Entry]] = [:]

        init() throws { store = try PostStore() }

        var library: Library { Library(store: store, client: .impatient(clock: clock.wall)) }

        static func source(_ name: String) -> SourceID {
            SourceID(kind: "feed", address: "https://\(name).example/feed")
        }

        /// Adds a post to a feed, which is followed.
        ///
        /// - Parameters:
        ///   - link: its page; nil for one of its own site.
        ///   - guid: nil for one that no other post has.
        mutating func add(
            _ name: String, _ body: String, link: String? = nil, title: String = "A post", days: Double = 1,
            guid: String? = nil
        ) async throws {
            let number = (posts[name]?.count ?? 0) + 1
            let date = Int(LinkedPagesTests.now.timeIntervalSince1970 - days * 86_400)
            let own = "https://\(name).example/\(number)"
            let metadata = PostMetadata(
                id: "", title: title, publishDate: Timestamp(secondsSince1970: date), postId: guid ?? own, summary: nil,
                author: Author(name: name), link: link ?? own)
            let entry = Entry(
                metadata, content: Entry.Content(body, .html), numbering: Entry.Numbering(hasDate: true))
            posts[name, default: []].append(entry)
            let mark = RefreshMark(
                Checkpoint(validators: CacheValidators(etag: nil, lastModified: nil), digest: nil),
                refreshedAt: clock.now)
            let source = Self.source(name)
            _ = try await store.storeList(
                of: source, .window, mark: mark, Batches([EntryBatch(posts[name] ?? [])]))
            _ = try await store.write { try Sources($0).follow(source, in: nil, site: nil, at: Date()) { _ in name } }
        }

        /// The posts of the list, as its lines: "beta:1 One ← alpha, gamma".
        func lines(_ query: Query = Query(arrangement: Arrangement(sorting: .rank))) async throws -> [String] {
            try await list(query).map { post in
                let linking = post.duplicates.map(\.id.source.feedName).joined(separator: ", ")
                return "\(post.source.feedName):\(post.metadata.id) \(post.metadata.title) ← \(linking)"
            }
        }

        func list(_ query: Query = Query(arrangement: Arrangement(sorting: .rank))) async throws -> [StoredPost] {
            let list = try await library.offline.list(query, in: .sources([LinkedSource.sourceID]))
            return try await list.posts.reduce(into: []) { $0.append($1) }
        }
    }

    private static let text = String(repeating: "What somebody thinks about something else. ", count: 5)
    private static func link(_ address: String, _ words: String = "words of its own") -> String {
        "<p>\(text)<a href=\"\(address)\">\(words)</a></p>"
    }

    @Test("are those that two or more link to, those of most sources first")
    func ranked() async throws {
        var blogs = try Blogs()
        for name in ["alpha", "beta", "gamma"] {
            try await blogs.add(name, Self.link("https://x.example/most/?utm_source=\(name)#top", "The most of all"))
        }
        for name in ["alpha", "beta"] {
            try await blogs.add(name, Self.link("http://www.y.example/less", "The less linked"), days: 2)
            try await blogs.add(name, Self.link("https://y.example/\(name)"))
            try await blogs.add(name, Self.link("https://z.example/new", "The newer one"), days: 1)
        }
        let lines = try await blogs.lines()
        #expect(
            lines == [
                "linked:1 The most of all ← alpha, beta, gamma", "linked:2 The newer one ← alpha, beta",
                "linked:3 The less linked ← alpha, beta",
            ])
    }

    /// What is no link from a source to a page, with the link of both posts.
    @Test(
        "aren't those that nobody can see, of the own site, or the home page of another",
        arguments: [
            "<p hidden><a href=\"https://x.example/page\">hidden</a></p>",
            "<!-- <a href=\"https://x.example/page\"> -->",
            "<script><a href=\"https://x.example/page\"></script>", "<a href=\"https://x.example/\">home</a>",
            "<a href=\"/page\">relative</a>", "<a href=\"mailto:me@x.example\">mail</a>",
            "<a href=\"javascript:alert(1)\">script</a>", "<a name=\"https://x.example/page\">name</a>",
            "https://x.example/page as text", "<img src=\"https://x.example/page\">",
        ])
    func unseen(body: String) async throws {
        var blogs = try Blogs()
        for name in ["alpha", "beta"] { try await blogs.add(name, Self.text + body) }
        #expect(try await blogs.lines() == [])
    }

    @Test("are in one place, however sources are followed, for a week")
    func oneEach() async throws {
        var blogs = try Blogs()
        try await blogs.add("alpha", Self.link("https://x.example/old"), days: 6.9)
        try await blogs.add("beta", Self.link("https://x.example/old"), days: 7.1)
        try await blogs.add("alpha", Self.link("https://beta.example/1"))
        try await blogs.add("beta", Self.link("https://beta.example/1"))
        for days in [1.0, 2] { try await blogs.add("alpha", Self.link("https://x.example/again"), days: days) }
        #expect(try await blogs.lines() == [])
    }

    @Test("count copies of a post once, but all aggregators with the same link")
    func copies() async throws {
        var blogs = try Blogs()
        try await blogs.add("alpha", Self.link("https://x.example/quoted"))
        try await blogs.add(
            "planet", Self.link("https://x.example/quoted"), link: "https://alpha.example/1",
            guid: "https://alpha.example/1")
        #expect(try await blogs.lines() == [])
        for name in ["news", "links"] {
            try await blogs.add(name, "<a href=\"/c\">Comments</a>", link: "https://x.example/shared", title: "Shared")
        }
        let lines = try await blogs.lines()
        #expect(lines == ["linked:1 Shared ← news, links"])
    }

    @Test(
        "aren't where most posts of a source lead, if it has three or more",
        arguments: [
            (having: 2, of: 2, true), (2, 3, false), (2, 4, true), (3, 5, false), (10, 30, false), (4, 30, true),
        ])
    func habits(having: Int, of posts: Int, isListed: Bool) async throws {
        var blogs = try Blogs()
        try await blogs.add("beta", Self.link("https://pay.example/alpha"))
        // The newest ones have it, and one of them is of the last week.
        for number in (0..<posts).reversed() {
            let body = number < having ? Self.link("https://pay.example/alpha") : Self.text
            try await blogs.add("alpha", body, days: 1 + Double(number) * 10)
        }
        #expect(try await blogs.lines().isEmpty != isListed)
    }

    @Test("are the posts that are there, with their marks, and else posts of this list, once and for all")
    func marks() async throws {
        var blogs = try Blogs()
        try await blogs.add("beta", Self.text, title: "The page itself", days: 30)
        for name in ["alpha", "gamma"] {
            try await blogs.add(name, Self.link("http://beta.example/1#there") + Self.link("https://x.example/page"))
        }
        let library = blogs.library
        _ = try await library.follow("linked")
        let page = PostID(source: Blogs.source("beta"), local: "1")
        _ = try await library.mark(.saved, ids: [page])
        var list = try await blogs.list()
        #expect(
            list.map(\.id.source.feedName) == ["linked", "beta"]
                || list.map(\.id.source.feedName) == ["beta", "linked"])
        #expect(list.first { $0.id == page }?.state.isSaved == true)
        let other = try #require(list.first { $0.id != page }).id
        _ = try await library.mark(.labelled("later"), ids: [other])
        _ = try await library.mark(.read, ids: [page, other])
        var unread = Query(filter: Filter(isUnread: true), arrangement: Arrangement(sorting: .rank))
        #expect(try await blogs.list(unread).isEmpty)
        // A week later, nobody links there any more; then others do.
        blogs.clock.pass(8 * 86_400)
        #expect(try await blogs.lines() == [])
        for name in ["delta", "alpha"] { try await blogs.add(name, Self.link("https://x.example/page"), days: -7.5) }
        list = try await blogs.list()
        #expect(list.map(\.id) == [other])
        #expect(list.first?.state.isRead == true)
        #expect(list.first?.state.labels == ["later"])
        unread.filter.isUnread = false
        unread.filter.label = "later"
        #expect(try await library.offline.list(unread).posts.reduce(0) { count, _ in count + 1 } == 1)
    }

    @Test("are in no other list and no total, and no post is marked because of them")
    func apart() async throws {
        var blogs = try Blogs()
        for name in ["alpha", "beta"] { try await blogs.add(name, Self.link("https://x.example/page")) }
        try await blogs.add("news", "<a href=\"/c\">Comments</a>", link: "https://x.example/page", title: "News")
        let library = blogs.library
        _ = try await library.follow("linked")
        #expect(try await blogs.lines() == ["linked:1 News ← alpha, beta, news"])
        let everything = try await library.offline.list(Query())
        #expect(
            try await everything.posts.reduce(into: []) { $0.append($1.source.feedName) }.sorted() == [
                "alpha", "beta", "news",
            ])
        var overview = try await library.overview(of: library.resolve(.everything))
        #expect(overview.unread == 3)
        #expect(overview.sources.first { $0.id.isLinked }?.unread == 1)
        #expect(try await library.mark(.read, all: Filter(), in: .sources([LinkedSource.sourceID])).changed == 1)
        overview = try await library.overview(of: library.resolve(.everything))
        #expect(overview.unread == 3)
        #expect(overview.sources.first { $0.id.isLinked }?.unread == 0)
    }

    @Test("are new since the post by which two sources link to them")
    func new() async throws {
        var blogs = try Blogs()
        let query = Query(arrangement: Arrangement(sorting: .rank), newFor: "c")
        let scope = Scope.sources([LinkedSource.sourceID])
        func newTitles() async throws -> [String] {
            let list = try await blogs.library.offline.list(query, in: scope)
            let titles = try await list.posts.reduce(into: []) { $0.append($1.metadata.title) }
            try await blogs.library.moveCursor("c", past: list, in: scope)
            return titles
        }
        try await blogs.add(
            "alpha", Self.link("https://x.example/1", "The first") + Self.link("https://x.example/2", "The second"))
        try await blogs.add("beta", Self.link("https://x.example/1", "The first"))
        #expect(try await newTitles() == ["The first"])
        #expect(try await newTitles() == [])
        try await blogs.add("gamma", Self.link("https://x.example/1", "The first"))
        #expect(try await newTitles() == [])
        try await blogs.add("gamma", Self.link("https://x.example/2", "The second"))
        #expect(try await newTitles() == ["The second"])
        // Their cursor is one of its own.
        let all = try await blogs.library.offline.list(Query(newFor: "c"))
        #expect(try await all.posts.reduce(0) { count, _ in count + 1 } == 4)
    }

    @Test("leave out posts that a rule hides, and those of sources that aren't followed")
    func hidden() async throws {
        var blogs = try Blogs()
        for name in ["alpha", "beta"] { try await blogs.add(name, Self.link("https://x.example/page")) }
        let library = blogs.library
        let rule = try await library.rules.add(Rule(words: "source:beta", isHiding: true, marks: []))
        #expect(try await blogs.lines() == [])
        _ = try await library.rules.remove(rule.rule.stored.number)
        #expect(try await blogs.lines().count == 1)
        _ = try await library.unfollow("beta")
        #expect(try await blogs.lines() == [])
    }

    @Test("are followed again after an undo, and an export has them")
    func undo() async throws {
        var blogs = try Blogs()
        for name in ["alpha", "beta"] { try await blogs.add(name, Self.link("https://x.example/page")) }
        let library = blogs.library
        let report = try await library.follow("linked", as: "talk")
        #expect(report.name == "talk")
        _ = try await blogs.lines()
        _ = try await library.unfollow("talk")
        #expect(try await library.sources().map(\.name) == ["alpha", "beta"])
        _ = try await library.undo()
        #expect(try await library.sources().map(\.name) == ["alpha", "beta", "talk"])
        let export = try await blogs.store.export()
        #expect(export.contains("\"name\":\"talk\""))
        #expect(export.contains("https://x.example/page"))
    }

    /// A link from a source, in a post of its own.
    private struct Mention {
        let source: Int
        let page: Int
        let days: Double
        let isOfAggregator: Bool
    }

    @Test("are those that one counts one by one", arguments: 0..<20)
    func bruteForce(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        var blogs = try Blogs()
        var mentions: [Mention] = []
        for _ in 0..<Int.random(in: 10...60, using: &random) {
            let mention = Mention(
                source: .random(in: 0..<6, using: &random), page: .random(in: 0..<12, using: &random),
                days: Double.random(in: 0.5...12, using: &random), isOfAggregator: Bool.random(using: &random))
            mentions.append(mention)
            let page = "https://site\(mention.page % 6).example/page\(mention.page)"
            try await blogs.add(
                "site\(mention.source)", mention.isOfAggregator ? "short" : Self.link(page),
                link: mention.isOfAggregator ? page : nil, days: mention.days,
                guid: "https://site\(mention.source).example/guid/\(mentions.count)")
        }
        var expected: [String: Set<String>] = [:]
        for page in 0..<12 {
            let counted = mentions.filter { mention in
                guard mention.page == page, page % 6 != mention.source, mention.days < 7 else { return false }
                // The posts of a source by which its habits are known.
                let own = mentions.filter { $0.source == mention.source }.sorted { $0.days < $1.days }
                let week = own.count { $0.days < 7 }
                let sample = own.prefix(max(week, 10))
                return sample.count < 3 || 2 * sample.count { $0.page == page } <= sample.count
            }
            let sources = Set(counted.map { "site\($0.source)" })
            if sources.count > 1 { expected["https://site\(page % 6).example/page\(page)"] = sources }
        }
        let list = try await blogs.list()
        let found = list.map { ($0.metadata.link ?? "", Set($0.duplicates.map(\.id.source.feedName))) }
        #expect(Dictionary(uniqueKeysWithValues: found) == expected)
        #expect(found.map(\.1.count) == found.map(\.1.count).sorted(by: >))
    }
}

extension SourceID {
    /// The name that the tests follow a feed under.
    fileprivate var feedName: String {
        isLinked ? "linked" : String(address.dropFirst("https://".count).prefix { $0 != "." })
    }
}
