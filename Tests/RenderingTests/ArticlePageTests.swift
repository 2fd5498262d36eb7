@testable import BlogMarkup
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogRendering

@Suite("A post's web page") struct ArticlePageTests {
    private func record(
        _ body: String, _ format: BodyFormat? = .markdown, link: String? = nil, details: Details? = nil
    ) throws -> Record {
        let metadata = try sample()
        let linked = PostMetadata(
            id: "1", title: "A Title", publishDate: metadata.publishDate, postId: "1", summary: nil,
            author: Author(name: "Kerri Lane"), link: link, details: details)
        return Record(Post(id: "1", metadata: linked, body: body, bodyFormat: format))
    }

    /// The HTML of a body, without what is around it.
    private func body(_ text: String, _ format: BodyFormat? = .markdown, link: String? = nil) throws -> String {
        let html = try articlePage([record(text, format, link: link)])
        _ = try StrictPage(html)
        let start = html.components(separatedBy: "<div class=\"body\" lang=\"und\">\n")
        return start.count == 2 ? start[1].components(separatedBy: "</div>\n</article>")[0] : ""
    }

    @Test(
        "has the author's role once: beside the name, or below the text if it is long",
        arguments: [("iOS Engineer", false), (String(repeating: "long ", count: 13) + "role", true)])
    func role(role: String, isBelow: Bool) throws {
        let page = try StrictPage(articlePage([Record(Post(id: "1", metadata: try sample(role: role), body: "Text"))]))
        #expect(page.all("p", class: "role").count == (isBelow ? 1 : 0))
        #expect(page.text.components(separatedBy: role).count == 2)
        #expect(page.text.contains("Kerri Lane, iOS Engineer") == !isBelow)
    }

    static let bodies: [(String, String)] = [
        (
            "One *two* **three** ~~four~~ `<five>`",
            "<p>One <em>two</em> <strong>three</strong> <del>four</del> <code>&lt;five&gt;</code></p>\n"
        ),
        ("a\\\nb\nc", "<p>a<br>\nb\nc</p>\n"),
        ("[](https://x.y/z)", "<p><a href=\"https://x.y/z\">https://x.y/z</a></p>\n"),
        ("- a\n- b", "<ul dir=\"auto\">\n<li>a\n</li>\n<li>b\n</li>\n</ul>\n"),
        ("3. a\n\n4. b", "<ol start=\"3\" dir=\"auto\">\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ol>\n"),
        ("> a\n\n---", "<blockquote dir=\"auto\">\n<p>a</p>\n</blockquote>\n<hr>\n"),
        ("```swift\na < b\n```", "<pre><code class=\"language-swift\">a &lt; b\n</code></pre>\n"),
        ("[a](https://x.y/?a=1&b=2 \"T\")", "<p><a href=\"https://x.y/?a=1&amp;b=2\" title=\"T\">a</a></p>\n"),
        ("[a](javascript:alert(1)) [b](data:text/html,x) [c](/c)", "<p>a b c</p>\n"),
        ("![cat](https://x.y/c.png)", "<p><img src=\"https://x.y/c.png\" alt=\"cat\" loading=\"lazy\"></p>\n"),
        (
            "![cat](/c.png) ![](javascript:x)",
            "<p><span class=\"picture\">cat</span> <span class=\"picture\">picture</span></p>\n"
        ),
        (
            "[![](https://x.y/c.png)](https://x.y)",
            "<p><a href=\"https://x.y\"><img src=\"https://x.y/c.png\" alt=\"picture\" loading=\"lazy\"></a></p>\n"
        ),
        (
            "a <kbd>b</kbd> <a href=\"https://x.y\" onclick=\"x\">**c**</a> <u>d</u><br>e",
            "<p>a <kbd>b</kbd> <a href=\"https://x.y\"><strong>c</strong></a> d<br>\ne</p>\n"
        ),
        ("a <b>b <script>c</script></b>", "<p>a <strong>b c</strong></p>\n"),
        (
            "2<sup>10</sup> H<sub>2</sub>O <q>a</q> <mark>b</mark> <del>c</del> <ins>d</ins> <abbr title='\"<x>'>e</abbr>",
            "<p>2<sup>10</sup> H<sub>2</sub>O <q>a</q> <mark>b</mark> <del>c</del> <ins>d</ins> "
                + "<abbr title=\"&quot;&lt;x&gt;\">e</abbr></p>\n"
        ),
        (
            "- [x] a\n- [ ] b",
            "<ul dir=\"auto\">\n<li><input type=\"checkbox\" disabled checked aria-label=\"done\"> a\n</li>\n"
                + "<li><input type=\"checkbox\" disabled aria-label=\"to do\"> b\n</li>\n</ul>\n"
        ),
        (
            "<dl><dt>a<dd>b<dd><p>c<p>d</dl>",
            "<dl dir=\"auto\">\n<dt><strong>a</strong>\n</dt>\n<dd>b\n</dd>\n<dd><p>c</p>\n<p>d</p>\n</dd>\n</dl>\n"
        ),
        (
            "<div onclick=\"x\"><p>a<video src=\"https://x.y/v.mp4\"></video></p></div>",
            "<p>a</p>\n<p><a href=\"https://x.y/v.mp4\">video</a></p>\n"
        ),
    ]

