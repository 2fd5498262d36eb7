import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogMarkup
@testable import BlogModel

@Suite("An extracted article") struct PageArticleTests {
    struct Part: Sendable, CustomTestStringConvertible {
        let name: String
        let part: String
        /// Its expected HTML, after the text before it.
        let rest: String
        var testDescription: String { name }
    }

    static let long = "This sentence is here so that the part has some text, enough to be taken for text, and commas."

    @Test(
        "keeps the elements that belong to its text",
        arguments: [
            Part(name: "a heading", part: "<h3>Gulls</h3><p>\(long)</p>", rest: "<h3>Gulls</h3><p>\(long)</p>"),
            Part(
                name: "a main heading, as a lesser one", part: "<h1>Gulls</h1><p>\(long)</p>",
                rest: "<h2>Gulls</h2><p>\(long)</p>"),
            Part(name: "a list", part: "<ul><li>One<li>Two</ul>", rest: "<ul><li>One</li><li>Two</li></ul>"),
            Part(
                name: "numbers of a list", part: "<ol start=3><li value=5>One</ol>",
                rest: "<ol start=\"3\"><li value=\"5\">One</li></ol>"),
            Part(name: "terms", part: "<dl><dt>Fid<dd>A tool</dl>", rest: "<dl><dt>Fid</dt><dd>A tool</dd></dl>"),
            Part(
                name: "a quotation", part: "<blockquote><p>\(long)</blockquote>",
                rest: "<blockquote><p>\(long)</p></blockquote>"),
            Part(
                name: "code and its language", part: "<pre><code class='x language-swift'>a &lt; b\n</code></pre>",
                rest: "<pre><code class=\"language-swift\">a &lt; b\n</code></pre>"),
            Part(
                name: "a language after lang-", part: "<pre class=lang-c>a</pre>",
                rest: "<pre class=\"language-c\">a</pre>"),
            Part(
                name: "a table of data", part: "<table><tr><th>A<th>B<tr><td colspan=2>1</table>",
                rest: "<table><tr><th>A</th><th>B</th></tr><tr><td colspan=\"2\">1</td></tr></table>"),
            Part(
                name: "a block of sentences that are links",
                part: "<div><p><a href=/a>\(long)</a></p><p><a href=/a>\(long)</a></p></div><p>\(long)",
                rest: "<div>"
                    + String(repeating: "<p><a href=\"https://example.com/a\">\(long)</a></p>", count: 2)
                    + "</div><p>\(long)</p>"),
            Part(
                name: "a quotation or note in an aside",
                part: "<p>a</p><aside class=pullquote><p>Well said.</p></aside>",
                rest: "<p>a</p><div><p>Well said.</p></div>"),
            Part(
                name: "a heading whose ID is made of its words",
                part: "<h2 id=http-headers>HTTP headers</h2><p>\(long)</p>",
                rest: "<h2 id=\"http-headers\">HTTP headers</h2><p>\(long)</p>"),
            Part(
                name: "a section whose ID is made of its heading's words",
                part: "<section id=related-work><h2>Related work</h2><p>\(long)</p></section>",
                rest: "<div id=\"related-work\"><h2>Related work</h2><p>\(long)</p></div>"),
            Part(
                name: "text in a shadow tree",
                part:
                    "<x-card><template shadowrootmode=open><style>p{}</style><p>\(long)<slot></slot></p></template></x-card>",
                rest: "<p>\(long)</p>"),
            Part(
                name: "text that keeps its lines", part: "<p style='white-space: pre-wrap'>One\nTwo</p>",
                rest: "<p style=\"white-space:pre-wrap\">One\nTwo</p>"),
            Part(
                name: "pieces of text, whatever their class says about their looks",
                part:
                    "<h2 class=section-header>Gulls</h2><p>\(long) <i class=extra>And</i> <b class=social>more</b>.</p>",
                rest: "<h2>Gulls</h2><p>\(long) <i>And</i> <b>more</b>.</p>"),
            Part(
                name: "a paragraph with words that contain others", part: "<p class='remarkable extract'>Plain.</p>",
                rest: "<p>Plain.</p>"),
            Part(
                name: "a section named like a box",
                part: "<section id=related><h2>Related</h2><p>\(long) \(long) \(long)</p></section>",
                rest: "<div id=\"related\"><h2>Related</h2><p>\(long) \(long) \(long)</p></div>"),
            Part(
                name: "a list of links to works",
                part: "<h2>Related work</h2><ul><li><a href=/a>Paper A</a></ul><p>\(long)</p>",
                rest:
                    "<h2>Related work</h2><ul><li><a href=\"https://example.com/a\">Paper A</a></li></ul><p>\(long)</p>"
            ),
            Part(
                name: "a heading alone in its wrapper",
                part: "<div class=mw-heading><h2>Share</h2></div><p>\(long)</p>",
                rest: "<p><h2>Share</h2></p><p>\(long)</p>"),
            Part(
                name: "a note without paragraphs", part: "<p>a</p><aside class='tip'><b>Mind</b> the gap.</aside>",
                rest: "<p>a</p><div><b>Mind</b> the gap.</div>"),
            Part(
                name: "emoji of pictures", part: "<p>\(long) <img class=emoji alt=🎉 src=x.png></p>",
                rest: "<p>\(long) 🎉</p>"),
            Part(
                name: "the source of a formula", part: "<p>\(long) <script type='math/tex'>a<b</script></p>",
                rest: "<p>\(long) <code>a&lt;b</code></p>"),
            Part(
                name: "a video of AMP or a light player",
                part: "<p>\(long)</p><lite-youtube videoid=a-1></lite-youtube>",
                rest: "<p>\(long)</p><iframe src=\"https://www.youtube.com/watch?v=a-1\"></iframe>"),
            Part(
                name: "the text of a table with one cell", part: "<table><tr><td>\(long)</table>",
                rest: "<p>\(long)</p>"),
            Part(
                name: "scripts of letters", part: "<p>x<sup>2</sup> H<sub>2</sub>O <ruby>漢<rp>(<rt>kan<rp>)</ruby></p>",
                rest: "<p>x<sup>2</sup> H<sub>2</sub>O <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>"),
            Part(
                name: "a formula", part: "<p>\(long) <math alttext=x><mi>x</mi></math></p>",
                rest: "<p>\(long) <math alttext=\"x\"><mi>x</mi></math></p>"),
            Part(
                name: "the picture of a formula",
                part: "<p>\(long) <img aria-hidden=true class=fallback-image src=x.png></p>",
                rest: "<p>\(long) <img src=\"https://example.com/notes/x.png\"></p>"),
            Part(
                name: "notes", part: "<p>\(long)<a href=#n1 id=r1>1</a></p><p id=n1>Note.</p>",
                rest: "<p>\(long)<a href=\"#n1\" id=\"r1\">1</a></p><p id=\"n1\">Note.</p>"),
            Part(
                name: "a video", part: "<iframe src=//www.youtube.com/embed/x title=Film></iframe>",
                rest: "<iframe src=\"https://www.youtube.com/embed/x\" title=\"Film\"></iframe>"),
            Part(
                name: "loose text, as a paragraph", part: "<div>\(long)<br><br>And <b>more</b>.</div>",
                rest: "<div><p>\(long)</p><p>And <b>more</b>.</p></div>"),
            Part(
                name: "a list of pictures", part: "<ul><li><a href=a><img src=a.png></a><li><img src=b.png></ul>",
                rest: """
                    <ul><li><a href="https://example.com/notes/a"><img src="https://example.com/notes/a.png"></a></li><li>\
                    <img src="https://example.com/notes/b.png"></li></ul>
                    """),
        ])
    func keeps(_ part: Part) throws {
        #expect(try ArticleSample.rest(ArticleSample.article(ArticleSample.page(part.part))) == part.rest)
    }

