import BlogMarkup
import BlogTestSupport
import Testing
@testable import BlogRendering

@Suite("Code that its author has coloured") struct ColoredCodeTests {
    /// The lines in colour, with their styles spelled out, without the bar beside code.
    private func lines(_ html: String, width: Int = 80, isColored: Bool = true) -> [String] {
        var renderer = DocumentRenderer(isColored: isColored, mode: .hyperlinks)
        return renderer.lines(HTML.document(html), width: width).map { line in
            line.spelledOut.replacing("<muted>  ▏ </>", with: "").replacing("<muted>  ↪ </>", with: "↪")
        }
    }

    private static func styled(_ color: String, _ text: String) -> String {
        "<colored(BlogMarkup.CodeColor.\(color))>\(text)</>"
    }

    @Test(
        "has the colours of the classes that highlighters give it",
        arguments: [
            // Pygments, Rouge, Chroma.
            ("<pre><span></span><span class=\"k\">if</span>", "keyword", "if"),
            ("<pre><span class=kt>int</span>", "keyword", "int"),
            (
                "<pre class=chroma><code><span class=line><span class=cl><span class=kd>func</span></span></span>",
                "keyword", "func"
            ),
            ("<pre><span class=s2>a</span>", "string", "a"), ("<pre><span class=sr>a</span>", "string", "a"),
            ("<pre><span class=c1>a</span>", "comment", "a"), ("<pre><span class=cp>a</span>", "comment", "a"),
            ("<pre><span class=mi>1</span>", "number", "1"), ("<pre><span class=nf>f</span>", "name", "f"),
            ("<pre><span class=\"no-select nc\">f</span>", "name", "f"),
            // highlight.js.
            ("<pre><code class=hljs><span class=hljs-keyword>if</span>", "keyword", "if"),
            ("<pre><span class='hljs-title class_'>A</span>", "name", "A"),
            ("<pre><span class=hljs-literal>a</span>", "number", "a"),
            ("<pre><span class=hljs-regexp>a</span>", "string", "a"),
            ("<pre><span class=hljs-quote>a</span>", "comment", "a"),
            // Prism.
            ("<pre><code><span class='token keyword'>if</span>", "keyword", "if"),
            ("<pre><code><span class='token class-name'>A</span>", "name", "A"),
            ("<pre><code><span class='token boolean'>a</span>", "number", "a"),
            ("<pre><code><span class='token attr-value'>a</span>", "string", "a"),
            ("<pre><code><span class='token prolog'>a</span>", "comment", "a"),
        ])
    func classes(html: String, color: String, text: String) { #expect(lines(html) == [Self.styled(color, text)]) }

    @Test(
        "stays as it is without such classes, outside of preformatted text, and without colours",
        arguments: [
            ("<pre>if</pre>", "<code>if</>"), ("<pre><span class=n>x</span></pre>", "<code>x</>"),
            ("<pre><span class=keyword>x</span></pre>", "<code>x</>"),
            ("<pre><span class=\"\">x</span></pre>", "<code>x</>"),
            ("<p><span class=k>if</span></p>", "if"), ("<p><code><span class=k>if</span></code></p>", "<code>if</>"),
        ])
    func plain(html: String, expected: String) {
        #expect(lines(html) == [expected])
        #expect(lines("<pre><span class=k>if</span> x</pre>", isColored: false) == ["    <code>if x</>"])
    }

    @Test("has the colour of the innermost class, and what has none that around it, over several lines")
    func nested() {
        let html = """
            <pre>
            x = <span class=s2>"a <span class=w> </span><span class=k>if</span>
            b"</span> <span class=n>y</span>
            </pre>
            """
        #expect(
            lines(html) == [
                "x = \(Self.styled("string", "\"a  "))\(Self.styled("keyword", "if"))",
                "\(Self.styled("string", "b\"")) y",
            ])
    }

    @Test("keeps its colours where a line is cut, and has the same text as without them", arguments: 12..<40)
    func cut(width: Int) {
        let html =
            "<pre><span class=k>def</span> <span class=nf>naïve_näme</span>(<span class=s>'日本語 text\tthat goes on'</span>)</pre>"
        func pieces(_ isColored: Bool) -> String {
            var renderer = DocumentRenderer(isColored: isColored, mode: .hyperlinks)
            return renderer.lines(HTML.document(html), width: width).map { $0.plain.dropFirst(4) }.joined()
        }
        #expect(pieces(true) == pieces(false))
        let text = lines(html, width: width).joined()
        #expect(text.contains(Self.styled("keyword", "def")))
        #expect(!text.contains("<code>"))
    }

    @Test("has no controls of a terminal")
    func hostile() {
        let html = "<pre><span class=k>a&#27;[31m\u{202E}b</span>\u{9B}c</pre>"
        #expect(lines(html).joined().unicodeScalars.allSatisfy { !Sanitizer.isControl($0) && $0 != "\u{202E}" })
    }
}
