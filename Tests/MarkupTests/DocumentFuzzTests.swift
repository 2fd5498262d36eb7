import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogMarkup
@testable import BlogRendering

@Suite("A random document") struct DocumentFuzzTests {
    @Test("is read as Markdown and as HTML, and shown without control characters")
    func anything() throws {
        let originals = try Self.originals()
        var random = SplitMix(state: 7)
        for number in 0..<Mutation.count(150) {
            let original = originals.randomElement(using: &random) ?? ""
            let part = String(original.dropFirst(.random(in: 0...original.count, using: &random)).prefix(600))
            var text = Mutation.of(part, pieces: Self.pieces, &random)
            // Now and then, a text that is nested deeply or repeats something very often.
            if number % 64 == 0 { text = String(repeating: text, count: 1 + 10_000 / (text.utf8.count + 1)) }
            for document in [Markdown.document(text), HTML.document(text), BodyText.document(text, format: nil)] {
                try show(document, width: .random(in: 1...100, using: &random), of: text)
            }
            let html = Array(text.utf8)
            #expect(
                FeedText.line(html: html) == FeedText.line(FeedText.lineOfMarkup(html, limit: .max).utf8), "\(text)")
        }
    }

    private func show(_ document: Document, width: Int, of text: String) throws {
        var renderer = DocumentRenderer(isColored: false, mode: .numbered)
        let lines = (renderer.lines(document, width: width) + renderer.targetLines()).map(\.plain)
        #expect(HostileText.isHarmless(lines.joined(separator: "\n")), "\(text.debugDescription)")
        #expect(lines.allSatisfy { !$0.contains("\n") }, "\(text.debugDescription)")
        var printer = PagePrinter(.linked, below: 1)
        let page = printer.text(document, anchors: "a-").html
        #expect(HostileText.isHarmless(page, but: ["\n", "\t"]), "\(text.debugDescription)")
        let markdown = MarkdownPrinter().text(document)
        #expect(HostileText.isHarmless(markdown, but: ["\n", "\t"]), "\(text.debugDescription)")
    }

    /// The bodies of the mock blog and the texts of the mock Hacker News.
    private static func originals() throws -> [String] {
        let posts = Repository.mockBlog.appending(path: "post")
        let bodies = try FileManager.default.contentsOfDirectory(at: posts, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
            .compactMap { try JSONSerialization.jsonObject(with: Data(contentsOf: $0)) as? [String: Any] }
            .compactMap { $0["body"] as? String }
        let news = try String(
            contentsOf: Repository.mockHackerNews.appending(path: "items.json"), encoding: .utf8)
        let texts = news.split(separator: "\n").filter { $0.contains("<p>") }.map(String.init)
        try #require(bodies.count > 5)
        return bodies + texts
    }

    private static let pieces =
        marks
        + ExtremeNumbersTests.numbers.flatMap { number in
            [
                "<ol start=\(number)>", "<li value=\(number)>", "<td colspan=\(number) rowspan=\(number)>",
                "&#\(number);",
                "\(number). ", "<h\(number)>",
            ]
        }

    private static let marks = [
        "> ", "- ", "1. ", "    ", "\t", "# ", "```", "~~~", "***", "**", "*", "_", "__", "`", "``", "[", "]", "](",
        ")",
        "![", "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<!X", "&", "&amp;", "&#0;",
        "&#x1F;",
        "&#27;", "&#x9b;", "&Tab;", "&NewLine;", "&ZeroWidthSpace;", "|", "|-|", "---", "===", "\\", "\n", "\n\n", "\r",
        "  \n", "\\\n", "[a]: ", "[a]", "~~", "<p>", "<b>", "</b>", "<i>", "<pre>", "<code>", "<table>", "<td>", "<tr>",
        "<ul>", "<li>", "<ol start=99999999999999999999>", "<blockquote>", "<a href=\"", "\">", "<script>", "<style>",
        "<textarea>", "<img alt='", "{%", "%}", "{{", "}}", "http://a.b/", "www.a.b", "a@b.c", "javascript:",
        "</blockquote>", "</ul>", "</table>", "</td>", "</li>", "</pre>", "<dl>", "<dt>", "<dd>", "<th>", "<h1>",
        "<br>",
        "<hr>", "<sub>", "</sub>", "<sup>", "</sup>", "<q>", "</q>", "<ruby>", "<rp>", "<rt>", "</ruby>", "<math>",
        "</math>",
        "<msup>", "<mfrac>", "<mi>", "</mi>", "<mtable>", "<annotation>", "<input type=checkbox>", "<figure>",
        "</figure>",
        "<figcaption>", "<img srcset='", "</dl>", "</dd>", "<kbd>", "<abbr title='", "- [x] ", "\u{301}\u{323}",
        "\u{200D}",
    ]
}
