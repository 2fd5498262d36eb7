import BlogTestSupport
import Foundation
import Testing
@testable import BlogMarkup

@Suite("A page's metadata") struct PageMetadataTests {
    private static func schema(_ json: String) -> String { "<script type=\"application/ld+json\">\(json)</script>" }

    private func article(_ head: String) throws -> PageArticle {
        try ArticleSample.article(ArticleSample.page("", head: head))
    }

    @Test(
        "is read from JSON-LD, in an object, an array or a graph",
        arguments: [
            #"{"@context":"https://schema.org","@type":"Article","name":"Lamps","author":{"name":"Ada"}}"#,
            #"{"@context":"http://schema.org/","@type":["Thing","NewsArticle"],"headline":"Lamps","author":{"name":"Ada"}}"#,
            #"[{"@type":"Person"},{"@context":"https://schema.org","@type":"BlogPosting","headline":"Lamps","author":[{"name":"Ada"}]}]"#,
            #"{"@context":{"@vocab":"https://schema.org/"},"@graph":[{"@type":"WebSite"},{"@type":"Article","headline":"Lamps","author":{"name":" Ada "}}]}"#,
            #"<![CDATA[{"@context":"https://schema.org","@type":"TechArticle","headline":"Lamps","author":{"name":"Ada"}}]]>"#,
        ])
    func schemas(json: String) throws {
        let article = try article("<title>Another title</title><meta name=author content=Bob>" + Self.schema(json))
        #expect(article.title == "Lamps")
        #expect(article.author == "Ada")
    }

    @Test(
        "isn't read from JSON-LD of other types, or from invalid JSON",
        arguments: [
            #"{"@context":"https://schema.org","@type":"Product","name":"Lamps"}"#,
            #"{"@context":"https://other.example","@type":"Article","name":"Lamps"}"#,
            #"{"@type":"Article","name":"Lamps"}"#, "{", "null", "[]", "[[[[", "\"x\"", "3",
        ])
    func noSchema(json: String) throws {
        #expect(try article("<title>Another title</title>" + Self.schema(json)).title == "Another title")
    }

