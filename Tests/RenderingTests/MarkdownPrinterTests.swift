import BlogMarkup
import Testing
@testable import BlogRendering

@Suite("A document as Markdown") struct MarkdownPrinterTests {
    static let examples: [(String, String)] = [
        ("one<p>two <i>three</i><p>four", "one\n\ntwo *three*\n\nfour"),
        ("<pre><code>a &lt; b\n  c</code></pre>", "```\na < b\n  c\n```"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"), ("<ol start=3><li>a</li></ol>", "3. a"),
        ("<ol><li>a<ol><li>b</ol><li>c</ol>", "1. a\n   1. b\n2. c"),
        ("<blockquote>a</blockquote>b", "> a\n\nb"), ("<h2>a</h2>b<br>c", "## a\n\nb\\\nc"),
        ("<blockquote><blockquote>a</blockquote>b</blockquote>", "> > a\n>\n> b"),
        ("<img src=x alt='a picture'>", "![a picture](x)"), ("<img src=x>", "![](x)"),
        ("<a href='http://a.b' title=c>d</a>", "[d](http://a.b \"c\")"), ("<a href=javascript:x>a</a>", "a"),
        ("<b>a<i>b</b>c</i>", "**a*b***c"), ("<del>a</del><strong>b</strong>", "~~a~~**b**"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"), ("<code>a`b</code>", "``a`b``"),
        ("<code>a<br>b</code><kbd>c<br>d</kbd>", "`a`\\\n`b`<kbd>c\\\nd</kbd>"),
        ("<table><tr><th>a<tr><td><code>b<br>c</code></table>", "| a |\n| --- |\n| `b`<br>`c` |"),
        (
            "<p>https://a.example/x?page=1&amp;copy=2&amp;not=3#abc_def_ x_1 _a &amp;amp; a&amp;lt;",
            "https://a.example/x?page=1&copy=2&not=3#abc_def\\_ x_1 \\_a \\&amp; a\\&lt;"
        ),
        ("a &amp; b &bogus; &lt;b&gt; <K, V> <_>", "a \\& b \\&bogus; \\<b> \\<K, V> \\<\\_>"),
        ("<p>1) a</p><p>2. b</p><p>- c</p><p># d</p><p>+ e</p>", "1\\) a\n\n2\\. b\n\n\\- c\n\n\\# d\n\n\\+ e"),
        ("<p>: a</p><p>| b</p><p>= c</p><p>> d</p>", "\\: a\n\n\\| b\n\n\\= c\n\n\\> d"),
        ("<hr>a", "---\n\na"), ("<p>", ""),
    ]

    @Test("has its blocks and spans, and no other meaning", arguments: examples)
    func example(html: String, markdown: String) {
        #expect(MarkdownPrinter().text(HTML.document(html)) == markdown)
    }

    private static let targets: [(String, String)] = [
        ("http://h/pa\n\tth/\tto/page", "http://h/path/to/page"), (" http://h/lead ", "http://h/lead"),
        ("http://b%C3%BCcher.example/c", "http://xn--bcher-kva.example/c"),
        ("http://ex%61mple.org/g", "http://example.org/g"),
        ("http://h/a\u{E0069}\u{E0067}b", "http://h/a%F3%A0%81%A9%F3%A0%81%A7b"),
        ("/a\u{E0069}", "/a%F3%A0%81%A9"), ("#a\u{E0069}", "#a%F3%A0%81%A9"), ("//h/a b", "https://h/a%20b"),
        (" ../a\n/b ", "../a/b"), ("a b?c#d", "a%20b?c#d"), (" #a\n ", "#a"), ("?a", "?a"),
        ("mag\nnet:?xt=1", "magnet:?xt=1"), ("mailto:a@b.c?attach=d&subject=e", "mailto:a@b.c?subject=e"),
    ]

    @Test("has the targets of links and pictures that text has", arguments: targets)
    func target(published: String, written: String) {
        let html = "<p><a href='\(published)'>a</a></p><p><img src='\(published)' alt=a></p>"
        #expect(MarkdownPrinter().text(HTML.document(html)) == "[a](\(written))\n\n![a](\(written))")
    }
}