    static let elementBodies: [(String, String)] = [
        (
            "<figure><figcaption>c</figcaption><img src=https://x.y/a.png alt=a width=60 height=40px></figure>",
            "<figure>\n<img src=\"https://x.y/a.png\" alt=\"a\" width=\"60\" height=\"40\" loading=\"lazy\">\n"
                + "<figcaption>c\n</figcaption>\n</figure>\n"
        ),
        (
            "<img src=https://x.y/a.png alt=a width=100% height=99999>",
            "<p><img src=\"https://x.y/a.png\" alt=\"a\" loading=\"lazy\"></p>\n"
        ),
        (
            "<details open><summary>a <b>b</b></summary>c<ul><li>d</ul></details>e",
            "<details open dir=\"auto\"><summary>a <strong>b</strong></summary>\n<p>c</p>\n"
                + "<ul>\n<li>d\n</li>\n</ul>\n</details>\n<p>e</p>\n"
        ),
        ("<details>a</details>", "<details dir=\"auto\"><summary>Details</summary>\n<p>a</p>\n</details>\n"),
        ("<figure> </figure><figcaption>a</figcaption>", "<p>a</p>\n"),
        (
            "<ruby>漢<rp>（</rp><rt>kan</rt><rp>）</rp></ruby><rt>a</rt>",
            "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>(a)</p>\n"
        ),
        ("<ruby>a</ruby>", "<p>a</p>\n"),
        (
            "<pre><code class='hljs language-c++'>a</code></pre><pre class='lang-\"x'>b</pre>",
            "<pre><code class=\"language-c++\">a\n</code></pre>\n<pre><code>b\n</code></pre>\n"
        ),
        (
            "<p lang=fr>a <i lang=x>b</i> <span dir=RTL>c</span><p lang=de dir=ltr>d",
            "<p lang=\"fr\">a <em>b</em> <span dir=\"rtl\">c</span></p>\n<p lang=\"de\" dir=\"ltr\">d</p>\n"
        ),
        (
            "<div dir=rtl><ul><li lang=he>a</ul><div><blockquote>b</blockquote></div></div><blockquote>c</blockquote>",
            "<div dir=\"rtl\">\n<ul>\n<li lang=\"he\">a\n</li>\n</ul>\n<blockquote>\n<p>b</p>\n</blockquote>\n"
                + "</div>\n<blockquote dir=\"auto\">\n<p>c</p>\n</blockquote>\n"
        ),
        (
            "<blockquote dir=rtl lang=ar><ol><li>a</ol></blockquote>",
            "<blockquote lang=\"ar\" dir=\"rtl\">\n<ol>\n<li>a\n</li>\n</ol>\n</blockquote>\n"
        ),
    ]

