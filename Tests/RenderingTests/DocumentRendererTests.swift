import BlogMarkup
import BlogTestSupport
import Testing
@testable import BlogRendering

@Suite("A body on a terminal") struct DocumentRendererTests {
    private func lines(_ text: String, width: Int = 30) -> [String] {
        var renderer = DocumentRenderer(isColored: false, mode: .numbered)
        return renderer.lines(BodyText.document(text, format: nil), width: width).map(\.plain)
    }

    /// The lines in colour, with their styles spelled out.
    private func colored(_ text: String, width: Int = 30) -> [String] {
        var renderer = DocumentRenderer(isColored: true, mode: .hyperlinks)
        return renderer.lines(BodyText.document(text, format: nil), width: width).map(\.spelledOut)
    }

    static let examples: [(String, [String])] = [
        ("# A\n\nb **c** *d* `e`", ["# A", "", "b **c** *d* `e`"]),
        ("- one two three four five six seven\n- b", ["• one two three four five six", "  seven", "• b"]),
        ("9. a\n10. b", [" 9. a", "10. b"]), ("> a\n> b", ["│ a b"]), ("```\n  let a\n```", ["      let a"]),
        ("[a](http://x.y) [b](http://x.y) [c](javascript:alert)", ["a [1] b [1] c", "", "[1] http://x.y"]),
        ("<http://x.y>", ["http://x.y"]), ("![alt](http://x.y/z)", ["[alt] [1]", "", "[1] http://x.y/z"]),
        ("| a | b |\n|--|--:|\n| c | 10 |", ["a   b", "─  ──", "c  10"]), ("plain\n  text *", ["plain", "  text *"]),
        ("| aaaa | c |\n|:-:|---|\n| b | d |", ["aaaa  c", "────  ─", " b    d"]),
        ("a\n\n---\n\nb", ["a", "", String(repeating: "─", count: 24), "", "b"]),
        ("<div>a <b>b</b></div>", ["a **b**"]), ("a <b>b</b>", ["a <b>b</b>"]),
        ("# t\n<p>a &amp; b</p>", ["# t", "", "a & b"]),
        ("# t\n<div>\n<pre>a  \n\n b</pre>\n</div>", ["# t", "", "    a", "", "     b"]),
    ]

    @Test("numbers also addresses that are spelled out where links are selected, and lists them once")
    func selectable() {
        let text = "<p><a href='https://a.example/x'>https://a.example/x</a> and <a href='https://b.example/'>b</a></p>"
        func plain(_ mode: LinkMode) -> [String] {
            var renderer = DocumentRenderer(isColored: true, mode: mode)
            return renderer.lines(HTML.document(text), width: 80).map(\.plain)
        }
        #expect(plain(.numbered) == ["https://a.example/x and b [2]", "", "[2] https://b.example/"])
        #expect(plain(.selectable) == ["https://a.example/x [1] and b [2]", "", "[2] https://b.example/"])
    }

    @Test(
        "shows lists, quotes, code, tables and links, with Markdown's markers if there is no colour",
        arguments: examples)
    func layout(text: String, expected: [String]) {
        #expect(lines(text) == expected)
    }

    static let siteMarkup: [(String, [String])] = [
        ("[a](/x) **b**", ["a [1] **b**", "", "[1] /x"]), ("[a](#x) **b**", ["a **b**"]),
        ("[a](http://xn--bcher-kva.example/)", ["a [1]", "", "[1] http://bücher.example/"]),
        ("[http://bücher.example/](http://xn--bcher-kva.example/)", ["http://bücher.example/"]),
        ("[a](http://b%C3%BCcher.example/%20)", ["a [1]", "", "[1] http://bücher.example/%20"]),
        ("[a](//x.y/z) **b**", ["a [1] **b**", "", "[1] https://x.y/z"]),
        ("![alt](x.png){:width=\"100%\"} *b*", ["[alt] [1] *b*", "", "[1] x.png"]),
        ("## a {#id}\n{: .class}\nb `{:c}`", ["## a", "", "b `{:c}`"]),
        ("<video title=\"a film\"><source src=\"http://x.y\"></video>", ["a film [1]", "", "[1] http://x.y"]),
        ("<iframe src=\"http://x.y\"></iframe>", ["embedded page [1]", "", "[1] http://x.y"]),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl><p>e</p>", ["**a**", "    b", "**c**", "    d", "", "e"]),
        ("<p><i>a </i>b <b> c<br></b>d <i><br></i>e</p>", ["*a* b **c**", "d", "e"]),
        ("<div>\n<script>\na\n\nb\n</script>\n</div>\n\n*c*", ["*c*"]),
        ("*a*  \n b\n\n> c\n>\n> d", ["*a*", "b", "", "│ c", "│", "│ d"]),
    ]

