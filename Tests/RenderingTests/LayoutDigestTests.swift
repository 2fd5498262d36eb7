import BlogEssentials
import BlogTestSupport
import Foundation
import Testing
@testable import BlogMarkup
@testable import BlogRendering

/// Random documents, composed of what has a meaning in Markdown or HTML.
private enum RandomDocument: String, CaseIterable {
    case inline, blocks, html

    private static let targets = [
        "/p", "x.png", "http://a.b/c?d=e&f", "#part", "javascript:x", "mailto:a@b.c", "//h/i",
    ]

    private var pieces: [String] {
        switch self {
        case .inline:
            [
                "word", "two words", " ", " ", "*", "**", "_", "`", "[", "![", "](", ")", "](/p)", "](x.png \"t\")",
                "<b>",
            ]
                + ["</b>", "<br>", "\\", "&amp;", "&#35;", "~~", "\n", "  \n", "<http://a.b>", "é 中文", "(", "\"", "!"]
        case .blocks:
            [
                "word ", "a longer run of words ", "\n", "\n\n", "\n# ", "\n## ", "\n- ", "\n  - ", "\n1. ", "\n10) ",
                "\n> ",
            ]
                + [
                    "\n> - ", "\n```\ncode  here\n```\n", "\n    indented\n", "\n---\n",
                    "\n| a | b |\n|---|--:|\n| c | 10 |\n",
                ]
                + ["**b**", "[l](/p)", "![i](x.png)", "<div>\n", "\n</div>\n\n", "{: .c}", "{% raw %}", "中文字"]
        case .html:
            [
                "word ", "a longer run of words ", "<p>", "</p>", "<P CLASS=x>", "<br>", "<b>", "</b>", "<EM>", "</em>",
                "<ul>",
            ]
                + [
                    "<li>", "</ul>", "<ol start=3>", "</OL>", "<blockquote>", "</blockquote>", "<pre>", "</pre>",
                    "<code>",
                ]
                + [
                    "</code>", "```", "1) ", "2. ", "# ", "- ", "\n", "<h2>", "</h2>", "<table><tr><th>", "<td>",
                    "<tr>",
                ]
                + [
                    "</table>", "<style>x</STYLE>", "<!-- c -->", "&lt;i&gt;", "&eacute;", "<hr/>",
                    "<img src='x.png' alt=i>",
                ]
                + Self.targets.map { "<a href='\($0)'>" } + ["</a>", "</A>", "<div>", "</div>", "*", "_", "[", "]"]
        }
    }

    func text(_ seed: Int) -> String {
        var random = SplitMix(state: UInt64(seed))
        return (0..<24).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    func document(_ seed: Int) -> Document {
        self == .html ? HTML.document(text(seed)) : Markdown.document(text(seed))
    }
}

@Suite("A document of any kind") struct LayoutDigestTests {
    /// How a document looks on terminals with all or no capabilities, and as Markdown.
    private func appearance(of document: Document) -> [String] {
        var rich = DocumentRenderer(isColored: true, mode: .hyperlinks)
        var plain = DocumentRenderer(isColored: false, mode: .numbered)
        return rich.lines(document, width: 60).map(\.spelledOut) + plain.lines(document, width: 24).map(\.plain)
            + [MarkdownPrinter().text(document)]
    }

    @Test("looks as in the fixture", arguments: RandomDocument.allCases)
    private func looks(kind: RandomDocument) throws {
        let text = FixtureText.joined((0..<48).map { appearance(of: kind.document($0)).joined(separator: "\n") })
        let difference = try FixtureText.difference(of: text, from: "layout-\(kind).txt")
        #expect(difference == nil, "\(difference ?? "")")
    }

    /// Many more documents than the fixture could hold: if only these differ, compare how they look before and after
    /// the change.
    @Test("looks as its recorded digest says", arguments: RandomDocument.allCases, 0..<8)
    private func digests(kind: RandomDocument, group: Int) throws {
        let file = Repository.root.appending(path: "Tests/Fixtures/layout-digests.txt")
        let looks = (0..<64).flatMap { appearance(of: kind.document(group * 64 + $0)) }.joined(separator: "\n")
        let digest = ContentDigest.of(Data(looks.utf8))
        let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(known.contains("\(kind) \(group) \(digest)"), "\(kind) \(group) \(digest)")
    }
}
