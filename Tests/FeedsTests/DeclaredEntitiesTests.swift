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
        ])
    func replaced(declarations: String, title: String, shown: String) throws {
        #expect(try feed(declarations, "<title>\(title)</title>").items.first?.title == shown)
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
