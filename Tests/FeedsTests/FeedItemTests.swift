import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering

@Suite("A feed item") struct FeedItemTests {
    @Test(
        "has its title on one line, without HTML",
        arguments: [
            ("<title>A &amp;amp; B</title>", "A & B"), ("<title> A\n\t B\u{7} </title>", "A B"),
            ("<title>&lt;b&gt;A&lt;/b&gt;B</title>", "AB"),
            ("<title>&lt;![CDATA[A &lt;i>B&lt;/i>]]&gt;</title>", "A B"),
            ("<title><![CDATA[A <i>B</i>]]></title>", "A B"), ("<title>A<br/>B</title>", "A B"),
            ("<title>List&lt;String&gt;</title>", "List<String>"),
            ("<title>1 &lt; 2</title>", "1 < 2"), ("<title>A&nbsp;B &eacute;</title>", "A B é"),
            ("<title></title><media:title>M</media:title>", "M"),
            ("<s:title>No</s:title><title>Yes</title>", "Yes"), ("<dc:title>D</dc:title>", "D"),
            ("<TITLE>A</TITLE>", "A"), ("<title>Using the &lt;dialog> element</title>", "Using the <dialog> element"),
            ("<title>What &lt;a> does</title>", "What <a> does"),
            ("<title>Why &lt;script> tags</title>", "Why <script> tags"),
            ("<title>&lt;center> and &lt;/b></title>", "<center> and </b>"), ("<title>i&lt;n; i++</title>", "i<n; i++"),
            ("<title>The &lt;br> tag</title>", "The <br> tag"), ("<title>A&lt;br>B &lt;br/> C</title>", "A B C"),
            ("<title>&lt;a href='x'>A &lt;em>B&lt;/em></title>", "A B"), ("<title>x&lt;sup>2&lt;/sup></title>", "x²"),
            ("<title>A &lt;em></title>", "A <em>"), ("<title>A &lt;li</title>", "A <li"),
            ("<title>&lt;div dir='rtl'>A &lt;div>B&lt;/div>C&lt;/div></title>", "A <div>B</div>C"),
            ("<title>A&lt;p class='x'>B</title>", "A B"),
            ("<title>&lt;p> and &lt;/p></title>", "<p> and </p>"),
        ])
    func title(elements: String, title: String) throws {
        #expect(try FeedSample.rssItem(elements)?.title == title)
    }

    @Test(
        "has its title in Atom with the tags that are words",
        arguments: [
            ("<title type='html'>Das &lt;dialog&gt;-Element kommt</title>", "Das <dialog>-Element kommt"),
            (
                "<title type='html'>Neues in &lt;details&gt; und &lt;summary&gt;</title>",
                "Neues in <details> und <summary>"
            ),
            ("<title type='html'><![CDATA[Von <table> zu <grid>]]></title>", "Von <table> zu <grid>"),
            ("<title type='html'>A &amp;amp; &lt;em>B&lt;/em>&lt;br>C</title>", "A & B C"),
            ("<title type='html'>&lt;p>A &lt;b>B&lt;/b>&lt;/p></title>", "A B"),
            ("<title type='text'>A &lt;em>B&lt;/em></title>", "A <em>B</em>"),
            ("<title type='xhtml'><div>A <table/>B</div></title>", "A B"),
        ])
    func atomTitle(element: String, title: String) throws {
        #expect(try FeedSample.atomEntry(element)?.title == title)
    }