    @Test("drops markup that only its own site understands", arguments: siteMarkup)
    func sites(text: String, expected: [String]) {
        #expect(lines(text) == expected)
    }

    static let tables: [(String, [String])] = [
        (
            "<table><tr><td>a<td><ul><li>b<li>c</ul><tr><td colspan=2><pre>d\ne</pre></table>",
            ["a    • b", "     • c", "`d`", "`e`"]
        ),
        ("<table><tr><th>a<th>b<tr><td><p>c<p>d<td>e</table>", ["a  b", "─  ─", "c  e", "d"]),
        (
            "| a | b |\n|--|--|\n| c | 1 2 3 4 5 6 7 8 9 10 11 12 13 14 |\n| d | e |",
            [
                "a  b", "─  ───────────────────────────", "c  1 2 3 4 5 6 7 8 9 10 11 12", "   13 14", "d  e",
            ]
        ),
        (
            "| a | b | c |\n|--|--|--|\n| dd | e | 1 2 3 4 5 6 7 8 9 10 11 12 |\n| f | g | h |",
            [
                "a   b  c", "──  ─  ───────────────────────", "dd  e  1 2 3 4 5 6 7 8 9 10 11", "       12", "f   g  h",
            ]
        ),
        (
            "| a | b |\n|--|--|\n| cccccccccccccccccc | dddddddddddddd e |",
            [
                "**a**: cccccccccccccccccc", "**b**: dddddddddddddd e",
            ]
        ),
    ]

    @Test("shows a table in columns as long as that takes fewer lines", arguments: tables)
    func columns(text: String, expected: [String]) {
        #expect(lines(text) == expected)
    }

    static let styled: [(String, [String])] = [
        ("a **b** `c`", ["a <strong>b</> <code>c</>"]), ("**one two**", ["<strong>one two</>"]),
        ("**one two three**", ["<strong>one two</>", "<strong>three</>"]),
        ("**a *b* c**", ["<strong>a </><strong,emphasis>b</><strong> c</>"]), ("# a", ["<heading(level: 1)>a</>"]),
        ("é **e\u{301} 天天天天天天**", ["é <strong>e\u{301} 天天天天</>", "<strong>天天</>"]),
    ]

    @Test("has styles instead of markup in colour, repeated on each line", arguments: styled)
    func colours(text: String, expected: [String]) {
        #expect(colored(text, width: 12) == expected)
    }

    @Test("has hyperlinks to safe addresses only")
    func hyperlinks() {
        #expect(colored("[a](http://x.y) [b](javascript:x)") == ["<link,http://x.y>a</> b"])
        #expect(colored("[b](gemini://x.y)") == ["<link>b</><muted> [1]</>", "", "<muted>[1]</> gemini://x.y"])
        #expect(colored("[a](/x) *b*") == ["<link>a</><muted> [1]</> <emphasis>b</>", "", "<muted>[1]</> /x"])
        #expect(colored("[a b](http://x.y)", width: 1) == ["<link,http://x.y>a</>", "<link,http://x.y>b</>"])
    }

    @Test("never breaks an address")
    func addresses() {
        let address = "https://example.org/" + String(repeating: "x", count: 40)
        #expect(lines("see \(address) there and *more*") == ["see", address, "there and *more*"])
    }

    @Test("wraps code only where it must, and loses none of it")
    func code() {
        let code = String(repeating: "x", count: 50)
        let cut = lines("```\n\(code)\n```", width: 30)
        #expect(cut.map { $0.dropFirst(4) }.joined() == code)
        #expect(cut.map { $0.prefix(4) } == ["    ", "  ↪ "])
        var uncut = DocumentRenderer(isColored: false, mode: .numbered, codeRoom: nil)
        #expect(uncut.lines(Markdown.document("```\n\(code)\n```"), width: 30).map(\.plain) == ["    " + code])
    }
}
