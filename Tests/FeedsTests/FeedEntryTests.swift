import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogModel
@testable import BlogRendering

@Suite("A feed entry") struct FeedEntryTests {
    private func identities(_ items: [String]) throws -> [String] {
        let items = items.map { "<item>\($0)</item>" }.joined()
        return FeedEntries(of: try FeedSample.parse("<rss><channel>\(items)</channel></rss>")).map(\.metadata.postId)
    }

    private static let date = "<pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate>"
    private static let long = String(repeating: "x", count: PostMetadata.maxIDLength)

    static let equal: [(String, String, Bool)] = [
        // Without a GUID, a link or a date, the text is the identity.
        ("<title>a</title><description>b</description>", "<title>a</title><description>b</description>", true),
        ("<title>a</title><description>b</description>", "<title>a</title><description>c</description>", false),
        ("<title>a</title>", "<title>b</title>", false),
        ("<description>a</description>", "<description>b</description>", false),
        ("<title>a</title>", "<description>a</description>", false),
        ("<description>a</description>", "<description>a</description>\(date)", false),
        ("<description>a</description>\(date)", "<description>b</description>\(date)", false),
        // A title and a date alone may be those of another item.
        (
            "<title>a</title>\(date)<description>b</description>",
            "<title>a</title>\(date)<description>c</description>", false
        ),
        ("<title>a</title>\(date)", "<title>b</title>\(date)", false),
        ("<title>a</title>\(date)", "<title>a</title>\(date.replacing("2004", with: "2005"))", false),
        // A GUID takes precedence over a link, and a link over everything else.
        ("<guid>a</guid><link>http://x/1</link>", "<guid>a</guid><link>http://x/2</link>", true),
        ("<link>http://x/1</link><title>a</title>", "<link>http://x/1</link><title>b</title>", true),
        ("<link>http://x/1</link><title>a</title>", "<link>http://x/2</link><title>a</title>", false),
        ("<guid>\(long)xa</guid>", "<guid>\(long)xb</guid>", false),
        ("<guid>\(long)xa</guid>", "<guid>\(long)xa</guid>", true),
    ]

    @Test(
        "believes no date more than a year ahead",
        arguments: [("2026-11-26", true), ("2027-11-26", true), ("2027-12-01", false), ("9999-12-31", false)])
    func ahead(day: String, isDated: Bool) throws {
        let now = try #require(Timestamp("2026-11-26T12:00:00Z")?.date)
        for name in ["published", "updated"] {
            let entry = "<entry><id>1</id><\(name)>\(day)T00:00:00Z</\(name)></entry>"
            let feed = try FeedSample.parse("<feed xmlns='http://www.w3.org/2005/Atom'>\(entry)</feed>")
            let numbering = try #require(FeedEntries(of: feed, now: now).map(\.numbering).first)
            #expect(numbering?.hasDate == isDated)
        }
    }

    @Test("is identified by its GUID, its link or its text", arguments: equal)
    func identity(one: String, other: String, isSame: Bool) throws {
        let (first, second) = (try identities([one]), try identities([other]))
        #expect(first.count == 1 && second.count == 1)
        #expect((first == second) == isSame)
        #expect(first.allSatisfy { !$0.isEmpty && $0.utf8.count <= PostMetadata.maxIDLength })
    }

    @Test(
        "is told apart from others with the same GUID or link by its facts, or else by its text",
        arguments: [
            (["<title>1</title>", "<title>2</title>"], [Entry.Distinction.facts, .facts]),
            (["<link>http://x/1</link>", "<link>http://x/2</link>"], [.facts, .facts]),
            (
                ["<title>1</title>", "<title>2</title>", "<title>1</title><description>x</description>"],
                [.text, .facts, .text]
            ),
            (["<title>1</title><link>http://x/1</link>", "<title>1</title><link>https://X/1/</link>"], [.identity]),
            (["<title>1</title>", "<title>1</title>"], [.identity]), (["<title>1</title>"], [.identity]),
        ])
    func shared(items: [String], distinctions: [Entry.Distinction]) throws {
        let xml = items.map { "<item><guid>https://x/a</guid>\($0)</item>" }.joined()
        let feed = try FeedSample.parse("<rss><channel>\(xml)</channel></rss>")
        func found(_ stored: [String]) -> [Entry.Distinction?] {
            FeedEntries(of: feed, stored: stored).map { $0.numbering?.distinction }.reversed()
        }
        #expect(found(["http://x/b"]) == distinctions)
        for stored in ["http://x/a/", "https://x/a\u{1F}1-2"] {
            #expect(found([stored]) == distinctions.map { $0 == .identity ? .facts : $0 })
        }
    }