    @Test(
        "has the first content that isn't blank, or the whole of which that is the beginning",
        arguments: [
            ("<content:encoded/><description>d</description>", "d"),
            ("<content:encoded> &lt;p>&amp;nbsp;&lt;/p> </content:encoded><description>d</description>", "d"),
            ("<content:encoded>null</content:encoded><description>d</description>", "d"),
            ("<content:encoded>&#x200B; &#xAD;</content:encoded><description>d</description>", "d"),
            ("<content:encoded>&lt;p>&amp;#xFEFF;&lt;/p></content:encoded><description>d</description>", "d"),
            ("<content:encoded>&lt;p>&lt;img src='a'>&lt;/p></content:encoded><description>d</description>", "<p><img"),
            (
                "<content:encoded>&lt;p>&lt;img src='http://a.b/c'>&lt;/p></content:encoded><description>The lead.</description>",
                "<p><img src='http://a.b/c'></p>\n<p style=\"white-space:pre-line\">The lead."
            ),
            ("<content:encoded>&lt;p>short&lt;/p></content:encoded><description>longer text</description>", "<p>short"),
            (
                "<content:encoded>A &lt; b!</content:encoded><description>&lt;p>The notes &lt;b>of the&lt;/b> show</description>",
                "<p style=\"white-space:pre-line\">A &lt; b!</p>\n<p>The notes <b>of the</b> show"
            ),
            (
                "<content:encoded>A</content:encoded><description>The notes\nof it</description>",
                "A\n\nThe notes\nof it"
            ),
            (
                "<content:encoded>&lt;p>a b …&lt;/p></content:encoded><description>&lt;p>a b c d e&lt;/p></description>",
                "<p>a b c"
            ),
        ])
    func blank(elements: String, start: String) throws {
        #expect(try FeedSample.rssItem(elements)?.content?.text.hasPrefix(start) == true)
    }

