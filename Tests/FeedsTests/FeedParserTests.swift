import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering

@Suite("A feed") struct FeedParserTests {
    @Test("in RSS 2.0 has its own fields and those of its items")
    func rss() throws {
        let feed = try FeedSample.parse(FeedSample.rss)
        #expect(feed.title == "Notes & News")
        #expect(feed.link == "https://example.com/")
        #expect(feed.timeToLive == 1800)
        let item = try #require(feed.items.first)
        #expect(feed.items.map(\.title) == ["One", "Two"])
        #expect(item.guid == "id-1")
        #expect(item.link == "https://example.com/one")
        #expect(item.author == "Ann")
        #expect(item.published?.utc == "2004-01-01T19:48:21Z")
        #expect(item.tags == ["a", "b"])
        #expect(item.summary == "Short text")
        #expect(item.content?.text == #"<p>Long <a href="https://example.com/x?a=1&amp;b=2">text</a></p>"#)
        #expect(item.content?.format == .html)
        let file = Enclosure(url: "https://example.com/one.mp3", type: "audio/mpeg", length: 123, title: nil)
        #expect(item.enclosures == [file])
        #expect(item.image == "https://example.com/one.jpg")
    }

    @Test(
        "has no more than its first 25,000 items in any format, ended or not",
        arguments: [
            ("<rss version='2.0'><channel>", "<item><title>a</title></item>", "</channel></rss>"),
            ("<rss version='2.0'><channel>", "<item><title>a</title>", ""),
            ("<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry/>", "</feed>"),
            (#"{"version":"https://jsonfeed.org/version/1.1","title":"t","items":["#, "{},", "{}]}"),
            (#"{"rss":{"channel":{"title":"t","item":["#, "{},", "{}]}}}"),
        ])
    func tooMany(start: String, item: String, end: String) throws {
        let feed = try FeedSample.parse(start + String(repeating: item, count: FeedDocument.maxItems + 10) + end)
        #expect(feed.items.count == FeedDocument.maxItems)
        #expect(feed.end == .tooMany)
    }

    @Test("in RSS 1.0 has its items beside the channel")
    func rdf() throws {
        let feed = try FeedSample.parse(FeedSample.rdf)
        #expect(feed.title == "Notes")
        #expect(feed.items.map(\.guid) == ["https://example.com/one"])
        #expect(feed.items.first?.published?.utc == "2004-01-01T19:48:21Z")
    }

    @Test("in Atom has its own fields and those of its entries")
    func atom() throws {
        let feed = try FeedSample.parse(FeedSample.atom)
        #expect(feed.link == "https://example.com/")
        let item = try #require(feed.items.first)
        #expect(item.guid == "tag:1")
        #expect(item.title == "One < two")
        #expect(item.link == "https://example.com/feeds/one")
        #expect(item.author == "Ann")
        #expect(item.published?.text == "2004-01-01T19:48:21+01:00")
        #expect(item.updated?.utc == "2004-01-02T19:48:21Z")
        #expect(item.tags == ["a"])
        #expect(item.content?.text == #"<div><p>1 &lt; 2 <img src="https://example.com/feeds/a.png"></p></div>"#)
        #expect(item.enclosures.map(\.title) == ["Part"])
    }

    @Test("in JSON Feed has the fields of its items")
    func json() throws {
        let feed = try FeedSample.parse(FeedSample.json)
        let item = try #require(feed.items.first)
        #expect(item.guid == "7")
        #expect(item.link == "https://example.com/one")
        #expect(item.author == "Ann, Bob")
        #expect(item.content?.text == #"<a href='https://example.com/x'>x</a>"#)
        #expect(item.tags == ["a", "b"])
        #expect(item.enclosures.first?.length == 12)
        #expect(item.enclosures.first?.url == "https://example.com/one.mp3")
        #expect(item.image == "https://example.com/a.png")
    }

    @Test("in JSON Feed 1 has one author, and plain text if there is no HTML")
    func jsonOne() throws {
        let feed = try FeedSample.parse(
            #"{"version":"https://jsonfeed.org/version/1","title":"N","items":[{"id":"a","author":{"name":"Bob"},"#
                + #""content_text":"x < y \ud83d","summary":"s"}]}"#)
        #expect(feed.items.first?.author == "Bob")
        #expect(feed.items.first?.content == Entry.Content("x < y \u{FFFD}", .plain))
        #expect(feed.items.first?.summary == "s")
    }

    @Test("in RSS in JSON is read like RSS")
    func rssInJSON() throws {
        let feed = try FeedSample.parse(
            ##"{"rss":{"version":"2.0","channel":{"title":"N","link":"https://example.com/","ttl":60,"item":[{"title":"One","##
                + ##""guid":{"isPermaLink":"false","#value":"g"},"enclosure":{"url":"a.mp3","length":5},"##
                + ##""category":["a","b"]},{"description":"&lt;p&gt;","dc:creator":"Ann"}]}}}"##)
        #expect(feed.timeToLive == 3600)
        #expect(feed.items.map(\.guid) == ["g", nil])
        #expect(feed.items.first?.tags == ["a", "b"])
        #expect(feed.items.first?.enclosures.first?.url == "https://example.com/a.mp3")
        #expect(feed.items.last?.author == "Ann")
    }

    @Test(
        "is recognized by its content",
        arguments: [
            (FeedSample.rss, true), (FeedSample.rdf, true), (FeedSample.atom, true), (FeedSample.json, true),
            ("\u{FEFF}  <!-- x --><RSS version='0.91'><channel>", true),
            ("<br /><b>Warning</b>: x\n<?xml version='1.0'?><rss>", true),
            ("<!DOCTYPE rss [<!ENTITY a '>'>]><rss>", true), ("", false), ("text", false), ("{}", false),
            ("{\"items\":[]}", false),
            ("<html><body><rss></rss>", false), ("<html><head><title>a</title><body><rss><channel><title>F", true),
            ("<HTML><body><feed xmlns='http://www.w3.org/2005/Atom'><entry><title>a", true),
            ("<html><script>'<rss><channel><item>'</script><pre><rss><channel></pre><code><rss><channel>", false),
            ("<html><body><feed><entry><title>a", false), ("<html><script/><rss><channel>", true),
            ("<!DOCTYPE html><html><feed>", false), ("<opml><body/></opml>", false),
            ("<rdf:RDF xmlns:foaf='http://xmlns.com/foaf/0.1/'/>", false),
            ("<svg xmlns='http://www.w3.org/2000/svg'>", false),
        ])
    func isFeed(text: String, isFeed: Bool) {
        #expect(FeedParser.isFeed(text.utf8) == isFeed)
        #expect(((try? FeedSample.parse(text)) != nil) == isFeed)
    }

    @Test("in Atom 0.3 has other date elements, and may have Base64 content")
    func atomThree() throws {
        let feed = try FeedSample.parse(
            "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><entry><issued>2004-01-01T00:00:00Z</issued>"
                + "<modified>2004-01-02T00:00:00Z</modified><content type='text/html' mode='base64'>PGI+eDwvYj4=</content>"
                + "</entry></feed>")
        #expect(feed.items.first?.published?.utc == "2004-01-01T00:00:00Z")
        #expect(feed.items.first?.updated?.utc == "2004-01-02T00:00:00Z")
        #expect(feed.items.first?.content == Entry.Content("<b>x</b>", .html))
    }
}
