import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering

@Suite("An OPML file") struct OPMLTests {
    @Test("lists each feed with its title and its folders")
    func reads() throws {
        let feeds = try read(
            """
            <?xml version="1.0" encoding="utf8"?><OPML version="1.0"><head><title>x</title></head><body>
            <outline text="News"><outline TEXT="Science" type="folder">
            <outline text="A &amp; B" title="t" htmlUrl="https://a.example/" xmlurl="https://a.example/?a=1&amp;b"/></outline>
            <outline><outline text="C" XMLURL="https://c.example/" type="atom"></outline><outline text="E" xmlUrl="https://e.example/"/></outline>
            <outline title="F" xmlUrl="https://f.example/"/></outline>
            <Outline xmlUrl=" https://d.example/ "/></body></OPML>
            """)
        #expect(
            feeds == [
                Subscription(
                    address: "https://a.example/?a=1&b", title: "A & B", folder: "News/Science",
                    site: "https://a.example/"),
                Subscription(address: "https://c.example/", title: "C", folder: "News"),
                Subscription(address: "https://e.example/", title: "E", folder: "News"),
                Subscription(address: "https://f.example/", title: "F", folder: "News"),
                Subscription(address: "https://d.example/"),
            ])
    }

    @Test("is told apart from other XML")
    func rejects() {
        #expect(throws: FeedError.notOPML) { try read("<rss><outline xmlUrl='https://a.example/'/></rss>") }
    }

    @Test("has addresses without the line breaks in them")
    func brokenAddresses() throws {
        let feeds = try read("<opml><outline text='a' xmlUrl='http://\n   a.example/x.rss\n'/></opml>")
        #expect(feeds.map(\.address) == ["http://a.example/x.rss"])
    }

    @Test("may have folders nested 10,000 deep")
    func depth() throws {
        let count = 10_000
        let text = "<opml>" + String(repeating: "<outline text='f'>", count: count) + "<outline xmlUrl='a'/>"
        let feeds = try read(text + String(repeating: "</outline>", count: count) + "<outline xmlUrl='b'/>")
        #expect(feeds.map { $0.folder?.utf8.count } == [127, nil])
        #expect(try OPML.read(Array(OPML.write(feeds, title: "x").utf8)).feeds.map(\.address) == ["b", "a"])
    }

    @Test("reads back the same after it is written")
    func writes() throws {
        let feeds = [
            Subscription(address: "https://a.example/?a=1&b=2", title: "A <\"'&> é", folder: nil),
            Subscription(address: "https://b.example/", title: "B", folder: "News"),
            Subscription(address: "https://c.example/", title: "C", folder: "News/Science"),
        ]
        let text = OPML.write(feeds, title: "Mine & yours")
        #expect(try read(text) == feeds)
        #expect(text.contains("<title>Mine &amp; yours</title>"))
        #expect(text.contains(#"<outline text="Science" title="Science">"#))
        #expect(text.contains(#"<outline type="rss" text="B" title="B" xmlUrl="https://b.example/"/>"#))
    }

    @Test("keeps the names of sources, and slashes in the names of folders")
    func ownNames() throws {
        let folder = FolderPath(["News / World", "a\\", "b"])
        #expect(folder.text == #"News \/ World/a\\/b"#)
        #expect(FolderPath(folder.text) == folder)
        let feeds = [
            Subscription(
                address: "https://a.example/", title: "A", folder: folder.text, name: "swift",
                site: "https://a.example/?a=1&b")
        ]
        let text = OPML.write(feeds, title: "x")
        #expect(try read(text) == feeds)
        #expect(text.contains(#"<outline text="News / World" title="News / World">"#))
        #expect(text.contains(#" blogName="swift"/>"#))
    }

    @Test(
        "reads back the same with any number of nested folders, up to the maximum depth",
        arguments: [1, 63, 64, 65, 150])
    func nested(depth: Int) throws {
        let outlines = (1...depth).map {
            "<outline text='f\($0)'><outline text='t\($0)' htmlUrl='https://a.example/\($0)/' xmlUrl='https://a.example/\($0)'/>"
        }
        let text = "<opml>" + outlines.joined() + String(repeating: "</outline>", count: depth)
        let feeds = try read(text)
        #expect(feeds.count == depth)
        #expect(feeds.map(\.title) == (1...depth).map { "t\($0)" })
        let folders = feeds.map { $0.folder.map { FolderPath($0).names.count } }
        #expect(folders == (1...depth).map { min($0, OPMLReader.maxDepth) })
        #expect(try read(OPML.write(feeds, title: "x")) == feeds)
    }

    @Test(
        "is known to be incomplete without its end",
        arguments: [
            ("<opml><outline xmlUrl='a'/></opml>", true), ("<OPML><outline xmlUrl='a'/></OPML >\n", true),
            ("<opml><outline xmlUrl='a'/>", false), ("<opml><outline xmlUrl='a'/></op", false),
            ("<opml><outline xmlUrl='a'/><outline xmlUrl='b", false),
        ])
    func end(text: String, isComplete: Bool) throws {
        let list = try OPML.read(Array(text.utf8))
        #expect(list.feeds.first?.address == "a")
        #expect(list.isComplete == isComplete)
    }

    @Test("names outlines that are neither feeds nor folders")
    func others() throws {
        let outlines = "<outline text='F'><outline type='include' text='I' url='x'/></outline><outline type='rss'/>"
        #expect(try OPML.read(Array("<opml><body>\(outlines)</body></opml>".utf8)).others == ["I", "rss"])
        let folder = "<outline type='rss' title='F'><outline xmlUrl='a'></outline></outline>"
        #expect(try OPML.read(Array("<opml><body>\(folder)</body></opml>".utf8)).others == [])
    }

    private func read(_ text: String) throws -> [Subscription] { try OPML.read(Array(text.utf8)).feeds }
}