    @Test(
        "is skipped without a title, a link, a GUID, text or a file",
        arguments: [
            ("", 0), ("<pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate><author>a</author><category>b</category>", 0),
            ("<title> </title><link> </link><guid/><description>\n</description>", 0), ("<title>a</title>", 1),
            ("<guid>a</guid>", 1), ("<link>http://x/</link>", 1), ("<description>a</description>", 1),
            ("<enclosure url='http://x/a.mp3'/>", 1),
        ])
    func empty(elements: String, count: Int) throws {
        #expect(try identities([elements, "<title>other</title>"]).count == count + 1)
    }

    @Test("has the first words of its text as its title, up to 80 letters", arguments: [(39, true), (40, false)])
    func title(length: Int, isWhole: Bool) throws {
        let (first, second) = (String(repeating: "a", count: 40), String(repeating: "b", count: length))
        let item = "<item><description>\(first) \(second)</description></item>"
        let entries = FeedEntries(of: try FeedSample.parse("<rss><channel>\(item)</channel></rss>"))
        #expect(entries.map(\.metadata.title) == [first + " " + (isWhole ? second : "…")])
    }

    @Test(
        "has a title and a summary from whatever content there is",
        arguments: [
            ("<content:encoded>&lt;p>A note.&lt;/p>&lt;p>B&lt;/p></content:encoded>", "A note. B"),
            ("<title></title><description>&lt;p>A toot&lt;/p></description>", "A toot"),
            (
                "<description>&lt;img src='x'>&lt;img src='x' alt='A cat &amp;amp; a mat'></description>",
                "A cat & a mat"
            ),
            (
                "<description></description><media:content url='a.mp3'/><media:content url='b.png' type='image/png'><media:description>A cat</media:description></media:content>",
                "A cat"
            ),
        ])
    func untitled(elements: String, text: String) throws {
        let feed = "<rss xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel><item>\(elements)</item>"
        let entry = FeedEntries(of: try FeedSample.parse(feed + "</channel></rss>")).first { _ in true }
        #expect(entry?.metadata.title == text && entry?.metadata.summary == text)
        let json = #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","content_text":"A\nnote"}]}"#
        #expect(FeedEntries(of: try FeedSample.parse(json)).map(\.metadata.title) == ["A note"])
    }

    @Test("has the date of its last change only besides its own date", arguments: [true, false])
    func updated(isDated: Bool) throws {
        let own = isDated ? "<published>2004-01-01T00:00:00Z</published>" : ""
        let item = try #require(try FeedSample.atomEntry("<id>a</id><updated>2005-01-01T00:00:00Z</updated>" + own))
        let feed = FeedDocument(title: nil, link: nil, timeToLive: nil, items: [item])
        let entry = FeedEntries(of: feed).first { _ in true }
        #expect(entry?.metadata.publishDate.utc == (isDated ? "2004-01-01T00:00:00Z" : "2005-01-01T00:00:00Z"))
        #expect(entry?.metadata.entry?.updated?.utc == (isDated ? "2005-01-01T00:00:00Z" : nil))
    }

    @Test("has a summary that ends with a whole character")
    func summary() throws {
        let text = String(repeating: "&lt;b>&lt;/b>", count: 2340) + " é é"
        for padding in 0...3 {
            let text = String(repeating: "a", count: padding) + text
            let item = "<item><content:encoded>\(text)</content:encoded></item>"
            let rss = "<rss xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel>\(item)</channel></rss>"
            let entries = FeedEntries(of: try FeedSample.parse(rss))
            #expect(entries.allSatisfy { $0.metadata.summary?.contains("\u{FFFD}") == false })
        }
    }

    @Test("never has the separator of the store in its identity")
    func separator() throws {
        let identities = try identities(["<guid>a&#31;b</guid>", "<guid>a b</guid>", "<guid>a&#31;c</guid>"])
        #expect(Set(identities).count == 3 && identities.allSatisfy { !$0.contains("\u{1F}") })
    }

    @Test("is skipped if its JSON object is empty")
    func emptyObject() throws {
        let feed = try FeedSample.parse(
            #"{"version":"https://jsonfeed.org/version/1.1","title":"F","items":[{},{"id":"","title":" "},{"id":"a"}]}"#
        )
        #expect(FeedEntries(of: feed).map(\.metadata.postId) == ["a"])
    }
}
