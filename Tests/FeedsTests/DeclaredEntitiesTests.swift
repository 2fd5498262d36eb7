import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds

@Suite("The entities that a feed declares") struct DeclaredEntitiesTests {
    private func feed(_ declarations: String, _ item: String) throws -> FeedDocument {
        let text = """
            <?xml version="1.0"?><!DOCTYPE rss [ \(declarations) ]>
            <rss version="2.0"><channel><title>t</title><item><guid>1</guid>\(item)</item></channel></rss>
            """
        return try FeedParser.parse(Array(text.utf8), base: #require(URL(string: "https://a.example/feed")))
    }

    @Test(
        "are replaced by their texts",
        arguments: [
            ("<!ENTITY who \"Reed &#38; Sons\">", "by &who;", "by Reed & Sons"),
            ("<!ENTITY a 'x'><!ENTITY b '&a;&a;'>", "&b; &b;", "xx xx"),
            ("<!ENTITY a '<b>x</b>'>", "&a; y", "x y"), ("<!ENTITY a 'first'><!ENTITY a 'second'>", "&a;", "first"),
            ("<!ENTITY % p 'x'><!-- <!ENTITY no --><!ENTITY a 'y'>", "&p;&a;", "&p;y"),
            ("<!ENTITY lt '&#38;#60;'><!ENTITY copy 'C'>", "1 &lt; 2 &copy;", "1 < 2 ©"),
            ("<!ENTITY a SYSTEM 'file:///etc/passwd'>", "&a;", "&a;"), ("<!ENTITY a 'x'>", "&b; & &a", "&b; & &a"),
            ("<!ENTITY a 'x'>", "<![CDATA[&a;]]>", "&a;"),
            ("<!-- <!ENTITY co \"COMMENTED\"> --><!ENTITY co \"REAL\">", "&co;", "REAL"),
            ("<!-- ] -- ' --><!ENTITY a 'x'><!---->", "&a;", "x"), ("<!ENTITY a '<!--'><!ENTITY b 'y'>", "&b;", "y"),
            ("<!-- <!ENTITY a 'x'>", "&a;", "&a;"), ("<!---><!ENTITY a 'x'>--><!ENTITY b 'y'>", "&a; &b;", "&a; y"),
        ])
    func replaced(declarations: String, title: String, shown: String) throws {
        #expect(try feed(declarations, "<title>\(title)</title>").items.first?.title == shown)
    }

    @Test(
        "may follow a long comment and be many",
        arguments: [
            "<!-- \(String(repeating: "<!DOCTYPE rss [", count: 1000)) -->",
            "<!DOCTYPE rss [\(entities(250, ofBytes: 80))<!ENTITY x 'y'>]>",
            "<!-- c -->\n<?a?><!DOCTYPE rss [<!-- \(String(repeating: "c ", count: 20_000)) --><!ENTITY x 'y'>]>",
        ])
    func long(prolog: String) throws {
        let feed = "<?xml version='1.0'?>\n\(prolog)\n<rss><channel><item><title>&x;&e1;</title></item></channel></rss>"
        #expect(FeedParser.isFeed(feed.utf8))
        let title = try FeedSample.parse(feed).items.first?.title
        let e1 = prolog.contains("e1 ") ? "1" : "&e1;"
        #expect(title == (prolog.contains("ENTITY x") ? "y" : "&x;") + e1)
    }

    private static func entities(_ count: Int, ofBytes bytes: Int) -> String {
        let comment = String(repeating: "c", count: bytes - 30)
        return (1...count).map { "<!ENTITY e\($0) '\($0)'> <!-- \(comment) -->\n" }.joined()
    }

    @Test(
        "are only read from the beginning of the feed",
        arguments: [
            "<!-- \(String(repeating: "c", count: 80_000)) --><!DOCTYPE rss [<!ENTITY x 'y'>]><rss><channel>",
            "<rss><channel><description><![CDATA[<!DOCTYPE rss [<!ENTITY x 'y'>]>]]></description>",
        ])
    func far(start: String) throws {
        let feed = start + "<item><title>&x;</title></item></channel></rss>"
        #expect(FeedParser.isFeed(feed.utf8) == start.hasPrefix("<rss>"))
        #expect(try FeedSample.parse(feed).items.first?.title == "&x;")
    }

    @Test("may be parts of addresses")
    func addresses() throws {
        let item = "<title>a</title><link>&site;/1</link><enclosure url=\"&site;/2&#38;x\" type=\"audio/mpeg\"/>"
        let post = try feed("<!ENTITY site \"https://b.example\">", item).items.first
        #expect(post?.link == "https://b.example/1")
        #expect(post?.enclosures.map(\.url) == ["https://b.example/2&x"])
    }

    @Test("can't make a feed much longer")
    func bounded() throws {
        let long = "<!ENTITY a0 '\(String(repeating: "x", count: 4000))'>"
        let text = String(repeating: "&a0;", count: 1000)
        #expect(try feed(long, "<title>b</title><description>\(text)</description>").items.first?.title == "b")
        let nested = (1...60).map { "<!ENTITY a\($0) '&a\($0 - 1);&a\($0 - 1);'>" }.joined()
        #expect(try feed("<!ENTITY a0 'lol'>" + nested, "<title>&a60;</title>").items.first?.title == "&a60;")
    }
}
