import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogMarkup
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
        "has its Markdown as its content, however its other texts are",
        arguments: [
            (
                "xmlns:source='http://source.scripting.com/'",
                "<description>&lt;p>The &lt;b>whole&lt;/b>.&lt;/p></description>"
            ),
            ("", "<content:encoded><![CDATA[<p>A whole note, and more of it.</p>]]></content:encoded>"),
            ("", ""),
        ])
    func markdown(namespace: String, other: String) throws {
        let item = "<guid>g</guid>\(other)<source:markdown>A **whole**\n&lt;br&gt; note.\n\n- one\n</source:markdown>"
        let feed = try FeedSample.parse("<rss \(namespace)><channel><item>\(item)</item></channel></rss>")
        #expect(feed.items.map(\.content) == [Entry.Content("A **whole**\n<br> note.\n\n- one", .markdown)])
        let blank = try FeedSample.rssItem("<source:markdown> \n</source:markdown><description>d</description>")
        #expect(blank?.content == Entry.Content("d", .plain))
    }

    @Test(
        "has the beginning of its Markdown as its title and summary if it has no others",
        arguments: [
            ("A **whole** [note](https://a.example/).\n\nMore.", "A whole note. More."), ("# Gulls", "Gulls"),
            ("![A lighthouse](a.png)", "A lighthouse"),
        ])
    func untitledMarkdown(text: String, words: String) throws {
        let item = "<item><guid>g</guid><source:markdown>\(text)</source:markdown></item>"
        let entries = FeedEntries(of: try FeedSample.parse("<rss><channel>\(item)</channel></rss>"))
        #expect(entries.map { [$0.metadata.title, $0.metadata.summary] } == [[words, words]])
    }

    @Test(
        "has Markdown with absolute links, except for fragments and code",
        arguments: [
            ("[a](b) ![c]( /d.png 'e' )", "[a](https://a.example/x/b) ![c]( https://a.example/d.png 'e' )"),
            ("[![a](b)](<c d>)", "[![a](https://a.example/x/b)](<https://a.example/x/c d>)"),
            ("[a](?b=1&lt=2;&amp;c)", "[a](https://a.example/x/y?b=1&lt=2;&c)"),
            (
                "- [a]\n\n[a]: ../b \"c\"\n  [d]: <e>",
                "- [a]\n\n[a]: https://a.example/b \"c\"\n  [d]: https://a.example/x/e"
            ),
            ("<img src='a'> 1 < 2", "<img src='https://a.example/x/a'> 1 < 2"),
            ("[a](b\\)c)", "[a](<https://a.example/x/b)c>)"),
            ("`[a](b)` ``[a](`b) ` [c](d)``", "`[a](b)` ``[a](`b) ` [c](d)``"),
            ("` [a](b)", "` [a](https://a.example/x/b)"),
            ("```\n[a](b)\n```\n[c](d)", "```\n[a](b)\n```\n[c](https://a.example/x/d)"),
            ("a\n\n    [a](b)\n\t[a](b)", "a\n\n    [a](b)\n\t[a](b)"),
            ("[a](#b) [c](mailto:d@e.f) [g](//h.example/)", "[a](#b) [c](mailto:d@e.f) [g](https://h.example/)"),
            ("[a](<ht\ttp://h.example/>) [b](<c\td>)", "[a](<ht\ttp://h.example/>) [b](https://a.example/x/cd)"),
            ("[a]() [b](c d \\[e](f", "[a]() [b](c d \\[e](f"), ("[a](b", "[a](b"),
        ])
    func markdownLinks(text: String, resolved: String) throws {
        let item = "<link>https://a.example/x/y</link><source:markdown><![CDATA[\(text)]]></source:markdown>"
        let feed = "<rss><channel><link>https://a.example/</link><item>\(item)</item></channel></rss>"
        let base = try #require(URL(string: "https://a.example/feed"))
        #expect(try FeedParser.parse(Array(feed.utf8), base: base).items.map(\.content?.text) == [resolved])
    }

    @Test(
        "has a tag for each link in a list of links",
        arguments: [
            (
                "<![CDATA[<a href='/css'>CSS</a>, <a href='/b'>Web &amp; <b>Strategy</b></a>]]>",
                ["CSS", "Web & Strategy"]
            ),
            (
                "&lt;a href='/css'>CSS&lt;/a> &amp;middot; &lt;a href='/b'>Web, Strategy&lt;/a>.",
                ["CSS", "Web, Strategy"]
            ),
            ("<a href='/css'>CSS</a><a href='/b'>Web</a>", ["CSS", "Web"]),
            ("<![CDATA[<ul><li><a href='/a'>A</a></li><li><a href='/b'>B</a></li></ul>]]>", ["A", "B"]),
            ("<![CDATA[<a href='/a'>A</a>, <a href='/b'>B<a href='/a'>A</a>]]>", ["A", "B"]),
            ("<![CDATA[<a href='/a'></a>]]>", []), ("CSS, Web", ["CSS, Web"]),
            ("<![CDATA[Everything on <a href='/css'>CSS</a>]]>", ["Everything on CSS"]),
            ("What &lt;a> does", ["What does"]),
        ])
    func linkedTags(text: String, tags: [String]) throws {
        for name in ["category", "dc:subject"] {
            #expect(try FeedSample.rssItem("<\(name)>\(text)</\(name)>")?.tags == tags)
        }
    }

    @Test(
        "has no control characters in its title, summary, author and tags, and a space for those that are white space",
        arguments: [
            ("缓存\u{8}设计。", "缓存设计。"), ("缓存&#8;设计。", "缓存设计。"), ("a&#11;b&#x0C;c\td\ne\r\nf", "a b c d e f"),
            ("a\u{0}b\u{1}\u{7F}c", "abc"), ("a \u{8} b", "a b"), ("a&#x1B;[31mb", "ab"), ("a\u{81}b\u{85}c", "ab c"),
        ])
    func controls(text: String, line: String) throws {
        let elements = ["title", "description", "author", "category"].map { "<\($0)>\(text)</\($0)>" }.joined()
        let item = try #require(try FeedSample.rssItem(elements))
        #expect([item.title, item.summary, item.author] + item.tags == [line, line, line, line])
        let html = try FeedSample.rssItem("<title>x</title><description>&lt;p>\(text)&lt;/p></description>")
        #expect(html?.summary == line)
        for content in [item.content, html?.content] {
            let body = BodyText.document(content?.text ?? "", format: content?.format).blocks.plainText
            #expect(Sanitizer.line(body).split(whereSeparator: \.isWhitespace).joined(separator: " ") == line)
        }
    }

    @Test(
        "has no character references in its title, summary, author and tags in JSON Feed, as in RSS",
        arguments: [
            ("A review of &#8220;The Post&#8221; &amp; its makers", "A review of “The Post” & its makers"),
            ("&lt;b&gt;&nbsp;means bold, &eacute;&#x21;", "<b> means bold, é!"), ("AT&T, a & b", "AT&T, a & b"),
            ("&notanentity; &copy 1 &#;", "&notanentity; &copy 1 &#;"),
        ])
    func references(text: String, line: String) throws {
        let members =
            #""id":"1","title":"\#(text)","summary":"\#(text)","authors":[{"name":"\#(text)"}],"tags":["\#(text)"]"#
        let feed = try FeedSample.parse(#"{"version":"https://jsonfeed.org/version/1.1","items":[{\#(members)}]}"#)
        let item = try #require(feed.items.first)
        #expect([item.title, item.summary, item.author] + item.tags == [line, line, line, line])
        #expect(item.content.flatMap { FeedText.line($0.text.utf8) } == line)
        let escaped = text.replacing("&", with: "&amp;")
        #expect(try FeedSample.rssItem("<title>\(escaped)</title>")?.title == line)
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
