import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

/// A text in parts of at least a given size.
private struct Parts: LongText {
    private let bytes: [UInt8]
    private let size: Int

    init(_ text: String, size: Int = PostStore.partSize) {
        (bytes, self.size) = (Array(text.utf8), size)
    }

    func part(at place: inout Int) -> String? {
        guard place < bytes.count else { return nil }
        var end = min(place + size, bytes.count)
        while end < bytes.count, UTF8.isContinuation(bytes[end]) { end += 1 }
        defer { place = end }
        return String(decoding: bytes[place..<end], as: UTF8.self)
    }
}

@Suite("A body that is too long for memory") struct LongBodyRenderingTests {
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

    /// A post with a body in memory, or in parts of some size.
    private func shown(
        _ body: String, by size: Int? = nil, _ renderer: some PostRenderer, format: BodyFormat? = nil
    ) throws -> String {
        var record = Record(Post(id: "101", metadata: try sample(), body: body, bodyFormat: format))
        if let size { (record.body, record.longBody) = (nil, Parts(body, size: size)) }
        var renderer = renderer
        return try renderer.post(record).plain
    }

    private var text: PostTextRenderer { PostTextRenderer(.sample(60, isColored: true), codeWidth: 60) }

    @Test("looks the same in parts as in one piece")
    func same() throws {
        // Long enough to be cut twice.
        let body = String(repeating: Self.block + "\n", count: 1279)
        let whole = try shown(body, text)
        for (size, format) in [(10_000, nil), (131_072, .markdown), (200_000, BodyFormat?.none)] {
            #expect(try shown(body, by: size, text, format: format) == whole, "\(size)")
        }
    }

    @Test("is cut between blocks, and HTML only if it is very long")
    func chunks() throws {
        func chunks(_ body: String) throws -> [String] {
            var record = Record(try sample())
            record.longBody = Parts(body)
            var chunks = try BodyChunks(record)
            var texts: [String] = []
            while let text = try chunks.next(.blocks) { texts.append(text) }
            #expect(texts.joined() == body && chunks.isAtEnd)
            return texts
        }
        let markdown = try chunks(String(repeating: Self.block + "\n", count: 1279))
        #expect(markdown.count > 1 && markdown.dropFirst().allSatisfy { $0.hasPrefix("A paragraph of") })
        #expect(try chunks("<p>" + String(repeating: "words\n\nwords ", count: 30_000) + "</p>").count == 1)
    }

    @Test("is cut in linear time, even if it is a single character with marks")
    func growth() throws {
        let growth = try Growth.ofEightfoldInput(enough: 20, from: 1 << 16) { length in
            var record = Record(try sample())
            record.longBody = Parts(String(repeating: "\u{301}\u{316}", count: length / 2))
            var chunks = try BodyChunks(record)
            while try chunks.next(.blocks) != nil {}
        }
        #expect(growth < 20)
    }

    @Test("is sanitized in a pipe, and has no form feed, which separates posts", arguments: [nil, 3, 1000])
    func cleanBody(size: Int?) throws {
        let body = "one\u{C}two\u{1B}[2J\u{9D}0;x\u{7}\nthree"
        #expect(try shown(body, by: size, BodyRenderer(isRaw: false)) == "one\ntwo\nthree\n")
        #expect(try shown(body, by: size, BodyRenderer(isRaw: true)) == body)
    }

    @Test(
        "in HTML is converted to text in a pipe, whatever its length and its parts",
        arguments: [(40, nil), (400, 1000), (5000, 4096), (5000, nil)])
    func html(paragraphs: Int, size: Int?) throws {
        let body = " \n" + (1...paragraphs).map { "<p>some <b>words</b> \($0)</p>" }.joined(separator: "\n")
        let expected = (1...paragraphs).map { "some **words** \($0)\n" }.joined(separator: "\n")
        #expect(try shown(body, by: size, BodyRenderer(isRaw: false)) == expected)
    }

    @Test("in HTML is converted in parts if it is very long")
    func longHTML() throws {
        let title = String(repeating: "x", count: 10_000)
        let paragraph = "<p title=\"\(title)\">some <a href=\"http://x/\">words</a></p>"
        let count = 2 * BodyChunks.maxBytes(of: .html) / paragraph.utf8.count + 10
        let text = try shown(
            String(repeating: paragraph, count: count), by: PostStore.partSize, BodyRenderer(isRaw: false))
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

    @Test("is the same JSON in parts as in one piece", arguments: [1, 7, 1000])
    func json(size: Int) throws {
        let body = "\"one\"\n\\two\u{1B}\u{9D}é 🚀"
        for fields in [nil, [Field.id, .body, .title], [.title], [.body, .body]] {
            let renderer = JSONRenderer(fields: fields, isGrouped: false)
            #expect(try shown(body, by: size, renderer) == shown(body, renderer))
        }
    }
}
