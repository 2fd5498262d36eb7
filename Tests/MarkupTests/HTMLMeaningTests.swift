import BlogEssentials
import BlogMarkup
import BlogTestSupport
import Testing
@testable import BlogFeeds
@testable import BlogModel
@testable import BlogRendering

/// Meaning that HTML expresses only with tags, in plain characters.
@Suite("HTML shown as text") struct HTMLMeaningTests {
    private func lines(_ document: Document, width: Int = 60) -> [String] {
        var renderer = DocumentRenderer(isColored: false, mode: .hyperlinks)
        return renderer.lines(document, width: width).map(\.plain)
    }

    static let inlines: [(String, String)] = [
        // Superscripts and subscripts
        ("2<sup>10</sup>", "2¹⁰"), ("H<sub>2</sub>O", "H₂O"), ("x<sup>2n+1</sup>", "x²ⁿ⁺¹"),
        ("10<sup>th</sup>", "10ᵗʰ"),
        ("a<sub>i,j</sub>", "a_(i,j)"), ("x<sup>α</sup> y<sub>Q1</sub>", "x^α y_Q1"), ("x<sup>a b</sup>", "x^(a b)"),
        ("x<sup>(a, b)</sup>", "x^(a, b)"), ("e<sup>2<sup>x</sup></sup>", "e^(2ˣ)"), ("a<sup>−1</sup>", "a⁻¹"),
        ("a<sup> 2 </sup>b", "a ² b"), ("a<sup></sup>b<sup> </sup>c", "ab c"), ("x<sup><i>n</i></sup>", "x*ⁿ*"),
        ("<code>x<sub>1</sub></code>", "`x₁`"), ("<sup>2", "²"),
        // Footnotes and symbols
        ("a<sup><a href='#n'>1</a></sup>", "a¹"), ("a<sup><a href='#n'>[1]</a></sup>", "a¹"), ("a<sup>[]</sup>", "a[]"),
        ("a<sup>[<a href='#n'>12</a>]</sup> b<sup>[note 1]</sup>", "a¹² b[note 1]"),
        ("a<sup>[2][3]</sup>", "a²,³"), ("a<sup>[2, 3]</sup>", "a²,³"), ("a<sup>[4]–[6]</sup> b", "a⁴–⁶ b"),
        ("a<sup><a href='#f'>[7]</a><a href='#g'>[8]</a></sup>", "a⁷,⁸"),
        ("a<sup> [1] [2]; [3-5] </sup>b", "a ¹,²;³-⁵ b"), ("a<sup>[<b>1</b>2<i>3</i>]</sup>", "a**¹**²*³*"),
        ("a<sup>[1 2]</sup>", "a¹,²"), ("a<sup>[1][]</sup>", "a[1][]"),
        ("a<sup>[1]2[3]</sup> b<sup>[[1]]</sup> c<sup>[1][a]</sup>", "a[1]2[3] b[[1]] c[1][a]"),
        ("a<a class=footnote-anchor href='#n'>1</a> b<a href='#m'>†</a>", "a¹ b†"), ("a<a href='#n'>12 c</a>", "a12 c"),
        ("a<a href='#n'>1234</a>", "a1234"), ("a<sup>1</sup><a href='#n'>↩</a>", "a¹↩"),
        ("a<input type=checkbox class=margin-toggle><span class=sidenote>b <b>c</b></span> d", "a (b **c**) d"),
        ("A<sup>®</sup> b<sup>*</sup>", "A® b*"), ("a<sup>1,2</sup>", "a^(1,2)"),
        // Quotations
        ("<q>a <q>b <q>c</q></q></q>", "“a ‘b “c”’”"), ("<q>a", "“a”"), ("<q></q>a", "a"),
        // Ruby
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rp>(</rp><rt>ji</rt><rp>)</rp></ruby>a", "漢(kan)字(ji)a"),
        ("<ruby>東<rt>tou</rt>京<rt>kyou</ruby>a", "東(tou)京(kyou)a"), ("<ruby>東<rt></rt></ruby>", "東"),
        ("<ruby><rb>瞬<rb>間<rt>しゅん<rt>かん</ruby>", "瞬間(しゅんかん)"),
        ("<rt>a</rt>", "(a)"),
        // Elements shown as their text
        ("<ins>a</ins><mark>b</mark><abbr title='x'>c</abbr><u>d</u>", "abc (x)d"), ("<kbd>Esc</kbd>", "`Esc`"),
        // Characters of windows-1252
        ("&#146;s &#150; &#x80; &#153; &#129;.", "’s – € ™ ."),
        // Checkboxes and radio buttons
        ("<input type=checkbox checked>a <INPUT TYPE='CheckBox'> b <input>c", "[x] a [ ] b c"),
        ("<input type=radio checked>a <input type=RADIO>b", "(•) a ( ) b"),
        // Abbreviations, explained once
        (
            "<abbr title='HyperText'>HT</abbr> <p><abbr title='HyperText'>HT</abbr> <abbr title>x</abbr>",
            "HT (HyperText)||HT x"
        ),
        // Texts whose label is only for screen readers
        ("a <span role=img aria-label='x squared'><b aria-hidden=true>x²</b></span> b", "a **x²** b"),
        (
            "a <span class=mjx-math aria-label='x'><span aria-hidden=true><span>x</span></span></span> <i aria-hidden=true>y</i>b",
            "a x b"
        ),
        (
            "<span role=img aria-label=x><span hidden>y</span><b aria-hidden=true>x</b></span> <i aria-hidden=true>z</i>c",
            "**x** c"
        ),
        ("<a href='#x' aria-label=Permalink><i aria-hidden=true>y</i></a>b", "b"),
        // Code, line by line
        ("<pre><code>a b</code><code>c</code></pre>", "    a b|    c"),
        ("<pre><code>a</code> <code>b</code></pre>", "    a b"),
        // Hidden elements
        ("a <b hidden>x <b>y</b> z</b>b", "a b"), ("a <i style='color:red; DISPLAY : None !important'>x</i>b", "a b"),
        ("a <span style=visibility:hidden>x<br>y</span>b", "a b"), ("a <img src=/x hidden>b", "a b"),
        ("<p hidden>x<p>a<div hidden>x<p>y</p><img src=/x></div>", "a"), ("a<span hidden>x</p>b", "a||b"),
        ("<table><tr><td>a<td hidden>x<tr hidden><td>y<tr><td>b</table>", "a|b"), ("<p>a<p hidden>x</p>b", "a||b"),
        ("<table><tr hidden><td><table><tr><td>x</table>y<tr><td>b</table>", "b"),
        ("<table><tr><td hidden><table><tr><td>x</table>y<td>b</table>", "b"),
        ("<ul><li hidden>x<ul><li>y</ul><li>a</ul>", "• a"), ("a<span style='display:none", "a"), ("a<b hidden>x", "a"),
        ("<p hidden>x<fieldset>a</fieldset>", "a"), ("<body style=visibility:hidden>a", "a"),
        ("<b style='display:nonesuch'>a</b>", "**a**"), ("a<b style='display:none;display:inline'>b</b>", "a**b**"),
        ("a<b style=';;x;:;display:none'>b</b>", "a"),
        ("<menu><li>a</menu><p>b", "• a||b"),
        ("<ul><li>a<menu><li>b</menu></ul>c<dir><li>d</dir>", "• a|  • b||c||• d"),
        // Fallback text
        ("a<svg><title>x</title><text>b</text><text>c</text></svg>d", "a b c d"),
        ("<object data=/x>a</object><object>b</object>", "a b"),
        // Emoji
        ("a <img class='wp-smiley' src=/x alt='🙂'> b", "a 🙂 b"), ("<img class=emoji alt=:tada: src=/x>a", ":tada:a"),
        ("<img class=emoji alt=:tada: src='/unicode/1f389.png?v8'>", "🎉"),
        ("<img class=smiley alt=:lol: src=/35.gif>", ":lol:"),
        ("<img class=emoji alt=:x: src=/1f600-1b-5b.png>", ":x:"),
        // Hidden from screen readers, but the only one of its kind
        ("<span class=katex-html aria-hidden=true>x</span>", "x"), ("a<b aria-hidden=true>x</b>b", "ab"),
        ("a<p aria-hidden=true>x<p>b", "a||b"),
        ("<script type='math/tex; mode=display'>% <![CDATA[ a<b %]]></script>", "`a<b`"),
        ("a <script type='math/mml'><math><mi>x</mi><mo>+</mo><mn>1</mn></math></script> b", "a x+1 b"),
        // Parts of the text itself
        ("a<sup><a href='#fn1'>1</a></sup> <a href='  #x'>b</a>", "a¹ b"),
        // Pictures of formulas
        (
            """
            <span class=mwe-math-mathml-inline style='display: none'><math><mi>E</mi><mo>=</mo><mi>m</mi></math></span>\
            <img class=mwe-math-fallback-image-inline aria-hidden=true src=/x alt='{\\displaystyle E=m}'> a
            """, "E=m a"
        ),
        ("<img class=mwe-math-fallback-image-inline aria-hidden=true src=/x alt='{\\displaystyle E=m}'>", "`E=m`"),
        ("a <img src=/latex.php class=latex alt='x^2'> b", "a `x^2` b"),
        // Text that keeps its lines
        ("<div style='white-space: pre-line'>a\nb  c\n\nd</div>e\nf", "a|b c||d||e f"),
        ("<p style=white-space:pre-wrap>\na\n<b>b</b>\nc\n", "a|**b**|c"),
        ("<p style='white-space:normal'>a\nb", "a b"),
        ("<div style='white-space: pre-wrap'>a\n  b c\n</div>", "a|\u{A0}\u{A0}b c"),
        ("<div style='white-space: pre-line'>a\n  b  c", "a|b c"),
        ("<div style='white-space: pre-wrap'>a  b   c\n  d</div>", "a\u{A0} b\u{A0}\u{A0} c|\u{A0}\u{A0}d"),
        (
            "<p>a</p><div style='white-space: pre'><div><b>b</b>:</div><div>  c</div><div> d</div></div>e",
            "a||**b**:|\u{A0}\u{A0}c|\u{A0}d||e"
        ),
        // Inline elements that are shown as blocks
        ("a <span style='display:block'>b</span><span style='display: block;'>c</span>d", "a|b|c|d"),
        ("<p><span style='display:block'>a</span></p><p>b <i style='display:inline'>c</i></p>", "a||b *c*"),
        // Tracking pixels
        ("a <img src=/x alt='' width=1 height=1> b", "a b"), ("<p><img src=/x width=0 height='2px'></p>a", "a"),
    ]

