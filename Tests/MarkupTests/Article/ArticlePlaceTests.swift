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

    @Test("loses no box about books", arguments: [("books that look good", true), ("cookies that taste good", false)])
    func boxes(words: String, isKept: Bool) throws {
        let box = String(repeating: "We took a look at \(words), and wrote about them. ", count: 8)
        let page = "<main><h1>Pier closed today</h1>\(Self.prose)</main><aside>\(box)</aside>"
        var tree = HTMLTreeBuilder.tree(of: page)
        tree.removeLegalNotices(title: "Pier closed today")
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
            ("<div><h2 id=s>Setup</h2><a href=#s>Section titled Setup</a></div>", "Setup"),
            ("<div class=heading-wrapper><h2 id=s>Setup</h2><a class=anchor href=#s>#</a></div>", "Setup"),
        ])
    func lines(part: String, shown: String) throws {
        let prose = String(repeating: Self.prose, count: 4)
        let text = text(try article("<article><h1>Pier closed today</h1>\(prose)\(part)\(prose)</article>"))
        #expect(text.contains("\n\(shown)\nThe keeper"), "\(text)")
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
        ])
    func titles(title: String, part: String, shown: String) throws {
        let page = "<title>\(title)</title>\(part)\(String(repeating: Self.prose, count: 6))"
        let found = PageArticle(page: page, at: try #require(URL(string: "https://x.example/p")))
        #expect(found?.title == shown)
    }
}
