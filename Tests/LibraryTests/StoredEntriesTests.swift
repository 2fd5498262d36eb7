import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("An entry whose bytes are stored") struct StoredEntriesTests {
    /// Changes of a feed, and whether they change what its entry says.
    static let changes: [(old: String, new: String, isOther: Bool)] = [
        ("<title>One", "<title>Two", true), ("text</d", "words</d", true), ("<ttl>5", "<ttl>6", false),
        ("<item>", "<item ><!-- a comment -->", true), ("<other/>", "<item><guid>z</guid></item>", false),
        ("xmlns:dc='http://purl.org/dc/elements/1.1/'", "xmlns:dc='http://x.y/'", true),
        ("xml:lang='en'", "xml:lang='de'", true), ("<language>en", "<language>de", true),
        ("<managingEditor>Ann", "<managingEditor>Bob", true), ("<link>http://a.b/c/", "<link>http://a.b/d/", true),
        ("<title>Feed", "<title>Food", false), ("<managingEditor>Ann</managingEditor><title>Feed", "<title>Food", true),
    ]

    @Test("is decoded again if it, or anything that it depends on, has changed", arguments: changes)
    func digest(change: (old: String, new: String, isOther: Bool)) throws {
        let feed = """
            <rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/' xml:lang='en'><channel><managingEditor>Ann\
            </managingEditor><title>Feed</title><link>http://a.b/c/</link><language>en</language><ttl>5</ttl><item>\
            <guid>a</guid><title>One</title><link>x</link><description>text</description></item><other/></channel></rss>
            """
        func digest(_ text: String) throws -> Int64? {
            try FeedSample.parse(text).items.first { $0.guid == "a" }?.digest
        }
        #expect(try digest(feed) != nil)
        #expect(try (digest(feed) != digest(feed.replacing(change.old, with: change.new))) == change.isOther)
        let known = try digest(feed)
        let rest = try FeedParser.parse(Array(feed.utf8), base: FeedSample.base) { $0 == known }
        #expect(rest.items.isEmpty && rest.stored == [known])
    }

    @Test("is what it would be if it were decoded every time", arguments: [1, 2, 3])
    func model(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let feeds = try ["known", "decoded"].map { try LanternFeed(storePath: folder.url.path + "/" + $0) }
        for feed in feeds { try await feed.follow() }
        var items = ["a", "b", "c", "d", "e"].map { "<guid>\($0)</guid><description>\($0)</description>" }
        var random = SplitMix(state: seed)
        for step in 0..<30 {
            let place = Int.random(in: 0..<items.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: items[place] += "<title>\(step)</title>"
            case 1: items[place] = items[place].replacing("</description>", with: " \(step)</description>")
            case 2: items.insert("<guid>\(step)</guid><description>x</description>", at: place)
            case 3: items[place] = items[place].replacing("<desc", with: "<link>l\(step)</link><desc")
            case 4: if items.count > 2 { items.remove(at: place) }
            default: items.shuffle(using: &random)
            }
            var lists: [[String]] = []
            for feed in feeds {
                feed.serve(LanternFeed.rss(items.map { "<item>\($0)</item>" }), as: [:], at: "feed.xml")
                lists.append(try await contents(of: feed))
            }
            #expect(lists[0] == lists[1], "step \(step)")
            try Database(path: folder.url.path + "/decoded", mode: .readWrite).execute("UPDATE posts SET digest = NULL")
        }
    }

    /// What the posts of a feed say after a refresh, without their numbers.
    ///
    /// The server sends the same entries in other bytes, so that they are read again.
    private func contents(of feed: LanternFeed) async throws -> [String] {
        var contents: [String] = []
        let text = try Data(contentsOf: Repository.mockFeeds.appending(path: "lantern/feed.xml"))
        feed.serve(text + Data("<!-- \(UUID()) -->".utf8), as: ["Content-Type": "text/xml"], at: "feed.xml")
        for try await post in try await feed.library(.refresh).list(Query()).posts {
            let body = try await feed.store.read { try Bodies($0).find(post.metadata.id, of: post.source) }
            contents.append("\(post.metadata.postId) \(post.metadata.title) \(body?.text ?? "")")
        }
        return contents.sorted()
    }

    @Test(
        "is stored again if the post was lost or changed meanwhile",
        arguments: [
            "DELETE FROM bodies", "UPDATE posts SET listed = 0", "DELETE FROM ranks", "UPDATE posts SET digest = NULL",
        ])
    func lost(sql: String) async throws {
        let folder = try TemporaryFolder()
        let feed = try LanternFeed(storePath: folder.url.path + "/store")
        try await feed.follow()
        let before = try await contents(of: feed)
        try Database(path: folder.url.path + "/store", mode: .readWrite).execute(sql)
        #expect(try await contents(of: feed) == before)
        #expect(before.count > 1)
    }

    @Test("makes the whole list be requested again if its post is gone when the list is stored")
    func gone() async throws {
        let store = try PostStore()
        try await store.feed([.item("a", day: 1)], on: 1)
        let validators = CacheValidators(etag: "1")
        let mark = RefreshMark(Checkpoint(validators: validators, digest: "1"), refreshedAt: .day(2))
        let batches = Batches([EntryBatch()])
        _ = try await store.storeList(of: .feed, .window, mark: mark, batches)
        #expect(try await store.read { try Sources($0).find(.feed) }?.validators == validators)
        var batch = EntryBatch()
        batch.unchanged = [7]
        let others = Batches([batch])
        _ = try await store.storeList(of: .feed, .window, mark: mark, others)
        #expect(try await store.read { try Sources($0).find(.feed) }?.validators.isEmpty == true)
    }
}
