import BlogTestSupport
import Foundation
import Testing
@testable import BlogMarkup
@testable import BlogModel
@testable import BlogRendering

@Suite("Placeholders for pictures") struct PicturePlaceTests {
    private func lines(_ markdown: String, width: Int = 40, hasPictures: Bool = true) -> [StyledText] {
        var renderer = DocumentRenderer(isColored: true, mode: .hyperlinks, hasPictures: hasPictures)
        return renderer.lines(Markdown.document(markdown), width: width)
    }

    private func addresses(_ text: [StyledText]) -> [String] {
        text.flatMap(\.pictures).compactMap { $0.urls.first?.absoluteString }
    }

    @Test(
        "replace images that are blocks of their own",
        arguments: [
            ("![a](http://x.y/1.png)", ["http://x.y/1.png"]),
            ("[![a](http://x.y/1.png)](http://z.y)", ["http://x.y/1.png"]),
            ("![a](http://x.y/1.png)\n![b](https://x.y/2.png)", ["http://x.y/1.png", "https://x.y/2.png"]),
            ("- ![a](http://x.y/1.png)", ["http://x.y/1.png"]), ("> ![a](http://x.y/1.png)", ["http://x.y/1.png"]),
            ("<figure><img src='http://x.y/1.png' alt='a'></figure>", ["http://x.y/1.png"]),
            ("![a](//x.y/1.png)", ["https://x.y/1.png"]), ("words ![a](http://x.y/1.png)", []), ("![a](/1.png)", []),
            ("![a](file:///etc/passwd)", []), ("![a](javascript:x)", []), ("![a](mailto:a@b.c)", []),
            ("![a](data:image/png;base64,AAAA)", []), ("| a |\n| - |\n| ![a](http://x.y/1.png) |", []),
        ])
    func blocks(markdown: String, expected: [String]) throws {
        #expect(addresses(lines(markdown)) == expected)
        #expect(addresses(lines(markdown, hasPictures: false)).isEmpty)
        func words(hasPictures: Bool) -> [Substring] {
            lines(markdown, hasPictures: hasPictures).flatMap { $0.plain.split(separator: " ") }
        }
        #expect(words(hasPictures: true) == words(hasPictures: false))
        // What a sync fetches.
        let post = Post(id: "1", metadata: try sample(), body: markdown, bodyFormat: .markdown)
        let fetched = post.pictureAddresses(fitting: 600, server: nil, site: nil)
        #expect(fetched.joined().map(\.absoluteString) == expected)
    }

    @Test("are above the line with the alternative text, behind its margin")
    func margin() throws {
        let text = lines("one\n\n- two\n\n  ![three](http://x.y/1.png)\n\nfour").lines
        let parts = text.cutAtPictures
        #expect(parts.map(\.text.plain) == ["one\n\n• two\n\n", "  three\n\nfour\n"])
        #expect(parts.map(\.margin) == [0, 2])
        #expect(parts.map { $0.picture?.name } == [nil, "three"])
        #expect(parts[1].picture?.columns == 38)
        #expect(parts.map(\.text).joined().plain == text.plain)
    }

    @Test("stay when words in their line are highlighted, and have no width")
    func marked() {
        let line = lines("![the word](http://x.y/1.png)")[0]
        let marked = MarkedWords(search: "word").marking(line)
        #expect(marked.pictures == line.pictures && marked.pictures.count == 1)
        #expect(marked.width == 8 && !marked.isEmpty)
    }

    @Test("have names of one line, without control characters")
    func names() throws {
        let place = try #require(PicturePlace(["http://x.y"], name: "a\u{1B}[31m\nb\u{202E}", columns: 1))
        #expect(place.name == "a b")
        #expect(PicturePlace(["file:///x"], name: "", columns: 1) == nil)
    }

