import BlogKit
import BlogTestSupport
import Foundation
import Testing

@Suite("A feed as a value") struct FeedValueTests {
    private let url = URL(filePath: "/feeds/a.xml")

    @Test("has its title, its site, the page with older entries, and its entries in their order")
    func rss() throws {
        let text = """
            <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>A &amp; B</title>
            <link>https://a.example/</link><atom:link rel="next" href="https://a.example/feed?page=2"/>
            <item><title>Second</title><guid>g2</guid><pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate>
            <category>c</category><description><![CDATA[<p>Some <a href="/x">words</a></p>]]></description></item>
            <item><guid>g1</guid><description>First words of it</description></item>
            <item></item>
            <item><title>Second</title><guid>g2</guid><pubDate>Tue, 02 Jan 2024 00:00:00 GMT</pubDate>
            <category>c</category><description><![CDATA[<p>Some <a href="/x">words</a></p>]]></description></item>
            <item><title>Cut of
            """
        let feed = try Feed(Data(text.utf8), from: #require(URL(string: "https://a.example/feed")))
        #expect(feed.title == "A & B")
        #expect(feed.site?.absoluteString == "https://a.example/")
        #expect(feed.nextPage?.absoluteString == "https://a.example/feed?page=2")
        #expect(feed.posts.map(\.id) == ["g2", "g1"])
        #expect(feed.posts.map(\.metadata.id) == ["g2", "g1"])
        #expect(feed.posts.map(\.metadata.title) == ["Second", "First words of it"])
        #expect(feed.posts.map(\.markdown) == ["Some [words](https://a.example/x)", "First words of it"])
        #expect(feed.posts[0].metadata.entry?.tags == ["c"])
        #expect(feed.posts[1].metadata.publishDate.date == nil)
        #expect(feed.malformedItems == 2)
    }

    @Test("can be sorted and grouped like a list of the API")
    func order() throws {
        let text =
            #"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":["#
            + #"{"id":"1","title":"B","content_text":"x"},{"id":"2","title":"a","content_text":"y"}]}"#
        let feed = try Feed(Data(text.utf8), from: url)
        #expect(feed.posts.map(\.metadata).sorted(by: .title).map(\.title) == ["a", "B"])
        #expect(feed.nextPage == nil && feed.malformedItems == 0)
    }

    @Test("isn't made of anything else", arguments: ["", "<html><p>x</p></html>", "{}", "\u{0}\u{1}"])
    func others(text: String) throws {
        let error = #expect(throws: SourceError.self) { try Feed(Data(text.utf8), from: url) }
        #expect(error == .unreadable(url, problem: "isn't a feed"))
        #expect(error?.localizedDescription.contains("isn't a feed") == true)
    }
}

@Suite("An article as a value") struct ArticleValueTests {
    private static let words = String(
        repeating: "Lamps were lit along the shore, and the keeper wrote it down. ", count: 12)
    private static let page = """
        <html lang="en-GB"><head><title>Lamps | The Shore</title><meta property="og:site_name" content="The Shore">
        <meta name="author" content="Ada B."><meta property="article:published_time" content="2020-02-03T04:05:06Z"></head>
        <body><nav><a href="/">Home</a></nav><article><h1>Lamps</h1><p onclick="a()">\(words)<a href="/b">More</a></p>
        <script>b()</script><p>\(words)\u{202E}</p></article></body></html>
        """

    @Test("is what a page is about, with its facts")
    func article() throws {
        let url = try #require(URL(string: "https://shore.example/lamps"))
        let article = try Article(html: Data(Self.page.utf8), at: url)
        #expect(article.title == "Lamps")
        #expect([article.author, article.site, article.language] == ["Ada B.", "The Shore", "en-GB"])
        #expect(article.publishDate?.utc == "2020-02-03T04:05:06Z")
        #expect(article.address == "https://shore.example/lamps")
        #expect(article.markdown.contains("[More](https://shore.example/b)"))
        #expect(article.html.contains("<a href=\"https://shore.example/b\">More</a>"))
        for text in [article.html, article.markdown, article.safeText] {
            #expect(text.contains("the keeper wrote it down"))
            #expect(!text.contains("Home") && !text.contains("b()") && !text.contains("onclick"))
            #expect(!text.contains("\u{202E}"))
        }
    }

    @Test(
        "isn't made of a page without text, or of a feed",
        arguments: [
            "", "<html><script>a()</script></html>", "<rss version=\"2.0\"><channel><title>a</title></channel></rss>",
        ])
    func others(text: String) throws {
        let url = try #require(URL(string: "https://shore.example/"))
        let error = #expect(throws: PageError.self) { try Article(html: Data(text.utf8), at: url) }
        #expect(error?.localizedDescription.isEmpty == false)
    }
}
