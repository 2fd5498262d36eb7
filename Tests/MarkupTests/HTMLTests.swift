import BlogMarkup
import Testing
@testable import BlogRendering

@Suite("HTML") struct HTMLTests {
    static let examples: [(String, String)] = [
        ("one<p>two <i>three</i><p>four", "one\n\ntwo *three*\n\nfour"),
        ("<pre><code>a &lt; b\n  c</code></pre>", "```\na < b\n  c\n```"),
        ("<a href=\"http:&#x2F;&#x2F;a.b\" rel=\"nofollow\">c</a>", "[c](http://a.b)"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"), ("<ol start=3><li>a</li></ol>", "3. a"),
        ("<blockquote>a</blockquote>b", "> a\n\nb"), ("<h2>a</h2>b<br>c", "## a\n\nb\\\nc"),
        ("<script>x()</script><style>y</style><!-- z -->a", "a"),
        ("<img src=x alt=\"a picture\" onerror=evil()>", "![a picture](x)"),
        ("a &amp; b &eacute; &#233; &#xE9; &bogus; &#0;", "a \\& b é é é \\&bogus; \u{FFFD}"),
        ("<b>a<i>b</b>c</i>", "**a*b***c"), ("</p></ul></blockquote>a", "a"), ("a < b > c <3", "a \\< b > c \\<3"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<STYLE>p{}</STYLE><P>a</P>", "a"), ("<SCRIPT>x</script>a<script>y</Script >b", "ab"),
        ("<script>'</scripture>'</script>a", "a"), ("<style>never ends", ""), ("<!-- a > b --><!-->c", "c"),
        ("<A HREF='http://a.b' ID=x>c</A>", "[c](http://a.b)"), ("<UL><LI>a</LI></UL>", "- a"),
        ("<ol><li>a<ol><li>b</ol><li>c</ol>", "1. a\n   1. b\n2. c"), ("<pre>\na\n\n  b</pre>", "```\na\n\n  b\n```"),
        ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"), ("<code>a`b</code>", "``a`b``"),
        ("<p>1) a</p><p>2. b</p><p>- c</p><p># d</p><p>+ e</p>", "1\\) a\n\n2\\. b\n\n\\- c\n\n\\# d\n\n\\+ e"),
        ("<hr>a", "---\n\na"), ("<del>a</del><strong>b</strong>", "~~a~~**b**"), ("a<br/>b", "a\\\nb"),
        ("<blockquote><blockquote>a</blockquote>b</blockquote>", "> > a\n>\n> b"),
        ("<a href=javascript:x>a</a>", "a"), ("<img src=x>", "![](x)"),
        ("<img src='data:x' data-original=/y>", "![](/y)"),
        ("<img data-lazy-srcset='/s, /l 2x, /m 1.5x'>", "![](/l)"),
        ("&lt;b&gt; &copy; &#x1F680; &#xD800; &#1114112;", "\\<b> © 🚀 \u{FFFD} \u{FFFD}"),
        ("<a href=\"http://a.b\"title=c>d</a>", "[d](http://a.b \"c\")"),
        ("<a href=http://a.b href=c>d</a>", "[d](http://a.b)"),
        ("a<o:p></o:p> b</p class=c><x-y.z>c", "a b\n\nc"), ("<b title=\"c > d < e\">a</b>", "**a**"),
        ("a<br title=\"c > d < e\"/>b", "a\\\nb"),
        ("<a href=\"http://a.b>c</a> <a href=\"/d\">e</a>", "c [e](/d)"),
        ("<https://a.b> <me@a.b> <K, V> <T: P> <_>", "\\<https://a.b> \\<me@a.b> \\<K, V> \\<T: P> \\<\\_>"),
        ("<?php echo '>' ?>a<? b > c", "a c"), ("<? a > b <i>c</i> <?php d ?> e", "b *c* e"),
        ("<![CDATA[a < b]]>", "a \\< b"), ("a<!-- never ends", "a"),
        ("  a \n\t b  ", "a b"), ("<div>a</div><div>b</div>", "a\n\nb"), ("<p>", ""), ("<", "\\<"),
    ]

    @Test("is parsed as in browsers, even if it is malformed", arguments: examples)
    func example(html: String, markdown: String) {
        #expect(MarkdownPrinter().text(HTML.document(html)) == markdown)
    }
}