    @Test(
        "drops menus, ads, forms, comments and hidden elements",
        arguments: [
            "<script>alert(1)</script>", "<style>p { color: red }</style>", "<template><p>\(long)</p></template>",
            "<p style='color: red; display : none'>\(long)</p>", "<p hidden>\(long)</p>",
            "<p aria-hidden=true>\(long)</p>",
            "<div role=dialog aria-modal=true class=article>\(long)</div>",
            "<div class=sidebar>\(long)</div>", "<div role=navigation>\(long)</div>", "<aside>\(long)</aside>",
            "<div id=comments>\(long)</div>", "<footer>\(long)</footer>", "<div class='share'>Share this</div>",
            "<div class=newsletter><p>\(long)</p></div>", "<div class='author-bio'><p>\(long)</p></div>",
            "<div class='x related-posts'><p>\(long)</p></div>",
            "<form><p>Search <input name=q></p></form>", "<button>Press</button>", "<select><option>One</select>",
            "<textarea>\(long)</textarea>", "<iframe src=//ads.example/1></iframe>", "<object data=x.swf></object>",
            "<p> &nbsp; </p>", "<ul><li>Advertisement</ul>", "<ul><li>Loading…</ul>",
            "<div><a href=a>One link</a> and <a href=b>another one</a></div>",
            "<div class='tags-links'><a href=/a>Home</a></div>",
            "<img alt='no address'>", "<svg><text>x</text></svg>",
            "<div class='social-share-bar'><a href=/x>Share on X</a></div>",
            "<section id=related-posts>\(long)</section>",
            "<div class=c-newsletter__box><h3>News by mail</h3><p>Every day, in your inbox.</p></div>",
            "<h3>Related stories</h3><ul><li><a href=/1>One story</a><li><a href=/2>Another story</a></ul>",
            "<p>See also: <a href=/1>The other story of this pier</a></p>",
            "<p>Lire aussi : <a href=/1>Le phare du port</a></p>",
            "<p>Advertisement</p>", "<div><p>Story continues below</p></div>",
            "<aside><h4>More</h4><p><a href=a>b</a></p></aside>",
            "<aside class=promo><p>\(long)</p></aside>", "<aside><p>\(long)</p><form><input></form></aside>",
        ])
    func leavesOut(_ part: String) throws {
        #expect(
            try ArticleSample.rest(ArticleSample.article(ArticleSample.page(part + "<p>The end.</p>")))
                == "<p>The end.</p>")
    }

    @Test(
        "keeps a block with a single link",
        arguments: [
            "<div class=markup><p><a href=/x><b>On Friday, John Musgrave, 54, denied the charge.</b></a></p></div>",
            "<div class=article-body-component><p><a href=/x>You messed up,</a> kiddo: Musgrave.</p></div>",
            "<div><a href=/x><h2>Musgrave<div>Beta</div></h2></a></div>",
            "<div><h3><a href=/x>Musgrave</a></h3><p>Short description.</p></div>",
            "<figure><div><blockquote><a href=/x>Musgrave: the embedded post</a></blockquote></div></figure>",
            "<div><a href=/f.pdf>Musgrave's report</a><a href=/f.pdf download>Download</a></div>",
            "<div class=wp-caption><img src=/c.jpg alt=c><p>Musgrave. (<a href=/c>Ann Lee/Flickr</a>)</p></div>",
            "<table><tr><td><a href=/a.jpg><img src=/b.jpg></a><tr><td>Musgrave (<a href=/c>A. Lee</a>)</table>",
            "<div><audio src=/a.mp3></audio><p><a href=/a.mp3>Musgrave's song</a></p></div>",
            "<div><p>Sources:</p><ul><li><a href=/a>Musgrave: a book</a><li><a href=/b>Another book</a></ul></div>",
            "<div><p><a href=report.pdf>Musgrave's report (PDF)</a></p></div>",
        ])
    func loneLinks(part: String) throws {
        #expect(try ArticleSample.article(ArticleSample.page(part + "<p>The end.</p>")).html.contains("Musgrave"))
    }

    @Test(
        "leaves out several blocks with a link in a row, and labels",
        arguments: [
            "<div><h3><a href=/x>One story</a></h3><p>Text.</p></div><div><h3><a href=/y>Other story</a></h3><p>Text.</p></div>",
            "<ul><li><article><div><h3><a href=/x>A story</a></h3><p>Text.</p></div></article></ul>",
            "<div><p><a href=/x>Read more</a></p></div>",
        ])
    func linkedBlocks(part: String) throws {
        let html = try ArticleSample.article(ArticleSample.page(part + "<p>The end.</p>")).html
        #expect(!html.contains("story") && !html.contains("Read more"), "\(html)")
    }

    @Test(
        "keeps the words of buttons that are a heading or in a sentence, and no others",
        arguments: [
            (
                "<h3><button><span>When is high tide?</span></button></h3><p>At noon.</p>",
                "<h3>When is high tide?</h3><p>At noon.</p>"
            ),
            ("<p>It is <button>not always</button> so.</p>", "<p>It is not always so.</p>"),
            ("<h3>Tides <button>Copy link</button></h3><p>At noon.</p>", "<h3>Tides </h3><p>At noon.</p>"),
            ("<p>At noon. <button>Copy</button></p>", "<p>At noon. </p>"),
        ])
    func buttons(part: String, rest: String) throws {
        #expect(try ArticleSample.rest(ArticleSample.article(ArticleSample.page(part))) == rest)
    }

    @Test(
        "keeps the names of others than its author",
        arguments: [
            "<blockquote><p>Buy land.</p><p class=author>Mark Twain</p></blockquote>",
            "<p>Read <span class=book-author>Mark Twain</span>: Roughing It first.</p>",
            "<ul><li><span class=author>Mark Twain</span> On mud, 1899.</li><li><span class=author>Ann Doe</span> On gulls.</ul>",
            "<table><tr><th>Author<th>Book<tr><td class=author>Mark Twain<td>Roughing It<tr><td class=author>Ann Doe<td>Gulls</table>",
        ])
    func otherNames(part: String) throws {
        // Pages are indented, or not.
        for text in [part, part.replacing("<", with: "\n  <").replacing("\n  </", with: "</")] {
            let article = try ArticleSample.article(ArticleSample.page(text))
            #expect(article.author == nil)
            #expect(article.html.contains("Mark Twain"))
        }
    }

    @Test(
        "separates the lines of a byline",
        arguments: [
            ("<p class=byline>Written by Rob Ewa<br>Edited by Bet Bey</p>", "Rob Ewa, Edited by Bet Bey"),
            ("<div class=byline><p>By</p><p>Ann Lee</p><p>March 3, 2026</p></div>", "Ann Lee"),
        ])
    func bylines(part: String, author: String) throws {
        #expect(try ArticleSample.article("<html><body>\(part)\(ArticleSample.text)").author == author)
    }

    @Test(
        "keeps each section of a text, whatever its name",
        arguments: [
            "menus", "pagination", "comments", "comments-on-method", "community", "header", "footer", "sidebar",
            "sponsors", "replies", "related-work", "social-networks", "sharing-memory", "newsletter-history", "tags",
            "promo", "feedback-loops",
        ], ["section id", "section class", "div id", "div class='x' id"])
    func sections(name: String, start: String) throws {
        let tag = String(start.prefix { $0.isLetter })
        let sections = ["first", name, "last"].map { section in
            "<\(start)=\(section)><header><h2>On \(section) of our own</h2></header><p>Short.</p>"
                + "<pre>\(section)()</pre><p>\(Self.long)</p></\(tag)>"
        }
        let html = try ArticleSample.article(ArticleSample.page(sections.joined(separator: "\n"))).html
        for section in ["first", name, "last"] { #expect(html.contains("<pre>\(section)()</pre>"), "\(section)") }
    }

    @Test(
        "leaves out what stands among its sections and isn't written by its author",
        arguments: [
            "<section id=comments><h2>Two comments</h2><article><p>\(long)</p></article></section>",
            "<section id=comments><h2>Two comments</h2><ol class=comment-list><li><p>\(long)</p></ol></section>",
            "<section id=comments><h2>Two comments</h2><p>Ann, <time>May</time></p><p>\(long)</p></section>",
            "<section class=replies><h2>Replies</h2><p>\(long)</p><form><textarea></textarea></form></section>",
            "<section class=related><h2>Read on</h2><p><a href=/a>\(long)</a> And more.</p></section>",
            "<section class=newsletter><h2>News by mail</h2><p>Every day, in your inbox.</p></section>",
            "<section class=sponsor><h3>Our sponsors</h3><p>\(long)</p></section>",
            "<div class=sponsor><h2>Our sponsors</h2><p>\(long)</p></div>",
        ])
    func foreignSections(part: String) throws {
        let sections = ["one", "two"].map { "<section id=\($0)><h2>Part \($0)</h2><p>\(Self.long)</p></section>" }
        let page = ArticleSample.page(sections[0] + part + sections[1])
        #expect(
            try ArticleSample.rest(ArticleSample.article(page))
                == sections.map {
                    $0.replacing("section", with: "div").replacing("=one", with: "=\"one\"")
                        .replacing("=two", with: "=\"two\"")
                }.joined())
    }

    @Test("keeps elements with unlikely class names in tables and code", arguments: ["table", "code"])
    func unlikelyNames(tag: String) throws {
        let part = tag == "table" ? "<table><tr><th>A<td><p class=extra>B</table>" : "<code><i class=extra>B</i></code>"
        #expect(try ArticleSample.rest(ArticleSample.article(ArticleSample.page(part))).contains("B"))
    }

    @Test(
        "includes lazily loaded pictures",
        arguments: [
            ("<img src=a.png>", "a.png"), ("<img data-src=a.png>", "a.png"),
            ("<img src='data:image/gif;base64,R0lGOD' data-src=a.png>", "a.png"),
            ("<img class=lazyload src=blank.gif data-lazyload=a.jpg>", "a.jpg"),
            ("<img data-lazyload=a.gif>", "a.gif"), ("<img data-lazyload=a.avif>", "a.avif"),
            ("<img srcset='s.png 1x, a.png 2x'>", "a.png"),
            ("<picture><source srcset='a.webp 800w'><img data-x=y.png src='data:,'></picture>", "y.png"),
            ("<picture><source srcset='a.webp 800w'><img src='data:,'></picture>", "a.webp"),
            ("<img src=blank.gif><noscript><img src=a.png></noscript>", "a.png"),
            ("<noscript><img src=a.png></noscript>", "a.png"),
            ("<img alt=''><noscript><img src=a.png></noscript>", "a.png"),
            ("<span><img data-src=blank.gif></span> <noscript><b><img src=a.png></b></noscript>", "a.png"),
        ])
    func pictures(part: String, name: String) throws {
        let html = try ArticleSample.rest(ArticleSample.article(ArticleSample.page("<p>\(Self.long) \(part)</p>")))
        #expect(html.ranges(of: "<img").count == 1)
        #expect(html.contains("src=\"https://example.com/notes/\(name)\""))
    }

    @Test(
        "has absolute links to the web and mail, and fragments, but no others",
        arguments: [
            ("b.html", "https://example.com/notes/b.html"), ("/b?x=1&y=2", "https://example.com/b?x=1&amp;y=2"),
            ("//b.example/c", "https://b.example/c"), ("mailto:a@b.example", "mailto:a@b.example"), ("#n", "#n"),
            ("javascript:alert(1)", nil), (" JAVA&#10;SCRIPT:alert(1)", nil), ("data:text/html,x", nil),
            ("file:///etc/passwd", nil), ("vbscript:x", nil), ("", nil),
        ])
    func links(target: String, address: String?) throws {
        let html = try ArticleSample.rest(
            ArticleSample.article(ArticleSample.page("<p>\(Self.long) <a href='\(target)'>b</a></p>")))
        let link = address.map { "<a href=\"\($0)\">b</a>" } ?? "b"
        #expect(html == "<p>\(Self.long) \(link)</p>")
    }

    @Test("keeps the checkboxes of task lists and open details, but no other fields")
    func tasks() throws {
        let list = "<li><input type=checkbox checked> \(Self.long)</li><li><label><input type=Checkbox> b</label></li>"
        let details = "<details open><summary>c</summary><p>\(Self.long)</p></details>"
        let page = ArticleSample.page("<ul>\(list)</ul>\(details)<input type=checkbox><p>\(Self.long)</p>")
        let html = try ArticleSample.rest(ArticleSample.article(page))
        #expect(html.contains("<li><input type=\"checkbox\" checked> "))
        #expect(html.contains("<li><input type=\"checkbox\"> b</li>"))
        #expect(html.contains("<details open=\"\">"))
        #expect(html.components(separatedBy: "<input").count == 3)
    }

    @Test("resolves links against the page's base element")
    func base() throws {
        let page = ArticleSample.page(
            "<p>\(Self.long) <a href=b>b</a><a href=#c>c</a></p>", head: "<base href='/other/'>")
        let html = try ArticleSample.rest(ArticleSample.article(page))
        #expect(html.contains("<a href=\"https://example.com/other/b\">"))
        #expect(html.contains("<a href=\"https://example.com/other/#c\">"))
    }

    @Test("doesn't repeat its title and author")
    func repetition() throws {
        let head = "<title>Lamps of our old pier - Harbour</title>"
        let page = ArticleSample.page("", head: head).replacing(
            "<div id=text>",
            with: "<div id=text><h1>Lamps of our old pier</h1><p class=byline>By <b itemprop=name>Ada</b></p>")
        let article = try ArticleSample.article(page)
        #expect(article.title == "Lamps of our old pier")
        #expect(article.author == "Ada")
        #expect(article.html.hasPrefix("<p>The lamp"))
    }

    @Test("has no author but a name")
    func sentence() throws {
        let bio = "<div class=author-bio>Ada is a writer who lives by the sea.</div>"
        #expect(try ArticleSample.article(ArticleSample.page(bio + "<p>\(Self.long)</p>")).author == nil)
        let name = "<div class=author-bio>By Ada L. Jr.</div>"
        #expect(try ArticleSample.article(ArticleSample.page(name + "<p>\(Self.long)</p>")).author == "Ada L. Jr.")
    }

    @Test(
        "has a name as its author, without the words and dates around it",
        arguments: [
            ("By Ada Brook", "Ada Brook"), ("Written by: Ada Brook", "Ada Brook"),
            ("von Ada Brook | 3. Mai", "Ada Brook"),
            ("Ada Brook · 5 min read", "Ada Brook"), ("ADA BROOK March 11, 2015", "ADA BROOK"),
            ("by Ada Brook22 Dec", "Ada Brook"),
            ("Ada Brook, Ben Mai", "Ada Brook, Ben Mai"), ("Ada May", "Ada May"), ("May 11", nil), ("2015", nil),
            ("Ada Brook on 2015-03-11", "Ada Brook"), ("By", "By"), ("https://a.example/ada", nil),
            ("ada@a.example", nil),
        ] as [(String, String?)])
    func names(byline: String, name: String?) throws {
        let page = ArticleSample.page("<p class=byline>\(byline)</p><p>\(Self.long)</p>")
        #expect(try ArticleSample.article(page).author == name)
    }

    @Test(
        "has the author that its metadata names, unless that is an address",
        arguments: [
            ("By Ada Brook", "Ada Brook"), ("Von Miller", "Von Miller"), ("50 Cent", "50 Cent"),
            ("Ada (@ada)", "Ada (@ada)"),
            ("https://a.example/ada", nil), ("ada@a.example", nil),
        ] as [(String, String?)])
    func namedAuthors(text: String, name: String?) throws {
        let page = ArticleSample.page("<p>\(Self.long)</p>", head: "<meta name=author content='\(text)'>")
        #expect(try ArticleSample.article(page).author == name)
    }

    @Test("isn't by a day of the week")
    func dateline() throws {
        let line = "<span class=dateline>Sunday, Feb 1, 2015 11:57 AM UTC</span>"
        let page = "<body><article>\(line)<h1>Lamps</h1>\(ArticleSample.text)</article></body>"
        #expect(try ArticleSample.article(page).author == nil)
        let named = page.replacing("Sunday, Feb 1", with: "Ann Lee, Feb 1")
        #expect(try ArticleSample.article(named).author == "Ann Lee")
    }

    @Test("isn't by somebody who comments on it")
    func commenter() throws {
        let comment = "<div class=comment-author>Ben</div>"
        #expect(try ArticleSample.article(ArticleSample.page("<p>\(Self.long)</p>" + comment)).author == nil)
    }

    @Test(
        "begins with the text in its header",
        arguments: [
            "<header class=entry-header><h1>Lamps</h1><p>\(long)</p></header>",
            "<header><div class=x><p>\(long)</p></div></header>",
            "<header><h1>Lamps</h1><p class=strapline>\(long)</p></header>",
            "<div class='article-standfirst'>\(long)</div>", "<header><h2 class=subtitle>\(long)</h2></header>",
        ])
    func lead(header: String) throws {
        let page = "<body><article>\(header)<div class=body>\(ArticleSample.text)</div></article></body>"
        #expect(try ArticleSample.article(page).html.ranges(of: Self.long).count == 1)
        let site =
            "<body><header><p>\(Self.long)</p></header><article><div class=body>\(ArticleSample.text)</div></article></body>"
        #expect(try !ArticleSample.article(site).html.contains(Self.long))
    }

    /// The classes of other things.
    static let otherClasses = [
        "cookie-recipe", "share-of-voters", "related", "related-work", "newsletter-intro", "subscribe-note", "promo",
        "promo-box", "tags", "sidebar", "footer-note", "comment-on-law", "social", "sponsors-of-art", "-ad-hoc",
    ]

    @Test("keeps sentences within its text whatever their names", arguments: otherClasses)
    func namedSentences(name: String) throws {
        let sentence = "Mix the oats with the butter."
        for part in [
            "<div class='\(name)'><p>\(sentence)</p></div>", "<p class='\(name)'>\(sentence)</p>",
            "<div class='\(name)'><h3>Oats</h3><p>\(sentence)</p></div>",
        ] {
            let text = "<p>\(Self.long)</p>\(part)<p>\(Self.long)</p>"
            #expect(try ArticleSample.article(ArticleSample.page(text)).html.contains(sentence), "\(part)")
        }
    }

    @Test(
        "keeps a box at the end of a section, whatever its name, and the text of a list of definitions below a heading")
    func boxesAndDefinitions() throws {
        let box = "<div class=sidebar><h3>Oats</h3><p>Oats are a grain that grows where little else does.</p></div>"
        let sections =
            "<section><h2>One</h2><p>\(Self.long)</p>\(box)</section><section><h2>Two</h2><p>\(Self.long)</p></section>"
        #expect(try ArticleSample.article(ArticleSample.page(sections)).html.contains("Oats are a grain"))
        let answers = (0..<6).map { "<dt>Question \($0)?</dt><dd>\(Self.long)</dd>" }.joined()
        let questions =
            "<body><header><h2>Questions that are asked about our bridges</h2></header><dl>\(answers)</dl></body>"
        #expect(try ArticleSample.article(questions).html.ranges(of: Self.long).count == 6)
    }

    @Test(
        "leaves out what a name and something else tell from its text",
        arguments: [
            ("<div class=promo><p>Read the <a href=/b>book</a> today.</p></div>", "today"),
            ("<div class=newsletter><p>Our letter comes on Fridays.</p><form><input></form></div>", "Fridays"),
            ("<div class=subscribe><p>Our letter comes on Fridays.</p><button>Yes</button></div>", "Fridays"),
            ("<div class=share><h3>Share this</h3><p>Tell your friends about it.</p></div>", "friends"),
            ("<div class=promo><p>Three books for two</p></div>", "books"),
            ("<aside>Advertisement</aside>", "Advertisement"),
            ("<aside><h3>Read on</h3><ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul></aside>", "One"),
            ("<aside><h3>News</h3><p>By mail.</p><form><input></form></aside>", "mail"),
        ])
    func namedBoxes(part: String, word: String) throws {
        let text = "<p>\(Self.long)</p>\(part)<p>\(Self.long)</p>"
        #expect(try !ArticleSample.article(ArticleSample.page(text)).html.contains(word))
    }

    @Test("leaves out the sentences of a site after its text")
    func sentencesAfterText() throws {
        let text = "<p>\(Self.long)</p><div class=author-bio><p>Ann writes about oats and votes.</p></div>"
        #expect(try !ArticleSample.article(ArticleSample.page(text)).html.contains("Ann"))
    }

    @Test(
        "has the sources of its quotations",
        arguments: [
            "<blockquote><p>So be it.</p><footer><cite>Ann Lee</cite></footer></blockquote>",
            "<blockquote class=blockquote><p>So be it.</p><footer class='blockquote-footer'>Ann Lee</footer></blockquote>",
            "<blockquote><p>So be it.</p><div class='e-q-footer'><cite class=x__author>Ann Lee</cite></div></blockquote>",
            "<figure><blockquote><p>So be it.</p></blockquote><footer>Ann Lee</footer></figure>",
            "<section><p>\(long)</p><footer>Ann Lee</footer></section>",
            "<div class=testimonial><p>So be it, as it is.</p><p class=author>Ann Lee</p></div>",
            "<div class=quote><p>So be it, as it is.</p><span class=quote__author>Ann Lee</span></div>",
        ])
    func quotationSources(part: String) throws {
        let article = try ArticleSample.article(
            ArticleSample.page("<p>\(Self.long)</p>\(part)<p>\(Self.long)</p>"))
        #expect(article.html.contains("Ann Lee"))
        #expect(article.author == nil)
    }

    @Test(
        "has boxes with facts",
        arguments: [
            "<aside><h5>Delays</h5><dl><dt>Propagation<dd>Two oats</dl></aside>",
            "<aside><ul><li>Two oats</ul></aside>", "<aside><h3>Bread</h3><ol><li>Two oats<li>Salt</ol></aside>",
            "<aside><h3>Facts</h3><table><tr><th>Weight<td>Two oats</table></aside>",
            "<aside><figure><img src=/a.png><figcaption>Two oats</figcaption></figure></aside>",
            "<aside>Two oats of the author.</aside>",
        ])
    func facts(part: String) throws {
        let paragraph = "<p>\(Self.long)</p>"
        for text in [paragraph + part + paragraph, "<div>\(paragraph)</div>\(part)<div>\(paragraph)</div>"] {
            #expect(try ArticleSample.article(ArticleSample.page(text)).html.contains("Two oats"), "\(text)")
        }
    }

    @Test(
        "begins with the line below its title",
        arguments: [
            "<header><h1>Lamps</h1><h2>What they mean for you</h2></header>",
            "<header><h1>Lamps</h1><div>What they mean for you</div></header>",
            "<header><div><h1>Lamps</h1></div><p>What they mean for you</p></header>",
            "<h1>Lamps</h1><h3 class=subline>What they mean for you</h3>",
            "<div class=head><h1>Lamps</h1><div class=deck>What they mean for you</div></div>",
            "<div class=head><h1>Lamps</h1><p class=article__summary>What they mean for you</p></div>",
        ])
    func deck(head: String) throws {
        let page =
            "<title>Lamps</title><body><article>\(head)<div class=body>\(ArticleSample.text)</div></article></body>"
        let html = try ArticleSample.article(page).html
        #expect(html.ranges(of: "What they mean for you").count == 1)
        #expect(
            try #require(html.firstRange(of: "What they")).upperBound
                < #require(html.firstRange(of: "The lamp")).lowerBound)
    }

    @Test(
        "doesn't begin with a line about itself",
        arguments: [
            "<p>By Ann Lee, who writes for us</p>", "<p>Published on the tenth of July</p>",
            "<p><time>10 July</time> at noon or so</p>",
            "<p>Joe Wee Monday, February 29, 2016 @ 11:10 PM UTC</p>", "<p>Three minutes</p>",
            "<div class=share>Share this with everybody you know</div>",
            "<p><a href=/a>All lamps of our old pier</a></p>",
        ])
    func lineAboutItself(line: String) throws {
        let head = "<header><h1>Lamps</h1>\(line)</header>"
        let page =
            "<title>Lamps</title><body><article>\(head)<div class=body>\(ArticleSample.text)</div></article></body>"
        let article = try ArticleSample.article(page)
        let text = try ArticleSample.article(
            "<body><article><div class=body>\(ArticleSample.text)</div></article></body>")
        #expect(article.html == text.html)
    }

    @Test("of few words has no menus")
    func shortWithMenu() throws {
        let menu = "<a href=/a>Home</a> <a href=/b>Archive</a>"
        let head = "<header><nav>\(menu)</nav></header>"
        let table = "<table><tr><td class=sidebar>\(menu)<td><p>\(Self.long)</p></table>"
        for page in ["\(head)<p>\(Self.long)</p>", table] {
            let html = try ArticleSample.article("<body>\(page)</body>").html
            #expect(html.contains(Self.long) && !html.contains("Archive"))
        }
    }

    /// A row of a layout with some paragraphs, and something else beside them.
    private static func row(_ count: Int, beside: String, _ tag: String = "div") -> String {
        let paragraphs = (0..<count).map { "<p>\(count)-\($0) \(long) \(long)</p>" }.joined()
        return "<\(tag) class=row><div class=text>\(paragraphs)</div>\(beside)</\(tag)>"
    }

    @Test(
        "includes all rows of its layout, even if one is much longer",
        arguments: [
            ([3, 2, 7, 4], "<figure></figure>"), ([6, 5, 12], "<div class=rail><div class=ad>Ad</div></div>"),
            ([2, 12], "<figure><img src=/a.png></figure>"), ([9, 1], "<div><h3>Ad</h3></div>"), ([12, 3], ""),
        ])
    func rows(counts: [Int], beside: String) throws {
        for tag in ["div", "section"] {
            let rows = counts.map { Self.row($0, beside: beside, tag) }.joined(separator: "<div class=ad>Ad</div>")
            let html = try ArticleSample.article("<body><main><div>\(rows)</div></main></body>").html
            #expect(html.ranges(of: "\(Self.long) \(Self.long)").count == counts.reduce(0, +))
        }
    }

    @Test(
        "doesn't include rows of other articles",
        arguments: [
            "<div class=related><p>\(long)</p></div>", "<div class=comments><p>\(long)</p></div>",
            "<p><a href=/a>\(long)</a></p>",
        ])
    func otherRows(content: String) throws {
        let other = "<div class=row><div class=text>\(content)</div></div>"
        let page = "<body><main><div>\(Self.row(8, beside: "") + Self.row(2, beside: "") + other)</div></main></body>"
        #expect(try ArticleSample.article(page).html.ranges(of: "<p>").count == 10)
    }

    @Test("ends with a list of sentences beside its introduction", arguments: ["ol", "ul"])
    func listAtEnd(tag: String) throws {
        let intro = "<h1>List</h1><p>\(Self.long)</p><div id=filters>\(ArticleSample.text)</div><h2>The list</h2>"
        let items = (0..<10).map { "<li>In \(1990 + $0), somebody took the lamp away from the pier.</li>" }.joined()
        let menu = "<ul><li><a href=/a>A page about the lamp on the pier of our town</a></ul>"
        for around in ["article", "body"] {
            let page = "<\(around)>\(intro)<\(tag)>\(items)</\(tag)>\(menu)</\(around)>"
            let html = try ArticleSample.article(page).html
            #expect(html.ranges(of: "<li>").count == 10 && html.contains("The list"))
        }
    }

    @Test(
        "keeps the blocks that are the items of its lists, with their links",
        arguments: [
            "Look up the times in the <a href=/t>Table of the Tides</a>.", "<a href=/t>Ask the miller</a>",
            "Look up the <a href=/t>times</a>:<ul><li><div><a href=/t>A table of tides</a></div></ul>",
        ])
    func blocksInItems(item: String) throws {
        let items = ["Bring a coat and boots for the way.", item, "Then ask the miller for the key, and pay."]
        let list = items.map { "<li class=level1><div class=li>\($0)</div></li>" }.joined()
        let html = try ArticleSample.article(ArticleSample.page("<ol>\(list)</ol><p>\(Self.long)</p>")).html
        #expect(html.ranges(of: "<a href").count == 1)
    }

    @Test("has no list of links in blocks")
    func blocksOfLinks() throws {
        let list = (0..<5).map { "<li><div><a href=/\($0)>Another article</a></div></li>" }.joined()
        let text = "<p>\(Self.long)</p><ul>\(list)</ul><p>\(Self.long)</p>"
        #expect(try !ArticleSample.article(ArticleSample.page(text)).html.contains("Another article"))
    }

    @Test("has the heading before its text if nothing else is its title")
    func headingWithoutTitle() throws {
        let page =
            "<title>A page</title><body><h2>Years of the flood</h2><div>\(ArticleSample.text)</div><p>Bye</p></body>"
        #expect(try ArticleSample.article(page).html.contains("Years of the flood"))
    }

    @Test("has no closed dialogs")
    func dialogs() throws {
        let dialogs = "<dialog><p>Two oats.</p></dialog><dialog open><p>Three oats.</p></dialog>"
        let html = try ArticleSample.article(ArticleSample.page("<p>\(Self.long)</p>\(dialogs)<p>\(Self.long)</p>"))
            .html
        #expect(!html.contains("Two oats") && html.contains("Three oats"))
    }

    @Test("of few words has no share buttons, sign-up forms or tags either")
    func shortWithFurniture() throws {
        let box = "<div class=share-buttons><a href=/x>Share</a></div><div class=newsletter><p>Sign up</p></div>"
        let page = "<body><article>\(box)<p>\(Self.long)</p><div class=tags><a href=/a>a</a></div></article></body>"
        #expect(try ArticleSample.article(page).html == "<p>\(Self.long)</p>")
    }

    @Test("has the headings that its page wraps, without links for editors")
    func wrappedHeadings() throws {
        let edit = "<span class=\"mw-editsection\">[<a href='/edit'>edit</a>]</span>"
        let text = "<p>\(Self.long)</p><div class=mw-heading><h2>Otters</h2>\(edit)</div><p>\(Self.long)</p>"
        let article = try ArticleSample.article(ArticleSample.page(text + "<div class=mw-heading><h2>End</h2></div>"))
        #expect(article.html.contains("<h2>Otters</h2>") && !article.html.contains("edit"))
    }

    @Test(
        "keeps paragraphs with links, each in a box of its own, but no boxes of links",
        arguments: [
            ("<p>Some say, as <a href=/a>a review of the evidence</a> did, that it is.</p>", true),
            ("<p>The code is at <a href=/a>https://a.example/b</a>.</p>", true),
            (
                "<p><a href=/a>A study of adults found that it was no more common in winter</a>, and <a href=/b>another one the opposite</a>.</p>",
                true
            ),
            ("<p><a href=/a>Another article about gulls</a></p>", false),
        ])
    func linkedParagraphs(part: String, isKept: Bool) throws {
        let boxes = [Self.long, part, part].map { $0.hasPrefix("<p>") ? "<div>\($0)</div>" : "<div><p>\($0)</p></div>" }
        let html = try ArticleSample.article(ArticleSample.page(boxes.joined() + boxes[0])).html
        #expect(html.ranges(of: "<a href").count == (isKept ? 2 * part.ranges(of: "<a href").count : 0))
    }

    @Test("includes all of its sections if something else is beside one of them")
    func sections() throws {
        let (short, whole) = (
            String(repeating: "<p>\(Self.long)</p>", count: 3), ArticleSample.text + ArticleSample.text
        )
        let aside = "<aside><h3>Most read</h3><ol><li><a href=/a>One</a></ol></aside>"
        let page = """
            <main><div><section>\(short)</section></div><div><div><section>\(whole)</section></div>\(aside)</div></main>
            """
        let html = try ArticleSample.article(page).html
        #expect(html.ranges(of: Self.long).count == 3 && !html.contains("One"))
    }

    @Test(
        "includes its footnotes, however short",
        arguments: [
            "<div class=body>\(ArticleSample.text)</div><div class=footnotes><hr><ol><li>A book.</ol></div>",
            "<div class=body>\(ArticleSample.text)<div class=footnote><a href=#a>1</a><div><p>A book.</p></div></div></div>",
        ])
    func footnotes(text: String) throws {
        #expect(try ArticleSample.article("<article>\(text)</article>").html.contains("A book."))
    }

    @Test("begins with the picture between its title and its text")
    func leadPicture() throws {
        let figure = "<figure><img src=/a.png alt=a><figcaption>At noon</figcaption></figure>"
        let body = "<div class=body>\(ArticleSample.text)</div>"
        let html = try ArticleSample.article("<article><h1>T</h1>\(figure)\(body)</article>").html
        #expect(html.contains("<figcaption>At noon</figcaption>"))
        #expect(try !ArticleSample.article("<article><h1>T</h1>\(body)\(figure)</article>").html.contains("At noon"))
    }

    @Test("has no numbers of lines of code")
    func lineNumbers() throws {
        let table = """
            <table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1
            2
            </pre></td><td class="rouge-code"><pre>let a
            let b
            </pre></td></tr></tbody></table>
            """
        let html = try ArticleSample.rest(ArticleSample.article(ArticleSample.page("<p>\(Self.long)</p>" + table)))
        #expect(!html.contains("1") && html.contains("<pre>let a\nlet b"))
        let hexo = """
            <figure class="highlight"><table><tr><td class="gutter"><pre><span class="line">1</span><br></pre></td>
            <td class="code"><pre><span class="line">let c</span><br></pre></td></tr></table></figure>
            """
        let other = try ArticleSample.rest(ArticleSample.article(ArticleSample.page("<p>\(Self.long)</p>" + hexo)))
        #expect(!other.contains("1") && other.contains("let c"))
        // A number may be a line's text.
        let cell = "<table><tr><td class=gutter>Total 1<td>x<tr><td>b<td>\(Self.long)</table>"
        #expect(try ArticleSample.article(ArticleSample.page(cell)).html.contains("Total 1"))
    }

    @Test("has the first of several bylines as its author")
    func bylines() throws {
        let first = "<p class=byline>By <b itemprop=name>Ada</b></p>"
        let page = ArticleSample.page("<p class=byline>By <b itemprop=name>Ben</b></p><p>\(Self.long)</p>")
            .replacing("<div id=text>", with: "<div id=text>" + first)
        let article = try ArticleSample.article(page)
        #expect(article.author == "Ada")
        #expect(try ArticleSample.rest(article) == "<p>By <b>Ben</b></p><p>\(Self.long)</p>")
    }

    @Test("includes sibling paragraphs and sections that belong to it")
    func siblings() throws {
        let page = """
            <div><div class=part>\(ArticleSample.text)</div><p>\(Self.long)</p><p>Short.</p>
            <div class=part><p>\(Self.long)</p></div><p>Short, with no end</p><p><a href=a>\(Self.long)</a></p></div>
            """
        let html = try ArticleSample.article(page).html
        #expect(html.ranges(of: Self.long).count == 2)
        #expect(html.contains("Short."))
        #expect(!html.contains("no end"))
    }

    @Test(
        "includes whatever stands between two of its parts, but no boxes of the site",
        arguments: [
            ("<h2>The kept part</h2>", true), ("<pre>The kept part</pre>", true), ("<p>The kept part</p>", true),
            ("<ul><li>The kept part</ul>", true), ("<div><h3>The kept part</h3></div>", true),
            ("<figure><img src=a.png><figcaption>The kept part</figcaption></figure>", true),
            ("<table><tr><td>The kept part<td>1<tr><td>2<td>3</table>", true),
            ("<blockquote>The kept part</blockquote>", true), ("<div>The kept part</div>", true),
            ("<div class=related><h2>The kept part</h2></div>", false),
            ("<ul><li><a href=a>The kept part</a></ul>", false), ("<form><p>The kept part<input></form>", false),
        ])
    func between(part: String, isKept: Bool) throws {
        let parts = "<div class=part>\(ArticleSample.text)</div>"
        for body in ["<article>\(parts)\(part)\(parts)</article>", "\(parts)\(part)\(parts)"] {
            let html = try ArticleSample.article("<body>\(body)").html
            #expect(html.ranges(of: "with the switch, the seal and the label").count == 2)
            #expect(html.contains("The kept part") == isKept)
        }
    }

    @Test("has the heading of its first part if the others have headings")
    func firstHeading() throws {
        let part = "<div class=part>\(ArticleSample.text)</div>"
        func html(_ body: String) throws -> String {
            try ArticleSample.article("<body><h1>T</h1><div>\(body)</div>").html
        }
        #expect(try html("<h2>One</h2>\(part)<h2>Two</h2>\(part)").contains("<h2>One</h2>"))
        #expect(try !html("<h2>One</h2>\(part)\(part)").contains("One"))
    }

    @Test(
        "has the questions of an accordion, whose buttons open the answers",
        arguments: [
            "<div class=accordion-header><button aria-expanded=false aria-controls=c>How is it installed?</button></div><div id=c>",
            "<button class=accordion>How is it installed?</button><div class=panel>",
        ])
    func accordion(question: String) throws {
        let page =
            "<title>T</title><body><h1>T</h1><div id=text>\(ArticleSample.text)\(question)\(ArticleSample.text)</div></div>"
        #expect(try ArticleSample.article(page).html.contains("<h3>How is it installed?</h3>"))
    }

    @Test("has a picture that a button enlarges")
    func pictureInButton() throws {
        let button =
            "<button class=lightbox><span hidden>View</span><div><noscript><img src=https://a.example/1.png></noscript><img data-src=https://a.example/1.png alt=Lamp></div></button>"
        let page =
            "<title>T</title><body><h1>T</h1><div id=text>\(ArticleSample.text)\(button)\(ArticleSample.text)</div>"
        #expect(try ArticleSample.article(page).html.split(separator: "https://a.example/1.png").count == 2)
    }

    @Test(
        "is by all of its authors",
        arguments: [
            "<p><a rel=author>Ada Brook</a>, <a rel=author>Ben May</a></p>",
            "<span class=author>By: <a rel=author>Ada Brook</a></span><span class=author>, <a rel=author>Ben May</a></span>",
            "<meta name=author content='Ada Brook'><meta name=author content='Ben May'>",
            "<meta property=article:author content='Ada Brook'><meta property=article:author content='Ben May'>",
            "<meta name=citation_author content='Brook, Ada'><meta name=citation_author content='Ben May'>",
        ])
    func severalAuthors(byline: String) throws {
        let page = "<body><h1>T</h1>\(byline)<div id=text>\(ArticleSample.text)</div>"
        let article = try ArticleSample.article(page)
        #expect(article.author == "Ada Brook, Ben May")
        #expect(article.html.hasPrefix("<p>The lamp"))
    }

    @Test(
        "has an author and a date that no space is between",
        arguments: [
            "<div class=byline><div class=name><a href=/a>By Ada Brook</a></div><div class=date>May 7, 2025</div></div>",
            "<div class=byline><p>By Ada Brook</p><p>May 7, 2025</p></div>",
            "<div class=meta><span>By Ada Brook</span><time datetime=2025-05-07T00:00:00Z>May 7, 2025</time></div>",
            "<div class=byline><span>By Ada Brook</span><span>7 May 2025</span></div>",
            "<div class=byline>By <a href=/a>Ada Brook</a><span class=date>7 May 2025</span></div>",
            "<div class=byline><a href=/a>Ada Brook</a><br>May 7, 2025<br>6 min read</div>",
            "<div class=byline><span>By <b>A</b>da Brook</span><span>7 May 2025</span></div>",
            "<div class=entry-meta><span>by <a href=/a>Ada Brook</a></span><span>May 7, 2025</span><span>4 Comments</span></div>",
        ])
    func adjacentByline(byline: String) throws {
        let page =
            "<title>The Harbour</title><body><h1>The Harbour</h1>\(byline)<div id=text>\(ArticleSample.text)</div>"
        let article = try ArticleSample.article(page)
        #expect(article.author == "Ada Brook")
        let date = try #require(article.dates.lazy.compactMap { FeedDate.timestamp($0) }.first)
        #expect(date.text.hasPrefix("2025-05-07"))
    }

    @Test("has the lines of a song that its style keeps")
    func lyrics() throws {
        let song = "The clock above the window\nHas nothing left to say\n\nThe captain of the ferry"
        let page = "<article><div style='white-space: pre-line'>\(song)</div></article>"
        let blocks = HTML.document(try ArticleSample.article(page).html).blocks
        #expect(
            blocks == [
                .paragraph([.text("The clock above the window"), .hardBreak, .text("Has nothing left to say")]),
                .paragraph([.text("The captain of the ferry")]),
            ])
    }

    @Test("has code in a language that stands alone as a block")
    func codeAlone() throws {
        let code = "<div><code class='language-kotlin'>fun main() {\n    print(1)\n}</code></div>"
        let page = ArticleSample.page("\(code)<p>\(Self.long)</p>")
        #expect(
            try ArticleSample.article(page).html.contains("<pre class=\"language-kotlin\">fun main() {\n    print(1)"))
    }

    @Test("has all of a notebook, however many commas its code has")
    func notebook() throws {
        let code = (0..<60).map { "s\($0) = [\"a\", \"b\", \"c\"]\n" }.joined()
        let page =
            "<main><div class=a><h2>Overview</h2><p>\(Self.long)</p></div><div class=b><pre>import x</pre></div>"
            + "<div class=a><h2>Strings</h2><p>\(Self.long)</p></div>"
            + "<div class=b><div><pre>\(code)</pre></div><div class=output><pre>decoded</pre></div></div></main>"
        let html = try ArticleSample.article(page).html
        #expect(["Overview", "Strings", "s59", "import x"].allSatisfy(html.contains))
    }

    @Test("is in an aside that has the page's only article")
    func asideAround() throws {
        let page =
            "<div><header><nav><a href=/>Home</a></nav></header><aside class=sidebar-wrap><article><h1>Lamps</h1>"
            + "\(ArticleSample.text)</article></aside></div>"
        #expect(try ArticleSample.article(page).html.contains("<p>The lamp on the pier"))
    }

    @Test(
        "has whole sentences between line breaks, whatever their words are in",
        arguments: [
            "a", "abbr", "acronym", "b", "bdi", "big", "cite", "code", "em", "font", "i", "kbd", "nobr", "s", "small",
            "span",
            "strike", "strong", "sub", "sup", "tt", "u", "var",
        ])
    func inlineBetweenBreaks(tag: String) throws {
        let page =
            "<body><div>\(Self.long)<br><br>I called it <\(tag)>morning</\(tag)>, which is a fine name. \(Self.long)<br><br>\(Self.long)</div>"
        let text = HTML.document(try ArticleSample.article(page).html).blocks.plainText
        #expect(text.split(separator: "\n").count == 3, "\(text)")
        #expect(text.contains("I called it morning, which is"))
    }

    @Test(
        "has the words on both sides of line breaks apart, also in its excerpt",
        arguments: ["font", "span", "p", "div"])
    func breaksInside(tag: String) throws {
        let page = "<body><div><\(tag)>April 2009<br><br>\(Self.long)<br><br>The second. \(Self.long)</\(tag)></div>"
        let article = try ArticleSample.article(page)
        #expect(article.excerpt?.contains("2009\(Self.long.prefix(3))") != true, "\(article.excerpt ?? "")")
        #expect(HTML.document(article.html).blocks.plainText.hasPrefix("April 2009\n\(Self.long)"), "\(article.html)")
    }

    @Test(
        "has no links to other articles under a label of their own",
        arguments: [
            "<div class='recirculation'>%</div>", "<div><p class='related-title'><b>You may like</b></p>%</div>",
            "<div class=box><h3>You may like</h3>%</div>", "<p class=related-title>More stories</p>%",
        ])
    func recirculation(box: String) throws {
        let links =
            "<ul><li><a href=/1>The best lamps of the year</a></li><li><a href=/2>How to light one</a></li></ul>"
        let page = ArticleSample.page("<p>\(Self.long)</p>\(box.replacing("%", with: links))<p>\(Self.long)</p>")
        let html = try ArticleSample.article(page).html
        #expect(!html.contains("best lamps") && !html.contains("You may like"), "\(html)")
        #expect(html.components(separatedBy: Self.long).count == 3)
    }

    @Test("has the colours of its code, and no other classes")
    func colors() throws {
        let code =
            "<pre><code><span class='hljs-keyword x'>if</span> <span class='token'>a</span><span class='token string'>b</span></code></pre>"
        let html = try ArticleSample.article(ArticleSample.page("\(code)<p><span class=k>\(Self.long)</span></p>")).html
        #expect(
            html.contains("<pre><code><span class=\"k\">if</span> a<span class=\"s\">b</span></code></pre>"), "\(html)")
        #expect(!html.contains("<p><span"))
    }

    @Test("has no comments that are open details")
    func commentDetails() throws {
        let comment =
            "<details class=CommentBox open><summary><h3>Radio</h3><p>Posted by ann</p></summary><p>\(Self.long)</p></details>"
        #expect(try ArticleSample.rest(ArticleSample.article(ArticleSample.page(comment + comment))) == "")
    }

    @Test("has the sentence in its header, which is no paragraph", arguments: ["div", "p", "div class=intro"])
    func sentenceInHeader(tag: String) throws {
        let page =
            "<main><article><header><div><h2>Lamps</h2></div><\(tag)>The pier has a lamp. It burns by night.</\(tag.prefix(3))>"
            + "<div><time datetime=2026-01-02>2 January</time></div></header><div><section><div><section>\(ArticleSample.text)</section></div></section></div></article></main>"
        #expect(try ArticleSample.article(page).html.contains("It burns by night."))
    }

    @Test("has a short post alone, without the description of its blog, its title and the headings of its comments")
    func shortPost() throws {
        let page =
            "<title>Gull notes: Really see the lamp, when it burns</title><body><div class='header section'>"
            + "<h1><a href=/>Gull notes</a></h1><p class=description>\(Self.long) \(Self.long) \(Self.long)</p></div><div class=main>"
            + "<h3 class=post-title>Really see the lamp, when it burns</h3><div class=post-body itemprop='description articleBody'>"
            + "The lamp on the pier burns at night, and by day it doesn't, which is how most lamps do it.<div><br></div></div></div>"
            + "<div class=comments id=comments><h4>No comments:</h4><h4>Post a Comment</h4></div>"
        let html = try ArticleSample.article(page).html
        #expect(
            HTML.document(html).blocks.plainText
                == "The lamp on the pier burns at night, and by day it doesn't, which is how most lamps do it.")
    }

    @Test("has an author whose name is followed by a date in an element of its own")
    func authorBesideDate() throws {
        let byline =
            "<div class=byline><div class=author>by <a>Ada June Brook</a></div><div class=d>July 10, 2015</div></div>"
        #expect(
            try ArticleSample.article("<body>\(byline)<div id=text>\(ArticleSample.text)</div>").author
                == "Ada June Brook")
    }

    @Test(
        "includes the parts beside a longer one, but no boxes of the site",
        arguments: [
            ("<p>\(long)</p><p>\(long)</p>", true),
            (
                "<h2>Sources</h2><ol><li>Ada, <i>Gulls of the coast</i>, London, 1843, in three volumes with plates, second edition<li>Ben</ol>",
                true
            ),
            ("<h2>Appendix</h2><p>\(long)</p>", true), ("<h2><a id=a>Appendix</a></h2><p>\(long)</p>", true),
            ("<h2><a href=a>Another article</a></h2><p>\(long)</p>", false), ("<p><a href=a>\(long)</a></p>", false),
            ("<h2>Subscribe</h2><p>\(long)</p><input name=mail>", false),
        ])
    func parts(part: String, isKept: Bool) throws {
        let texts = String(repeating: ArticleSample.text, count: 4)
        for page in ["<div>\(part)</div><div>\(texts)</div>", "<div>\(texts)</div><section>\(part)</section>"] {
            let html = try ArticleSample.article("<div><h1>T</h1>\(page)</div>").html
            #expect(html.contains(part.contains("three volumes") ? "three volumes" : Self.long) == isKept)
        }
    }

    @Test("is searched for in unlikely elements if the others have too little text")
    func retries() throws {
        let page = "<body><div class=sidebar>\(ArticleSample.text)</div><p>Short.</p></body>"
        #expect(try ArticleSample.article(page).textLength > 500)
    }

    @Test("is the longest text on a page with only short ones")
    func short() throws {
        let article = try ArticleSample.article("<body><div class=comment><p>\(Self.long)</p></div></body>")
        #expect(article.html.contains(Self.long))
        #expect(article.textLength == Self.long.count)
    }

    @Test(
        "doesn't exist if the page has no text",
        arguments: ["", " ", "<p> </p>", "<script>x</script>", "<!-- x -->", "<img src=a>"])
    func none(page: String) throws {
        #expect(PageArticle(page: page, at: try ArticleSample.address()) == nil)
    }

    @Test(
        "has all of the page's text, and nothing around it",
        arguments: [
            (
                "weblog",
                [
                    "The clock in the harbour office", "the reason for all of it.", "Measured with a telephone",
                    "32,768",
                    "<h2 id=\"inside\">", "class=\"language-python\"", "<math>", "<th>Teeth</th>",
                    "/pictures/gears.jpg",
                    "https://example.com/2023/friction.html", "href=\"#fn1\"", "<figcaption>",
                ],
                [
                    "Toot", "Sign up", "You may also like", "Mine has run fast", "Older notes", "cookies", "Skip to",
                    "rights",
                    "Ada Brook", "script", "data:", "style", "onclick",
                ]
            ),
            (
                "newspaper",
                [
                    "The island will have a ferry", "<p>\n<b>Nobody expected it.</b>", "“We have talked",
                    "sees no reason",
                ],
                ["Advertisement", "Read more with", "Mary Lund", "Share", "Snow", "Imprint", "Home"]
            ),
            ("old", ["A splice joins", "Never burn hemp", "still true"], ["<font", "<td", "#FFFFFF"]),
        ])
    func pages(name: String, has: [String], hasNot: [String]) throws {
        let html = try ArticleSample.article(ArticleSample.page(named: name)).html
        for text in has { #expect(html.contains(text)) }
        for text in hasNot { #expect(!html.contains(text)) }
    }
}
