import Testing
@testable import BlogMarkup
@testable import BlogRendering

@Suite("List numbers") struct ListNumbersTests {
    static let lists: [(html: String, text: String, markdown: String, page: String)] = [
        ("<ol><li>a<li>b</ol>", "1. a|2. b", "1. a|2. b", "<ol>|<li>a|</li>|<li>b|</li>|</ol>"),
        (
            "<ol reversed><li>a<li>b<li>c</ol>", "3. a|2. b|1. c", "3. a|2) b|1. c",
            "<ol start=\"3\">|<li>a|</li>|<li value=\"2\">b|</li>|<li value=\"1\">c|</li>|</ol>"
        ),
        (
            "<ol reversed start=10><li>a<li>b</ol>", "10. a| 9. b", "10. a|9) b",
            "<ol start=\"10\">|<li>a|</li>|<li value=\"9\">b|</li>|</ol>"
        ),
        (
            "<ol><li value=41>a<li>b<li value=7>c</ol>", "41. a|42. b| 7. c", "41. a|42. b|7) c",
            "<ol start=\"41\">|<li>a|</li>|<li>b|</li>|<li value=\"7\">c|</li>|</ol>"
        ),
        (
            "<ol type=a start=26><li>a<li>b</ol>", " z. a|aa. b", "26. a|27. b",
            "<ol type=\"a\" start=\"26\">|<li>a|</li>|<li>b|</li>|</ol>"
        ),
        (
            "<ol type=A><li>a<li value=-1>b</ol>", " A. a|-1. b", "1. a|-1) b",
            "<ol type=\"A\">|<li>a|</li>|<li value=\"-1\">b|</li>|</ol>"
        ),
        (
            "<ol type=i start=3><li>a<li>b</ol>", "iii. a| iv. b", "3. a|4. b",
            "<ol type=\"i\" start=\"3\">|<li>a|</li>|<li>b|</li>|</ol>"
        ),
        (
            "<ol type=I start=1994><li>a</ol>", "MCMXCIV. a", "1994. a",
            "<ol type=\"I\" start=\"1994\">|<li>a|</li>|</ol>"
        ),
        ("<ol type=I start=4000><li>a</ol>", "4000. a", "4000. a", "<ol type=\"I\" start=\"4000\">|<li>a|</li>|</ol>"),
        (
            "<ol type=x><li value=1000000000>a<li value=x>b</ol>", "1. a|2. b", "1. a|2. b",
            "<ol>|<li>a|</li>|<li>b|</li>|</ol>"
        ),
        ("<ul type=a><li value=3>a</ul>", "• a", "- a", "<ul>|<li>a|</li>|</ul>"),
    ]

    @Test("are those that browsers show", arguments: lists)
    func list(html: String, text: String, markdown: String, page: String) {
        let document = HTML.document(html)
        var renderer = DocumentRenderer(isColored: false, mode: .hyperlinks)
        var printer = PagePrinter(.linked, isDirected: true, below: 1)
        let lines = renderer.lines(document, width: 60).map(\.plain)
        #expect(lines.joined(separator: "|") == text)
        #expect(document.blocks.plainText.split(separator: "\n") == lines.map { $0.drop { $0 == " " } })
        #expect(MarkdownPrinter().text(document).replacing("\n", with: "|") == markdown)
        let html = printer.text(document).html.split(separator: "\n").joined(separator: "|")
        #expect(html == page)
    }

    @Test("stay the same when printed as Markdown and read back")
    func readAgain() {
        let markdown = MarkdownPrinter().text(HTML.document("<ol reversed><li>a<li>b<li>c</ol>"))
        #expect(Markdown.document(markdown).blocks.plainText == "3. a\n2. b\n1. c")
    }
}
