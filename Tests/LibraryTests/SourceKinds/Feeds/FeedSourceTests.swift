import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A followed feed", .serialized) struct FeedSourceTests: FeedFollowing {
    let fixture: FeedFixture

    init() throws { fixture = try FeedFixture() }

    static let pages = [
        ("/feeds/", "/feeds/feed.xml", 4), ("/feeds/saltmarsh/", "/feeds/saltmarsh/atom.xml", 3),
        ("/feeds/garden/", "/feeds/garden/feed.xml", 3), ("/feeds/bakery/", "/feeds/bakery/feed.xml", 2),
        ("/feeds/saltmarsh/feed.json", "/feeds/saltmarsh/feed.json", 3),
    ]

    @Test("is discovered on the page that links to it, and has its posts at once", arguments: pages)
    func found(page: String, feed: String, posts: Int) async throws {
        let report = try await follow(page)
        #expect(report.source == SourceID(kind: "feed", address: server.address + feed))
        #expect(report.posts == posts)
        #expect(try await SourceScope(store.read { try Sources($0).all() }).missingBodies == 0)
        #expect(try await library().sources().first?.title?.isEmpty == false)
    }

    @Test("can be discovered in a dry run, and followed with its posts marked as read")
    func requestOptions() async throws {
        var request = FollowRequest(server.address + "/feeds/saltmarsh/")
        request.isDryRun = true
        let found = try await library().follow(request)
        #expect(found.source.address.hasSuffix("/atom.xml"))
        #expect(found.others.count >= 2)
        #expect(try await store.read { try Sources($0).all() }.isEmpty)
        (request.isDryRun, request.isRead) = (false, true)
        _ = try await library().follow(request)
        #expect(try await library().sources().map(\.unread) == [0])
    }

    @Test("comes with the other feeds of its page, but not with those of a blogroll")
    func others() async throws {
        let page = """
            <html><link rel=alternate type=application/rss+xml href=feed.xml>
            <link rel=alternate type=application/atom+xml href=saltmarsh/atom.xml>
            <a href=garden/feed.xml>Feed</a> <a href="https://other.example/feed.xml">Feed of a friend</a></html>
            """
        server.setFault(.body(Data(page.utf8), headers: ["Content-Type": "text/html"]), for: "/feeds/page")
        let others = try await follow("/feeds/page").others.map { $0.absoluteString }
        #expect(others == ["saltmarsh/atom.xml", "garden/feed.xml"].map { server.address + "/feeds/" + $0 })
    }

    @Test("has posts with enclosures, and bodies that need no request")
    func facts() async throws {
        let source = try await follow("/feeds/saltmarsh/podcast.xml").source
        let enclosures = try await posts().map { $0.metadata.entry?.enclosures ?? [] }
        #expect(
            enclosures == [
                [Enclosure(url: "https://saltmarsh.example/podcast/1.mp3", type: "audio/mpeg")],
                [
                    Enclosure(
                        url: "https://saltmarsh.example/podcast/podcast/2.mp3", type: "audio/mpeg", length: 14_449_664)
                ],
                [Enclosure(url: "https://saltmarsh.example/podcast/3.mp3", type: "audio/mpeg", length: 14_274_560)],
            ])
        server.clearRequests()
        let bodies = [("1", "Water, clay"), ("2", "Professor Adaeze Nwosu"), ("3", "<li>06:10 the boom</li>")]
        for (id, part) in bodies {
            let read = try await library(.normal).read(PostID(source: source, local: id))
            #expect(read.post.body.contains(part))
        }
        #expect(server.requests.isEmpty)
    }

    @Test("numbers its posts permanently, with the oldest of the first fetch first")
    func numbers() async throws {
        let one = "<item><guid>a</guid><title>A</title><pubDate>Mon, 02 Jan 2023 00:00:00 GMT</pubDate></item>"
        let two = "<item><guid>b</guid><title>B</title><pubDate>Tue, 03 Jan 2023 00:00:00 GMT</pubDate></item>"
        let three = "<item><guid>c</guid><title>C</title><pubDate>Sun, 01 Jan 2023 00:00:00 GMT</pubDate></item>"
        serve(two, one)
        _ = try await follow("/feeds/feed.xml")
        #expect(try await posts().map { "\($0.metadata.id) \($0.metadata.title)" } == ["1 A", "2 B"])
        serve(three, two)
        try await refresh()
        // Posts that have left the feed stay, and numbers go by arrival, not by date.
        #expect(try await posts().map { "\($0.metadata.id) \($0.metadata.title)" } == ["3 C", "1 A", "2 B"])
    }

    @Test("keeps the number, date and marks of a post that changes, and doesn't make it unread")
    func changes() async throws {
        serve("<item><guid>a</guid><title>Old</title><pubDate>Mon, 02 Jan 2023 00:00:00 GMT</pubDate></item>")
        let id = try await follow("/feeds/feed.xml").source
        _ = try await library().mark(.read, ids: [PostID(source: id, local: "1")])
        for (minute, date) in [(1.0, "Mon, 02 Jan 2023 00:00:00 GMT"), (2, "Fri, 05 May 2023 00:00:00 GMT")] {
            serve(
                "<item><guid>a</guid><title>New</title><category>x</category><description>text</description>"
                    + "<pubDate>\(date)</pubDate></item>")
            // A change within the same millisecond isn't recorded.
            try await refresh(at: Date(timeIntervalSinceNow: minute * 60))
        }
        let post = try #require(try await posts().first)
        #expect(post.metadata.title == "New")
        #expect(post.metadata.id == "1")
        #expect(post.metadata.publishDate.utc == "2023-01-02T00:00:00Z")
        #expect(post.state.isRead && post.changed != nil)
        #expect(try await library().read(PostID(source: id, local: "1")).post.body == "text")
        var query = Query()
        query.filter.tag = "X"
        #expect(try await posts(query).count == 1)
    }

    @Test("records when a post's text or tags change, but not its tracking pixel")
    func changedTexts() async throws {
        func item(_ text: String, tag: String = "a") -> String {
            "<item><guid>a</guid><title>T</title><category>\(tag)</category><description>About</description>"
                + "<content:encoded>\(text)</content:encoded></item>"
        }
        serve(item("&lt;p>One&lt;/p>"))
        _ = try await follow("/feeds/feed.xml")
        func changed(_ item: String, hours: Int) async throws -> Timestamp? {
            serve(item)
            try await refresh(at: Date(timeIntervalSinceNow: Double(hours) * 3600))
            return try await posts().first?.changed
        }
        #expect(try await changed(item("&lt;p>One&lt;/p>&lt;img src='https://x.example/?7'>"), hours: 1) == nil)
        let text = try #require(try await changed(item("&lt;p>Two&lt;/p>"), hours: 2))
        let tag = try #require(try await changed(item("&lt;p>Two&lt;/p>", tag: "b"), hours: 3))
        #expect(text.moment < tag.moment)
    }

    @Test("sorts posts without a date, or with one more than a year ahead, by when they were first seen")
    func dates() async throws {
        let (first, later) = (Date(timeIntervalSince1970: 1_700_000_000), Date(timeIntervalSince1970: 1_800_000_000))
        let undated = "<item><guid>a</guid><title>A</title></item>"
        let future = "<item><guid>b</guid><title>B</title><pubDate>Mon, 04 Jan 2100 00:00:00 GMT</pubDate></item>"
        let new = "<item><guid>c</guid><title>C</title><pubDate>Mon, 02 Jan 2024 00:00:00 GMT</pubDate></item>"
        serve(undated, future)
        _ = try await library(now: { first }).follow(FollowRequest(server.address + "/feeds/feed.xml", name: "feed"))
        serve(new, undated, future)
        try await refresh(at: later)
        let posts = try await posts(Query())
        #expect(posts.map(\.metadata.title).first == "C")
        #expect(posts.first { $0.metadata.title == "A" }?.metadata.publishDate.date == first)
        #expect(posts.first { $0.metadata.title == "B" }?.metadata.publishDate.date == first)
        serve(new, undated, future.replacing("<title>B", with: "<title>B changed"))
        try await refresh(at: later)
        #expect(try await self.posts(Query()).map(\.metadata.title).first == "C")
    }

    @Test(
        "lists posts of the same date in the order of the feed, also after an export and an import",
        arguments: ["", "<pubDate>Mon, 04 Jan 2024 00:00:00 GMT</pubDate>"])
    func sameDate(date: String) async throws {
        serve((1...12).map { "<item><guid>\($0)</guid><title>\($0)</title>\(date)</item>" }.joined())
        _ = try await follow("/feeds/feed.xml")
        let titles = (1...12).map { String($0) }
        #expect(try await posts(Query()).map(\.metadata.title) == titles)
        let other = try PostStore()
        _ = try await other.merge(store.exported())
        let imported = try await library(.offline, store: other).page(
            Query(), in: .sources([SourceID(kind: "feed", address: server.address + "/feeds/feed.xml")]), after: nil,
            count: 100)
        #expect(imported.map(\.metadata.title) == titles)
    }

    @Test("identifies posts by GUID, link or text, and those with the same GUID by link")
    func identity() async throws {
        serve(
            "<item><guid>a</guid><link>http://x/1</link><title>1</title></item>",
            "<item><guid>a</guid><link>http://x/2</link><title>2</title></item>",
            "<item><guid>a</guid><link>http://x/2</link><title>2</title></item>",
            "<item><link>http://x/3</link><title>3</title></item>", "<item><description>four</description></item>",
            "<item><description>five</description></item>")
        _ = try await follow("/feeds/feed.xml")
        #expect(try await posts().count == 5)
        try await refresh()
        #expect(try await posts().count == 5)
        #expect(try await Set(posts().map(\.metadata.title)).isSuperset(of: ["four", "five"]))
    }

    @Test("is requested with the same validators after a 304 that has none")
    func sameValidators() async throws {
        let rss = "<rss version='2.0'><channel><title>T</title><item><guid>a</guid></item></channel></rss>"
        let validators = ["ETag": "\"1\"", "Last-Modified": "Mon, 02 Jan 2023 00:00:00 GMT"]
        server.setFault(.body(Data(rss.utf8), headers: validators), for: "/feeds/feed.xml")
        let id = try await follow("/feeds/feed.xml").source
        server.setFault(.raw(Data("HTTP/1.1 304 Not Modified\r\n\r\n".utf8)), for: "/feeds/feed.xml")
        let library = library(.normal)
        for _ in 1...3 {
            let refreshes = await library.refresh([id], onlyDue: false, deadline: nil)
            #expect(refreshes.first?.report.isUnchanged == true, "\(refreshes)")
            #expect(server.requests.last?.headers["if-none-match"] == "\"1\"")
            #expect(server.requests.last?.headers["if-modified-since"] == validators["Last-Modified"])
        }
    }

    @Test("that is cut off replaces no post, is requested whole next time, and says so if it ends within an item")
    func cutOff() async throws {
        let start = "<rss version='2.0'><channel><title>T</title><item><guid>a</guid><title>A</title></item>"
        let last = "<item><guid>b</guid><title>B</title><description>All of the text</description></item>"
        func serve(_ text: String) {
            server.setFault(.body(Data(text.utf8), headers: ["ETag": "\"\(text.utf8.count)\""]), for: "/feeds/feed.xml")
        }
        serve(start + last + "</channel></rss>")
        let id = try await follow("/feeds/feed.xml").source
        let library = library(.normal)
        for (cut, rejected) in [(start + last.dropLast(25), ["record 1 is cut off"]), (start, [])] {
            serve(cut)
            let report = try #require(await library.refresh([id], onlyDue: false, deadline: nil).first?.report)
            #expect(report.flaws.rejected.map(\.text) == rejected)
            #expect(try await posts().map(\.metadata.summary).contains("All of the text"))
            #expect(try await store.read { try Sources($0).find(id) }?.validators.isEmpty == true)
        }
    }

    @Test("has the first 25,000 items, and says if there are more")
    func tooMany() async throws {
        let items = String(repeating: "<item/>", count: FeedDocument.maxItems - 1)
        for (more, rejected) in [
            ("", []), ("<item><title>B</title></item>", ["record 25000 is one too many (a feed has at most 25,000)"]),
        ] {
            let feed = "<rss version='2.0'><channel><item><title>A</title></item>\(items)\(more)</channel></rss>"
            server.setFault(.body(Data(feed.utf8), headers: ["ETag": "\"\(feed.utf8.count)\""]), for: "/feeds/feed.xml")
            let id = try await follow("/feeds/feed.xml").source
            let report = try #require(
                await library(.refresh).refresh([id], onlyDue: false, deadline: nil).first?.report)
            #expect(report.flaws.rejected.map(\.text) == rejected)
            #expect(try await posts().map(\.metadata.title) == ["A"])
        }
    }

    @Test("is requested conditionally, with an Accept header, but without cookies or a Referer")
    func conditional() async throws {
        let page = "<html><link rel=alternate type=application/rss+xml href=feed.xml>"
        let headers = ["Content-Type": "text/html", "Set-Cookie": "id=1; Path=/"]
        server.setFault(.body(Data(page.utf8), headers: headers), for: "/feeds/page")
        let source = try await follow("/feeds/page").source
        let etag = try #require(try await store.read { try Sources($0).find(source) }?.validators.etag)
        let list = try await library(.normal, now: { Date(timeIntervalSinceNow: 86_400) }).list(Query())
        #expect(list.report?.isUnchanged == true, "\(list.refreshes)")
        #expect(server.requests.map(\.path) == ["/feeds/page", "/feeds/feed.xml", "/feeds/feed.xml"])
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil, etag])
        #expect(server.requests.allSatisfy { $0.headers["accept"]?.contains("application/atom+xml") == true })
        #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil && $0.headers["referer"] == nil })
    }
}
