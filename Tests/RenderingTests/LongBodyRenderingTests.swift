import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A long body") struct LongBodyRenderingTests {
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

    private func shown(_ body: String, _ renderer: some PostRenderer, format: BodyFormat? = nil) throws -> String {
        let record = Record(Post(id: "101", metadata: try sample(), body: body, bodyFormat: format))
        var renderer = renderer
        return try renderer.post(record).plain
    }

    private func chunks(of body: String) throws -> [String] {
        let post = Post(id: "101", metadata: try sample(), body: body, bodyFormat: nil)
        var (chunks, texts) = (BodyChunks(Record(post)), [String]())
        while let text = chunks.next(.blocks) { texts.append(text) }
        #expect(texts.joined() == body && chunks.isAtEnd)
        return texts
    }

    private var text: PostTextRenderer { PostTextRenderer(.sample(60, isColored: true), codeWidth: 60) }

    @Test("looks the same in chunks as in one piece")
    func same() throws {
        // Addresses of links are listed at the end.
        let block = Self.block.replacing("[link](https://example.org/x)", with: "link") + "\n"
        func shown(_ blocks: Int) throws -> String { try self.shown(String(repeating: block, count: blocks), text) }
        let one = try shown(1)
        let part = try shown(2).dropFirst(one.count)
        // Enough to be cut twice.
        #expect(try shown(1279) == one + String(repeating: String(part), count: 1278))
    }

    @Test("is cut between blocks, and HTML only if it is very long")
    func chunks() throws {
        let markdown = try chunks(of: String(repeating: Self.block + "\n", count: 1279))
        #expect(markdown.count > 1 && markdown.dropFirst().allSatisfy { $0.hasPrefix("A paragraph of") })
        #expect(try chunks(of: "<p>" + String(repeating: "words\n\nwords ", count: 30_000) + "</p>").count == 1)
    }

    @Test("is cut in linear time, even if it is a single character with marks")
    func growth() throws {
        let growth = try Growth.ofEightfoldInput(enough: 20, from: 1 << 16) { length in
            _ = try chunks(of: String(repeating: "\u{301}\u{316}", count: length / 2))
        }
        #expect(growth < 20)
    }

    @Test("is sanitized in a pipe, and has no form feed, which separates posts")
    func cleanBody() throws {
        let body = "one\u{C}two\u{1B}[2J\u{9D}0;x\u{7}\nthree"
        #expect(try shown(body, BodyRenderer(isRaw: false)) == "one\ntwo\nthree\n")
        #expect(try shown(body, BodyRenderer(isRaw: true)) == body)
    }

    @Test(
        "in HTML is converted to text in a pipe, whatever its length", arguments: [40, 400, 5000])
    func html(paragraphs: Int) throws {
        let body = " \n" + (1...paragraphs).map { "<p>some <b>words</b> \($0)</p>" }.joined(separator: "\n")
        let expected = (1...paragraphs).map { "some **words** \($0)\n" }.joined(separator: "\n")
        #expect(try shown(body, BodyRenderer(isRaw: false)) == expected)
    }

    @Test("in HTML is converted in parts if it is very long")
    func longHTML() throws {
        let title = String(repeating: "x", count: 10_000)
        let paragraph = "<p title=\"\(title)\">some <a href=\"http://x/\">words</a></p>"
        let count = 2 * BodyChunks.maxBytes(of: .html) / paragraph.utf8.count + 10
        let text = try shown(
            String(repeating: paragraph, count: count), BodyRenderer(isRaw: false))
        #expect(text == String(repeating: "some words [1]\n\n", count: count) + "[1] http://x/\n")
    }

    @Test("is printed as published if it isn't proper HTML, or in another format")
    func published() throws {
        for (body, format) in [
            ("<p>a\n\n- b", nil), ("<b>a", nil), ("<", nil), ("<p>a</p>", BodyFormat.markdown), ("<p>a</p>", .plain),
        ] {
            #expect(try shown(body, BodyRenderer(isRaw: false), format: format) == body + "\n")
        }
    }
}