    @Test("includes authors, excerpt, site, date and access from JSON-LD")
    func facts() throws {
        let article = try article(
            Self.schema(
                #"""
                {"@context": "https://schema.org", "@type": "Article", "headline": "A &amp; B", "description": "On\n lamps",
                "author": [{"name": "Ada"}, {"name": ""}, 3, {"name": "Jon"}], "publisher": {"name": "Harbour"},
                "datePublished": "2024-03-02", "isAccessibleForFree": "False"}
                """#))
        #expect(article.title == "A & B")
        #expect(article.author == "Ada, Jon")
        #expect(article.excerpt == "On lamps")
        #expect(article.siteName == "Harbour")
        #expect(article.publishDate == "2024-03-02")
        #expect(!article.isFree)
    }

    @Test(
        "has the author that JSON-LD names alone, in parts or elsewhere",
        arguments: [
            (#""Ada Brook""#, "Ada Brook"), (#"["Ada Brook", {"name": "Jon"}]"#, "Ada Brook, Jon"),
            (#"{"@type": "Person", "givenName": "Ada", "familyName": "Brook"}"#, "Ada Brook"),
            (#"[{"@id": "/#ada"}]"#, "Ada Brook"), (#"[{"@id": "/#nobody"}, {"@id": "/#ada"}]"#, "Ada Brook"),
            (#""https://x.example/ada""#, nil),
        ] as [(String, String?)])
    func schemaAuthors(author: String, name: String?) throws {
        let graph =
            #"{"@context": "https://schema.org", "@graph": [{"@type": "Article", "name": "Lamps", "author": \#(author)}, "#
            + #"{"@type": "Person", "@id": "/#ada", "name": "Ada Brook"}]}"#
        #expect(try article(Self.schema(graph)).author == name)
    }

    @Test(
        "prefers the JSON-LD name or headline that resembles the page's title",
        arguments: [
            ("Harbour", "Lamps of our pier", "Lamps of our pier"),
            ("Lamps of our pier", "Harbour", "Lamps of our pier"),
            ("Lamps of our pier", "Lamps of our pier!", "Lamps of our pier"),
            ("Harbour", "Lamps of our old pier", "Lamps of our old pier"),
            ("Lamps of our pier by night", "Where gulls nest", "Lamps of our pier by night"),
        ])
    func headline(name: String, headline: String, title: String) throws {
        let json =
            "{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"name\":\"\(name)\",\"headline\":\"\(headline)\"}"
        #expect(try article("<title>Lamps of our pier</title>" + Self.schema(json)).title == title)
    }

    @Test(
        "has a title without the name of the site, which the page's heading tells from it",
        arguments: [
            ("Lamps of our pier | Harbour", "Lamps of our pier"), ("How we sleep – Harbour", "How we sleep"),
            ("How Japan copes: snow | The Paper", "How Japan copes: snow"),
            ("Buick Enspire - Harbour", "Buick unveils the Enspire concept"),
            // The name of a site may be a heading, too.
            ("Harbour – Lamps of our pier", "Harbour – Lamps of our pier"), ("Lamps of our pier", "Lamps of our pier"),
        ])
    func siteNames(full: String, title: String) throws {
        let heading = full.hasPrefix("Harbour") ? "<a href=/>Harbour</a>" : title
        let page = ArticleSample.page("", head: "<title>\(full)</title>")
            .replacing("<div id=text>", with: "<h1>\(heading)</h1><div id=text>")
        #expect(try ArticleSample.article(page).title == title)
    }

    @Test("is read from the only date on a page")
    func onlyDate() throws {
        let time = "<p class=byline>By Ada <time datetime='2019-12-30 17:00:00'>yesterday</time></p>"
        #expect(try ArticleSample.article(ArticleSample.page(time)).publishDate == "2019-12-30 17:00:00")
        #expect(try ArticleSample.article(ArticleSample.page(time + time)).publishDate == nil)
    }

    /// What stands between a heading and its text, with the author, and the texts that may be dates.
    static let bylines: [(line: String, author: String?, dates: [String])] = [
        ("<abbr class=published title='2017-02-09'>2:22 PM</abbr>", nil, ["2017-02-09"]),
        ("<span itemprop=datePublished content='2017-02-09'>9 Feb</span>", nil, ["2017-02-09"]),
        (
            "<p>On <span itemprop=datePublished>3 juillet 2015</span></p>", nil,
            ["3 juillet 2015", "On 3 juillet 2015", "On 3 juillet 2015", "3 juillet 2015"]
        ),
        ("<time>2019-02-15</time>", nil, ["2019-02-15", "2019-02-15", "2019-02-15"]),
        ("<p class=meta>By June Brook | July 10, 2015</p>", "June Brook", ["July 10, 2015", "| July 10, 2015"]),
        (
            "<p>Posted on 10 July 2015 by June Brook</p>", "June Brook",
            ["Posted on 10 July 2015", "Posted on 10 July 2015"]
        ),
        (
            "<div class=x><span class=date>Friday, July 10th, 2015</span> <span>by Ada</span></div>", "Ada",
            ["Friday, July 10th, 2015", "Friday, July 10th, 2015"]
        ),
        ("<h2>10 July 2015</h2>", nil, ["10 July 2015", "10 July 2015"]),
        // No dates, or those of something else.
        ("<h2>The 10 best of May 2015, in a list</h2>", nil, []), ("<h2>1960</h2>", nil, []),
        ("<p>July 2015</p>", nil, []),
        ("<ul><li class=date>10 July 2015</ul>", nil, []), ("<figure><p class=date>10 July 2015</figure>", nil, []),
        ("<p>Seen by Ada in the year 1843 on page 10</p>", nil, []),
    ]

    @Test("includes the author and date in the lines below the heading", arguments: bylines)
    func byline(line: String, author: String?, dates: [String]) throws {
        let page =
            "<title>Lamps of our pier</title><body><h1>Lamps of our pier</h1>\(line)<div id=text>\(ArticleSample.text)</div>"
        let article = try ArticleSample.article(page)
        #expect(article.author == author)
        #expect(article.dates == dates)
    }

    @Test("ignores dates and names before the heading and after the text begins")
    func elsewhere() throws {
        let date = "<p class=date>By Ada, 10 July 2015</p>"
        let text = String(repeating: ArticleSample.text, count: 3)
        let page = "<title>Lamps of our pier</title><body>\(date)<h1>Lamps of our pier</h1><div>\(text)\(date)</div>"
        #expect(try ArticleSample.article(page).dates == [])
    }

    @Test("is without the words before a colon if these are the name of the site or of its host")
    func siteBeforeColon() throws {
        let title = "<title>The Harbour: Lamps of our old pier</title>"
        #expect(try article(title).title == "The Harbour: Lamps of our old pier")
        #expect(
            try article(title + "<meta property=og:site_name content='The Harbour'>").title == "Lamps of our old pier")
        #expect(try article("<title>Example: Lamps of our old pier</title>").title == "Lamps of our old pier")
    }

    @Test(
        "is read from meta elements, in order of preference",
        arguments: [
            ("<meta property=og:title content='A &amp;amp; B'>", "A & B"),
            ("<meta name=twitter:title content=A><meta property='og:title x:y' content=B>", "B"),
            ("<meta property=og:title content=A><meta name=dc.title content=B>", "B"),
            ("<meta name='DC:Title' content=' A\n B '>", "A B"), ("<meta name=title content=A>", "A"),
            ("<meta name=parsely-title content=A>", "A"), ("<meta name=weibo:article:title content=A>", "A"),
            ("<meta name=title content=A><meta name=title content=B>", "B"),
            ("<meta name=title content=''>", "Lamps"), ("<meta name=keywords content=A>", "Lamps"),
        ])
    func titles(meta: String, title: String) throws {
        #expect(try article("<title>Lamps</title>" + meta).title == title)
    }

    @Test(
        "includes the author from any of several meta elements",
        arguments: [
            ("<meta name=author content=Ada>", "Ada"), ("<meta name=dc:creator content=Ada>", "Ada"),
            ("<meta property=article:author content=Ada>", "Ada"),
            ("<meta property=og:article:author content=Ada>", "Ada"),
            ("<meta property=article:author content='https://a.example/ada'>", nil),
        ])
    func authors(meta: String, author: String?) throws {
        #expect(try article(meta).author == author)
    }

    @Test(
        "has the title without the site's name",
        arguments: [
            ("Lamps of our old pier - Harbour", "Lamps of our old pier"),
            ("Lamps of our pier | News | Harbour", "Lamps of our pier | News"),
            ("Harbour — Lamps of our old pier", "Lamps of our old pier"),
            ("Lamps-of-our-pier and more", "Lamps-of-our-pier and more"),
            ("Harbour: Lamps of our old pier", "Harbour: Lamps of our old pier"),
            ("A.example: Lamps of our old pier", "A.example: Lamps of our old pier"),
            ("One two three four five six: seven eight nine", "One two three four five six: seven eight nine"),
            ("Lamps » Harbour news", "Harbour news"), ("Two words - Harbour", "Two words - Harbour"),
            ("Lamps", "The only main heading of it"), ("", "The only main heading of it"),
            ("The main heading", "The only main heading of it"), ("The main headline", "The main headline"),
        ])
    func shortTitles(full: String, title: String) throws {
        #expect(try article("<title>\(full)</title><body><h1>The only main heading of it</h1>").title == title)
    }

    @Test("keeps a title with a colon that is also a heading")
    func colon() throws {
        let head = "<title>Harbour: Lamps of our pier</title><body><h2>Harbour: Lamps of our pier</h2>"
        #expect(try article(head).title == "Harbour: Lamps of our pier")
    }

    @Test(
        "has the day of its publication and a description from any of several meta elements",
        arguments: [
            ("<meta property=article:published_time content=A>", "A", nil),
            ("<meta name=parsely-pub-date content=A>", "A", nil),
            ("<meta name=publish-date content=A>", "A", nil), ("<meta name=sailthru.date content=A>", "A", nil),
            ("<meta name=dc.description content=A><meta name=description content=B>", nil, "A"),
            ("<meta property=og:description content=A>", nil, "A"),
        ] as [(String, String?, String?)])
    func others(meta: String, date: String?, excerpt: String?) throws {
        let article = try article(meta)
        #expect(article.publishDate == date)
        if let excerpt { #expect(article.excerpt == excerpt) }
    }

    @Test("includes the language and direction of the text")
    func language() throws {
        let page = "<html lang=ar dir=ltr><body><div dir=rtl>\(ArticleSample.text)</div></body></html>"
        let article = try ArticleSample.article(page)
        #expect(article.language == "ar")
        #expect(article.direction == "rtl")
        #expect(try ArticleSample.article(ArticleSample.page("")).direction == nil)
    }

    @Test("has the first paragraph as the excerpt if there is no description")
    func excerpt() throws {
        #expect(try article("").excerpt?.hasPrefix("The lamp on the pier burns") == true)
        #expect(try article("<meta name=description content=Short>").excerpt == "Short")
    }

    @Test(
        "marks the article as not free and incomplete if the page says so, of itself or of a part",
        arguments: [
            (#"{"@context":"https://schema.org","@type":"NewsArticle","isAccessibleForFree":false}"#, false),
            (
                #"{"@context":"https://schema.org","@type":"Article","isAccessibleForFree":"http://schema.org/False"}"#,
                false
            ),
            (
                #"{"@context":"https://schema.org","@type":"Article","isAccessibleForFree":true,"hasPart":"#
                    + #"[{"@type":"WebPageElement","isAccessibleForFree":"False","cssSelector":".rest"}]}"#, false
            ),
            (
                #"{"@context":"https://schema.org","@graph":[{"@type":"WebPage","isAccessibleForFree":"false"},"#
                    + #"{"@type":"Article","headline":"Lamps"}]}"#, false
            ),
            (#"{"@context":"https://schema.org","@type":"Article","isAccessibleForFree":"True"}"#, true),
            (#"{"@context":"https://schema.org","@type":"Article","hasPart":{"@type":"WebPageElement"}}"#, true),
            (
                #"{"@context":"https://schema.org","@graph":[{"@type":"Product","isAccessibleForFree":false},"#
                    + #"{"@type":"Article","headline":"Lamps"}]}"#, true
            ),
        ])
    func freeParts(json: String, isFree: Bool) throws {
        let article = try article(Self.schema(json))
        #expect(article.isFree == isFree && article.isComplete == isFree)
    }

    @Test(
        "marks the article as not free if its tier is locked",
        arguments: [("locked", false), ("Locked", false), ("metered", true), ("free", true)])
    func tiers(tier: String, isFree: Bool) throws {
        #expect(try article("<meta property=article:content_tier content=\(tier)>").isFree == isFree)
    }

    @Test("marks the article as free unless the page says otherwise")
    func free() throws {
        #expect(try article("").isFree)
        let whole = try ArticleSample.article(ArticleSample.page(named: "newspaper"))
        #expect(!whole.isFree)
        #expect(whole.author == "Mary Lund")
        #expect(whole.title == "Ferry to run all winter, council decides")
        #expect(whole.publishDate == "2023-10-19")
    }
}

@Suite("The encoding of a page") struct PageEncodingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var head = ""
        var charset: String?
        let bytes: [UInt8]
        let text: String
        var testDescription: String { name }
    }

    @Test(
        "is determined by the header, a meta element or the bytes",
        arguments: [
            Case(name: "UTF-8", bytes: [0xC3, 0xA9], text: "é"),
            Case(name: "windows-1252", bytes: [0xE9, 0x80], text: "é€"),
            Case(name: "header", charset: "windows-1251", bytes: [0xE0], text: "а"),
            Case(
                name: "header before meta", head: "<meta charset=koi8-r>", charset: "windows-1251", bytes: [0xE0],
                text: "а"),
            Case(name: "meta", head: "<META CHARSET='Shift_JIS'>", bytes: [0x93, 0xFA], text: "日"),
            Case(
                name: "http-equiv", head: "<meta http-equiv='Content-Type' content='text/html; charset=gb2312'>",
                bytes: [0xD6, 0xD0], text: "中"),
            Case(
                name: "meta after scripts", head: "<script>'<meta charset=utf-16>'</script><meta charset=euc-kr>",
                bytes: [0xC7, 0xD1], text: "한"),
            Case(name: "meta in a comment", head: "<!-- <meta charset=koi8-r> -->", bytes: [0xE9], text: "é"),
            Case(name: "UTF-8 by name only", head: "<meta charset=utf-8>", bytes: [0xE9], text: "é"),
            Case(name: "UTF-16 by name only", head: "<meta charset=utf-16>", bytes: [0xC3, 0xA9], text: "é"),
            Case(name: "unknown name", head: "<meta charset=nothing>", bytes: [0xC3, 0xA9], text: "é"),
            Case(
                name: "meta too late", head: String(repeating: " ", count: 5000) + "<meta charset=koi8-r>",
                bytes: [0xE9], text: "é"),
        ])
    func encodings(_ sample: Case) {
        let page = CharacterDecoding.page(Array(sample.head.utf8) + sample.bytes + [0x2E], charset: sample.charset)
        #expect(page == sample.head + sample.text + ".")
    }

    @Test("is UTF-16 if there is a BOM, whatever the header says")
    func wide() {
        var bytes: [UInt8] = [0xFF, 0xFE]
        for unit in "é<p>".utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(CharacterDecoding.page(bytes, charset: "utf-8") == "é<p>")
    }
}
