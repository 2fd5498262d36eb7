import BlogMarkup
import BlogTestSupport
import Testing
@testable import BlogRendering

@Suite("A nested document") struct NestedDocumentTests {
    private static let words = [
        "a", "word", "longerword", String(repeating: "x", count: 90), "天气很好", "，。、", "(b)", "🏊🏾‍♀️", "e\u{301}", "한국어",
        "**", "[1]", "       ",
    ]

    private func spans(_ random: inout SplitMix) -> [Span] {
        (0..<Int.random(in: 1...4, using: &random)).flatMap { _ -> [Span] in
            let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                Self.words.randomElement(using: &random) ?? ""
            }.joined(separator: Bool.random(using: &random) ? " " : "")
            let span: [Span] = [
                .text(text), .code(text), .emphasis([.text(text)]), .strong([.text(text)]),
                .link([.text(text)], target: "/x", title: nil), .image([.text(text)], source: "/y", title: nil),
                .hardBreak,
            ]
            return [span.randomElement(using: &random) ?? .softBreak, .text(" ")]
        }
    }

    private func block(_ random: inout SplitMix, depth: Int) -> Block {
        switch depth > 0 ? Int.random(in: 0...6, using: &random) : Int.random(in: 3...6, using: &random) {
        case 0, 1:
            let start = [nil, 1, 99_998, 999_999_999].randomElement(using: &random) ?? nil
            let items = (0..<Int.random(in: 1...2, using: &random)).map { _ in blocks(&random, depth: depth - 1) }
            return .list(
                numbers: start.map { ListNumbers(from: $0, count: items.count) },
                isTight: Bool.random(using: &random), items: items)
        case 2: return .quote(blocks(&random, depth: depth - 1))
        case 3: return .code(spans(&random).plainText, language: nil)
        case 4: return .heading(level: Int.random(in: 1...6, using: &random), spans(&random))
        case 5:
            let rows = (0..<3).map { _ in (0..<3).map { _ in spans(&random) } }
            return .table(Table(alignments: [nil, .right, .center], header: rows[0], rows: Array(rows[1...])))
        default: return Bool.random(using: &random) ? .paragraph(spans(&random)) : .rule
        }
    }

    private func blocks(_ random: inout SplitMix, depth: Int) -> [Block] {
        (0..<(depth > 6 ? 1 : Int.random(in: 0...2, using: &random))).map { _ in block(&random, depth: depth) }
    }

    @Test("has no line wider than the terminal", arguments: [20, 40, 80])
    func width(width: Int) {
        var random = SplitMix(state: UInt64(width))
        for _ in 0..<60 {
            let document = Document(blocks: [block(&random, depth: 12)])
            for isColored in [false, true] {
                var renderer = DocumentRenderer(isColored: isColored, mode: .hyperlinks)
                for line in renderer.lines(part: document, width: width) {
                    #expect(line.width <= width, "\(line.spelledOut.debugDescription)")
                }
            }
        }
    }

    @Test("shows all of its text, however deep it is", arguments: ["> ", "- ", "1. "])
    func text(mark: String) {
        let text = String(repeating: mark, count: 40) + "some words that need more than one line"
        var renderer = DocumentRenderer(isColored: false, mode: .numbered)
        let lines = renderer.lines(Markdown.document(text), width: 20).map(\.plain)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 20 })
        let letters = lines.joined(separator: " ").filter { $0.isASCII && $0.isLetter || $0 == " " }
        #expect(letters.split(separator: " ").joined(separator: " ") == "some words that need more than one line")
        #expect(lines.count < 60)
    }

    @Test("keeps its markers if there is room, and eight columns for text if there isn't")
    func layout() {
        var renderer = DocumentRenderer(isColored: false, mode: .numbered)
        #expect(renderer.lines(Markdown.document("> - > a b"), width: 20).map(\.plain) == ["│ • │ a b"])
        #expect(
            renderer.lines(Markdown.document(String(repeating: "> ", count: 9) + "one two three"), width: 20).map(
                \.plain)
                == ["│ │ │ │ │ │ one two", "│ │ │ │ │ │ three"])
        #expect(
            renderer.lines(Markdown.document("- - - - - - - one two three\n"), width: 20).map(\.plain)
                == ["• • • • • • •", "            one two", "            three"])
    }

    @Test("has no line of spaces wider than the terminal")
    func space() {
        let lines = TextLayout.wrap(String(repeating: " ", count: 30) + "word", width: 20)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 20 })
        #expect(TextLayout.wrap("a天，，，，，，，，,，", width: 20).allSatisfy { DisplayWidth.of($0) <= 20 })
    }
}
