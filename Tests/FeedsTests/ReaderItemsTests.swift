import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogModel

@Suite("Items of the Google Reader API") struct ReaderItemsTests {
    /// An answer that a FreshRSS of October 2024 gave for feeds of ours.
    static func recorded(_ name: String) throws -> Data {
        try Data(contentsOf: Repository.root.appending(path: "Tests/Fixtures/FreshRSS/\(name).json"))
    }

    private func items(_ json: String, isFreshRSS: Bool = false) throws -> [ReaderItem] {
        try #require(ReaderItems(Array(json.utf8), isFreshRSS: isFreshRSS)).items
    }

    @Test("of FreshRSS have its ways undone: letters, addresses of enclosures, appended figures")
    func freshRSS() throws {
        let items = try #require(ReaderItems(try Self.recorded("contents"), isFreshRSS: true)).items
        #expect(items.count == 5)
        let item = items[0].item
        #expect(items[0].id == "0006614a787cf32d")
        #expect(items[0].stream == "feed/4")
        #expect(item.title == "Quotes \"double\" and 'single' #4.3")
        #expect(item.author == "Zoë <zoe>")
        #expect(item.link == "http://127.0.0.1:8191/site/4/item/3?a=1&b=2")
        #expect(item.published == Timestamp(secondsSince1970: 1_795_814_760))
        #expect(item.tags == ["news", "R&D", "two words"])
        #expect(
            item.enclosures == [
                Enclosure(url: "http://127.0.0.1:8191/media/x.mp3?i=3&k=4", type: "audio/mpeg", length: 12_345)
            ])
        #expect(item.content?.text.hasSuffix("</blockquote>\n") == true)
        #expect(items.contains { $0.item.title?.contains("<") == true })
        #expect(items.allSatisfy { $0.item.title?.contains("＜") == false })
    }

    @Test(
        "of FreshRSS have the titles that their feeds would be read with",
        arguments: [
            ("＜b＞Bold＜/b＞ ＆ co", "Bold & co"), ("AT＆amp;T", "AT&T"), ("Is 3 ＜ 5 ＞ 2?", "Is 3 < 5 > 2?"),
            ("Using the ＜dialog＞ element", "Using the <dialog> element"),
        ])
    func titles(sent: String, title: String) throws {
        let json = #"{"items": [{"id": "1", "title": "\#(sent)"}]}"#
        #expect(try items(json, isFreshRSS: true).map(\.item.title) == [title])
        let own = sent.replacing("＜", with: "<").replacing("＞", with: ">").replacing("＆", with: "&")
        let feed = "<rss><channel><item><title><![CDATA[\(own)]]></title></item></channel></rss>"
        let base = try #require(URL(string: "https://a.example/"))
        #expect(try FeedParser.parse(Array(feed.utf8), base: base).items.map(\.title) == [title])
    }

    @Test("of other servers keep full-width letters, and have their enclosures under another name")
    func miniflux() throws {
        let item = try items(
            """
            {"items": [{"id": "tag:google.com,2005:reader/item/000000000000002a", "title": "A ＆ B", "author": "Zoë",
            "published": 1777000000, "alternate": [{"href": "https://a.example/1", "type": "text/html"}],
            "summary": {"content": "<p><a href='/x'>x</a></p>"}, "content": {"content": "<p><a href='/x'>x</a></p>"},
            "categories": ["user/1/state/com.google/reading-list", "user/1/label/All"],
            "enclosure": [{"url": "https://a.example/1.mp3?a=1&amp=2", "type": "audio/mpeg", "length": "7"}],
            "origin": {"streamId": "feed/3", "title": "Blog"}}]}
            """
        )[0].item
        #expect(item.title == "A ＆ B")
        #expect(item.link == "https://a.example/1")
        #expect(item.content?.text.contains("https://a.example/x") == true)
        #expect(
            item.enclosures == [Enclosure(url: "https://a.example/1.mp3?a=1&amp=2", type: "audio/mpeg", length: 7)])
        #expect(item.tags == [])
    }

    @Test(
        "aren't taken from an answer that is cut off, or isn't one",
        arguments: ["", "[]", "{}", "null", #"{"items": {}}"#, #"{"items": [{"id": "1"}, {"id""#, "<html>"])
    func incomplete(json: String) { #expect(ReaderItems(Array(json.utf8), isFreshRSS: true) == nil) }

    @Test("need only an ID")
    func sparse() throws {
        let found = try items(#"{"items": [{}, {"id": ""}, null, 7, {"id": "5", "published": -1, "title": 3}]}"#)
        #expect(found.map(\.id) == ["0000000000000005"])
        #expect(found[0].item.published == nil)
        #expect(found[0].item.title == "3")
    }

    @Test(
        "have IDs that are texts, whatever their form",
        arguments: [
            ("1795822337192753", "0006614a787cf331"), ("-1", "ffffffffffffffff"),
            ("9007199254740993", "0020000000000001"),
            ("tag:google.com,2005:reader/item/0006614a787cf331", "0006614a787cf331"),
            ("tag:google.com,2005:reader/item/5f1a2b3c4d5e6f708192a3b4", "5f1a2b3c4d5e6f708192a3b4"),
            ("5f1a2b3c4d5e6f708192a3b4", "5f1a2b3c4d5e6f708192a3b4"),
            ("123456789012345678901234", "123456789012345678901234"),
        ])
    func ids(text: String, stored: String) {
        #expect(ReaderItemID.stored(text) == stored)
        #expect(ReaderItemID.stored(ReaderItemID.long(stored)) == stored)
    }

    @Test("have no empty ID", arguments: ["", "tag:google.com,2005:reader/item/"])
    func noID(text: String) { #expect(ReaderItemID.stored(text) == nil) }
}
