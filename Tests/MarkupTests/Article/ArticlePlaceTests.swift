import BlogEssentials
import BlogTestSupport
import Testing
@testable import BlogMarkup

@Suite("An article among other texts") struct ArticlePlaceTests {
    private static let prose = """
        <p>The keeper walked down the path each morning, carrying a lamp that had not been lit for years, and said so.</p>
        """
    private static let notice = (1...8).map { number in
        """
        <p>We and our \(number)00 partners use cookies and similar technologies to store and access information, to measure
        ads, to build profiles, and to develop products. You can manage your choices at any time.</p>
        """
    }.joined()

    private func article(_ body: String, title: String = "Pier closed today") throws -> PageArticle {
        let page = "<!doctype html><title>\(title) - The Gazette</title><nav><a href=/>Home</a></nav>\(body)"
        let address = try #require(URL(string: "https://gazette.example/p"))
        return try #require(PageArticle(page: page, at: address))
    }

    /// The article with a part between paragraphs of text.
    private func article(around part: String) throws -> PageArticle {
        let prose = String(repeating: Self.prose, count: 4)
        return try article("<article><h1>Pier closed today</h1>\(prose)\(part)\(prose)</article>")
    }

    private func text(_ article: PageArticle) -> String { HTML.document(article.html).blocks.plainText }

    private static let places = ["<article>T</article>", "<main>T</main>", "<div class=content>T</div>"]
    private static let notices = [
        "<footer class=site-footer><h2>Legal</h2>N</footer>", "<dialog open><h2>Cookies</h2>N</dialog>",
        "<div id=onetrust-consent-sdk role=dialog><h2>We value your privacy</h2>N</div>",
        "<div class=gdpr-overlay>N</div>",
        "<div class=cc-window><div><h2>Cookies</h2>N</div></div>", "<section class=cookie-notice>N</section>",
        "<aside id=usercentrics-root>N</aside>", "<div role=alertdialog>N</div>",
        "<div class=overlay role=dialog aria-modal=true>N</div>", "<div class=privacy-banner>N</div>",
    ]

    @Test("is found, and nothing else, if what the page says about cookies is longer", arguments: places, notices)
    func legalNotices(place: String, notice: String) throws {
        let heading = "<h1>Pier closed today</h1>"
        for prose in [
            "<p>The council has decided to close the pier until further notice.</p><p>More on Monday.</p>", Self.prose,
        ] {
            let place = place.replacing("T", with: heading + prose)
            let notice = notice.replacing("N", with: Self.notice)
            for body in [place + notice, notice + place] {
                let shown = text(try article(body))
                #expect(!shown.contains("partners"), "\(body.prefix(200))")
                #expect(shown.contains("keeper") || shown.contains("council") && shown.contains("Monday"))
            }
        }
    }

