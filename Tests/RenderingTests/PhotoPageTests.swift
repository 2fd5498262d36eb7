import BlogEssentials
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A photo's web page") struct PhotoPageTests {
    private func page(_ metadata: PostMetadata, body: String = "") throws -> StrictPage {
        try StrictPage(articlePage([Record(Post(id: "1", metadata: metadata, body: body, bodyFormat: .html))]))
    }

    @Test("has the largest picture, the description, the photographer, the camera, the place and facts")
    func order() throws {
        let page = try page(samplePhoto(), body: "At <b>dawn</b>.")
        let picture = try #require(page.all("img").first)
        #expect(picture.attributes["src"] == "https://p.example/1-1600.jpg" && picture.attributes["alt"] == "Dawn")
        let lines = page.text.split(separator: "\n").map(String.init)
        let words = [
            "At dawn.", "Rúna Jónsdóttir@runa · Reykjavík, Iceland", "Camera", "CameraCanon EOS 6D", "LensEF 24-70",
            "Focal length35 mm", "Shutter1/250 s", "Aperturef/2.8", "ISO100", "Taken13 September 2020", "Place",
            "Vík", "63.4186", "63.4186° N, 19.006° W OpenStreetMap", "Details", "CategoryLandscapes",
            "Rating98.6, highest 99.9", "Views1234567", "Votes89", "LicenceCreative Commons Attribution",
            "Published14 September 2020", "Pagephotos.example",
        ]
        #expect(lines.filter(words.contains) == words)
        #expect(page.all("svg", class: "map").count == 1)
        #expect(page.all("th").allSatisfy { $0.attributes["scope"] == "row" })
        #expect(
            page.values("href").contains(
                "https://www.openstreetmap.org/?mlat=63.4186&mlon=-19.006&zoom=10"))
    }

    @Test("names the photographer's account only if it isn't their name", arguments: ["R", "r"])
    func account(username: String) throws {
        let metadata = PostMetadata(
            id: "1", title: "Dawn", publishDate: Timestamp(secondsSince1970: 0), postId: "1", summary: nil,
            author: Author(name: "R"), details: .photo(Photo(photographer: Photographer(username: username))))
        #expect(try page(metadata).text.contains("@\(username)") == (username != "R"))
    }

    @Test("leaves out unknown facts")
    func unknown() throws {
        let photo = Photo(camera: Camera(), place: Place(name: "Vík"))
        let metadata = PostMetadata(
            id: "1", title: "", publishDate: Timestamp(secondsSince1970: 0), postId: "1", summary: nil,
            author: Author(name: "R"), details: .photo(photo))
        let page = try page(metadata)
        #expect(page.all("h2").count == 1)
        #expect(page.text.contains("Place\nVík\n") && !page.text.contains("Camera"))
        #expect(page.all("img").isEmpty && page.all("svg").isEmpty)
    }
}

@Suite("A thread's web page") struct ThreadPageTests {
    private func comment(_ id: String, _ depth: Int, body: String = "text", by name: String = "pg") -> BlogModel.Comment
    {
        BlogModel.Comment(
            id: id, author: Author(name: name), publishDate: Timestamp(secondsSince1970: 1_767_225_600), body: body,
            depth: depth, removal: body.isEmpty ? .deleted : nil, replyCount: 1, isNew: id == "2")
    }

    private func story() throws -> Record {
        var record = Record(Post(id: "1", metadata: try sample(author: "kerri"), body: ""))
        record.discussionPage = "https://news.example/item?id=1"
        return record
    }

