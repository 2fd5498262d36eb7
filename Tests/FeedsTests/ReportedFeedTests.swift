import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogModel

/// Kinds of feeds that readers' users have reported.
@Suite("An item of a feed that other readers had trouble with") struct ReportedFeedTests {
    @Test(
        "has the link that FeedBurner replaced",
        arguments: ["xmlns:feedburner='http://rssnamespace.org/feedburner/ext/1.0'", ""])
    func original(namespace: String) throws {
        let feed = try FeedSample.parse(
            """
            <rss version="2.0" \(namespace)><channel><item><link>https://feedproxy.example/~r/a/~3/b/</link>
            <feedburner:origLink>https://l.example/7</feedburner:origLink></item>
            <item><link>https://l.example/8</link><feedburner:origLink>javascript:x</feedburner:origLink></item>
            </channel></rss>
            """)
        #expect(feed.items.map(\.link) == ["https://l.example/7", "https://l.example/8"])
    }

    @Test(
        "has the description of its video or sound as its text",
        arguments: [
            "<media:content url='https://a.example/v.mp4' medium='video'>D</media:content>",
            "<media:content url='https://a.example/v.mp4' type='video/mp4'>D</media:content>",
            "<media:group><media:content url='https://a.example/a.mp3' type='audio/mpeg'>D</media:content></media:group>",
        ])
    func described(file: String) throws {
        let description = "<media:description>A lighthouse at dusk.</media:description>"
        let item = try FeedSample.rssItem("<title>t</title>" + file.replacing("D", with: description))
        #expect(item?.summary == "A lighthouse at dusk." && item?.content?.text == "A lighthouse at dusk.")
    }

    @Test("doesn't have the description of a picture as its text")
    func picture() throws {
        let item = try FeedSample.rssItem(
            """
            <title>t</title><media:content url='https://a.example/p.jpg' medium='image'>
            <media:description>A lighthouse.</media:description></media:content>
            """)
        #expect(item?.content == nil && item?.summary == nil)
    }

    @Test("has the HTML of a podcast's summary that was escaped twice, and no other text as HTML")
    func escapedTwice() throws {
        let item = try FeedSample.rssItem(
            "<itunes:summary>&amp;lt;p&amp;gt;A &amp;lt;b&amp;gt;lamp&amp;lt;/b&amp;gt;&amp;lt;/p&amp;gt;</itunes:summary>"
        )
        #expect(item?.content == Entry.Content("<p>A <b>lamp</b></p>", .html) && item?.summary == "A lamp")
        let other = try FeedSample.rssItem("<itunes:summary>About &amp;lt;p&amp;gt; tags</itunes:summary>")
        #expect(other?.content == Entry.Content("About <p> tags", .plain))
    }

    @Test(
        "is in the folder of its category in a list of subscriptions",
        arguments: [
            ("category='/News/Science,/Daily'", "News/Science"), ("category='daily'", nil), ("category='/'", nil),
            ("category=' /A '", "A"),
        ] as [(String, String?)])
    func category(attribute: String, folder: String?) throws {
        let list = "<opml><body><outline xmlUrl='https://a.example/f' \(attribute)/></body></opml>"
        #expect(try OPML.read(Array(list.utf8)).feeds.first?.folder == folder)
        let inside =
            "<opml><body><outline text='B'><outline xmlUrl='https://a.example/f' \(attribute)/></outline></body></opml>"
        #expect(try OPML.read(Array(inside.utf8)).feeds.first?.folder == "B")
    }
}
