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
            received: HTTPResponse(url: url, head: HTTPHead(status: 200), body: ResponseBody(Data(feed.utf8))))
        let known = try await store.source(.feed)
        let since = Checkpoint(validators: CacheValidators(), digest: nil) { [store] in
            guard let known, knowsEntries else { return [:] }
            return await store.entries(of: known)
        }
        guard case .entries(let batches, let coverage, let checkpoint) = try await source.refresh(nil, since: since)
        else { return }
        let mark = RefreshMark(checkpoint, refreshedAt: .day(20_000))
        _ = try await store.storeList(of: .feed, coverage, mark: mark) {
            try await batches.next().map { PreparedBatch($0.entries, unchanged: $0.unchanged, rejected: $0.rejected) }
        }
    }

    /// The IDs and texts of all posts.
    private func posts() async throws -> [String: String] {
        try await store.posts(of: .feed).reduce(into: [:]) { $0[$1.metadata.id] = $1.metadata.summary ?? "" }
    }

    private static let day = "<pubDate>Thu, 01 Jan 2004 00:00:00 GMT</pubDate>"
    private static let next = "<pubDate>Fri, 02 Jan 2004 00:00:00 GMT</pubDate>"

    // MARK: What is one post, and what are two

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
    ]

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

    // MARK: A model

    /// An item as its author knows it.
    private struct Item {
        /// In its text.
        let number: Int
        var guid: String?
        var link: String?
        var title: String
        var day: Int?

        var xml: String {
            var xml = guid.map { "<guid>\($0)</guid>" } ?? ""
            xml += link.map { "<link>\($0)</link>" } ?? ""
            xml += "<title>\(title)</title><description>text \(number).</description>"
            let date = day.map { Date(timeIntervalSince1970: TimeInterval($0 * 86_400)).ISO8601Format() }
            return xml + (date.map { "<pubDate>\($0)</pubDate>" } ?? "")
        }
    }

    @Test(
        "are neither lost nor doubled, and keep their marks, whatever a feed does",
        arguments: UInt64(1)...UInt64(Mutation.count(40)))
    func model(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        var feed = ModelFeed()
        /// The post of each item, and whether it is read.
        var known: [Int: (id: String, isRead: Bool)] = [:]
        for step in 1...12 {
            feed.change(&random)
            try await refresh(feed.listed.map(\.xml), knowsEntries: Int.random(in: 0...3, using: &random) > 0)
            let posts = try await store.posts(of: .feed)
            #expect(posts.count == feed.count, "step \(step): \(feed.listed.map(\.xml))")
            for post in posts {
                let number = try #require(
                    post.metadata.summary?.split(separator: " ").last.flatMap { Int($0.dropLast()) })
                if let (id, isRead) = known[number] {
                    #expect(post.metadata.id == id, "step \(step): \(feed.listed.map(\.xml))")
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
        private(set) var listed: [Item] = []
        private var gone: [Item] = []
        private var scheme = "http"

        var count: Int { listed.count + gone.count }

        private func address(_ number: Int) -> String { "\(scheme)://a.example/\(number)" }

        mutating func change(_ random: inout SplitMix) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: for _ in 0...Int.random(in: 0...2, using: &random) { add(&random) }
            case 3:
                if listed.count > 1 { gone.append(listed.remove(at: .random(in: 0..<listed.count, using: &random))) }
            case 4:
                if !gone.isEmpty { listed.insert(gone.remove(at: .random(in: 0..<gone.count, using: &random)), at: 0) }
            case 5: listed.shuffle(using: &random)
            case 6: move()
            default: rename(&random)
            }
            if listed.isEmpty { add(&random) }
        }

        /// Adds an item that may share anything with those in the list, but not all of it.
        private mutating func add(_ random: inout SplitMix) {
            let number = count + 1
            let twin = listed.randomElement(using: &random)
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
                day: Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil)
            // Nobody could tell it from a post that is no longer listed.
            if gone.contains(where: { $0.title == item.title }) || item.guid == nil && item.link == nil {
                item.title = "title \(number)"
                item.day = 100 + number
            }
            listed.insert(item, at: 0)
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
            guard listed.indices.contains(index), let day = listed[index].day else { return }
            let item = listed[index]
            let others = (listed + gone).filter { $0.number != item.number }
            guard !others.contains(where: { $0.title == item.title && $0.day == day }),
                !others.contains(where: {
                    $0.guid != nil && $0.guid == item.guid || $0.link != nil && $0.link == item.link
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