    @Test("keeps the meaning of inline elements", arguments: inlines)
    func inline(html: String, text: String) {
        #expect(lines(HTML.document(html)).joined(separator: "|") == text)
    }

    static let formulas: [(String, String)] = [
        ("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E=mc²"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a+b)/2"),
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", "a/b"),
        ("<mfrac><mn>1</mn><mrow><mi>R</mi><mi>C</mi></mrow></mfrac><mi>t</mi>", "1/(RC) t"),
        ("<mfrac><mrow><mn>2</mn><mi>a</mi></mrow><mrow><mstyle><mi>b</mi></mstyle></mrow></mfrac>", "2a/b"),
        ("<mi>x</mi><mfrac><mi>a</mi><mrow><mrow><mn>2</mn><mi>b</mi></mrow></mrow></mfrac>", "x a/(2b)"),
        (
            "<msqrt><mi>x</mi></msqrt><mo>+</mo><mroot><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mn>3</mn></mroot>",
            "√x+³√(x+1)"
        ),
        (
            "<mfrac><mi>x</mi><mrow><mo>(</mo><mi>y</mi><mo>+</mo><mn>1</mn><mo>)</mo></mrow></mfrac>", "x/(y+1)"
        ),
        (
            "<mfrac><mrow><mo>(</mo><mi>a</mi><mo>)</mo><mo>(</mo><mi>b</mi><mo>)</mo></mrow><mi>c</mi></mfrac>",
            "((a)(b))/c"
        ),
        ("<mfrac><mrow><mo>|</mo><mi>a</mi><mo>|</mo></mrow><mn>2</mn></mfrac>", "|a|/2"),
        ("<mfrac><mn>1</mn><mfenced><mi>a</mi><mi>b</mi></mfenced></mfrac>", "1/(a, b)"),
        ("<msup><mfrac><mi>a</mi><mi>b</mi></mfrac><mn>2</mn></msup>", "(a/b)²"),
        ("<msup><mrow><mrow><mfrac><mi>a</mi><mi>b</mi></mfrac></mrow></mrow><mn>2</mn></msup>", "(a/b)²"),
        ("<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>", "(a+b)²"),
        ("<msubsup><mrow><mi>a</mi><mi>b</mi></mrow><mi>i</mi><mn>2</mn></msubsup>", "(ab)ᵢ²"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(ab)²"),
        ("<msup><mrow><mo>|</mo><mi>x</mi><mo>|</mo></mrow><mn>2</mn></msup>", "|x|²"),
        ("<msup><msqrt><mi>x</mi></msqrt><mn>2</mn></msup>", "(√x)²"),
        ("<msup><mrow><mi>x</mi></mrow><mn>2</mn></msup>", "x²"),
        ("<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", "(x²)³"),
        ("<msup><mi>sin</mi><mn>2</mn></msup><mi>x</mi>", "sin²x"),
        (
            "<mfrac><mn>1</mn><mrow><mn>2</mn><mi>π</mi><msqrt><mi>L</mi><mi>C</mi></msqrt></mrow></mfrac>",
            "1/(2π√(LC))"
        ),
        (
            "<msqrt><mrow><mi>L</mi><mi>C</mi></mrow></msqrt><mroot><mrow><mi>x</mi><mi>y</mi></mrow><mn>3</mn></mroot>",
            "√(LC)³√(xy)"
        ),
        ("<msub><mi>x</mi><mi>i</mi></msub><msubsup><mi>y</mi><mn>1</mn><mn>2</mn></msubsup>", "xᵢy₁²"),
        ("<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>", "∑ᵢ₌₁ⁿ"),
        ("<mi>sin</mi><mo>&ApplyFunction;</mo><mi>x</mi><mi>y</mi>", "sin xy"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x\u{304}"), ("<mi>f</mi><mo>′</mo>", "f′"),
        ("<mo>(</mo><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>", "(n choose k)"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"), ("<mtext> if </mtext><mi>a</mi>", "if a"),
        ("<semantics><mi>a</mi><annotation encoding='application/x-tex'>\\alpha</annotation></semantics>", "a"),
        (
            "<semantics><mtable><mtr><mtd>1</mtd></mtr></mtable><annotation encoding='application/x-tex'>\\begin{x}</annotation></semantics>",
            "\\begin{x}"
        ),
        ("<mtable><mtr><mtd>1</mtd><mtd>0</mtd></mtr><mtr><mtd>0</mtd><mtd>1</mtd></mtr></mtable>", "1, 0; 0, 1"),
        ("<msup><mi>x</mi></msup>", "x"), ("x + 1", "x + 1"), ("<msup><mi>x</mi><mn>2", "x²"), ("</msup>a", "a"),
    ]

    @Test("has each formula on one line", arguments: formulas)
    func formula(html: String, text: String) {
        #expect(lines(HTML.document("<p><math>\(html)</math>")) == [text])
        #expect(lines(HTML.document("a <math>\(html)</math> b")) == ["a \(text) b"])
    }

    @Test("has the alttext of an empty formula, and an unclosed one ends with its paragraph")
    func emptyFormula() {
        #expect(lines(HTML.document("<math alttext='{\\displaystyle x}'></math>")) == ["x"])
        #expect(lines(HTML.document("<math alttext='{\\textstyle x}'></math>")) == ["x"])
        #expect(lines(HTML.document("<math><mi>a</mi><p>b</p>")) == ["a", "", "b"])
        #expect(lines(HTML.document("<ul><li><math><mi>a</mi><li>b</ul>")) == ["• a", "• b"])
    }

    static let blocks: [(String, [String])] = [
        ("<pre>2<sup>10</sup> H<sub>2</sub>O <q>a</q></pre>", ["    2¹⁰ H₂O “a”"]),
        ("<pre>2<sup>10</pre>a", ["    2¹⁰", "", "a"]),
        ("<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>", ["• [x] a", "• [ ] b"]),
        ("<dl><dt>a<dd>b<dt>c<dd>d<dd>e</dl>f", ["**a**", "    b", "**c**", "    d", "    e", "", "f"]),
        ("<dl><dt>a</dt><dd><p>b<p>c</dd></dl>", ["**a**", "", "    b", "", "    c"]),
        ("<dl><dt>a <b>b</b> <strong>c</strong></dt></dl>", ["**a b c**"]),
        ("<dl><dt>a<dd>b<dl><dt>c<dd>d</dl></dl>", ["**a**", "", "    b", "", "    **c**", "        d"]),
        ("<dl><div><dt>a</dt><dd>b</dd></div></dl>", ["**a**", "    b"]),
        ("<dt>a<dd>b</dd>c", ["**a**", "    b", "", "c"]),
        (
            "<figure><figcaption>a</figcaption><img src=/x alt=b></figure>c",
            ["[b] [1]", "", "a", "", "c", "", "[1] /x"]
        ),
        (
            "<figure><figcaption>a</figcaption><pre>b</pre></figure>c", ["a", "", "    b", "", "c"]
        ),
        ("<figure><pre>b</pre><figcaption>a</figcaption></figure>", ["    b", "", "a"]),
        ("<ol style='list-style-type: lower-alpha'><li>x<li>y</ol>", ["a. x", "b. y"]),
        ("<ol style='list-style:upper-roman inside'><li>x<li>y</ol>", [" I. x", "II. y"]),
        (
            "<pre class='prettyprint linenums'><ol class=linenums><li class=L0>a<li class=L1><code>  b</code></li></ol></pre>c",
            ["    a", "      b", "", "c"]
        ),
        (
            "<figure><a href=/y><img src=/x></a><figcaption>a</figure>",
            ["[image] [1] [2]", "", "a", "", "[1] /x", "[2] /y"]
        ),
        ("<video src=/v>a</video>b", ["video [1]", "", "b", "", "[1] /v"]),
        ("<video src=/v aria-label='A walk'></video>", ["A walk [1]", "", "[1] /v"]),
        ("<audio><source src=/v><source src=/w>a</audio>", ["audio [1]", "", "[1] /v"]),
        ("<a href=/y>b</a><svg><text>a</text></svg>", ["b [1] a", "", "[1] /y"]),
        ("<img src=/y alt=''><object>a</object>", ["[image] [1] a", "", "[1] /y"]),
        ("<iframe data-src=/v src=about:blank></iframe>", ["embedded page [1]", "", "[1] /v"]),
        ("<amp-img src=/x alt=a></amp-img>b", ["[a] [1]b", "", "[1] /x"]),
        ("<img src='data:,' alt=a><noscript><img src=/x alt=b></noscript>", ["[b] [1]", "", "[1] /x"]),
        ("<img src=/y alt=a><noscript><img src=/x alt=b></noscript>", ["[a] [1]", "", "[1] /y"]),
        ("<p aria-hidden=true>a<img src=/x></p>b", ["b"]),
        (
            "<img class=lazyload src=/x alt=a><noscript><img width=1 height=1 src=/y></noscript>",
            ["[a] [1]", "", "[1] /x"]
        ),
        ("<div data-src=/x></div><noscript><img src=/x alt=a></noscript>b", ["[a] [1]b", "", "[1] /x"]),
        ("<ul>a<li>b<li>c</ul>", ["a", "", "• b", "• c"]),
        ("<ol><li>b</li>a<li>c</ol>", ["1. b", "", "   a", "", "2. c"]),
        ("<h2>a</h2><a class=anchor href='#a'>#</a><p>b", ["## a", "", "b"]),
        ("<div><h3>a</h3><a href='#a'>Section titled a</a></div>b", ["### a", "", "b"]),
        (
            "<figure class=highlight><table><tr><td class=gutter><pre>1<br>2</pre></td><td class=code><pre>a<br>b</pre></td></tr></table></figure>c",
            ["    a", "    b", "", "c"]
        ),
        (
            "<table><tr><td class=blob-num>1<td class=blob-code>a<tr><td class=blob-num>2<td>  b</table>c",
            ["    a", "      b", "", "c"]
        ),
        (
            "<pre><span class=line><span class=line-number>1</span>a</span><span class=line>b</span></pre>",
            ["    a", "    b"]
        ),
        ("<img src=/y alt=a title='The joke is here'>", ["[a] [1] “The joke is here”", "", "[1] /y"]),
        (
            "<img src=/y alt='a b' title='a b'><img src=/z title=IMG_1>",
            ["[a b] [1][image] [2]", "", "[1] /y", "[2] /z"]
        ),
        ("<img src=/y alt='' width=3 height=2>", ["[image] [1]", "", "[1] /y"]),
        ("<img src=/y alt='b' width=1 height=1>", ["[b] [1]", "", "[1] /y"]),
    ]

    @Test("keeps the meaning of block elements", arguments: blocks)
    func block(html: String, expected: [String]) {
        #expect(lines(HTML.document(html)) == expected)
    }

    @Test(
        "has a header if all of the first row are headings, or in a thead",
        arguments: [
            ("<tr><th>a<th>b<tr><td>1<td>2", true), ("<tr><td><th>b<tr><th>1<td>2", true),
            ("<tr><th>a<td>b<tr><th>1<td>2", false), ("<thead><tr><td>a<td>b<tbody><tr><td>1<td>2", true),
            ("<tbody><tr><td>a<td>b<tr><td>1<td>2", false),
        ])
    func header(html: String, hasHeader: Bool) {
        guard case .table(let table)? = HTML.document("<table>\(html)</table>").blocks.first else {
            Issue.record("no table")
            return
        }
        #expect(table.header.contains { !$0.isEmpty } == hasHeader)
        #expect(table.rows.count == (hasHeader ? 1 : 2))
    }

    static let tables: [(String, [[String]])] = [
        ("<tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3", [["a", "", "b"], ["1", "2", "3"]]),
        ("<tr><td rowspan=2>a<td>1<tr><td>2<tr><td>b<td>3", [["a", "1"], ["", "2"], ["b", "3"]]),
        (
            "<tr><td>1<td rowspan=0>a<td>2<tr><td>3<td>4<tr><td>5<td>6",
            [["1", "a", "2"], ["3", "", "4"], ["5", "", "6"]]
        ),
        ("<tr><td rowspan=2 colspan=2>a<td>1<tr><td>2", [["a", "", "1"], ["", "", "2"]]),
        ("<tr><td>a<td colspan=3>b<tr><td>1<td>2", [["a", "b"], ["1", "2"]]),
        ("<tbody><tr><td rowspan=9>a<td>1<tbody><tr><td>b<td>2", [["a", "1"], ["b", "2"]]),
        ("<tr><td colspan=-1>a<td colspan=x>b<td colspan=99999999999999999999>c", [["a", "b", "c"]]),
    ]

    @Test("keeps each table cell in its column, whatever the cells around it span", arguments: tables)
    func cells(html: String, expected: [[String]]) {
        #expect(Self.rows(HTML.document("<table>\(html)</table>")) == expected)
    }

    private static func rows(_ document: Document) -> [[String]] {
        guard case .table(let table)? = document.blocks.first else { return [] }
        let header = table.header.contains { !$0.isEmpty } ? [table.header] : []
        return (header + table.rows).map { $0.map(\.plainText) }
    }

    @Test(
        "doesn't turn huge spans into millions of table cells",
        arguments: [
            ("<td colspan=1000>x", ""), ("<td rowspan=65534>x", "<tr><td>y"),
            ("<td rowspan=2 colspan=1000>x", "<tr><td>y"),
            ("<tr><td colspan=1000 rowspan=1000>x", "<tr><td>y"),
        ])
    func bounded(cell: String, row: String) {
        let html = "<table><tr>" + String(repeating: cell, count: 1000) + String(repeating: row, count: 1000)
        let rows = Self.rows(HTML.document(html))
        #expect(rows.joined().count { !$0.isEmpty } == (row.isEmpty ? 1000 : 2000))
        #expect(rows.joined().count < 20_000)
    }

    static let pictures: [(String, String)] = [
        ("src=a.png", "a.png"), ("srcset='s.png 100w, l.png 900w, m.png 300w'", "l.png"),
        ("srcset='a.png, b.png 2x'", "b.png"),
        ("srcset='a,b.png'", "a,b.png"), ("src='' srcset=a.png", "a.png"), ("data-src=a.png src=tiny.gif", "a.png"),
        ("data-src=a.png src='data:image/gif;base64,AA'", "a.png"),
        ("src='data:image/gif;base64,AA' data-srcset='a.png 2x'", "a.png"),
        ("src=a.png srcset='b.png 2x'", "a.png"), ("class=lazy src=x.gif data-big=a.png", "a.png"),
        ("src='data:,' data-x='a b.png' data-y=a.png", "a.png"), ("srcset=' , ,'", ""),
        ("srcset='a.png 1e999w, b.png nanw'", "a.png"),
    ]

    @Test("has a picture's address from any of several attributes", arguments: pictures)
    func picture(attributes: String, address: String) {
        #expect(
            HTML.document("<img \(attributes)>").blocks == [
                .paragraph([.image([.text("")], source: address, title: nil)])
            ])
    }

    @Test("has the pictures of a post that its body lacks")
    func otherPictures() throws {
        let names = ["board-3x3.png", "board-4x4.png", "a.jpg?id=1", "a.jpg?id=2", "b-300x200.jpg"]
        let details = Details.entry(EntryDetails(enclosures: names.map { Enclosure(url: "http://x/" + $0) }))
        let metadata = PostMetadata(
            id: "1", title: "", publishDate: Timestamp(secondsSince1970: 0), postId: "1", summary: nil,
            author: Author(name: ""), details: details)
        let document = BodyText.document(of: metadata, body: "<img src='http://x/b.jpg'>", format: .html)
        #expect(document.images == ["http://x/b.jpg"] + names.prefix(4).map { "http://x/" + $0 })
    }

    @Test("has a picture's address from its source elements")
    func pictureSources() {
        let html = "<picture><source srcset='a.webp 2x'><source srcset=b.png><img alt=c></picture><img src=d.png>"
        #expect(
            HTML.document(html).blocks == [
                .paragraph([.image([.text("c")], source: "a.webp", title: nil)]),
                .paragraph([.image([.text("")], source: "d.png", title: nil)]),
            ])
    }

    static let markdownTexts: [(String, [String])] = [
        ("2<sup>10</sup> H<sub>2</sub>O <q>a</q>", ["2¹⁰ H₂O “a”"]), ("a <b>b</b> <i>c", ["a **b** c"]),
        ("x<sup>*n*</sup>", ["x*ⁿ*"]),
        ("- [x] a\n- [ ] b\n- [X] *c*\n- [y] d", ["• [x] a", "• [ ] b", "• [x] *c*", "• [y] d"]),
        ("1. [x] a", ["1. [x] a"]), ("<ruby>漢<rt>kan</rt></ruby>", ["漢(kan)"]), ("<math><mi>x</mi></math> b", ["x b"]),
        ("a<br>b", ["a", "b"]), ("<img src=/x alt=a> b", ["[a] [1] b", "", "[1] /x"]),
        ("&#146; a", ["’ a"]),
    ]

    @Test("keeps the meaning of HTML in Markdown", arguments: markdownTexts)
    func inMarkdown(text: String, expected: [String]) {
        #expect(lines(Markdown.document(text)) == expected)
    }

    static let printed: [(String, String)] = [
        ("2<sup>10</sup>", "2<sup>10</sup>"), ("H<sub>2</sub>O", "H<sub>2</sub>O"), ("<q>a <q>b</q></q>", "“a ‘b’”"),
        ("<kbd>a</kbd><mark>b</mark><ins>c</ins>", "<kbd>a</kbd><mark>b</mark><ins>c</ins>"),
        ("<abbr title='\"&gt;&lt;b'>a</abbr>", "<abbr title=\"&quot;&gt;&lt;b\">a</abbr>"),
        ("<amp-youtube data-videoid=a1 title=b></amp-youtube>", "[b](https://www.youtube.com/watch?v=a1)"),
        ("<amp-vimeo data-videoid=12></amp-vimeo>", "[embedded page](https://vimeo.com/12)"),
        ("<p>{{ a }} {% b %}</p>", "{\\{ a }} {\\% b %}"),
        ("<ul><li><input type=checkbox checked> a</ul>", "- [x] a"), ("<dl><dt>a<dd>b<dd>c</dl>", "**a**\n\n- b\n- c"),
    ]

    @Test("is printed as Markdown that reads back the same", arguments: printed)
    func markdown(html: String, markdown: String) {
        let document = HTML.document(html)
        #expect(MarkdownPrinter().text(document) == markdown)
        if !html.contains("<dl>") { #expect(lines(Markdown.document(markdown)) == lines(document)) }
    }

    @Test(
        "has words that a search finds",
        arguments: [
            ("H<sub>2</sub>O", "H2O"), ("the 10<sup>th</sup>", "the 10th"), ("word<sup>1</sup>", "word^1"),
            ("word<sup>[1]</sup>", "word[1]"), ("2<sup>10</sup>", "2^10"), ("<dl><dt>a<dd>b</dl>", "a\nb"),
        ])
    func words(html: String, text: String) {
        #expect(HTML.document(html).blocks.plainText == text)
        // The same from Unicode's superscripts and subscripts.
        let summary = FeedText.line(html: Array(html.utf8)) ?? ""
        #expect(html.contains("<dl>") || Folding.words(summary) == Folding.words(text), "\(summary)")
    }

    @Test(
        "has the same characters in titles and summaries as in bodies",
        arguments: [
            ("2<sup>10</sup> = 1024", "2¹⁰ = 1024"), ("H<sub>2</sub>O", "H₂O"), ("x<sup>α</sup>", "x^α"),
            ("x<sup>(a, b)</sup> c", "x^(a, b) c"), ("a<sup>[1]</sup>", "a¹"), ("a<sup>1", "a¹"), ("a</sup>1", "a1"),
            ("10<SUP><b>th</b></SUP> day", "10ᵗʰ day"), ("a<sup>1<sup>2</sup></sup>b", "a^(1²)b"),
            ("a<sup></sup>b", "ab"),
            ("She said <q>never</q>", "She said “never”"), ("<q>a <q>b</q></q>", "“a ‘b’”"),
            ("<math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "x²=1/2"),
            ("Good <img class=wp-smiley alt=📰 src=a.png> day<img src=b.png alt=b>", "Good 📰 day"),
            ("<ruby>表<rp>(</rp><rt>ひょう</rt><rp>)</rp>示<rt>じ</rt></ruby>する", "表示する"),
            ("Up <svg><title>a</title><desc>b</desc><metadata>c</metadata><defs><text>d</text></defs></svg> 3", "Up 3"),
            ("<svg><text>Spring 42%</text><text>Summer 58%</text></svg>", "Spring 42% Summer 58%"),
            ("<audio src=a.mp3>Your browser can't play it.</audio>a<canvas>No canvas</canvas>b", "ab"),
            ("a<iframe src=b/>b</iframe><video><source src=c><p>No video</p></video>d", "a d"),
            (
                "<table><tr><td class=gutter><pre><span>1</span><br>2</pre></td><td class=code><pre>a();<br>b();</pre></td>",
                "a(); b();"
            ),
            ("word<a href='#fn1'>1</a>", "word¹"), ("<label>a<textarea>b</textarea>c</label>", "abc"),
            ("Use List<String> and <foo>a</foo><bar x=1>", "Use List<String> and a"),
        ])
    func titles(html: String, text: String) {
        #expect(FeedText.line(html: Array(html.utf8)) == text)
        // As it is shown, but for pictures and links of their own.
        guard !["<ruby>", "<img", "String", "src=", "<table"].contains(where: html.contains) else { return }
        var renderer = DocumentRenderer(isColored: true, mode: .hyperlinks)
        let shown = renderer.lines(HTML.document(html), width: 80).map(\.plain.trimmed).joined(separator: " ")
        #expect(shown == text)
    }

    /// "join@servo.org", and "a@b.c?subject=x".
    static let codes = ("7d171214133d0e180f0b1253120f1a", "422302206c217d313720282721367f3a")

    @Test(
        "has the mail addresses that Cloudflare hides",
        arguments: [
            (
                "a <a href='/cdn-cgi/l/email-protection' class=__cf_email__ data-cfemail='\(codes.0)'>[email&#160;protected]</a>.",
                "a [join@servo.org](mailto:join@servo.org)."
            ),
            ("<span class=__cf_email__ data-cfemail=\(codes.0)><b>[email</b></span> a", "join@servo.org a"),
            (
                "<a href='/cdn-cgi/l/email-protection#\(codes.0)'>Join <b>us</b></a>",
                "[Join **us**](mailto:join@servo.org)"
            ),
            ("<a href='/cdn-cgi/l/email-protection#\(codes.1)'>Join us</a>", "[Join us](mailto:a@b.c?subject=x)"),
            (
                "<a href='/cdn-cgi/l/email-protection#\(codes.0)'><span class=__cf_email__ data-cfemail=\(codes.0)>[email]</span></a>",
                "[join@servo.org](mailto:join@servo.org)"
            ),
            (
                "<b class=__cf_email__ data-cfemail=7d17>a</b> <b data-cfemail=x>b</b> <b data-cfemail>c</b>",
                "**a** **b** **c**"
            ),
            ("<b class=__cf_email__ data-cfemail=\(codes.0)>a<i>b", "join@servo.orga*b*"),
        ])
    func protectedAddresses(html: String, text: String) {
        #expect(MarkdownPrinter().text(HTML.document(html)).trimmed == text)
        #expect(
            FeedText.line(html: Array(html.utf8))
                == text.replacing("*", with: "").replacing(/\[(.*?)\]\(.*?\)/) { $0.1 })
    }

    @Test("has a word before the readings of its characters in searches")
    func ruby() {
        let ruby = "<ruby>表<rt>ひょう</rt>示<rt>じ</rt></ruby>する"
        #expect(HTML.document(ruby).blocks.plainText == "表示(ひょうじ)する")
    }

    @Test(
        "has no text for browsers that can't show an element, but the addresses in it",
        arguments: [
            ("a<video><source src=v.mp4><p>x <a href=v.mp4>x</a></video>b", "a [video](v.mp4) b"),
            ("a<audio src=a.mp3>x</audio>b", "a [audio](a.mp3) b"),
            ("a<iframe src=f>x</iframe>b", "a [embedded page](f) b"),
            ("a<iframe src=f/>b", "a [embedded page](f/) b"),
            ("a<iframe src='f' />b<iframe src=g></iframe>", "a [embedded page](f) b [embedded page](g)"),
            ("a<canvas>x</canvas>b", "ab"), ("a<canvas>b", "ab"), ("a<video src=v>b", "a [video](v) b"),
            (
                "<video><source src=v></video><picture><source srcset=p.png><img alt=p></picture>",
                "[video](v) ![p](p.png)"
            ),
        ])
    func fallback(html: String, text: String) {
        let markdown = MarkdownPrinter().text(HTML.document(html))
        #expect(markdown.split(whereSeparator: \.isWhitespace).joined(separator: " ") == text)
    }

    @Test(
        "has no hidden text in summaries either",
        arguments: [
            ("<div style='display:none;max-height:0'>Preview&nbsp;&zwnj;<div>x</div></div><p>Hello", "Hello"),
            ("a <b hidden>x <b>y</b> z</b>b", "a b"),
            ("a <i aria-hidden='true'>x</i> <i aria-hidden=false>b</i>", "a b"),
            ("<p hidden>x<p>a<br hidden>b", "a b"), ("<body style='visibility:hidden'>a", "a"), ("a<b hidden>x", "a"),
            ("a<p hidden><script>x</script></p>b", "a b"), ("<ul><li hidden>x<li>a</ul>b", "a b"),
            ("a<noscript><p>x</p></noscript> b<template>x</template>", "a b"),
            ("The <noscript> and <template> elements", "The and elements"),
            ("<div hidden><script>x('<div>')</script></div><p>Hello", "Hello"),
            ("<div hidden><script>x('</div>')</script></div>Hello", "Hello"),
            ("a<sup aria-hidden='true'>1</sup> x<sup>2</sup>", "a x²"),
            ("<span class=mwe-math-mathml-inline style='display: none'><math><mi>x</mi></math></span>y", "xy"),
            ("<span class=katex-html aria-hidden=true>x+y</span>", "x+y"),
            ("<math><mi>x</mi></math><span class=katex-html aria-hidden=true>x</span> y", "x y"),
            ("caf&eacute bar &copy2020 &ampx", "café bar ©2020 &x"),
        ])
    func summaries(html: String, text: String) {
        #expect(FeedText.line(html: Array(html.utf8)) == text)
    }

    static let layoutTables: [(String, String)] = [
        ("<table role=presentation><tr><td><p>a<td><p>b</table>c", "a\n\nb\n\nc"),
        ("<table role=none><tr><th>a<tr><td>b</table>", "a\n\nb"),
        ("<table><tr><td><h2>a</h2><p>b<td><img src=c.png alt=c></table>", "## a\n\nb\n\n![c](c.png)"),
        ("<table><tr><td>a<tr><td><ul><li>b</ul><p>c</table>", "a\n\n- b\n\nc"),
        ("<table><tr><td><p>a<p>b</table>", "a\n\nb"),
        (
            "<table><tr><td>a<td><table><tr><th>b<th>c<tr><td>d<td>e</table></table>",
            "a\n\n| b | c |\n| --- | --- |\n| d | e |"
        ),
        (
            "<table border=0><tr><td><table><tr><td><table><tr><td>a<tr><td>b</table></table><tr><td><p>c<p>d</table>",
            "|  |\n| --- |\n| a |\n| b |\n\nc\n\nd"
        ),
        ("<table><tr><td><p>a<p>b<td>c<tr><td>d<td>e</table>", "|  |  |\n| --- | --- |\n| a<br>b | c |\n| d | e |"),
        ("<table><tr><th>a<tr><td><h3>b</h3></table>", "| a |\n| --- |\n| b |"),
        ("<table><tr><td>a<tr><td>b</table>", "|  |\n| --- |\n| a |\n| b |"),
    ]

    @Test("shows the parts that a table only places on the page, one below the other", arguments: layoutTables)
    func layout(html: String, markdown: String) {
        #expect(MarkdownPrinter().text(HTML.document(html)) == markdown)
    }

    /// Which end tags end which elements: a misplaced one ends nothing outside of its cell or list.
    static let endTags: [(String, String)] = [
        ("<ul><li>a<ul></li><li>b</ul>c</ul>", "- a\n\n  - b\n\n  c"),
        ("<ul><li>a<table><tr><td>b</li>c<tr><td>d</table>e</ul>", "- a\n\n  b\n\n  c\n\n  d\n\n  e"),
        ("<ul><li><table><tr><td>a</ul>b<td>c</table>d</ul>", "- |  |  |\n  | --- | --- |\n  | a<br>b | c |\n\n  d"),
        ("<ul><li>a</b></i>b</dd></td></blockquote>c</ul>", "- ab\n\n  c"),
        ("<b>a<ul><li>b</b>c</ul>", "**a**\n\n- bc"), ("<i><b>a</i>b</b>", "***a***b"),
        (
            "<blockquote><table><tr><td>a</blockquote>b<td>c</table>d</blockquote>",
            "> |  |  |\n> | --- | --- |\n> | a<br>b | c |\n>\n> d"
        ),
        ("<dl><dd>a<ul><li>b</dd>c</ul>d</dl>", "- a\n\n  - b\n\n    c\n\n  d"),
        ("<dl><dd>a<table><tr><td>b</dd></dl>c</table>d</dl>", "- a\n\n  b\n\n  c\n\n  d"),
        (
            "<table><tr><td>a<table><tr><td>b</td></tr></table>c</td><td>d</table>",
            "|  |  |\n| --- | --- |\n| a<br>b<br>c | d |"
        ),
        ("<figure><table><tr><td>a</figure>b</table><figcaption>c</figure>", "a\n\nb\n\nc"),
        ("<pre>a</blockquote></ul>b</pre>", "```\nab\n```"),
        ("<pre>a<ul><li>b</ul>c</pre>d", "```\na\n```\n\n- b\n\n```\nc\n```\n\nd"),
    ]

    @Test("confines misplaced end tags to their cell or list", arguments: endTags)
    func ends(html: String, markdown: String) {
        #expect(MarkdownPrinter().text(HTML.document(html)) == markdown)
    }

    @Test("loses no words, wherever the tags are")
    func everyWord() {
        let names = [
            "b", "a href=/x", "sup", "q", "ruby", "rt", "rp", "p", "div", "pre", "code", "ul", "ol", "li", "blockquote",
            "table",
            "tr", "td", "th", "td colspan=3", "td rowspan=2", "tbody", "caption", "dl", "dt", "dd", "figure",
            "figcaption", "h2",
            "math", "mi", "mfrac", "msup", "mtable", "semantics", "br", "hr", "kbd", "u",
        ]
        var random = SplitMix(state: 11)
        for _ in 0..<Mutation.count(400) {
            let pieces = (0..<40).map { number -> String in
                let name = names.randomElement(using: &random) ?? ""
                let end = name.split(separator: " ")[0]
                return [" q\(number)q ", "<\(name)>", "</\(end)>"].randomElement(using: &random) ?? ""
            }
            let html = pieces.joined()
            let text = HTML.document(html).blocks.plainText
            let lines = lines(HTML.document(html), width: 1000).joined(separator: "\n")
            for word in pieces where word.hasPrefix(" ") {
                let word = word.split(separator: " ")[0]
                #expect(text.contains(word), "\(html)")
                #expect(lines.contains(word), "\(html)")
            }
        }
    }
}
