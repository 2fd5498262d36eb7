import BlogMarkup
import BlogTestSupport
import Testing
@testable import BlogRendering

@Suite("Emphasis in Markdown") struct MarkdownEmphasisTests {
    private static let edges: [(String, String)] = [
        ("a <em>b<br></em>c", "a *b*\\\nc"), ("<b><br>a<br></b>", "**a**"), ("<b>a<br></b><br>b", "**a**\\\n\\\nb"),
        ("<b><i>a<br><br>b</i></b>", "***a\\\n\\\nb***"), ("a<i>b </i>c", "a*b* c"), ("a<b> b</b>c", "a **b**c"),
        ("a<s> b </s>c", "a ~~b~~ c"), ("a<i>\u{A0}b\u{A0}</i>c", "a\u{A0}*b*\u{A0}c"),
        ("<b><i>a </i></b>b", "***a*** b"), ("<b>a <i>b </i></b>c", "**a *b*** c"),
        ("<i><b>a</b><br>b</i>", "***a**\\\nb*"), ("<a href=x><i> a</i> b</a>", "[*a* b](x)"),
        ("<h2><b>a<br></b>b</h2>", "## **a**<br>b"), ("<h2><i>a</i><br></h2>", "## *a*"),
    ]

    @Test("doesn't begin or end with a space or line break", arguments: edges)
    func edge(html: String, markdown: String) { expect(html, markdown) }

    private static let joined: [(String, String)] = [
        ("<i>a</i><i>b</i>", "*ab*"), ("<b>a</b><b>b</b> <b>c</b>", "**ab** **c**"), ("<s>a</s><s>b</s>", "~~ab~~"),
        ("<i>a </i><i>b</i>", "*a b*"), ("<i>a</i><br><i>b</i>", "*a*\\\n*b*"), ("<i>a<i>b</i></i>c", "*ab*c"),
        ("<b>a<i>b<b>c</b></i></b>", "**a*bc***"), ("<b>a<i>b</i></b><b>c</b>", "**a*b*c**"),
        ("<i>a</i><i><b>b</b></i>", "*a**b***"), ("<b>a<a href=x><b>b</b> <i>c</i></b></a>", "**a[b *c*](x)**"),
        ("<i>a</i><a href=x><i>b</i></a>", "*a*[*b*](x)"), ("<code>a</code><code>b`</code>c", "`` ab` ``c"),
        ("<i><code>a</code></i><code>b</code>", "*`a`*`b`"), ("a<b><code>b</code></b><code>c</code>", "a`bc`"),
        ("<i><code>a</code></i><i><code>b</code>c</i>", "*`ab`c*"), ("<code>a</code> <code>b</code>", "`a` `b`"),
        ("<code>a</code><a href=x><code>b</code><code>c</code></a>", "`a`[`bc`](x)"),
    ]

    @Test("is joined with its neighbours and with the same around it", arguments: joined)
    func neighbour(html: String, markdown: String) { expect(html, markdown) }

    private static let blank: [(String, String)] = [
        ("a<i></i>b", "ab"), ("a<i> </i>b", "a b"), ("a<b><i><br></i></b>b", "a\\\nb"), ("a<s>\u{A0}</s>b", "a\u{A0}b"),
        ("a <a href=x><i> </i>b</a>", "a [b](x)"),
    ]

    @Test("has no marks without text", arguments: blank)
    func empty(html: String, markdown: String) { expect(html, markdown) }

    private static let words: [(String, String)] = [
        ("un<b>believ</b>able", "un**believ**able"), ("<i>a</i>b", "*a*b"), ("中<i>文</i>字", "中*文*字"),
        ("„<i>Zitat.</i>“ und", "„*Zitat.*“ und"), ("a <b>(b)</b>, c", "a **(b)**, c"),
        ("<i>a</i><b>b</b> c", "*a***b** c"), ("<b>a</b><i>b</i>c", "**a***b*c"), ("<i>a</i><s>b</s>", "*a*~~b~~"),
        ("<b><i>a</i> b</b> <i><b>c</b> d</i>", "***a* b** ***c** d*"),
        ("x<b><i>a</i> b</b>y<i>c <b>d</b></i>z", "x***a* b**y*c **d***z"),
        ("<b>a<s>b</s></b>", "**a~~b~~**"), ("<s><b>a</b></s> b", "~~**a**~~ b"), ("a<i><code>b</code></i>", "a`b`"),
        ("<i>**a_</i>", "*\\*\\*a\\_*"), ("<b><a href=x>a</a></b>b", "[**a**](x)b"),
        ("<b>a <a href=x>b</a></b>.", "**a [b](x)**."),
    ]

    @Test("has marks inside of words and beside punctuation", arguments: words)
    func word(html: String, markdown: String) { expect(html, markdown) }

    private static let dropped: [(String, String)] = [
        ("a<b>“b”</b>", "a“b”"), ("<b>“a”</b>b", "“a”b"), ("<b>你好。</b>吗", "你好。吗"), ("a<i>(b)</i>c", "a(b)c"),
        ("中文<b>“强调”</b>中文<b>强调</b>", "中文“强调”中文**强调**"), ("<i>\"a\"</i>b <i>c</i>", "\"a\"b *c*"),
        ("a<s>!b</s>", "a!b"), ("<b><i>“a”</i></b>b", "“a”b"), ("a<b><s>b</s></b>c", "a~~b~~c"),
        ("<b>a <i>“b”</i>c</b>", "**a “b”c**"), ("<i>a<b>b.</b>c</i>", "*ab.c*"),
        ("<b>a <a href=x>b</a></b>c", "a [b](x)c"),
    ]

    @Test("is only its text where marks would be read as asterisks", arguments: dropped)
    func impossible(html: String, markdown: String) { expect(html, markdown) }

    private func expect(_ html: String, _ markdown: String) {
        #expect(MarkdownPrinter().text(HTML.document(html)) == markdown)
    }
}