    @Test("may be about cookies")
    func aboutCookies() throws {
        for place in Self.places {
            #expect(
                text(try article(place.replacing("T", with: "<h1>Pier closed today</h1>" + Self.notice))).contains(
                    "partners"))
        }
        #expect(text(try article("<div class=cookie-notice>\(Self.notice)</div>")).contains("partners"))
    }

    @Test(
        "loses no part whose wrapper is named for its layout, or whose name is a word of the text",
        arguments: [
            "<div class=media><blockquote>sextant</blockquote></div>",
            "<div class=code-widget><pre>sextant</pre></div>",
            "<div class=table-scroll><table><tr><td>sextant<td>Crew<tr><td>Ada<td>7</table></div>",
            "<div class='media media--type-image'><div class=field><img src=/a.jpg alt=sextant></div></div>",
            "<div class=media><canvas></canvas><img src=/a.jpg alt=sextant></div>",
            "<div class=shopping><ul><li>sextant<li>bread</ul></div>", "<p class=menu>Soup, as she sextant.</p>",
            "<figure><picture><source srcset='/b.webp 640w'><img alt=sextant></picture></figure>",
        ])
    func layout(part: String) throws {
        #expect(try article(around: part).html.contains("sextant"))
    }

    @Test(
        "leaves out parts of a site whose wrapper is named so",
        arguments: [
            "<div class=widget><ul><li><a href=/a>sextant</a><li><a href=/b>bread</a></ul></div>",
            "<div class='widget sidebar'><blockquote>sextant</blockquote></div>", "<p class=menu>sextant</p>",
            "<div class=media><form><input name=a><ul><li>sextant</ul></form></div>",
        ])
    func wrappersOfSite(part: String) throws {
        #expect(try !article(around: part).html.contains("sextant"))
    }

    @Test("loses no box about books", arguments: [("books that look good", true), ("cookies that taste good", false)])
    func boxes(words: String, isKept: Bool) throws {
        let box = String(repeating: "We took a look at \(words), and wrote about them. ", count: 8)
        let page = "<main><h1>Pier closed today</h1>\(Self.prose)</main><aside>\(box)</aside>"
        var tree = HTMLTreeBuilder.tree(of: page)
        tree.removeLegalNotices(around: TextPlace(of: tree, title: "Pier closed today"))
        #expect(tree.text(of: HTMLTree.body).contains(words) == isKept)
    }

    @Test(
        "keeps the lines and headings between its paragraphs",
        arguments: [
            (
                "<div>1. Open the <a href=/d>box</a></div><div>2. Lift the lamp</div>",
                "1. Open the box\n2. Lift the lamp"
            ),
            (
                "<div><div>1. <a href=/d>Download the file</a></div><div>2. Run it</div></div>",
                "1. Download the file\n2. Run it"
            ),
            ("<div>Make the <a href=/d>dough</a></div>", "Make the dough"),
            (
                "<div><div>Make the <a href=/d>crust</a></div></div><div><div>Pour in <a href=/c>the curd</a></div></div>",
                "Make the crust\nPour in the curd"
            ),
            ("<div><h2 id=s>Setup</h2><a href=#s>Section titled Setup</a></div>", "Setup"),
            ("<div class=heading-wrapper><h2 id=s>Setup</h2><a class=anchor href=#s>#</a></div>", "Setup"),
        ])
    func lines(part: String, shown: String) throws {
        let text = text(try article(around: part))
        #expect(text.contains("\n\(shown)\nThe keeper"), "\(text)")
    }

    private static let links = "<li><a href=/1>Gulls of the north</a><li><a href=/2>Gulls of the south</a>"

    /// Sections without a text of the article.
    private static let otherSections = [
        "<h3>Elsewhere</h3><ul class=sidebar>\(links)</ul>", "<h3>Elsewhere</h3><ul class=related-posts>\(links)</ul>",
        "<h2>Elsewhere</h2><h3>Elsewhere too</h3><ul class=menu>\(links)</ul>",
        "<h4>Elsewhere</h4><nav><ul>\(links)</ul></nav>",
        "<div class=block><h3>Elsewhere</h3><div class=yarpp-related><ul>\(links)</ul></div></div>",
        "<div class=title><h3>Elsewhere</h3></div><div class=widget><ul>\(links)</ul></div>",
        "<div class=title>\n<h3 id=e>Elsewhere</h3> <a href=#e>#</a>\n</div>\n<div class=sidebar><ul>\(links)</ul></div>",
        "<h3>Elsewhere</h3><div class=related><div><a href=/1><img src=/1.png>Gulls</a></div></div>",
        "<h3>Elsewhere</h3><div class=newsletter><p>Gulls by mail.</p><form><input name=mail></form></div>",
        "<section><h3>Elsewhere</h3><ol class=sidebar>\(links)</ol></section>",
    ]

    @Test("has no headings of sections that are left out, in its middle and at its end", arguments: otherSections)
    func headingsOfLists(part: String) throws {
        let prose = String(repeating: Self.prose, count: 5)
        for text in ["\(prose)\(part)", "\(prose)\(part)<h2>The lamp</h2>\(prose)"] {
            let shown = self.text(try article("<article><h1>Pier closed today</h1>\(text)</article>"))
            #expect(!shown.contains("Elsewhere") && !shown.contains("Gulls"), "\(shown)")
            #expect(shown.contains("The lamp") == text.contains("The lamp"))
        }
    }

    @Test("has no heading of a table of contents that is left out before its text")
    func headingOfContents() throws {
        let prose = String(repeating: Self.prose, count: 5)
        let links = Self.links.replacing("href=/", with: "href=#")
        let contents = "<h2>Elsewhere</h2><ul class=sidebar>\(links)</ul><h2>The lamp</h2>"
        let shown = text(try article("<article><h1>Pier closed today</h1>\(contents)\(prose)</article>"))
        #expect(!shown.contains("Elsewhere") && shown.contains("The lamp"))
    }

    @Test(
        "keeps headings with nothing after them in the page, and those of what it keeps",
        arguments: [
            "<h3>Elsewhere</h3>", "<div class=title><h3>Elsewhere</h3></div>", "<h3>Elsewhere</h3><h3>The end</h3>",
            "<h3>Elsewhere</h3><div hidden><p>Gulls</p></div>", "<h3>Elsewhere</h3><script>gulls()</script>",
            "<h2>Elsewhere</h2><h3>Gulls</h3><ul class=sidebar>\(links)</ul><h3>Lamps</h3>\(prose)",
            "<h3>Elsewhere</h3><ul class=sidebar>\(links)</ul>\(prose)", "<h3>Elsewhere</h3><img src=/a.png>",
            "<h3>Elsewhere</h3><ul><li>Gulls</ul>", "<h3>Elsewhere</h3><p>Gulls</p>",
        ])
    func headings(part: String) throws {
        let prose = String(repeating: Self.prose, count: 5)
        for text in ["\(prose)\(part)", "\(prose)\(part)<h2>The lamp</h2>\(prose)"] {
            let shown = self.text(try article("<article><h1>Pier closed today</h1>\(text)</article>"))
            #expect(shown.contains("Elsewhere"), "\(shown)")
        }
    }

    @Test(
        "keeps the line below its title if the author, the date or buttons are after it",
        arguments: [
            "<ul class=entry-meta><li>By <a href=/a>Ann Lee</a><li>May 3</ul>",
            "<div class=entry-meta>By <a href=/a>Ann Lee</a></div>",
            "<p class=entry-meta>By <a href=/a>Ann Lee</a></p>",
            "<ol class=byline><li><a rel=author href=/a>Ann Lee</a></ol>",
            "<ul class=share-links><li><a href=#>Ann's page</a><li><a href=/x>Ann's feed</a></ul>",
        ])
    func lineBelowTitle(part: String) throws {
        let head = "<h2>What the council says</h2>\(part)<h2>Why</h2>"
        let prose = String(repeating: Self.prose, count: 5)
        for picture in ["", "<figure><img src=/a.png><figcaption>The pier.</figcaption></figure>"] {
            let shown = text(try article("<article><h1>Pier closed today</h1>\(picture)\(head)\(prose)</article>"))
            #expect(shown.contains("What the council says") && shown.contains("Why") && !shown.contains("Ann"))
        }
    }

    /// The last section of an article, with a tag and class of its sections.
    private static let lastSections = [
        "<TAG><h2>Thanks</h2><p>To Ann.</p></TAG>", "<TAG><h2>Thanks</h2><p>To Ann.</p><p>And Ben.</p></TAG>",
        "<TAG><h2>Code</h2><p>See Ann's <a href=/a>notes</a> and <a href=/b>lamps</a>.</p></TAG>",
        "<TAG><div><h2>Thanks</h2></div><p>To Ann.</p></TAG>", "<TAG><h2>Thanks</h2>To Ann.</TAG>",
        "<TAG id=thanks><h2>Thanks</h2><p>To Ann, of <a href=/h>the harbour office</a>, who found it.</p></TAG>",
        "<TAG><header><h2>Thanks</h2></header><blockquote>So be it. – Ann</blockquote></TAG>",
        "<TAG><h2>Thanks</h2><ul><li>Ann<li>Ben</ul></TAG>",
    ]

    @Test("has all of its sections, however short", arguments: lastSections, ["section", "div", "div class=part"])
    func lastSection(section: String, tag: String) throws {
        for lengths in [[3, 4, 3], [1, 12, 2], [2, 1, 20], [8, 8]] {
            let sections = lengths.enumerated().map { number, length in
                "<TAG><h2>Part \(number)</h2>\(String(repeating: Self.prose, count: length))</TAG>"
            }
            let text = (sections + [section]).joined(separator: "\n")
                .replacing("</TAG>", with: "</\(tag.prefix { $0.isLetter })>").replacing("TAG", with: tag)
            for body in ["<article><h1>Pier closed today</h1>\(text)</article>", "<main>\(text)</main>", text] {
                let shown = self.text(try article(body))
                #expect(shown.contains("Part 1") && shown.contains("Ann"), "\(lengths) \(body.prefix(20))")
            }
        }
    }

    @Test(
        "has no short boxes of a site after its sections",
        arguments: [
            "<div class=newsletter><h2>News</h2><p>Ann writes each day.</p></div>",
            "<div><h2>News</h2><p>Ann writes each day.</p><form><input name=mail></form></div>",
            "<div><h2><a href=/ann>Ann's other lamps</a></h2><p>Out today.</p></div>",
            "<div><h2>Read more</h2><p>And <a href=/ann>Ann's lamps</a>, if you like, today.</p></div>",
            "<div><h2>Replies</h2><p>Ann, <time>May</time>: Nice.</p></div>",
            "<div><h2>News</h2><p><a href=/a>Ann's other lamps</a> <a href=/b>Gulls</a></p></div>",
            "<div><h3>News</h3><p>By Ann.</p></div>", "<section><h2>News</h2><p>By Ann.</p></section>",
            "<div><h2>News</h2><div class=share>Ann shares.</div></div>",
        ])
    func boxesAfterSections(box: String) throws {
        let sections = [1, 12, 2].map { "<div><h2>Part</h2>\(String(repeating: Self.prose, count: $0))</div>" }
        #expect(!text(try article("<main>\(sections.joined())\(box)</main>")).contains("Ann"))
    }

    @Test(
        "is where its page says it is, whatever is around it or has more text",
        arguments: [
            "<div class=above-footer><article><h1>Pier closed today</h1>@P</article></div>",
            "<div id=skyscraper-height><main><h1>Pier closed today</h1><div>@P</div></main></div>",
            "<div>@O</div><article><h1>Pier closed today</h1>@P</article>",
            "<main><article><h1>Pier closed today</h1><div class=entry>@P</div></article><div>@O</div></main>",
            "<article class=teaser><h2>Otters</h2>@O</article><article><h1>Pier closed today</h1>@P</article>",
        ])
    func declared(body: String) throws {
        let other = (1...3).map {
            "<p>Anna is \($0 * 20), likes otters, boats, and islands, and has written books.</p>"
        }
        let text = text(try article(body.replacing("@P", with: Self.prose).replacing("@O", with: other.joined())))
        #expect(text.contains("The keeper") && !text.contains("Anna"), "\(text)")
    }

    @Test("is also found beside a declared one that is only a teaser")
    func teaser() throws {
        let prose = String(repeating: Self.prose, count: 8)
        let page = "<article><h2>Otters</h2><p>Otters were seen near the pier yesterday, at noon.</p></article>"
        #expect(text(try article("\(page)<div><h1>Pier closed today</h1>\(prose)</div>")).contains("The keeper"))
    }

    private static let quotations = [
        "<blockquote><p>Quits rose.</p><footer><span class=author>Ben Roe</span>, <time datetime=2022-02-01>D</time></footer></blockquote>",
        "<div class=tweet><p><span class=tweet-author-name>Ben Roe</span> <span class=tweet-author>@ben</span></p><p>Quits rose.</p><p class=tweet-date>February 1st 2022</p></div>",
    ]

    @Test("has neither the author nor the date of what it quotes, but all of that", arguments: quotations)
    func quoted(quotation: String) throws {
        let found = try article("<article><h1>Pier closed today</h1>\(Self.prose)\(quotation)\(Self.prose)</article>")
        #expect(found.author == nil && found.publishDate == nil && !found.dates.contains { $0.contains("2022") })
        #expect(text(found).contains("Ben Roe") && text(found).contains("Quits rose."), "\(text(found))")
    }

    @Test(
        "has no date of what it is about, or of something beside it",
        arguments: [
            "<p>The storm of <time datetime=1962-02-16>16 February 1962</time> broke the old pier in two, and took its lamp, they say.</p>",
            "<aside><h3>Next meeting</h3><time datetime=2026-12-24>24 December</time></aside>",
        ])
    func otherDates(part: String) throws {
        let found = try article("<article><h1>Pier closed today</h1>\(Self.prose)\(part)\(Self.prose)</article>")
        #expect(found.publishDate == nil && found.dates == [], "\(found.dates)")
    }

    @Test(
        "doesn't repeat the line with its date",
        arguments: [
            "<p class=byline><time datetime=2021-02-25>February 25, 2021</time></p>",
            "<div class=meta><span class=date>February 25, 2021</span></div>",
            "<div class=meta>By <span class=author>Kim Ng</span> on <time datetime=2021-02-25>25 February 2021</time></div>",
            "<header><p><time datetime=2021-02-25>July 8, 2021</time></p></header>",
            "<p>Published February 25, 2021</p>",
        ])
    func dateLine(line: String) throws {
        let found = try article("<article><h1>Pier closed today</h1>\(line)\(Self.prose)\(Self.prose)</article>")
        #expect(text(found).hasPrefix("The keeper"), "\(text(found))")
        #expect(found.publishDate?.contains("2021") == true || found.dates.contains { $0.contains("2021") })
    }

    @Test(
        "has the date of its byline, not that of a comment",
        arguments: ["<ol class=commentlist><li>T</ol>", "<div id=comments><p>T</p></div>", "<div class=reply>T</div>"])
    func dates(comments: String) throws {
        let comment = comments.replacing("T", with: "<time datetime=2018-08-28>x</time> Nice, thank you.")
        let prose = String(repeating: Self.prose, count: 5)
        let byline = "<div class=byline>Monday August 27, 2018 by Ann Lee</div>"
        let found = try article("<article><h1>Pier closed today</h1>\(byline)\(prose)</article>\(comment)")
        #expect(found.publishDate == nil && found.dates.contains { $0.contains("27, 2018") })
        #expect(
            try article("<article><time datetime=2018-08-27>x</time>\(prose)</article>").publishDate == "2018-08-27")
    }

    @Test(
        "has a title without the site's name",
        arguments: [
            ("Otter - Wikipedia", "<h1>Otter</h1>", "Otter"), ("Gazette | Otter", "<h1>Otter</h1>", "Otter"),
            ("Otter – The Harbour News", "<meta property=og:site_name content='The Harbour News'>", "Otter"),
            ("Animals - Otter", "<h1>Otter watching</h1>", "Animals - Otter"),
            ("Tea — Tide manual", "<h1>Tea</h1>", "Tea"), ("Tea • Q", "<h1>Tea</h1>", "Tea"),
            ("Tea · dev.to", "<meta property=og:site_name content=dev.to>", "Tea"),
            ("T", "<meta property=og:site_name content=Q><meta property=og:title content='Tea | Q'>", "Tea"),
            ("X - ray", "<h1>X - ray</h1><meta property=og:site_name content=X>", "X - ray"),
            ("Tea | IO", "<header><h1>IO</h1></header><h2>Tea</h2>", "Tea"),
            ("海辺の　記録", "<h1>海辺の　記録</h1>", "海辺の　記録"),
        ])
    func titles(title: String, part: String, shown: String) throws {
        let page = "<title>\(title)</title>\(part)\(String(repeating: Self.prose, count: 6))"
        let found = PageArticle(page: page, at: try #require(URL(string: "https://x.example/p")))
        #expect(found?.title == shown)
    }
}
