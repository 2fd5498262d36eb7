import BlogMarkup
import Testing
@testable import BlogRendering

@Suite("HTML") struct HTMLTests {
    static let examples: [(String, String)] = [
        ("one<p>two <i>three</i><p>four", "<p>one</p>\n<p>two <em>three</em></p>\n<p>four</p>\n"),
        ("<pre><code>a &lt; b\n  c</code></pre>", "<pre><code>a &lt; b\n  c\n</code></pre>\n"),
        (#"<a href="http:&#x2F;&#x2F;a.b" rel="nofollow">c</a>"#, "<p><a href=\"http://a.b\">c</a></p>\n"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n"),
        ("<ol start=3><li>a</li></ol>", "<ol start=\"3\">\n<li>a</li>\n</ol>\n"),
        ("<blockquote>a</blockquote>b", "<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n"),
        ("<h2>a</h2>b<br>c", "<h2>a</h2>\n<p>b<br />\nc</p>\n"),
        ("<script>x()</script><style>y</style><!-- z -->a", "<p>a</p>\n"),
        (#"<img src=x alt="a picture" onerror=evil()>"#, "<p><img src=\"x\" alt=\"a picture\" /></p>\n"),
        ("a &amp; b &eacute; &#233; &#xE9; &bogus; &#0;", "<p>a &amp; b é é é &amp;bogus; \u{FFFD}</p>\n"),
        ("<b>a<i>b</b>c</i>", "<p><strong>a<em>b</em></strong>c</p>\n"),
        ("</p></ul></blockquote>a", "<p>a</p>\n"),
        ("a < b > c <3", "<p>a &lt; b &gt; c &lt;3</p>\n"),
        ("<STYLE>p{}</STYLE><P>a</P>", "<p>a</p>\n"),
        ("<SCRIPT>x</script>a<script>y</Script >b", "<p>ab</p>\n"),
        ("<script>'</scripture>'</script>a", "<p>a</p>\n"),
        ("<style>never ends", ""),
        ("<!-- a > b --><!-->c", "<p>c</p>\n"),
        ("<A HREF='http://a.b' ID=x>c</A>", "<p><a href=\"http://a.b\">c</a></p>\n"),
        ("<UL><LI>a</LI></UL>", "<ul>\n<li>a</li>\n</ul>\n"),
        ("<ol><li>a<ol><li>b</ol><li>c</ol>", "<ol>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n<li>c</li>\n</ol>\n"),
        ("<pre>\na\n\n  b</pre>", "<pre><code>a\n\n  b\n</code></pre>\n"),
        ("<pre>```\nx\n```</pre>", "<pre><code>```\nx\n```\n</code></pre>\n"),
        // Lines of code in elements, and beside their numbers.
        ("<pre><code><div>a</div><div>b</div></code></pre>", "<pre><code>a\nb\n</code></pre>\n"),
        ("<pre><p>a</p>b<div>c<br>d</div></pre>", "<pre><code>a\nb\nc\nd\n</code></pre>\n"),
        ("<p><code>a<br>b<br/></code>c", "<p><code>a</code><br />\n<code>b</code><br />\nc</p>\n"),
        ("<p><tt><br>a<b><br>b</b></tt>c", "<p><br />\n<code>a</code><br />\n<code>b</code>c</p>\n"),
        (
            "<fieldset><legend>a</legend>b<select><option>c<option>d</select><button>e</button>f</fieldset>",
            "<p>a</p>\n<p>b c d e f</p>\n"
        ),
        ("<p><a href=/x>a<p>b", "<p><a href=\"/x\">a</a></p>\n<p>b</p>\n"),
        // A link goes on in each block before its end tag.
        (
            "<a href=/x><h3>a</h3><p>b</p></a>c",
            "<h3><a href=\"/x\">a</a></h3>\n<p><a href=\"/x\">b</a></p>\n<p>c</p>\n"
        ),
        ("<a href=/x><div>a</div></a><a href=/y>b</a>", "<p><a href=\"/x\">a</a></p>\n<p><a href=\"/y\">b</a></p>\n"),
        (
            "<a href=/x><p>a</p><a href=/y><p>b</p></a><p>c",
            "<p><a href=\"/x\">a</a></p>\n<p><a href=\"/y\">b</a></p>\n<p>c</p>\n"
        ),
        (
            "<a href=/x><figure><img src=y alt=a></figure></a>b",
            "<p><a href=\"/x\"><img src=\"y\" alt=\"a\" /></a></p>\n<p>b</p>\n"
        ),
        ("<pre><span class=ln>1</span>a\n<span class='x lineno'>2</span>b</pre>", "<pre><code>a\nb\n</code></pre>\n"),
        (
            "<table class=lntable><tr><td><pre><span class=lnt>1\n</span></pre></td><td><pre>a</pre></table><p>b",
            "<pre><code>a\n</code></pre>\n<p>b</p>\n"
        ),
        ("<div class=gutter>a</div>", "<p>a</p>\n"),
        // What is hidden because it is there twice.
        ("<math><mi>y</mi></math><span class=katex-html aria-hidden=true>y</span>z", "<p>yz</p>\n"),
        ("<span class=katex-html aria-hidden=true>y</span><br aria-hidden=true>a", "<p>y<br />\na</p>\n"),
        ("<p><span class=ln>A verse</span></p>", "<p>A verse</p>\n"),
        ("<h2>a <img src=x alt=b> <a href=#x>#</a></h2>", "<h2>a <img src=\"x\" alt=\"b\" /></h2>\n"),
        ("<h2><a href=#x>#</a> a</h2>", "<h2>a</h2>\n"),
        ("<h2>a <a href=#x>#</a></h2><h3><a href='http://a.b/#x'>¶</a>b</h3>", "<h2>a</h2>\n<h3>b</h3>\n"),
        ("<h2><a href=#x>a</a><a href=#x>Section titled a</a></h2>", "<h2><a href=\"#x\">a</a></h2>\n"),
        ("<h2>a<span class=mw-editsection>[<a href=x>edit</a>]</span></h2>", "<h2>a</h2>\n"),
        // Two line breaks end a paragraph.
        ("a<br><br>b<br> <br/>c<br>d", "<p>a</p>\n<p>b</p>\n<p>c<br />\nd</p>\n"),
        ("<b>a<br><br>b</b>", "<p><strong>a<br />\n<br />\nb</strong></p>\n"),
        ("<code>a`b</code>", "<p><code>a`b</code></p>\n"),
        (
            "<p>1) a</p><p>2. b</p><p>- c</p><p># d</p><p>+ e</p>",
            "<p>1) a</p>\n<p>2. b</p>\n<p>- c</p>\n<p># d</p>\n<p>+ e</p>\n"
        ),
        ("<hr>a", "<hr />\n<p>a</p>\n"),
        ("<del>a</del><strong>b</strong>", "<p><del>a</del><strong>b</strong></p>\n"),
        ("a<br/>b", "<p>a<br />\nb</p>\n"), ("a</br>b</BR >c", "<p>a<br />\nb<br />\nc</p>\n"),
        (
            "<blockquote><blockquote>a</blockquote>b</blockquote>",
            "<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n<p>b</p>\n</blockquote>\n"
        ),
        ("<a href=javascript:x>a</a>", "<p><a href=\"javascript:x\">a</a></p>\n"),
        ("<img src=x>", "<p><img src=\"x\" alt=\"\" /></p>\n"),
        ("<img src='data:x' data-original=/y>", "<p><img src=\"/y\" alt=\"\" /></p>\n"),
        ("<img data-lazy-srcset='/s, /l 2x, /m 1.5x'>", "<p><img src=\"/l\" alt=\"\" /></p>\n"),
        ("&lt;b&gt; &copy; &#x1F680; &#xD800; &#1114112;", "<p>&lt;b&gt; © 🚀 \u{FFFD} \u{FFFD}</p>\n"),
        (#"<a href="http://a.b"title=c>d</a>"#, "<p><a href=\"http://a.b\" title=\"c\">d</a></p>\n"),
        ("<a href=http://a.b href=c>d</a>", "<p><a href=\"http://a.b\">d</a></p>\n"),
        ("a<o:p></o:p> b</p class=c><x-y.z>c", "<p>a b</p>\n<p>c</p>\n"),
        (#"<b title="c > d < e">a</b>"#, "<p><strong>a</strong></p>\n"),
        (#"a<br title="c > d < e"/>b"#, "<p>a<br />\nb</p>\n"),
        (
            #"<a href="http://a.b>c</a> <a href="/d">e</a>"#,
            "<p><a href=\"%22http://a.b\">c</a> <a href=\"/d\">e</a></p>\n"
        ),
        (
            "<https://a.b> <me@a.b> <K, V> <T: P> <_>",
            "<p>&lt;https://a.b&gt; &lt;me@a.b&gt; &lt;K, V&gt; &lt;T: P&gt; &lt;_&gt;</p>\n"
        ),
        ("<?php echo '>' ?>a<? b > c", "<p>a c</p>\n"),
        ("<? a > b <i>c</i> <?php d ?> e", "<p>b <em>c</em> e</p>\n"),
        ("<![CDATA[a < b]]>", "<p>a &lt; b</p>\n"),
        ("a<!-- never ends", "<p>a</p>\n"),
        ("  a \n\t b  ", "<p>a b</p>\n"),
        ("<div>a</div><div>b</div>", "<p>a</p>\n<p>b</p>\n"),
        ("<p>", ""),
        ("<", "<p>&lt;</p>\n"),
    ]

    @Test("is parsed as in browsers, even if it is malformed", arguments: examples)
    func example(html: String, printed: String) {
        #expect(HTMLPrinter().html(HTML.document(html)) == printed)
    }

    @Test("has tables with headers")
    func table() {
        let cells = ["a", "b", "c", "d"].map { [Span.text($0)] }
        let table = Table(alignments: [nil, nil], header: Array(cells[..<2]), rows: [Array(cells[2...])])
        let document = HTML.document("<table><tr><th>a<th>b<tr><td>c<td>d</table>")
        #expect(document.blocks == [.table(table)])
    }
}