    @Test("keeps the meaningful elements of its HTML", arguments: elementBodies)
    func elements(html: String, page: String) throws {
        #expect(try body(html, .html) == page)
    }

    @Test("has Markdown between HTML tags parsed, with its anchors")
    func markdownBetweenTags() throws {
        let text = "[x](#n)\n\n<details>\n<summary>a</summary>\n\n*b* <a name=\"n\"></a>c\n\n</details>\n\nd"
        #expect(
            try body(text) == """
                <p><a href="#p1-n">x</a></p>
                <details dir="auto"><summary>a</summary>
                <p><em>b</em> <span id="p1-n"></span>c</p>
                </details>
                <p>d</p>

                """)
    }

    static let footnoteBodies: [(String, String)] = [
        (
            "<p>a<sup id=r:1><a href='#f:1'>1</a></sup><ol><li id=f:1>b <a href='#r:1'>up</a></ol>",
            "<p>a<sup><a href=\"#p1-f-1\"><span id=\"p1-r-1\"></span>1</a></sup></p>\n<ol dir=\"auto\">\n"
                + "<li><span id=\"p1-f-1\"></span>b <a href=\"#p1-r-1\">up</a>\n</li>\n</ol>\n"
        ),
        (
            "<a href='https://x.y/p#b'>a</a> <a href='https://x.y/q#b'>c</a><h2 id=b>D</h2><p id=b>e",
            "<p><a href=\"#p1-b\">a</a> <a href=\"https://x.y/q#b\">c</a></p>\n<h2 id=\"p1-b\">D</h2>\n<p>e</p>\n"
        ),
        (
            "<a href='#%C3%A9'>a</a> <a href='#E'>b</a> <a href='#content'>c</a><p id=é>d<p id=E>e<p id=content>f",
            "<p><a href=\"#p1-e\">a</a> <a href=\"#p1-e-2\">b</a> <a href=\"#p1-content\">c</a></p>\n"
                + "<p><span id=\"p1-e\"></span>d</p>\n<p><span id=\"p1-e-2\"></span>e</p>\n"
                + "<p><span id=\"p1-content\"></span>f</p>\n"
        ),
        ("<a href='#n'>a</a><p id=m>b", "<p><a href=\"https://x.y/p#n\">a</a></p>\n<p>b</p>\n"),
    ]

    @Test("has the footnotes that its links lead to, and no other ids", arguments: footnoteBodies)
    func footnotes(html: String, page: String) throws {
        #expect(try body(html, .html, link: "https://x.y/p") == page)
    }

    static let spanning: [(String, String)] = [
        (
            "<tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>1<td>2<td>3<tr><td>4<td colspan=9>5",
            "<thead><tr><th scope=col rowspan=2>a</th><th scope=col colspan=2>b</th></tr>|"
                + "<tr><th scope=col>c</th><th scope=col>d</th></tr>|</thead>|"
                + "<tbody><tr><td>1</td><td>2</td><td>3</td></tr>|<tr><td>4</td><td colspan=2>5</td></tr>|</tbody>"
        ),
        // No cell begins in the second column, nor in the second row.
        (
            "<tr><td rowspan=3 colspan=2>a<td>1<tr></tr><tr><td>2<tr><td>b",
            "<tbody><tr><td rowspan=2>a</td><td>1</td></tr>|<tr><td>2</td></tr>|<tr><td>b</td><td colspan=1></td></tr>|</tbody>"
        ),
        (
            "<tbody><tr><td rowspan=9>a<td>1<tbody><tr><td>b<td>2",
            "<tbody><tr><td>a</td><td>1</td></tr>|<tr><td>b</td><td>2</td></tr>|</tbody>"
        ),
    ]

    @Test("has table cells that span others", arguments: spanning)
    func spanningCells(rows: String, page: String) throws {
        let table = try body("<table>\(rows)</table>", .html).components(separatedBy: "<table>\n")[1]
        #expect(
            table.replacing("\"", with: "").replacing("\n", with: "|").replacing("|</table></div>|", with: "") == page)
    }

    @Test("makes code focusable if it is wider than any page", arguments: [(64, false), (65, true)])
    func wideCode(columns: Int, stops: Bool) throws {
        let code = String(repeating: "a", count: columns)
        let page = try StrictPage(articlePage([try record("    b\n    \(code)")]))
        #expect(page.all("pre").map { $0.attributes["tabindex"] } == [stops ? "0" : nil])
    }

    @Test(
        "has the language that its feed declares, and its direction",
        arguments: [(nil, "und", nil), ("en-GB", "en-GB", nil), ("he", "he", "rtl"), ("az-Arab", "az-Arab", "rtl")])
    func language(tag: String?, lang: String, dir: String?) throws {
        let page = try StrictPage(articlePage([try record("- a", details: .entry(EntryDetails(language: tag)))]))
        let body = page.all("div", class: "body").map(\.attributes)
        #expect(body.map { $0["lang"] } == [lang] && body.map { $0["dir"] } == [dir])
        #expect(page.all("ul").map { $0.attributes["dir"] } == [dir == nil ? "auto" : nil])
        #expect(page.all("h1").map { $0.attributes["lang"] } == [lang])
        #expect(page.all("h1").map { $0.attributes["dir"] } == [dir ?? "auto"])
    }

    @Test("has the structure of its text, and links only to safe addresses", arguments: bodies)
    func structure(text: String, html: String) throws {
        #expect(try body(text) == html)
    }

    @Test("has headings of at most the sixth level, without gaps")
    func headingLevels() {
        var outline = HeadingOutline(below: 3)
        #expect([1, 2, 3, 4, 6, 2].map { outline.level(of: $0) } == [4, 5, 6, 6, 6, 5])
    }

    @Test("has scrollable tables, with alignment, and a header if there is one")
    func tables() throws {
        let html = try body("| a | b |\n| :-: | --: |\n| 1 | 2 |")
        #expect(
            html == """
                <div class="scroll" tabindex="0" role="group" aria-label="Table" dir="auto"><table>
                <thead><tr><th scope="col" class="center">a</th><th scope="col" class="right">b</th></tr>
                </thead>
                <tbody><tr><td class="center">1</td><td class="right">2</td></tr>
                </tbody>
                </table></div>

                """)
        #expect(!(try body("<table><tr><td>1</td></tr></table>", .html)).contains("thead"))
    }

    @Test("has headings without gaps between their levels, and links to them")
    func headings() throws {
        let page = try StrictPage(
            articlePage([try record("### What’s new?\n\n# B\n\n##### C\n\n# B\n\n[x](#whats-new) [y](#nowhere)")]))
        let headings = page.elements.filter { $0.name.hasPrefix("h") && $0.name.count == 2 && $0.name != "hr" }
        #expect(headings.map(\.name) == ["h1", "h2", "h2", "h3", "h2"])
        #expect(headings.map { $0.attributes["id"] } == [nil, "p1-whats-new", "p1-b", "p1-c", "p1-b-2"])
        #expect(page.values("href").filter { $0.hasPrefix("#p") } == ["#p1-whats-new"])
    }

    @Test("resolves relative links if the post's address is known")
    func relative() throws {
        let text = "[a](/a) [b](b#c) [d](#d) ![e](e.png)"
        let html = try body(text, link: "https://x.y/posts/1")
        #expect(html.contains("https://x.y/a") && html.contains("https://x.y/posts/b#c"))
        #expect(html.contains("https://x.y/posts/1#d") && html.contains("src=\"https://x.y/posts/e.png\""))
        let discussed = try record(
            text, link: "https://x.y/posts/1", details: .discussion(Discussion(parent: nil, replies: [])))
        #expect(try !articlePage([discussed]).contains("https://x.y/posts/b"))
    }

    @Test("has pictures from its own server, embedded ones, or none")
    func pictures() throws {
        let own = try record("![cat](/c.png)").shown(of: "s", at: "https://x.y/api") { $0 }
        #expect(try StrictPage(articlePage([own])).values("src") == ["https://x.y/c.png"])
        let page = try StrictPage(articlePage([own], .sample(.none)))
        #expect(page.all("img").isEmpty && page.values("href").contains("https://x.y/c.png"))
        let embedded = PagePictures(areLinked: false) { _ in "data:image/png;base64,AA==" }
        #expect(try StrictPage(articlePage([own], .sample(embedded))).values("src") == ["data:image/png;base64,AA=="])
    }

    @Test("has files, tags and a long description of the author below the text")
    func foot() throws {
        let article = EntryDetails(
            tags: ["a", "b<"], enclosures: [Enclosure(url: "https://x.y/s.mp3", type: "audio/mpeg")])
        var metadata = try record("x", details: .entry(article)).metadata
        metadata = PostMetadata(
            id: "1", title: "", publishDate: metadata.publishDate, postId: "1", summary: nil,
            author: Author(name: "Kerri", title: String(repeating: "writes much ", count: 6)),
            details: .entry(article))
        let page = try StrictPage(articlePage([Record(Post(id: "1", metadata: metadata, body: "x"))]))
        #expect(page.all("ul", class: "tags").count == 1 && page.text.contains("ab<\n"))
        #expect(page.text.contains("s.mp3 (audio/mpeg)") && page.text.contains("writes much"))
    }

    static let untitled: [(String?, String, String)] = [
        ("A summary.", "A body.", "A summary."), (nil, "A *body*.\n\nMore", "A body. More"), (nil, "", "Untitled"),
        (
            String(repeating: "some words ", count: 20), "",
            "some words some words some words some words some words some…"
        ),
    ]

    @Test("is titled with its first words if it has no title", arguments: untitled)
    func firstWords(summary: String?, body: String, title: String) throws {
        let metadata = PostMetadata(
            id: "1", title: " ", publishDate: Timestamp(secondsSince1970: 0), postId: "1", summary: summary,
            author: Author(name: "Kerri"))
        var options = PageOptions.sample()
        options.site = "The Feed"
        let html = try articlePage([Record(Post(id: "1", metadata: metadata, body: body))], options)
        #expect(html.contains("<title>\(title) – The Feed</title>") && html.contains(">\(title)</h1>"))
    }

    @Test(
        "names its feed in its title, unless the post has the same title",
        arguments: [("A Title", "A Title – The Feed"), ("The Feed", "The Feed")])
    func feedTitle(title: String, shown: String) throws {
        var options = PageOptions.sample()
        options.site = "The Feed"
        let html = try articlePage([Record(Post(id: "1", metadata: sample(title: title), body: "Text"))], options)
        #expect(html.contains("<title>\(shown)</title>"))
    }

    @Test("may have several posts, and is titled like the first")
    func several() throws {
        let page = try StrictPage(articlePage([try record("# A"), try record("# A")]))
        #expect(page.all("article").count == 2 && page.all("title").count == 1)
        #expect(page.values("id") == ["content", "p1-a", "p2-a"])
    }

    @Test("says that only the summary is stored")
    func summary() throws {
        var renderer = PostPageRenderer(.sample())
        let text = try renderer.post(Record(try sample()).withSummaryAsBody) + renderer.end()
        let page = try StrictPage(text.plain)
        #expect(page.text.contains("The body of this post is not stored.\n\nA summary."))
    }

    @Test("highlights searched words")
    func marked() throws {
        var renderer = PostPageRenderer(.sample(), marked: MarkedWords(search: "two"))
        let html = try (renderer.post(record("one **Two** `two` <x>")) + renderer.end()).plain
        #expect(html.contains("one <strong><mark>Two</mark></strong> <code>two</code>"))
    }
}