    private func photo(_ sizes: [Int?]) -> Photo {
        Photo(pictures: sizes.map { Picture(url: "http://x.y/\($0 ?? 0).jpg", size: $0) })
    }

    @Test(
        "use a photo in the size that fits best, and cropped ones last",
        arguments: [
            ([440, 1080, 1600, 2048], 800, [1080, 1600, 2048, 440]), ([30, 31, 4, 5], 800, [4, 5, 31, 30]),
            ([1, 2, 3], 800, [3, 2, 1]), ([256, 450, 900], 2000, [900, 450, 256]), ([nil, 1600], 800, [nil, 1600]),
            ([], 800, []), ([-5, .max], 800, [.max, -5]),
        ] as [([Int?], Int, [Int?])])
    func photos(sizes: [Int?], pixels: Int, expected: [Int?]) {
        #expect(photo(sizes).pictures(fitting: pixels).map(\.size) == expected)
    }

    @Test("include the photo and its author in an article")
    func article() throws {
        let dates = DateText(now: Date(timeIntervalSince1970: 1_767_225_600), timeZone: .gmt)
        let metadata = PostMetadata(
            id: "1", title: "Dawn", publishDate: try #require(Timestamp("2018-07-15T23:03:29Z")), postId: "1",
            summary: nil, author: Author(name: "Ann", image: "/ann.png"), details: .photo(photo([1080])))
        let record = Record(metadata).shown(of: "x", at: "http://x.y/v1") { $0 }
        func shown(hasPictures: Bool) throws -> StyledText {
            let screen = Screen(width: 60, isColored: true, hasPictures: hasPictures, dates: dates)
            var renderer = PostTextRenderer(screen, codeWidth: 60)
            return try renderer.post(record)
        }
        let places = try shown(hasPictures: true).pictures
        #expect(places.map(\.urls.first?.absoluteString) == ["http://x.y/1080.jpg", "http://x.y/ann.png"])
        #expect(places.map(\.isOrnament) == [false, true])
        #expect(Set(places) == Set(PostPictures.ofMetadata(record, columns: 60)))
        let post = Post(id: "1", metadata: metadata, body: "", bodyFormat: nil)
        let fetched = post.pictureAddresses(fitting: 600, server: URL(string: "http://x.y/v1"), site: nil)
        #expect(Set(places.map(\.urls)) == Set(fetched))
        #expect(try shown(hasPictures: true).plain.contains("\nhttp://x.y/1080.jpg\n"))
        #expect(try shown(hasPictures: false).pictures.isEmpty)
    }

    @Test(
        "of authors are resolved against the source's address",
        arguments: [
            ("/images/a.jpg", "http://localhost:8106", "http://localhost:8106/images/a.jpg"),
            ("/images/a.jpg", "http://h/api/v1", "http://h/images/a.jpg"),
            ("//cdn.h/a.jpg", "http://h", "https://cdn.h/a.jpg"),
            ("https://o.h/a.jpg", "http://h", "https://o.h/a.jpg"), ("", "http://h", nil),
            ("HTTP://o.h/a.jpg", "http://h", "HTTP://o.h/a.jpg"),
            ("/a b.jpg\u{1B}", "http://h", nil),
            ("javascript:x", "http://h", nil), ("mailto:a@b.c", "http://h", nil),
            ("file:///etc/passwd", "http://h", nil),
            ("/a.jpg", "", nil),
        ] as [(String, String, String?)])
    func authors(image: String, source: String, expected: String?) throws {
        let metadata = PostMetadata(
            id: "1", title: "t", publishDate: try #require(Timestamp("2018-07-15T23:03:29Z")), postId: "1",
            summary: nil, author: Author(name: "Ann", image: image))
        let record = Record(metadata).shown(of: "x", at: source) { $0 }
        #expect(record.authorImage == expected)
        #expect(Field.authorImageURL.text(record) == expected ?? "")
        #expect(Field.authorImageURL.json(record) == expected?.json)
    }
}
