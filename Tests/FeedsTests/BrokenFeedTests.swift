import BlogMarkup
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("A malformed feed") struct BrokenFeedTests {
    @Test(
        "is still parsed",
        arguments: [
            ("<item><title>A & B</title></item>", ["A & B"]), ("<item><title>A</b></p></title></item>", ["A"]),
            ("<item><title>A</title><item><title>B</title></item>", ["A", "B"]),
            ("<item><title>A<item><title>B</title></item>", ["A", "B"]),
            ("<item><title>A\u{0}\u{1F}</title></item>", ["A"]),
            ("<item><title>A &bogus; B</title></item>", ["A &bogus; B"]),
            ("<item><title>A &#x1F600;&#150;&#xD800;</title></item>", ["A 😀–\u{FFFD}"]),
            ("<item><title a=\"x>A</title></item>", ["A"]),
            ("<item><title a=x b>A</title></item>", ["A"]),
            ("</p></channel></rss><item><title>A</title></item>", ["A"]),
            ("<item><title>A</title><x:y><title>B</title></item><item><title>C</title></item>", ["A", "C"]),
            ("<item><title>A <!-- x --> B</title></item>", ["A B"]),
            ("<item><title>A <? x ?>B</title></item>", ["A B"]),
            ("<?xml version='1.0'>x<item><title>A</title></item>", ["A"]),
            ("<item><title>A < B</title></item>", ["A < B"]),
        ])
    func reads(items: String, titles: [String]) throws {
        let feed = try FeedSample.parse("<rss><channel><title>F</title>\(items)</channel></rss>")
        #expect(feed.items.map(\.title) == titles)
    }

    @Test(
        "keeps its complete items wherever it is cut off, and only those",
        arguments: [FeedSample.rss, FeedSample.rdf, FeedSample.atom, FeedSample.json])
    func cut(text: String) throws {
        func items(_ bytes: some Collection<UInt8>) throws -> [FeedItem] {
            try FeedSample.parse(Array(bytes)).items.map { item in
                // It depends on the last byte of the end tag.
                var item = item
                item.digest = nil
                return item
            }
        }
        let bytes = Array(text.utf8)
        let whole = try items(bytes)
        for length in bytes.indices {
            let items = (try? items(bytes[..<length])) ?? []
            #expect(whole.starts(with: items))
            if let end = text.utf8.firstRange(of: "</item>".utf8),
                length >= text.utf8.distance(from: text.startIndex, to: end.upperBound)
            {
                #expect(items.first == whole.first)
            }
        }
    }

    @Test(
        "ends within an item only if one is cut off",
        arguments: [
            (#""items":[{"id":"a"}],"authors":[{"name":"A"#, DocumentEnd.missing), (#""items":[{"id":"a"}"#, .missing),
            (#""items":[{"id":"a","authors":[{"na"#, .withinItem), (#""items":[{"id":"a"}]}"#, .found),
        ])
    func end(json: String, end: DocumentEnd) throws {
        #expect(try FeedSample.parse(#"{"version":"https://jsonfeed.org/version/1.1",\#(json)"#).end == end)
    }

    @Test("is found in a web page that a server wraps around it")
    func inPage() throws {
        for (start, end) in [("", ""), ("<p>A notice<br>", "</p><script>x</script>")] {
            let page =
                "<!DOCTYPE html><html><head><title>P</title></head><body>\(start)\(FeedSample.rss)\(end)</body></html>"
            #expect(try FeedSample.parse(page) == FeedSample.parse(FeedSample.rss))
        }
    }

    @Test("has no entities of its DTD that would be long, or that are elsewhere")
    func entities() throws {
        let bomb = (1...30).map { "<!ENTITY a\($0) '&a\($0 - 1);&a\($0 - 1);'>" }.joined()
        let feed = try FeedSample.parse(
            "<!DOCTYPE rss [<!ENTITY a0 'x'><!ENTITY f SYSTEM 'file:///etc/passwd'>\(bomb)]>"
                + "<rss><channel><item><title>&a30; &f;</title></item></channel></rss>")
        #expect(feed.items.first?.title == "&a30; &f;")
    }

    @Test(
        "may be nested thousands of levels deep, on a small stack",
        arguments: ["item", "b", "channel", "x:y", "image", "title", "media:group", "div xml:base='a/'"])
    func depth(name: String) throws {
        let count = 2700
        let nested = String(repeating: "<\(name)>", count: count)
        for start in ["", "<item>", "<item><title>", "<item><description>"] {
            // Less than a hundred bytes a level, too little for recursion.
            let items = try onStack(of: 1 << 18) {
                try FeedSample.parse("<rss><channel>\(start)\(nested)").items.count
            }
            #expect(items <= count + 1)
        }
    }

    @Test(
        "is parsed in linear time",
        arguments: [
            "<", "</", "<!", "<!--", "<![CDATA[", "<!D[", "<!D [ ]", "<?", "&", "&#", "&a", "<a", "<a b=\"", "<a b='\"",
            "<a b=\"<", "<a b=\"><", "<a b", "<?<", "<a:", "</p>", "</a", "]]>", "-->",
            "<a xmlns:b='c'>", "<item><title>", "<p><br>", "<description><a href='", "<x:a><x:b></x:a>", "\"",
            "{\"a\":", "[",
        ])
    func linear(piece: String) throws {
        let around = [
            ("<rss><channel><item>", ""), ("<rss><channel><item><description>", ""),
            ("{\"title\":\"a\",\"items\":[", ""), ("", ""),
            ("<rss><item><description><![CDATA[", "]]></description></item></rss>"),
        ]
        for (start, end) in around {
            let growth = Growth.ofEightfoldInput(enough: 20, from: 512) { length in
                _ = try? FeedSample.parse(start + String(repeating: piece, count: length / piece.utf8.count) + end)
            }
            #expect(growth < 20, "\(start)")
        }
        let growth = Growth.ofEightfoldInput(enough: 20, from: 512) { length in
            let noise = String(repeating: piece, count: length / piece.utf8.count)
            _ = try? OPML.read(Array("<opml><outline text='\(noise)".utf8))
        }
        #expect(growth < 20)
    }

    /// Runs `work` on a thread with a stack of `size` bytes.
    private func onStack<Value: Sendable>(
        of size: Int, _ work: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let result = Mutex(Result<Value, any Error>?.none)
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            let value = Result(catching: work)
            result.withLock { $0 = value }
            end.signal()
        }
        thread.stackSize = size
        thread.start()
        end.wait()
        return try #require(result.withLock { $0 }).get()
    }

    @Test("has elements matched by namespace, or by a common prefix if that is undeclared")
    func namespaces() throws {
        let feed = try FeedSample.parse(
            "<r:rss xmlns:r='http://backend.userland.com/rss2' xmlns:d='HTTP://purl.org/dc/elements/1.1/' xmlns:dc='urn:x'>"
                + "<r:channel><r:item><d:creator>Ann</d:creator><dc:creator>No</dc:creator><content:encoded>c</content:encoded>"
                + "<n:title xmlns:n='urn:y'>No</n:title><r:title>Yes</r:title></r:item></r:channel></r:rss>")
        #expect(feed.items.first?.author == "Ann")
        #expect(feed.items.first?.title == "Yes")
        #expect(feed.items.first?.content?.text == "c")
    }
}
