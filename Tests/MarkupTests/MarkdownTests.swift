import BlogMarkup
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogRendering

@Suite("Markdown") struct MarkdownTests {
    private func printed(_ text: String) -> String { HTMLPrinter().html(Markdown.document(text)) }

    static let examples: [(String, String)] = [
        ("# One *two*\n\nThree\nfour", "<h1>One <em>two</em></h1>\n<p>Three\nfour</p>\n"),
        ("One\n===\nTwo\n---", "<h1>One</h1>\n<h2>Two</h2>\n"),
        ("- a\n  - b\n- c", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>\n"),
        ("3. a\n4. b", "<ol start=\"3\">\n<li>a</li>\n<li>b</li>\n</ol>\n"),
        ("- a\n\n- b", "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>\n"),
        ("> a\nb\n> > c", "<blockquote>\n<p>a\nb</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n</blockquote>\n"),
        ("```swift\na < b\n\n```\nc", "<pre><code class=\"language-swift\">a &lt; b\n\n</code></pre>\n<p>c</p>\n"),
        ("~~~\n```\n~~~", "<pre><code>```\n</code></pre>\n"), ("\ta\n    b", "<pre><code>a\nb\n</code></pre>\n"),
        ("a  \nb\\\nc", "<p>a<br />\nb<br />\nc</p>\n"), ("***", "<hr />\n"),
        ("**a *b* c** __d__ _e_ f_g_h", "<p><strong>a <em>b</em> c</strong> <strong>d</strong> <em>e</em> f_g_h</p>\n"),
        ("***a** b*", "<p><em><strong>a</strong> b</em></p>\n"), ("~~a~~ ~b~", "<p><del>a</del> <del>b</del></p>\n"),
        ("`` a`b `` `c", "<p><code>a`b</code> `c</p>\n"),
        ("\\*a\\* &amp; &copy; &#x41; &nope;", "<p>*a* &amp; © A &amp;nope;</p>\n"),
        ("[a](/b \"c\") ![d](e)", "<p><a href=\"/b\" title=\"c\">a</a> <img src=\"e\" alt=\"d\" /></p>\n"),
        ("![a [b](c) *d*](e)", "<p><img src=\"e\" alt=\"a b d\" /></p>\n"),
        ("[a [b](c) d](e)", "<p>[a <a href=\"c\">b</a> d](e)</p>\n"),
        ("[![a](b)](c)", "<p><a href=\"c\"><img src=\"b\" alt=\"a\" /></a></p>\n"),
        ("[![[a](b)](c)](d)", "<p>[<img src=\"c\" alt=\"a\" />](d)</p>\n"),
        ("*a [b*](c) [d `](e)`", "<p>*a <a href=\"c\">b*</a> [d <code>](e)</code></p>\n"),
        ("[a](b(c)d) [e](<f g>) [h](i 'j)", "<p><a href=\"b(c)d\">a</a> <a href=\"f%20g\">e</a> [h](i 'j)</p>\n"),
        (
            "[a][b] [B][] [b]\n\n[b]: <x y> 'z'",
            "<p><a href=\"x%20y\" title=\"z\">a</a> <a href=\"x%20y\" title=\"z\">B</a> <a href=\"x%20y\" title=\"z\">b</a></p>\n"
        ),
        (
            "<http://a.b?c=1> <me@a.b>",
            "<p><a href=\"http://a.b?c=1\">http://a.b?c=1</a> <a href=\"mailto:me@a.b\">me@a.b</a></p>\n"
        ),
        ("a <b>c</b>\n\n<div>\nd\n</div>", "<p>a <b>c</b></p>\n<div>\nd\n</div>\n"),
        ("| a | b |\n|---|:-:|\n| c | d\\|e |\n| f |", "<table>2</table>\n"), ("a | b\nc", "<p>a | b\nc</p>\n"),
        ("| a |\n:-:\n| b |\n| c |", "<table>2</table>\n"), ("| a |\n--:\n| b |", "<table>1</table>\n"),
        ("a\nb | c\n--|--", "<p>a\nb | c\n--|--</p>\n"),
        ("a\r\nb\r\rc", "<p>a\nb</p>\n<p>c</p>\n"), ("", ""), ("\u{0}", "<p>\u{0}</p>\n"),
        ("{% include x %}\na {{ b }} c\n\n```\n{% d %}\n```", "<p>a  c</p>\n<pre><code>{% d %}\n</code></pre>\n"),
        ("- a\n\n    [b](c){: .d }", "<ul>\n<li>\n<p>a</p>\n<p><a href=\"c\">b</a></p>\n</li>\n</ul>\n"),
        ("~~~\n{{ a }}\n```\n{% b %}\n~~~", "<pre><code>{{ a }}\n```\n{% b %}\n</code></pre>\n"),
        (
            "{% highlight swift %}\nlet a = 1\n{% endhighlight %}",
            "<pre><code class=\"language-swift\">let a = 1\n</code></pre>\n"
        ),
    ]

    @Test("is parsed as CommonMark with GitHub's extensions, without Liquid tags", arguments: examples)
    func example(text: String, expected: String) {
        #expect(printed(text) == expected)
    }

    @Test("is a table with at most 1,000 columns, and else a paragraph", arguments: [(900, true), (1_100, false)])
    func wideTable(columns: Int, isTable: Bool) {
        let text = String(repeating: "|a", count: columns) + "\n" + String(repeating: "|-", count: columns)
        let blocks = Markdown.document(text).blocks
        let isRead = if case .table = blocks.first { true } else { false }
        #expect(isRead == isTable && blocks.count == 1)
    }

    @Test(
        "is a paragraph of text after as many parts as no text has",
        arguments: [("", "a\n\n", 100_001), ("", "a\n", 1), ("|a|\n|-|\n", "|a|\n", 2)])
    func limits(start: String, unit: String, count: Int) throws {
        let document = Markdown.document(start + String(repeating: unit, count: 110_000) + "*end*")
        #expect(document.blocks.count == count)
        guard case .paragraph(let spans) = try #require(document.blocks.last) else { throw Problem() }
        #expect(spans.count <= 200_001 && spans.plainText.hasSuffix(count == 1 ? "a *end*" : "end"))
    }

    private struct Problem: Error {}

    static let repetitions = [
        "[", "![", "[a](", "[a](<b", "<", "<!--", "<a ", "`", "*", "_", "**a ", "*a _b ", "~", "> ", "- ", "1. ", "&",
        "\\", "](",
        "[a][", "<a@", "* * ", "a\n", "    ", "\t", "|-", "[x]: y\n", "*a **b ", "``` ", "{% ", "_a*",
    ]

    @Test("is parsed in linear time, whatever is repeated", arguments: repetitions)
    func repetition(text: String) {
        let growth = Growth.ofEightfoldInput(enough: 20, from: 150) { count in
            let text = String(repeating: text, count: count)
            var renderer = DocumentRenderer(isColored: true, mode: .hyperlinks)
            _ = renderer.lines(Markdown.document(text), width: 80)
            _ = HTML.document(text)
        }
        #expect(growth < 20)
        let long = String(repeating: text, count: 1200)
        let document = Markdown.document(long)
        var renderer = DocumentRenderer(isColored: true, mode: .hyperlinks)
        #expect(renderer.lines(document, width: 80).count <= long.count + 2)
        #expect(HTML.document(long).blocks.count <= long.count + 1)
    }

    @Test(
        "is text beyond the maximum nesting",
        arguments: ["> ", "- ", "1. ", "*a _b ", "[", "<b>", "<ul><li>"])
    func nesting(text: String) {
        let long = String(repeating: text, count: 10_000) + "x"
        for document in [Markdown.document(long), HTML.document(long)] {
            var renderer = DocumentRenderer(isColored: false, mode: .numbered)
            #expect(renderer.lines(document, width: 80).joined().plain.contains("x"))
        }
    }

    @Test("is parsed without a crash in random documents")
    func noise() {
        var random = SplitMix(state: 7)
        let pieces =
            Self.repetitions + [
                "word", " ", "\n", "\n\n", "](http://a.b)", "**", "</p>", "<li>", "é", "🏊🏾‍♀️", "<td>", "<pre>", "#",
            ]
        for _ in 0..<Mutation.count(200) {
            let text = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            for document in [Markdown.document(text), HTML.document(text)] {
                var renderer = DocumentRenderer(isColored: true, mode: .numbered)
                for line in renderer.lines(document, width: 30) { #expect(Sanitizer.output(line.plain) == line.plain) }
                _ = MarkdownPrinter().text(document)
            }
        }
    }

    @Test(
        "is recognized by its markup",
        arguments: [
            ("Plain words.\nIn two lines.", false), ("2 * 3 * 4 and a_b_c", false), ("C# and 1.5", false),
            ("a - b", false),
            ("# Title", true), ("see [a](b)", true), ("*really*", true), ("`code`", true), ("- a\n- b", true),
            ("> q", true),
        ])
    func marks(text: String, areThere: Bool) {
        #expect(Markdown.isLikely(text) == areThere)
    }

    @Test(
        "has the same text at its beginning as in the whole",
        arguments: [
            ("A [link][1] here.\n\nMore *text*.\n\n[1]: https://x.y", 15, "A link here."),
            ("A [link][1] here.\n\nMore.\n\n   [1]: https://x.y\n", 15, "A link here."),
            ("A [link][1] here.\n\nMore.\n\n    [1]: https://x.y", 15, "A [link][1] here."),
            ("A [link][1] here.\n\nMore [1]: https://x.y", 15, "A [link][1] here."),
            ("One *two* three", 100, "One two three"), ("One two\nthree four", 9, "One two t"),
            ("One *two\nthree* four\n\nfive", 9, "One two three four"),
            ("One two\nthree four five six seven eight nine ten\n\neleven", 4, "One"),
            ("ééé ééé", 4, "éé"),
        ] as [(String, Int, String)])
    func beginning(text: String, bytes: Int, beginning: String) {
        let shown = Array(text.utf8).withUnsafeBufferPointer {
            BodyText.plainText(ofBeginning: bytes, of: $0, format: .markdown)
        }
        #expect(shown.split(separator: "\n").joined(separator: " ") == beginning)
    }
}