    @Test(
        "has no content or summary that is only \"null\" or can't be seen",
        arguments: ["null", " &#x200B;", "&#xFEFF;"])
    func nothing(text: String) throws {
        let item = try #require(try FeedSample.rssItem("<guid>g</guid><description>\(text)</description>"))
        #expect(item.content == nil && item.summary == nil)
        #expect(
            try FeedSample.rssItem("<description>\(text)</description><itunes:summary>s</itunes:summary>")?.summary
                == "s")
    }

    @Test(
        "has the whole text in JSON Feed if its HTML is only the beginning of it",
        arguments: [
            (
                #""content_html":"<p class='a'>b c …</p>","content_text":"b c d e f g""#,
                Entry.Content("b c d e f g", .plain)
            ),
            (#""content_html":"<p>b</p>","summary":"b c d e f g""#, Entry.Content("b c d e f g", .plain)),
            (#""content_html":"<p>b</p>","content_text":"b""#, Entry.Content("<p>b</p>", .html)),
            (#""content_html":"<p>b</p>","content_text":"c d e f g h""#, Entry.Content("<p>b</p>", .html)),
            (#""content_html":"null","content_text":"b","summary":"null""#, Entry.Content("b", .plain)),
        ])
    func whole(members: String, content: Entry.Content) throws {
        let feed = #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1",\#(members)}]}"#
        let item = try #require(try FeedSample.parse(feed).items.first)
        #expect(item.content == content && item.summary != "null")
    }

    @Test(
        "has links that are relative to its page, unless that is elsewhere or there is an xml:base",
        arguments: [
            ("<link>https://example.com/a/b/</link>", "https://example.com/a/b/c.png"),
            ("<link>/a/b/</link>", "https://example.com/a/b/c.png"),
            ("<link>https://other.example/a/</link>", "https://example.com/blog/c.png"),
            ("<link>/a/</link><title/>", "https://example.com/a/c.png"), ("", "https://example.com/blog/c.png"),
        ])
    func relative(elements: String, address: String) throws {
        let body = "<description>&lt;img src='c.png'></description><enclosure url='c.png'/>"
        let item = try #require(try FeedSample.rssItem(elements + body))
        #expect(item.content?.text.contains(address) == true, "\(item)")
        #expect(item.enclosures.map(\.url) == [address])
    }

    @Test("has the usual elements in any default namespace, and the attributes of Atom with its prefix")
    func foreignNamespaces() throws {
        let item = """
            <item xmlns='http://www.w3.org/1999/xhtml'><title>A</title><guid>g</guid><link xmlns='http://x.y/'>http://a.b/</link>\
            <x xmlns='http://x.y/'><title>B</title></x></item>
            """
        let rss = try FeedSample.parse("<rss><channel>\(item)</channel></rss>").items
        #expect(rss.map(\.title) == ["A"] && rss.map(\.guid) == ["g"] && rss.map(\.link) == ["http://a.b/"])
        let atom = """
            <a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:entry><a:link a:rel='self' a:href='http://a.b/feed'/>\
            <a:link a:href='http://a.b/1'/></a:entry></a:feed>
            """
        #expect(try FeedSample.parse(atom).items.map(\.link) == ["http://a.b/1"])
    }

    @Test("has no title if the feed gives none")
    func noTitle() throws {
        #expect(try FeedSample.rssItem("<title> </title><description>x</description>")?.title == nil)
        let shop =
            "<rss xmlns:s='http://jadedpixel.com/-/spec/shopify'><channel><item><s:x><title>a</title><item>b</item></s:x>"
        #expect(try FeedSample.parse(shop + "<guid>g</guid></item></channel></rss>").items.map(\.title) == [nil])
    }

    @Test(
        "has its own authors, or else the feed's",
        arguments: [
            ("<author>a@b.c (Ann Lee)</author>", "Ann Lee"), ("<author>Ann &lt;a@b.c&gt;</author>", "Ann"),
            ("<author>a@b.c</author><dc:creator>Ann</dc:creator>", "Ann"), ("<author>a@b.c</author>", "a@b.c"),
            ("<author>Ann (a@b.c)</author>", "Ann"),
            ("<dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>", "Ann, Bob"),
            ("<itunes:author>Ann</itunes:author>", "Ann"),
            ("<author><name>Ann</name><email>a@b.c</email></author>", "Ann"), ("<title>x</title>", "Ed"),
        ])
    func author(elements: String, author: String) throws {
        let feed = try FeedSample.parse(
            "<rss><channel><item>\(elements)</item><managingEditor>e@d.x (Ed)</managingEditor></channel></rss>")
        #expect(feed.items.first?.author == author)
    }

    @Test(
        "has its own language, or else the feed's",
        arguments: [
            ("<rss><channel><language>en_us</language><item><title>a</title></item></channel></rss>", "en-US"),
            ("<rss xml:lang='fr'><channel><item><title>a</title></item></channel></rss>", "fr"),
            ("<rss><channel><dc:language>DE</dc:language><item><title>a</title></item></channel></rss>", "de"),
            ("<rss><channel><language>en</language><item xml:lang='he'><title>a</title></item></channel></rss>", "he"),
            (
                "<rss><channel><language>en</language><item><title>a</title><dc:language>ja</dc:language></item></channel>",
                "ja"
            ),
            ("<rss><channel><language>\"&gt;&lt;b</language><item><title>a</title></item></channel></rss>", nil),
            ("<rss><channel><language>und</language><item><title>a</title></item></channel></rss>", nil),
            (
                "<rdf:RDF xmlns='http://purl.org/rss/1.0/' xml:lang='ja'><channel/><item><title>a</title></item></rdf:RDF>",
                "ja"
            ),
            (
                "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='zh-Hant-TW-x-a'><entry><id>a</id></entry></feed>",
                "zh-Hant-TW"
            ),
            (
                "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>a</id><content xml:lang='ar'>b</content></entry></feed>",
                "ar"
            ),
            (#"{"version":"https://jsonfeed.org/version/1.1","language":"fa","items":[{"id":"1"}]}"#, "fa"),
            (
                #"{"version":"https://jsonfeed.org/version/1.1","language":"fa","items":[{"id":"1","language":"en"}]}"#,
                "en"
            ),
        ])
    func language(feed: String, language: String?) throws {
        #expect(try FeedSample.parse(feed).items.map(\.language) == [language])
    }

    @Test("keeps the xml:lang attributes of its XHTML as lang")
    func xhtmlLanguage() throws {
        let feed = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>a</id><content type="xhtml">\
            <div xmlns="http://www.w3.org/1999/xhtml"><p xml:lang="fr" xml:space="preserve">b</p></div></content></entry></feed>
            """
        #expect(try FeedSample.parse(feed).items.first?.content?.text.contains("<p lang=\"fr\">b</p>") == true)
    }

    @Test("takes its content from the fullest text available")
    func content() throws {
        let rss = [
            "<description>d</description>", "<xhtml:body>b</xhtml:body>", "<content:encoded>c</content:encoded>",
        ]
        let texts = try (1...3).map { try FeedSample.rssItem(rss.prefix($0).joined())?.content?.text }
        #expect(texts == ["d", "b", "c"])
        let atom = [
            "<media:group><media:description>m</media:description></media:group>", "<summary>s</summary>",
            "<content>c</content>",
        ]
        let entries = try (1...3).map { try FeedSample.atomEntry(atom.prefix($0).joined()) }
        #expect(entries.map { $0?.content?.text } == ["m", "s", "c"])
        #expect(entries.map { $0?.summary } == ["m", "s", "s"])
    }

    @Test(
        "tells HTML from plain text",
        arguments: [
            ("<content type='text'>1 &lt; 2 &lt;b&gt;</content>", "1 < 2 <b>", BodyFormat.plain),
            ("<content>a</content>", "a", .plain),
            ("<content type='html'>&lt;b&gt;a</content>", "<b>a", .html),
            ("<content type='text/html'>a</content>", "a", .html),
            // Types that generators invent.
            ("<content type='CDATA'><![CDATA[<p>a <b>b</b></p>]]></content>", "<p>a <b>b</b></p>", .html),
            ("<content type='escaped'>&lt;p>a&lt;/p></content>", "<p>a</p>", .html),
            ("<content type=''>a</content>", "a", .plain),
            (
                "<content type='xhtml'><x:div xmlns:x='http://www.w3.org/1999/xhtml'>a<x:br/>&amp;<x:p/></x:div></content>",
                "<div>a<br>&amp;<p></p></div>", .html
            ),
            ("<content type='xhtml'><div><![CDATA[<b>]]></div></content>", "<div>&lt;b></div>", .html),
        ])
    func format(element: String, text: String, format: BodyFormat) throws {
        #expect(try FeedSample.atomEntry(element)?.content == Entry.Content(text, format))
    }

    @Test(
        "is plain text in RSS, with its lines and all of its words, unless a tag can only be markup",
        arguments: [
            ("1 &lt; 2", "1 < 2", BodyFormat.plain), ("AT&amp;amp;T", "AT&T", .plain),
            ("&lt;![CDATA[ &lt;p>a &lt;b>b&lt;/b>]]&gt;", "<p>a <b>b</b>", .html),
            ("&lt;![CDATA[a]]&gt;", "a", .plain),
            ("Nutzt Vec&lt;int> hier\nZweite Zeile", "Nutzt Vec<int> hier\nZweite Zeile", .plain),
            ("Option&lt;T> ist besser\nals null", "Option<T> ist besser\nals null", .plain),
            (
                "Das &lt;script>-Element\nund &lt;style> sind gut.", "Das <script>-Element\nund <style> sind gut.",
                .plain
            ),
            ("&lt;table>, &lt;img> und &lt;details open>\nb", "<table>, <img> und <details open>\nb", .plain),
            ("&lt;script type='module'>\nb", "<script type='module'>\nb", .plain),
            (
                "Vec&amp;lt;int&amp;gt; und &amp;lt;script&amp;gt;\nZweite Zeile",
                "Vec<int> und <script>\nZweite Zeile", .plain
            ),
            ("a &lt;/b> b", "a </b> b", .plain), ("a&lt;br>b", "a<br>b", .html),
            ("&lt;p>a &lt;int>", "<p>a <int>", .html),
            ("&lt;int> &lt;b>a&lt;/b>", "<int> <b>a</b>", .html), ("&lt;li>a", "<li>a", .html),
            ("a &lt;img src='https://a.b/c'>", "a <img src='https://a.b/c'>", .html),
            ("&lt;div class='a'>b", "<div class='a'>b", .html),
            ("a &lt;!-- b --> &amp;amp;", "a <!-- b --> &amp;", .html),
            ("a <b>b</b>", "a <b>b</b>", .html),
        ])
    func plain(text: String, content: String, format: BodyFormat) throws {
        let item = try FeedSample.rssItem("<description>\(text)</description>")
        #expect(item?.content == Entry.Content(content, format))
    }

    @Test(
        "has a summary without tags, except for words that look like them",
        arguments: [
            ("<p>a <g-emoji>b</g-emoji> <use href='#i'/> <x-y a='b'>c", "a b c"),
            ("<p><map><area href='/x'></map>a", "a"),
            ("Vec<u8> and <std::string> <b>c</b>", "Vec<u8> and <std::string> c"),
            ("git clone <repo-url><br>", "git clone <repo-url>"),
            ("<T extends X> <br>a", "<T extends X> a"),
        ])
    func summaryTags(html: String, text: String) throws {
        let escaped = html.replacing("<", with: "&lt;")
        #expect(try FeedSample.rssItem("<description>\(escaped)</description>")?.summary == text)
    }

    @Test("truncates a long summary, but not the content")
    func longSummary() throws {
        let text = String(repeating: "word ", count: 10_000)
        let item = try #require(try FeedSample.rssItem("<description>&lt;p&gt;\(text)</description>"))
        #expect(item.summary?.hasPrefix("word word") == true)
        #expect((item.summary?.utf8.count ?? 0) <= 4000)
        #expect(item.content?.text.utf8.count == text.utf8.count + 2)
    }

    @Test(
        "resolves its link against the nearest base",
        arguments: [
            ("<item><link>a</link></item>", "https://example.com/blog/a"),
            ("<item xml:base='http://x.org/y/'><link>a</link></item>", "http://x.org/y/a"),
            ("<item xml:base='z/'><link>../a?b#c</link></item>", "https://example.com/feeds/a?b#c"),
            ("<item xml:base='ftp://x.org/'><link>/a</link></item>", "https://example.com/a"),
            ("<item><link>//x.org/a</link></item>", "https://x.org/a"),
            ("<item><link> mailto:a@b.c </link></item>", "mailto:a@b.c"),
            ("<item><guid>http://x.org/g</guid></item>", "http://x.org/g"),
            ("<item><atom:link rel='self' href='s'/><atom:link href='h'/></item>", "https://example.com/blog/h"),
            (
                "<item><link rel='enclosure'>http://x.org/a.jpg</link><link>a</link></item>",
                "https://example.com/blog/a"
            ),
            ("<item><link rel='self'>s</link><guid>http://x.org/g</guid></item>", "http://x.org/g"),
            ("<item><link rel='alternate'>a</link></item>", "https://example.com/blog/a"),
            ("<item><link>nostr:a</link><atom:link href='h'/></item>", "https://example.com/blog/h"),
            (
                "<item><atom:link href='nostr:a'/><atom:link rel='alternate' href='http://x.org/'/></item>",
                "http://x.org/"
            ),
            ("<item><atom:link href='nostr:a'/></item>", "nostr:a"),
            ("<item><link> ht\ntp://h/q\tr </link></item>", "http://h/qr"),
            ("<item><atom:link href='mag\n\tnet:?xt=1'/></item>", "magnet:?xt=1"),
            ("<item><link>java\nscript:x</link></item>", "javascript:x"),
            ("<item><link>a\n\t/b</link></item>", "https://example.com/blog/a/b"),
            (
                "<item><atom:link type='text/plain' href='t'/><atom:link type='text/html' href='h'/></item>",
                "https://example.com/blog/h"
            ),
        ])
    func links(item: String, link: String) throws {
        let feed = try FeedSample.parse("<rss><channel>\(item)<link>https://example.com/blog/</link></channel></rss>")
        #expect(feed.items.first?.link == link)
    }

    @Test(
        "resolves the links in its HTML, except fragments",
        arguments: [
            ("<a href=b>", "<a href=https://example.com/b>"),
            ("<img src='../i.png?a=1&amp;b'>", "<img src='https://example.com/i.png?a=1&amp;b'>"),
            ("<a href=\"#n\">", "<a href=\"#n\">"), ("<a href=\"https://x.org/\">", "<a href=\"https://x.org/\">"),
            ("<p title=\"b\">", "<p title=\"b\">"),
            ("<a href=\"a'b\">", "<a href=\"https://example.com/a&#39;b\">"),
            (
                "<img srcset=\"set.png 1x, b.png 2x\">",
                "<img srcset=\"https://example.com/set.png 1x, https://example.com/b.png 2x\">"
            ),
            (
                "<img data-srcset='https://x.org/a,b 1x,/c d&#32;e, f'>",
                "<img data-srcset='https://x.org/a,b 1x,https://example.com/c d&#32;e, https://example.com/f'>"
            ),
            ("<img srcset=a&#32;onerror=b>", "<img srcset=https://example.com/a%20onerror=b>"),
            (
                "<img data-lazy-src='a' data-original='b'>",
                "<img data-lazy-src='https://example.com/a' data-original='https://example.com/b'>"
            ),
            ("<img data-orig-file='a'>", "<img data-orig-file='https://example.com/a'>"),
            ("<img srcset=' , '>", "<img srcset=' , '>"),
            ("<a href='ht\ntp://h/q'>", "<a href='ht\ntp://h/q'>"),
            ("<a href='mag\nnet:?x'>", "<a href='mag\nnet:?x'>"),
            ("<a href='java\n&Tab;script:x'>", "<a href='java\n&Tab;script:x'>"),
            ("<a href='b\n\tc'>", "<a href='https://example.com/bc'>"),
        ])
    func htmlLinks(html: String, resolved: String) throws {
        let feed = try FeedSample.parse(
            "<rss><channel><link>https://example.com/</link><item><description><![CDATA[\(html)]]></description></item></channel></rss>"
        )
        #expect(feed.items.first?.content?.text == resolved)
    }

    @Test("resolves the links in its XHTML against nested bases")
    func xhtmlBases() throws {
        let item = try FeedSample.atomEntry(
            "<content type='xhtml' xml:base='http://x.org/'><div xml:base='y/'><a href='a'/></div><a href='b'/></content>"
        )
        #expect(item?.content?.text == #"<div><a href="http://x.org/y/a"></a></div><a href="http://x.org/b"></a>"#)
    }

    @Test("has the files, the picture and the tags of Media RSS and iTunes elements")
    func media() throws {
        let item = try #require(
            try FeedSample.rssItem(
                "<media:group><media:content url='v.mp4' type='video/mp4' fileSize='9'><media:title>V</media:title></media:content>"
                    + "<media:content url='p.jpg' medium='image'><media:description>P</media:description></media:content>"
                    + "<media:content url='g.swf' type='application/x-shockwave-flash'/></media:group><enclosure url='v.mp4' length='-1'/><itunes:image href='i.jpg'/>"
                    + "<itunes:keywords>a, b,a</itunes:keywords>"))
        let base = "https://example.com/blog/"
        let video = Enclosure(url: base + "v.mp4", type: "video/mp4", length: 9, title: "V")
        #expect(item.enclosures == [video, Enclosure(url: base + "p.jpg", type: "image/*", title: "P")])
        #expect(item.image == "https://example.com/blog/i.jpg")
        #expect(item.tags == ["a", "b"])
    }

    @Test(
        "has one file of several in a group that are the same",
        arguments: [
            (
                "<media:content url='a' medium='image' width='9'/><media:content url='b' medium='image' width='10'/>",
                ["b: G"]
            ),
            (
                "<media:content url='a' type='image/png' isDefault='true'/><media:content url='b' type='image/png' width='10'/>",
                ["a: G"]
            ),
            ("<media:content url='a'/><media:content url='b'/>", ["a: T"]),
            (
                "<media:content url='a' type='video/mp4'/><media:content url='b' medium='image'><media:title>B</media:title></media:content>",
                ["a: T", "b: B"]
            ),
            (
                "<media:content url='a' medium='image'><media:title>A</media:title></media:content><media:content url='b' medium='image'><media:title>B</media:title></media:content>",
                ["a: A", "b: B"]
            ),
        ])
    func group(files: String, names: [String]) throws {
        let texts = "<media:title>T</media:title><media:description>G</media:description>"
        let item = try #require(try FeedSample.rssItem("<media:group>\(files)\(texts)</media:group>"))
        #expect(item.enclosures.map { "\($0.url.suffix(1)): \($0.title ?? "")" } == names)
    }

    @Test(
        "has the text of a category as its tag, or else its label, or else its term",
        arguments: [
            ("<category term='t'/>", "t"), ("<category term='t' label='l'/>", "l"),
            ("<category term='t' label='l'>x</category>", "x"),
        ])
    func category(element: String, tag: String) throws {
        #expect(try FeedSample.atomEntry(element)?.tags == [tag])
    }

    @Test(
        "has a picture as its picture and as a file, once",
        arguments: [
            "<enclosure url='p.jpg' type='image/jpeg'/>", "<media:content url='p.jpg' medium='image'/>",
            "<media:content url='p.jpg' type='image/jpeg'/>",
            "<media:content url='p.jpg' medium='image'/><enclosure url='p.jpg' type='image/jpeg'/>",
        ])
    func pictureFile(elements: String) throws {
        let item = try #require(try FeedSample.rssItem(elements))
        let url = "https://example.com/blog/p.jpg"
        #expect(item.image == url)
        #expect(item.enclosures.map(\.url) == [url])
    }

    @Test("has the page that it is about as a file in JSON Feed, or as its link if it has no other")
    func externalURL() throws {
        func item(_ members: String) throws -> FeedItem? {
            let json =
                #"{"version":"https://jsonfeed.org/version/1.1","items":[{"external_url":"http://a.b/c"\#(members)}]}"#
            return try FeedSample.parse(json).items.first
        }
        #expect(try item("")?.link == "http://a.b/c" && item("")?.enclosures == [])
        let other = try item(#","url":"http://d.e/""#)
        #expect(other?.link == "http://d.e/" && other?.enclosures.map(\.url) == ["http://a.b/c"])
    }

    @Test(
        "has its image in JSON Feed as its picture, or else its banner",
        arguments: [
            (#""banner_image":"b","image":"i""#, "feeds/i"), (#""banner_image":"b""#, "feeds/b"),
            (#""banner_image":"b","url":"/c/d""#, "c/b"), (#""image":"b","url":"http://x.org/c/""#, "feeds/b"),
        ])
    func banner(members: String, path: String) throws {
        let feed = #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1",\#(members)}]}"#
        #expect(try FeedSample.parse(feed).items.map(\.image) == ["https://example.com/" + path])
    }

    @Test("resolves links only as long as they don't inflate the feed", arguments: [3, 1000])
    func linkGrowth(count: Int) throws {
        let folder = "http://a.example/" + String(repeating: "a", count: 1900) + "/"
        let items = (1...count).map { "<item><guid>\($0)</guid><link>\($0)</link></item>" }
        let feed = "<rss version='2.0'><channel xml:base='\(folder)'><title>T</title>\(items.joined())</channel></rss>"
        let links = try FeedSample.parse(feed).items.compactMap(\.link)
        #expect(links.count == count)
        #expect(links.first == folder + "1")
        let bytes = links.reduce(0) { $0 + $1.utf8.count }
        #expect(bytes <= (LinkAllowance.growth + 1) * feed.utf8.count + LinkBase.maxBytes)
        #expect((links.last == folder + String(count)) == (count == 3))
    }
}
