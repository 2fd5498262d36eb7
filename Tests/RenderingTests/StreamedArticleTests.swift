import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogFeeds
@testable import BlogModel
@testable import BlogRendering

@Suite("A streamed post") struct StreamedArticleTests {
    private static let block = """
        # A heading with `code`

        A paragraph of *some* words, and a [link](https://example.org/x) in it.

        - an item

          of two paragraphs
        - another

        ```
        code

        with a blank line
        ```

        > a quote

        | a | b |
        |---|---|
        | 1 | 2 |

        """

    private func renderer() -> PostRenderer { PostRenderer(.sample(60, isColored: true), codeWidth: 60) }

    /// The output for a body that arrives in chunks of `size` bytes, and how many parts of it were shown early.
    private func shown(_ body: String, by size: Int) throws -> (text: StyledText, early: Int) {
        var renderer = renderer()
        let bytes = Data(body.utf8)
        let post = Post(id: "101", metadata: try sample(), body: body)
        var (text, early) = (StyledText(), 0)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = String(decoding: bytes[start..<min(start + size, bytes.count)], as: UTF8.self)
            if let lines = renderer.beginning(piece, of: Record(post.metadata)) {
                text += lines
                early += 1
            }
        }
        return (text + renderer.record(Record(post)), early)
    }

    @Test("looks the same whether it arrives at once or in chunks")
    func same() throws {
        // Long enough to be split twice.
        let body = String(repeating: Self.block + "\n", count: 1279)
        var whole = renderer()
        let expected = whole.record(Record(Post(id: "101", metadata: try sample(), body: body)))
        for (size, parts) in [(10_000, 2), (200_000, 1)] {
            let (text, early) = try shown(body, by: size)
            #expect(early == parts)
            #expect(text == expected, "\(size)")
        }
    }

    @Test("is sanitized in a pipe, and has no form feed, which separates posts")
    func cleanBody() throws {
        let post = Post(id: "101", metadata: try sample(), body: "one\u{C}two\u{1B}[2J\u{9D}0;x\u{7}\nthree")
        var renderer = BodyRenderer(isRaw: false)
        let early = renderer.beginning("one\u{C}two\u{1B}[2J\u{9D}0;x\u{7}\n", of: Record(post.metadata))
        #expect(early == "one\ntwo\n")
        #expect(renderer.record(Record(post)) == "three\n")
    }

    @Test(
        "in HTML is converted to text in a pipe, whatever its length and its chunks",
        arguments: [(40, 1), (400, 1000), (5000, 4096), (5000, 10_000_000)])
    func html(paragraphs: Int, size: Int) throws {
        let body = " \n" + (1...paragraphs).map { "<p>some <b>words</b> \($0)</p>" }.joined(separator: "\n")
        var renderer = BodyRenderer(isRaw: false)
        var (text, early) = (StyledText(), 0)
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = String(decoding: bytes[start..<min(start + size, bytes.count)], as: UTF8.self)
            if let part = renderer.beginning(piece, of: Record(try sample())) {
                text += part
                early += 1
            }
        }
        #expect(early == 0)
        var record = Record(Post(id: "1", metadata: try sample(), body: body))
        record.body = nil
        let expected = (1...paragraphs).map { "some **words** \($0)\n" }.joined(separator: "\n")
        #expect((text + renderer.record(record)).plain == expected)
    }

    @Test("in HTML is converted in parts if it is too long for memory")
    func longHTML() throws {
        let title = String(repeating: "x", count: 10_000)
        let paragraph = "<p title=\"\(title)\">some <a href=\"http://x/\">words</a></p>"
        let count = StreamedBody.maxBytes / paragraph.utf8.count + 10
        let body = String(repeating: paragraph, count: 2 * count)
        let half = paragraph.utf8.count * count
        var renderer = BodyRenderer(isRaw: false)
        let first = renderer.beginning(
            String(decoding: body.utf8.prefix(half), as: UTF8.self), of: Record(try sample()))
        let second = String(decoding: body.utf8.dropFirst(half), as: UTF8.self)
        #expect(renderer.beginning(second, of: Record(try sample())) != nil)
        let rest = renderer.record(Record(Post(id: "1", metadata: try sample(), body: body)))
        #expect(first?.plain.hasPrefix("some words [1]\n\nsome words [1]\n") == true)
        #expect(rest.plain.hasSuffix("\n\n[1] http://x/\n"))
        #expect(!rest.plain.contains("<"))
    }

    @Test("is printed as published if it isn't proper HTML, or in another format")
    func published() throws {
        for (body, format) in [
            ("<p>a\n\n- b", nil), ("<b>a", nil), ("<", nil), ("<p>a</p>", BodyFormat.markdown), ("<p>a</p>", .plain),
        ] {
            var renderer = BodyRenderer(isRaw: false, format: format)
            let early = renderer.beginning(body, of: Record(try sample()))
            let post = Post(id: "1", metadata: try sample(), body: body, bodyFormat: format)
            #expect(((early ?? "") + renderer.record(Record(post))).plain == body + "\n")
        }
    }

    @Test("leaves nothing behind for the next post if it is abandoned")
    func abandoned() throws {
        let post = Post(id: "101", metadata: try sample(), body: "short")
        var body = BodyRenderer(isRaw: false)
        #expect(body.beginning("longer than that\n", of: Record(post.metadata)) == "longer than that\n")
        body.giveUp()
        #expect(body.record(Record(post)) == "\u{C}short\n")
        var article = renderer()
        let long = String(repeating: "Words.\n\n", count: 17_000)
        #expect(article.beginning(long, of: Record(post.metadata)) != nil)
        article.giveUp()
        #expect(article.record(Record(post)).plain.hasSuffix("2018 · 1\n\nshort\n"))
    }

    @Test("isn't shown early if it is short, or HTML")
    func whole() throws {
        #expect(try shown(Self.block, by: 10).early == 0)
        #expect(try shown("<p>" + String(repeating: "words\n\nwords ", count: 15_000) + "</p>", by: 5000).early == 0)
    }
}
