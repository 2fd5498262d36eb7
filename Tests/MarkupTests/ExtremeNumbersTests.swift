import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering

/// Input may have any number: none may crash the program, as an overflow would.
@Suite("Extreme numbers") struct ExtremeNumbersTests {
    static let numbers = [
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "4294967295",
        "4294967296", "2147483647", "-2147483648", "999999999", "1000000000", "0", "-0", "-1", "1e308", "-1e308",
        "1e999", "nan", "inf", "0x7fffffffffffffff", "00000000000000000000000001", "99999999999999999999999999999999",
        "1.7976931348623157e308", "5e-324", "+1", " 7 ", "",
    ]

    @Test("start a list only within the range of browsers", arguments: numbers)
    func listStart(number: String) throws {
        let document = HTML.document("<ol start=\"\(number)\"><li>a<li>b</ol>")
        guard case .list(let numbers?, _, let items)? = document.blocks.first, let start = numbers.numbers.first
        else {
            Issue.record("expected a list")
            return
        }
        #expect(abs(start) <= 999_999_999)
        #expect(items.count == 2)
        #expect(document.blocks.spans.plainText.contains("\(start + 1). b"))
        show(document)
    }

    @Test("don't crash the program wherever they are in a body", arguments: numbers)
    func attributes(number: String) {
        for name in ["start", "value", "colspan", "rowspan", "width", "height", "span", "size", "level"] {
            for tag in ["ol", "li", "td", "th", "table", "img", "col", "h1", "font", "ul", "pre"] {
                show(HTML.document("<table><tr><\(tag) \(name)=\(number)>x</\(tag)><td>y</table>"))
            }
        }
        for text in ["\(number). a\n\(number)) b", "&#\(number);&#x\(number);", "[\(number)]: \(number) \"\(number)\""]
        {
            show(Markdown.document(text))
            show(HTML.document(text))
        }
    }

    @Test("in a feed are dates, lengths or lifetimes, or are ignored", arguments: numbers)
    func feed(number: String) throws {
        let rss = """
            <rss><channel><ttl>\(number)</ttl><item><guid>\(number)</guid><title>t</title><pubDate>\(number)</pubDate>
            <enclosure url="/a" length="\(number)"/></item><item><title>\(number)</title><pubDate>\(number)-\(number)-\(number)
            </pubDate><dc:date>1 Jan \(number) \(number):\(number):\(number) +\(number)</dc:date></item></channel></rss>
            """
        let json = """
            {"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":\(number.isEmpty ? "1" : number),
            "date_published":"\(number)","attachments":[{"url":"/a","size_in_bytes":\(number.isEmpty ? "1" : number)}]}]}
            """
        for text in [rss, json] {
            let feed = try FeedSample.parse(Array(text.utf8))
            for entry in FeedEntries(of: feed) {
                _ = SortKey(entry.metadata)
                for form in [DateText.Form.relative, .absolute, .utc] {
                    #expect(!DateText(form: form).short(entry.metadata.publishDate).isEmpty)
                }
            }
        }
    }

    @Test("in API records are read, ignored or rejected", arguments: numbers)
    func records(number: String) throws {
        let value = number.isEmpty || number.first == " " ? "1" : number
        for json in [
            #"{"id":\#(value),"time":\#(value),"score":\#(value),"descendants":\#(value),"kids":[\#(value)],"parent":\#(value)}"#,
            #"{"id":1,"time":\#(value),"title":"t"}"#, #"{"id":1,"score":\#(value),"type":"poll"}"#,
        ] {
            let item = try? JSONDecoder().decode(HackerNewsItem.self, from: Data(json.utf8))
            if let entry = item?.entry(options: []) { _ = SortKey(entry.metadata) }
        }
        let photo =
            #"{"id":1,"rating":\#(value),"times_viewed":\#(value),"votes_count":\#(value),"comments_count":\#(value),"latitude":\#(value),"longitude":\#(value),"category":\#(value),"license_type":\#(value),"privacy":\#(value)}"#
        _ = try? JSONDecoder().decode(PhotoRecord.self, from: Data(photo.utf8))
    }

    @Test("in headers are bounded", arguments: numbers)
    func headers(number: String) {
        let head = HTTPHead(
            status: 200,
            headers: [
                "Cache-Control": "max-age=\(number)", "Age": number, "Expires": number, "Content-Length": number,
                "Retry-After": number,
            ])
        #expect((0...Politeness.maxAge).contains(CacheControl.maxAge(head)))
        _ = head.bodyLength
        if let wait = RetryAfter.seconds(number, now: Date()) { #expect((0...Politeness.maxRetryAfter).contains(wait)) }
    }

    @Test(
        "of seconds give a date in the years 1 to 9999",
        arguments: [
            .infinity, -.infinity, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 9.3e18, -9.3e18, 0,
        ] as [TimeInterval])
    func moments(seconds: TimeInterval) throws {
        let text = ISO8601.text(Date(timeIntervalSince1970: seconds))
        #expect(Timestamp(text) != nil || text == "10000-01-01T00:00:00Z")
    }

    private func show(_ document: Document) {
        var renderer = DocumentRenderer(isColored: true, mode: .hyperlinks)
        _ = renderer.lines(document, width: 40)
        var printer = PagePrinter(.linked, below: 1)
        _ = printer.text(document, anchors: "a-")
        _ = MarkdownPrinter().text(document)
        _ = document.blocks.spans.plainText
    }
}
