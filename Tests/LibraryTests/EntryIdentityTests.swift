import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("The posts of a feed") struct EntryIdentityTests {
    private let store: PostStore

    init() throws {
        store = try PostStore()
    }

    /// Stores a feed with these items, newest first, as a refresh does.
    private func refresh(_ items: [String], knowsEntries: Bool = true) async throws {
        let feed = LanternFeed.rss(items.map { "<item>\($0)</item>" })
        let url = try #require(URL(string: "http://feed"))
        let client = HTTPClient(transport: StubTransport(chunks: []))
        let source = FeedSource(
            address: url, client: client,
            received: HTTPDocument(url: url, head: HTTPHead(status: 200), body: DocumentBody(Array(feed.utf8))))
        let known = try await store.read { try Sources($0).find(.feed) }
        let since = Checkpoint(validators: CacheValidators(), digest: nil) { [store] in
            guard let known, knowsEntries else { return [:] }
            return await store.entries(of: known, at: Date())
        }
        guard case .entries(let batches, let coverage, let checkpoint) = try await source.refresh(nil, since: since)
        else { return }
        let mark = RefreshMark(checkpoint, refreshedAt: .day(20_000))
        _ = try await store.storeList(of: .feed, coverage, mark: mark, batches)
    }

    /// The IDs and texts of all posts.
    private func posts() async throws -> [String: String] {
        try await store.posts(of: .feed).reduce(into: [:]) { $0[$1.metadata.id] = $1.metadata.summary ?? "" }
    }

    private static let day = "<pubDate>Thu, 01 Jan 2004 00:00:00 GMT</pubDate>"
    private static let next = "<pubDate>Fri, 02 Jan 2004 00:00:00 GMT</pubDate>"

    @Test("are sorted by their arrival if they are dated after it, the latest first", arguments: [true, false])
    func future(isReversed: Bool) async throws {
        let items = [
            ("25 Dec 2024", "a"), ("5 Dec 2024", "b"), ("5 Oct 2024", "c"), ("3 Oct 2024", "d"), ("1 Sep 2024", "e"),
        ].map { "<guid>\($1)</guid><title>\($1)</title><pubDate>\($0) 10:00:00 GMT</pubDate>" }
        try await refresh(isReversed ? items.reversed() : items)
        let listed = try await store.posts(of: .feed)
        let (posts, arrival) = (listed.map(\.metadata), Timestamp(secondsSince1970: 20_000 * 86_400))
        #expect(posts.map(\.title) == ["a", "b", "c", "d", "e"])
        #expect(posts[0].publishDate.text.hasPrefix("2024-12-25"))
        #expect(listed.map(\.arrival) == [arrival, arrival, arrival, nil, nil])
        // By which other programs and the filters find them, too.
        var filter = Filter()
        filter.since = Date.day(20_000).addingTimeInterval(86_400)
        #expect(try await store.ids(Query(filter: filter), of: .feed).isEmpty)
    }

    // MARK: What is one post, and what are two

    private static func onServer(_ server: String) -> String {
        """
        <guid>\(server)/1</guid><link>\(server)/1</link><title>t</title>\(day)<enclosure url='\(server)/e.mp3'/>
        <description>&lt;img src='\(server)/p.png'>x</description>
        """
    }

    /// An item, another one that is listed in its place, and whether it is the same post.
    static let changes: [(String, String, Bool)] = [
        // A GUID in another spelling.
        ("<guid>http://a.example/1</guid>", "<guid>https://a.example/1/</guid>", true),
        ("<guid>https://a.example/1/</guid>", "<guid>http://A.EXAMPLE/1</guid>", true),
        ("<guid>http://a.example/1</guid>", "<guid>http://a.example/2</guid>", false),
        ("<guid>urn:a</guid>", "<guid>urn:A</guid>", false),
        // Another GUID, with the same link, title and date.
        (
            "<guid>1</guid><link>http://a.example/</link><title>t</title>\(day)",
            "<guid>2</guid><link>https://a.example</link><title>t</title>\(day)", true
        ),
        (
            "<guid>1</guid><link>http://a.example/</link><title>t</title>\(day)",
            "<guid>2</guid><link>http://a.example/</link><title>t</title>\(next)", false
        ),
        (
            "<guid>1</guid><link>http://a.example/</link><title>t</title>",
            "<guid>2</guid><link>http://a.example/</link><title>t</title>", false
        ),
        // Another GUID with each request, without a date, but with the same text.
        (
            "<guid>1</guid><link>http://a.example/</link><title>t</title><description>x</description>",
            "<guid>2</guid><link>https://a.example</link><title>t</title><description>x</description>", true
        ),
        (
            "<guid>1</guid><link>http://a.example/</link><title>t</title><description>x</description>",
            "<guid>2</guid><link>http://a.example/</link><title>t</title><description>y</description>", false
        ),
        // Another GUID and a corrected title, with the same link and date, and a text that goes on.
        (corrected(1, "t", day, report), corrected(2, "u", day, report), true),
        (corrected(1, "t", day, report), corrected(2, "u", day, report + " She has left."), true),
        (
            corrected(1, "t", day, report), corrected(2, "u", day, "Another report of another meeting, on a Friday."),
            false
        ),
        (corrected(1, "t", day, report), corrected(2, "u", next, report), false),
        (corrected(1, "t", day, ""), corrected(2, "u", day, ""), false),
        // Another link.
        (
            "<guid>1</guid><link>http://a.example/</link><title>t</title>",
            "<guid>1</guid><link>http://b.example/</link><title>u</title>", true
        ),
        (
            "<link>http://a.example/</link><title>t</title>\(day)<description>x</description>",
            "<link>http://b.example/</link><title>t</title>\(day)<description>x</description>", true
        ),
        (
            "<link>http://a.example/</link><title>t</title>\(day)<description>x</description>",
            "<link>http://b.example/</link><title>t</title>\(day)<description>y</description>", false
        ),
        (
            "<link>http://a.example/</link><title>t</title>\(day)",
            "<link>http://b.example/</link><title>t</title>\(day)", false
        ),
        // Another server, also in the text and the files.
        (onServer("http://a.example"), onServer("https://www.a.example:81"), true),
        (onServer("http://a.example"), onServer("http://b.example").replacing("/1</link>", with: "/2</link>"), false),
        (onServer("http://a.example"), onServer("http://b.example").replacing("/p.png", with: "/q.png"), false),
        (onServer("http://a.example"), onServer("http://b.example").replacing("/e.mp3", with: "/f.mp3"), false),
        // Everything but the GUID or the link is different.
        (
            "<guid>1</guid><link>http://a.example/1</link><title>t</title>\(day)",
            "<guid>1</guid><link>http://a.example/2</link><title>u</title>\(next)", false
        ),
        (
            "<link>http://a.example/</link><title>t</title>\(day)",
            "<link>http://a.example/</link><title>u</title>\(next)", false
        ),
        (
            "<link>http://a.example/</link><title>t</title>\(day)",
            "<link>http://a.example/</link><title>u</title>\(day)", true
        ),
        // News that go on: everything is different, but the text begins as before.
        (news("t", day, report), news("u", next, report + " She has left the building."), true),
        (news("t", day, "&lt;p>\(report)&lt;/p> "), news("u", next, "&lt;p>\(report) She has left.&lt;/p>"), true),
        (news("t", day, report), news("u", next, "Correction: " + report), true),
        (news("t", day, report), news("u", next, "Another report. She resigned, and \(report) So it goes."), false),
        // New permalinks, also in the text.
        (news("t", day, permalink(1)), news("t", day, permalink(2)).replacing("news/1", with: "news/2"), true),
        (
            news("t", day, permalink(1)),
            news("t", day, permalink(2) + " More.").replacing("news/1", with: "news/2"), false
        ),
        (news("t", day, "She has resigned."), news("u", next, "She has resigned. She has left."), false),
        (
            news("t", day, report),
            news("u", next, report + " She has left.").replacing("/news/1</link>", with: "/news/2</link>"), false
        ),
    ]

    private static func corrected(_ guid: Int, _ title: String, _ date: String, _ text: String) -> String {
        "<guid>\(guid)</guid><link>http://a.example/1</link><title>\(title)</title>\(date)<description>\(text)</description>"
    }

    private static func permalink(_ number: Int) -> String {
        "&lt;p>\(report)&lt;/p>&lt;p>The post &lt;a href='http://a.example/?p=\(number)'>t&lt;/a> appeared first on A."
    }

    private static let report = "The minister resigned on Thursday after a long meeting."

    private static func news(_ title: String, _ date: String, _ text: String) -> String {
        """
        <guid>http://a.example/news/1</guid><link>http://a.example/news/1</link><title>\(title)</title>\(date)
        <description>\(text)</description>
        """
    }

    @Test("stay the same if a feed changes how it names them, and are never replaced by others", arguments: changes)
    func change(before: String, after: String, isSame: Bool) async throws {
        for other in ["", "<guid>other</guid><title>t</title>\(Self.next)"] {
            let store = try EntryIdentityTests()
            try await store.refresh([before + "<category>1</category>", other])
            try await store.refresh([after + "<category>2</category>", other])
            #expect(try await store.posts().count == (isSame ? 1 : 2) + (other.isEmpty ? 0 : 1))
        }
    }

    @Test("are kept when a feed numbers its items by their place")
    func places() async throws {
        for date in [{ "<pubDate>Thu, 0\($0) Jan 2004 00:00:00 GMT</pubDate>" }, { (_: Int) in "" }] {
            let tests = try EntryIdentityTests()
            func item(_ place: Int, _ number: Int) -> String {
                "<guid>\(place)</guid><title>t\(number)</title><link>http://a.example/\(number)</link>\(date(number))"
                    + "<description>text \(number)</description>"
            }
            try await tests.refresh([item(1, 2), item(2, 1)])
            let first = try await tests.posts()
            try await tests.refresh([item(1, 3), item(2, 2), item(3, 1)])
            try await tests.refresh([item(1, 4), item(2, 3)])
            let all = try await tests.posts()
            #expect(Set(all.values) == ["text 1", "text 2", "text 3", "text 4"])
            #expect(first.allSatisfy { all[$0.key] == $0.value })
        }
    }

    @Test("are one if only tags differ, but not if files do")
    func files() async throws {
        let start = "<guid>1</guid><title>t</title>\(Self.day)"
        try await refresh(["a", "b"].map { "\(start)<category>\($0)</category>" })
        #expect(try await posts().count == 1)
        let files = try EntryIdentityTests()
        for _ in 1...2 {
            try await files.refresh(["a", "b"].map { "\(start)<enclosure url='http://a.example/\($0).mp3'/>" })
            #expect(try await files.posts().count == 2)
        }
    }

    /// Different items that share what usually identifies them.
    static let shared = [
        "<guid>1</guid>", "<link>http://a.example/</link>", "<guid>1</guid><link>http://a.example/</link>", "",
        "<guid>1</guid><title>Daily links</title>\(day)", "<title>Daily links</title>\(day)",
    ]

    @Test("are as many as there are different items, in any order and however many arrive at once", arguments: shared)
    func sharing(start: String) async throws {
        let items = (1...5).map { "\(start)<description>text \($0)</description>" }
        try await refresh(Array(items[0...1]))
        let first = try await posts()
        #expect(first.count == 2)
        try await refresh(items.reversed() + [items[2]])
        let all = try await posts()
        #expect(all.count == 5 && Set(all.values).count == 5)
        #expect(first.allSatisfy { all[$0.key] == $0.value })
        for knowsEntries in [true, false] {
            try await refresh([items[3], items[1]], knowsEntries: knowsEntries)
            try await refresh(items, knowsEntries: knowsEntries)
            #expect(try await posts() == all)
        }
    }

    // MARK: Histories of feeds

    /// A feed at each refresh, newest first, and the number of its posts then.
    struct History: CustomTestStringConvertible {
        let name: String
        let lists: [[String]]
        let counts: [Int]

        init(_ name: String, _ lists: [[String]], _ counts: [Int]) {
            (self.name, self.lists, self.counts) = (name, lists, counts)
        }

        var testDescription: String { name }
    }

    private static func guid(_ guid: String, _ title: String, _ rest: String..., text: String? = nil) -> String {
        "<guid isPermaLink='false'>\(guid)</guid><title>\(title)</title>" + rest.joined()
            + (text.map { "<description>\($0)</description>" } ?? "")
    }

    private static func link(_ path: String) -> String { "<link>http://a.example/\(path)</link>" }
    private static func file(_ name: String) -> String { "<enclosure url='http://a.example/\(name)'/>" }
    private static func picture(_ name: String) -> String {
        "<media:thumbnail url='http://a.example/\(name)' xmlns:media='http://search.yahoo.com/mrss/'/>"
    }

    static let histories = [
        History(
            "a newcomer with the GUID, title and date of a post that wasn't decoded",
            [
                [guid("G", "Daily links", day, text: "x"), guid("G", "Daily links", next, text: "y")],
                [guid("G", "Daily links", next, text: "y")],
                [guid("G", "Daily links", next, text: "z"), guid("G", "Daily links", next, text: "y")],
            ], [2, 2, 3]),
        History(
            "another alert with the GUID of the last one",
            [[guid("alert", "Storm", day, text: "x")], [guid("alert", "Flood", next, text: "y")]], [1, 2]),
        History(
            "another alert with the GUID and the link of the last one",
            [
                [guid("alert", "Storm", day, link(""), text: "x")],
                [guid("alert", "Flood", next, link(""), text: "y")],
            ], [1, 2]),
        History(
            "an edited title and text",
            [[guid("1", "Storm", day, text: "x")], [guid("1", "Big storm", day, text: "y")]], [1, 1]),
        History(
            "a live blog", [[guid("1", "Live", day, text: "x")], [guid("1", "Live", next, text: "y")]], [1, 1]),
        History(
            "a live blog with a link",
            [[guid("1", "Live", day, link("1"), text: "x")], [guid("1", "Live", next, link("1"), text: "y")]], [1, 1]),
        History(
            "an edited Atom entry without a date of its own",
            [
                [guid("1", "Draft", link("a"), "<updated>2004-01-01T00:00:00Z</updated>", text: "x")],
                [guid("1", "Final", link("b"), "<updated>2004-01-02T00:00:00Z</updated>", text: "x")],
                [guid("1", "Final!", link("b"), "<updated>2004-01-03T00:00:00Z</updated>", text: "y")],
            ], [1, 1, 1]),
        History(
            "undated failures with the same title and text",
            [
                [guid("1", "Build failed", link("1"), text: "The build failed.")],
                [guid("2", "Build failed", link("2"), text: "The build failed.")],
            ], [1, 2]),
        History(
            "episodes that differ in their files",
            [
                [guid("1", "t", day, file("a.mp3"), text: "Listen")],
                [guid("2", "t", day, file("b.mp3"), text: "Listen")],
            ], [1, 2]),
        History(
            "episodes with one link that differ in their files",
            [
                [guid("1", "t", day, link(""), file("a.mp3"), text: "Listen")],
                [guid("2", "t", day, link(""), file("b.mp3"), text: "Listen")],
            ], [1, 2]),
        History(
            "new items with one link, title and date, the first of which has gone",
            [
                [guid("1", "Bulletin", day, link(""), text: "x")],
                [guid("3", "Bulletin", day, link(""), text: "z"), guid("2", "Bulletin", day, link(""), text: "y")],
            ], [1, 3]),
        History(
            "links that differ in their scheme only",
            Array(
                repeating: [
                    guid("G", "t", day, link("1"), text: "x"),
                    guid("G", "t", day, "<link>https://a.example/1/</link>", text: "y"),
                ], count: 2), [2, 2]),
        History(
            "the same time in two zones",
            Array(
                repeating: ["00:00:00Z", "01:00:00+01:00"].map { time in
                    guid("G", "t", link("1"), "<pubDate>2004-01-01T" + time + "</pubDate>", text: time)
                }, count: 2), [2, 2]),
        History(
            "items that differ in their pictures",
            Array(repeating: ["a", "b"].map { guid("G", "t", day, picture($0)) }, count: 2), [2, 2]),
        History(
            "an edited item beside one that wasn't decoded",
            [[guid("G", "a", link("a"), day)]]
                + (1...3).map {
                    [guid("G", "c", link("c"), next, text: "\($0) views"), guid("G", "a", link("a"), day)]
                }, [1, 2, 2, 2]),
        History(
            "a GUID that looks like one that was made unique",
            [
                [guid("News 2024-12", "December", day)],
                [guid("News", "About", next), guid("News 2024-12", "December", day)],
            ], [1, 2]),
        History(
            "undated items with one GUID, and a counter in their texts",
            (1...3).map { count in ["a", "b"].map { guid("G", $0, link($0), text: "\(count) comments") } },
            [2, 2, 2]),
        History(
            "many items with one GUID, and a counter in their texts",
            (1...3).map { count in
                (10...49).map {
                    let date = "<pubDate>Thu, 01 Jan 2004 00:00:\($0) GMT</pubDate>"
                    return guid("G", "t\($0)", date, text: String(repeating: "view ", count: count * $0))
                }
            }, [40, 40, 40]),
        History(
            "a file whose GUID becomes shared",
            [
                [guid("G", "t", day, file("a.mp3"))],
                [guid("G", "t", day, file("c.mp3")), guid("G", "t", day, file("a.mp3"))],
                [guid("G", "t", day, file("c.mp3")), guid("G", "t", day, file("a.mp3"), "<category>1</category>")],
            ], [1, 2, 2]),
        History(
            "a long text with another link",
            ["a", "b"].map {
                [
                    "\(link($0))<title>t</title>\(day)<description>"
                        + String(repeating: "Words. ", count: 30_000) + "</description>"
                ]
            }, [1, 1]),
        History(
            "items without GUID and link of the same midnight",
            ["x", "y"].map { ["<title>Daily links</title>\(day)<description>\($0)</description>"] }, [1, 2]),
        History(
            "undated items that swap their GUIDs, change and change back",
            [
                [guid("1", "A", link("a"), text: "a")],
                [guid("2", "A", link("a"), text: "a"), guid("1", "B", link("b"), text: "b")],
                [guid("2", "A", link("a"), text: "a"), guid("1", "C", link("b"), text: "c")],
                [guid("2", "A", link("a"), text: "a"), guid("1", "C", link("c"), text: "c")],
                [guid("2", "A", link("a"), text: "a"), guid("1", "B", link("b"), text: "b")],
            ], [1, 2, 2, 2, 3]),
    ]

    @Test("are as many as different items", arguments: histories, [true, false])
    func history(_ history: History, knowsEntries: Bool) async throws {
        for (list, count) in zip(history.lists, history.counts) {
            try await refresh(list, knowsEntries: knowsEntries)
            #expect(try await posts().count == count, "\(list)")
        }
    }

    @Test("keep their marks when a feed numbers its photos by their place")
    func photos() async throws {
        func photo(_ place: Int, _ number: Int) -> String {
            let date = "<pubDate>Thu, 0\(number) Jan 2004 00:00:00 GMT</pubDate>"
            return Self.guid("\(place)", "Photo", Self.link("\(number)"), date, text: "A photo")
        }
        func links() async throws -> [String: String?] {
            try await store.posts(of: .feed).reduce(into: [:]) { $0[$1.metadata.id] = $1.metadata.link }
        }
        try await refresh([photo(1, 2), photo(2, 1)])
        let first = try await links()
        try await refresh([photo(1, 3), photo(2, 2), photo(3, 1)])
        try await refresh([photo(1, 4), photo(2, 3)])
        let all = try await links()
        #expect(all.count == 4 && Set(all.values).count == 4)
        #expect(first.allSatisfy { all[$0.key] == $0.value })
    }

    @Test("aren't read because another one with the same GUID was")
    func alert() async throws {
        try await refresh([Self.guid("alert", "Storm", Self.day, text: "x")])
        _ = try await store.mark(.read, ids: [PostID(source: .feed, local: "1")])
        try await refresh([Self.guid("alert", "Flood", Self.next, text: "y")])
        #expect(try await store.posts(of: .feed).map(\.state.isRead).sorted { $0 && !$1 } == [true, false])
    }

    @Test("are stored whatever GUID a feed makes up")
    func collision() async throws {
        let items = ["a", "b"].map { Self.guid("X", $0, Self.day) }
        try await refresh(items)
        for post in try await store.posts(of: .feed) {
            let id = post.metadata.postId.replacing("\u{1F}", with: "&#31;")
            for item in [Self.guid(id, "c", Self.day), Self.guid(id, "c", Self.next)] {
                let tests = try EntryIdentityTests()
                try await tests.refresh([items[0], item, items[1]])
                #expect(try await tests.posts().count == 3)
                try await tests.refresh([item] + items)
                #expect(try await tests.posts().count == 3)
            }
        }
    }

    // MARK: A model

    /// An item as its author knows it.
    private struct Item: Hashable {
        /// In the name of its author, which tells no items apart.
        let number: Int
        var guid: String?
        var link: String?
        var title: String
        var day: Int?
        var text: String
        var file: String?
        /// Whether its date has changed since it was first listed.
        var hasOtherDay = false

        var identity: String? { guid ?? link }

        func xml(tag: String = "") -> String {
            var xml = guid.map { "<guid isPermaLink='false'>\($0)</guid>" } ?? ""
            xml += link.map { "<link>\($0)</link>" } ?? ""
            xml += "<title>\(title)</title><description>\(text)</description><author>\(number)</author>" + tag
            xml += file.map { EntryIdentityTests.file($0) } ?? ""
            let date = day.map { Date(timeIntervalSince1970: TimeInterval($0 * 86_400)).ISO8601Format() }
            return xml + (date.map { "<pubDate>\($0)</pubDate>" } ?? "")
        }
    }

    @Test(
        "are neither lost nor doubled, and keep their marks, whatever a feed does", .serialized,
        arguments: UInt64(1)...UInt64(Mutation.count(15)))
    func model(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        var feed = ModelFeed()
        /// The post of each item, and whether it is read.
        var known: [Int: (id: String, isRead: Bool)] = [:]
        var log: [String] = []
        for step in 1...16 {
            feed.change(&random)
            let items = feed.xml(&random)
            log.append("\(step): " + items.joined(separator: "\n"))
            try await refresh(items, knowsEntries: Int.random(in: 0...3, using: &random) > 0)
            let posts = try await store.posts(of: .feed)
            try #require(posts.count == feed.count, "\(log.joined(separator: "\n"))")
            for post in posts {
                let number = try #require(Int(post.metadata.author.name))
                if let (id, isRead) = known[number] {
                    try #require(post.metadata.id == id, "\(log.joined(separator: "\n"))")
                    #expect(post.state.isRead == isRead)
                } else {
                    let isRead = Bool.random(using: &random)
                    known[number] = (post.metadata.id, isRead)
                    if isRead { _ = try await store.mark(.read, ids: [PostID(source: .feed, local: post.metadata.id)]) }
                }
            }
            #expect(known.count == feed.count)
        }
    }

    private struct ModelFeed {
        private var listed: [Item] = []
        private var gone: [Item] = []
        private var scheme = "http"

        var count: Int { listed.count + gone.count }

        /// The items, some of them twice.
        func xml(_ random: inout SplitMix) -> [String] {
            listed.flatMap { item in
                let isTwice = item.day != nil && !item.hasOtherDay && Int.random(in: 0..<8, using: &random) == 0
                return [item.xml()] + (isTwice ? [item.xml(tag: "<category>again</category>")] : [])
            }
        }

        private func address(_ number: Int) -> String { "\(scheme)://a.example/\(number)" }

        mutating func change(_ random: inout SplitMix) {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2: for _ in 0...Int.random(in: 0...2, using: &random) { add(&random) }
            case 3:
                if listed.count > 1 { gone.append(listed.remove(at: .random(in: 0..<listed.count, using: &random))) }
            case 4:
                if !gone.isEmpty { listed.insert(gone.remove(at: .random(in: 0..<gone.count, using: &random)), at: 0) }
            case 5: listed.shuffle(using: &random)
            case 6: move()
            case 7: addAlert(&random)
            case 8...9: edit(Int.random(in: 0..<max(listed.count, 1), using: &random), &random)
            case 10: for index in listed.indices { edit(index, isCount: true, &random) }
            default: rename(&random)
            }
            if listed.isEmpty { add(&random) }
        }

        /// Adds an item that may share anything with those in the list, but not all of it.
        private mutating func add(_ random: inout SplitMix) {
            let number = count + 1
            let twin = listed.randomElement(using: &random).flatMap { $0.hasOtherDay ? nil : $0 }
            func pick(_ own: String?, _ shared: String??) -> String? {
                switch Int.random(in: 0...3, using: &random) {
                case 0: nil
                case 1: shared ?? own
                default: own
                }
            }
            var item = Item(
                number: number, guid: pick(address(number), twin?.guid), link: pick(address(number), twin?.link),
                title: "title \(Int.random(in: 1...4, using: &random))",
                day: Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil,
                text: "text \(Int.random(in: 1...3, using: &random))")
            if Int.random(in: 0...2, using: &random) == 0 { item.file = "\(Int.random(in: 1...3, using: &random)).mp3" }
            // Nobody could tell it from another one, or from a post that is no longer listed.
            let isTwin = listed.contains {
                ($0.identity, $0.title, $0.day, $0.text, $0.file)
                    == (item.identity, item.title, item.day, item.text, item.file)
            }
            let indistinct = gone + listed.filter(\.hasOtherDay)
            if indistinct.contains(where: { $0.identity == item.identity }) {
                (item.guid, item.link) = (address(number), address(number))
            }
            if isTwin || gone.contains(where: { $0.title == item.title }) || item.identity == nil {
                item.title = "title \(number)"
                item.day = 100 + number
            }
            listed.insert(item, at: 0)
        }

        /// Adds an item with the GUID of one that has gone and nothing else.
        private mutating func addAlert(_ random: inout SplitMix) {
            guard let guid = gone.randomElement(using: &random)?.guid,
                !listed.contains(where: { $0.identity == guid }),
                !gone.contains(where: { $0.identity == guid && $0.hasOtherDay })
            else { return }
            let number = count + 1
            listed.insert(
                Item(number: number, guid: guid, title: "alert \(number)", day: 200 + number, text: "alert \(number)"),
                at: 0)
        }

        private func others(of item: Item) -> [Item] { (listed + gone).filter { $0.number != item.number } }

        /// Edits an item, if it can still be recognized; a count in its text is all that changes often.
        private mutating func edit(_ index: Int, isCount: Bool = false, _ random: inout SplitMix) {
            guard listed.indices.contains(index), let identity = listed[index].identity else { return }
            let item = listed[index]
            let twins = others(of: item).filter { $0.identity == identity }
            let text = "edited \(Int.random(in: 0..<1_000_000, using: &random))"
            guard twins.isEmpty else {
                let isAlone = !twins.contains { ($0.title, $0.link, $0.day) == (item.title, item.link, item.day) }
                if isAlone, item.day != nil || item.link != nil { listed[index].text = text }
                return
            }
            switch isCount ? 0 : Int.random(in: 0...3, using: &random) {
            case 0: listed[index].text = text
            case 1 where !item.hasOtherDay: listed[index].title = text
            case 2 where !item.hasOtherDay && (item.day != nil || item.guid != nil):
                (listed[index].title, listed[index].text) = (text, text)
            case 3 where item.day != nil:
                (listed[index].day, listed[index].text) = (300 + item.number, text)
                listed[index].hasOtherDay = true
            default: listed[index].file = nil
            }
        }

        /// The site moves to another scheme.
        private mutating func move() {
            let (old, new) = (scheme, scheme == "http" ? "https" : "http")
            scheme = new
            func moved(_ item: Item) -> Item {
                var item = item
                item.guid = item.guid?.replacing("\(old)://", with: "\(new)://")
                item.link = item.link?.replacing("\(old)://", with: "\(new)://")
                return item
            }
            listed = listed.map(moved)
            gone = gone.map(moved)
        }

        /// Gives an item another GUID or link, if it can still be recognized.
        private mutating func rename(_ random: inout SplitMix) {
            let index = Int.random(in: 0..<max(listed.count, 1), using: &random)
            guard listed.indices.contains(index), let day = listed[index].day, !listed[index].hasOtherDay else {
                return
            }
            let item = listed[index]
            let others = others(of: item)
            guard !others.contains(where: { $0.title == item.title && $0.day == day }),
                !others.contains(where: {
                    $0.guid != nil && $0.guid == item.guid || $0.link != nil && $0.link == item.link
                        || $0.identity == item.identity
                })
            else { return }
            if item.guid != nil, item.link != nil {
                listed[index].guid = address(1000 + Int.random(in: 0..<1_000_000, using: &random))
            } else if item.link != nil {
                listed[index].link = address(1000 + Int.random(in: 0..<1_000_000, using: &random))
            }
        }
    }
}