    @Test("nests comments that can be folded, each with its author, date and replies")
    func nesting() throws {
        let comments = [
            comment("1", 0), comment("2", 1, by: "kerri"), comment("3", 2, body: ""), comment("4", 1), comment("5", 0),
        ]
        let page = try StrictPage(threadPage(try story(), comments))
        let folds = page.all("details")
        #expect(folds.map { $0.around.count { $0 == "details" } } == [0, 1, 2, 1, 0])
        #expect(folds.allSatisfy { $0.attributes["open"] == "" })
        #expect(page.all("ol", class: "replies").count == 3)
        #expect(page.text.contains("pg 1 January 2026 · 1 reply\n"))
        #expect(page.text.contains("kerri OP 1 January 2026 · 1 reply · new\n"))
        #expect(page.text.contains(" [deleted] · 1 January 2026"))
        #expect(page.values("href").last == "https://news.example/item?id=1")
    }

    @Test("has an anchor for each comment, and links to itself, its parent and the next sibling")
    func places() throws {
        let ids = [("hn:1", 0), ("hn:2", 1), ("hn:3", 2), ("hn:4", 1), ("HN 1", 0), ("", 0), ("content", 0)]
        let html = try threadPage(story(), ids.map { comment($0, $1) })
        let page = try StrictPage(html)
        #expect(
            page.values("id") == [
                "content", "comment-hn-1", "comment-hn-2", "comment-hn-3", "comment-hn-4", "comment-hn-1--2",
                "comment-",
                "comment-content",
            ])
        #expect(
            page.values("href").filter { $0.hasPrefix("#comment-") } == [
                "#comment-hn-1", "#comment-hn-1--2", "#comment-hn-2", "#comment-hn-1", "#comment-hn-4", "#comment-hn-3",
                "#comment-hn-2", "#comment-hn-4", "#comment-hn-1", "#comment-hn-1--2", "#comment-", "#comment-content",
            ])
        #expect(page.text.contains("hn:2 parent next\n") && page.text.contains("hn:3 parent\n"))
    }

    @Test("outputs a top-level comment and its replies as soon as the next one arrives")
    func early() throws {
        var renderer = PostPageRenderer(.sample())
        _ = try renderer.thread(story())
        #expect(renderer.comment(comment("1", 0)).plain.isEmpty && renderer.comment(comment("2", 1)).plain.isEmpty)
        let text = renderer.comment(comment("3", 0)).plain
        #expect(text.contains("comment-2") && text.contains("#comment-3") && !text.contains("id=\"comment-3"))
    }

    @Test("has one script, which folds all comments and is the only one allowed by its policy")
    func script() throws {
        let html = try threadPage(story(), [comment("1", 0)])
        let script = try #require(html.split(separator: "<script>").last?.components(separatedBy: "</script>").first)
        let digest = Data(SHA256.hex(of: script).hexBytes).base64EncodedString()
        #expect(html.contains("; script-src 'sha256-\(digest)';") && html.components(separatedBy: "<script").count == 2)
        #expect(!listPage([]).contains("script-src"))
    }

    @Test("nests no deeper than browsers do, and shows how deep a comment is")
    func depth() throws {
        let comments = (0..<500).map { comment("c\($0)", $0) } + [comment("last", 0)]
        let page = try StrictPage(threadPage(try story(), comments))
        #expect(page.elements.map(\.around.count).max() ?? 0 < 250)
        #expect(page.all("details").count == 501)
        #expect(page.text.contains("level 500 · ") && !page.text.contains("level 8 ·"))
    }

    @Test("accepts any depths, even if levels are skipped", arguments: Array(UInt64(1)...50))
    func anyDepths(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let comments = (0..<40).map { comment("c\($0)", Int.random(in: 0...9, using: &random)) }
        #expect(try StrictPage(threadPage(try story(), comments)).all("details").count == 40)
    }

    @Test("says that no comments are stored")
    func none() throws {
        #expect(try StrictPage(threadPage(try story(), [])).text.contains("No stored comments."))
    }
}

extension String {
    /// The bytes that pairs of hexadecimal digits encode.
    fileprivate var hexBytes: [UInt8] {
        var rest = self[...]
        var bytes: [UInt8] = []
        while !rest.isEmpty {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
