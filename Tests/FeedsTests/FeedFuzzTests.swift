import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary

@Suite("Random feeds") struct FeedFuzzTests {
    /// The number of feeds; `BLOG_FUZZ` overrides it.
    private static let count = Mutation.count(400)

    @Test("are parsed or rejected, and so are subscription lists")
    func anything() throws {
        var random = SplitMix(state: 7)
        let samples = [FeedSample.rss, FeedSample.rdf, FeedSample.atom, FeedSample.json]
        for _ in 0..<Self.count {
            var text = samples.randomElement(using: &random) ?? ""
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                text = Mutation.of(text, pieces: Self.pieces, &random)
            }
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let isFeed = FeedParser.isFeed(bytes)
            let feed = try? FeedSample.parse(bytes, charset: Self.charsets.randomElement(using: &random) ?? nil)
            if isFeed, bytes.count < 8000, !bytes.contains(where: { $0 >= 0x80 }) { #expect(feed != nil) }
            for item in feed?.items ?? [] {
                for line in [item.title, item.summary, item.author] {
                    #expect(line?.isEmpty != true && line?.utf8.contains { $0 < 0x20 } != true)
                }
            }
            if let feeds = try? OPML.read(bytes).feeds {
                #expect(try OPML.read(Array(OPML.write(feeds, title: text).utf8)).feeds.count == feeds.count)
            }
        }
    }

    @Test("have dates that are parsed or rejected")
    func dates() {
        var random = SplitMix(state: 8)
        for _ in 0..<Self.count * 10 {
            _ = FeedDate.timestamp(
                Mutation.of(
                    "Thu, 01 Jan 2004 19:48:21 +0100", pieces: ["9", "-", ":", "T", "2003-12-31", "PM", "."], &random))
        }
    }

    private static let charsets = [nil, "utf-16", "iso-8859-1", "shift_jis", "gb2312", "x", ""]

    private static let pieces = [
        "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE a [", "]>", "<?xml encoding='utf-16'?>", "&",
        "&#", "&#x110000;", "&nbsp;",
        "\"", "'", "=", "/>", "<item>", "</item>", "<entry>", "<title>", "</title>", "<x:y>", " xml:base='../a/'",
        " xmlns='urn:x'", " type='xhtml'",
        " href='", "<opml>", "<outline xmlUrl='a' text='b'>", "</outline>", "{", "}", "[", "]", ",", ":", "\\ud800",
        "\\", "\u{0}", "\u{FEFF}", "é",
    ]
}
