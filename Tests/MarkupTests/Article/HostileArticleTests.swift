import BlogTestSupport
import Foundation
import Testing
@testable import BlogMarkup

@Suite("A hostile page") struct HostileArticleTests {
    @Test(
        "leaves no script in its article",
        arguments: [
            "<p onclick=alert(1)>x</p>", "<p><img src=x.png onerror=alert(1)></p>",
            "<p><a href='javascript:alert(1)'>x</a></p>",
            "<p><a href='java\nscript:alert(1)'>x</a></p>", "<p><a href='&#1;javascript:alert(1)'>x</a></p>",
            "<p><a href='data:text/html,<script>alert(1)</script>'>x</a></p>", "<p><img src='javascript:alert(1)'></p>",
            "<iframe src='javascript:alert(1)//www.youtube.com/'></iframe>",
            "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
            "<p title='\"><script>alert(1)</script>'>x</p>", "<abbr title='\"><script>alert(1)</script>'>x</abbr>",
            "<p><img src=x.png alt='\" onerror=\"alert(1)'></p>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
            "<noscript><p title=\"</noscript><script>alert(1)</script>\"></noscript>",
            "<svg><script>alert(1)</script></svg>",
            "<svg onload=alert(1)></svg>", "<math><mtext></p><script>alert(1)</script></mtext></math>",
            "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>x</form>",
            "<video src='javascript:alert(1)' poster='javascript:alert(1)'></video>",
            "<base href='javascript:alert(1)'>",
            "<template><script>alert(1)</script></template>", "<xmp><script>alert(1)</script></xmp>",
            "<p id='\" onclick=\"alert(1)'>x</p>", "<style>@import 'javascript:alert(1)';</style>",
            "<object data='javascript:alert(1)'></object>", "<embed src='javascript:alert(1)'>",
            "<title></title><script>alert(1)</script>", "<textarea></textarea><script>alert(1)</script>",
        ])
    func scripts(part: String) throws {
        let html = try ArticleSample.article(ArticleSample.page(part)).html
        #expect(SafeArticle.problem(in: html) == nil)
    }

    @Test("leaves no control or bidi characters in the article, its title or its author")
    func controls() throws {
        let text = "a\u{1B}]0;x\u{7}b&#27;[31m&#x9b;2J\u{202E}c&#x202e;d&#x2066;e\u{85}f"
        let head =
            "<title>\(text) and more words</title><meta name=author content='\(text)'><meta name=description content='\(text)'>"
        let article = try ArticleSample.article(
            ArticleSample.page("<p>\(text)<img src=a.png alt='\(text)'></p>", head: head))
        for output in [article.title, article.author, article.excerpt, article.html] {
            #expect(HostileText.isHarmless(try #require(output)))
        }
        for line in [article.title, article.author, article.excerpt] { #expect(line?.contains("\n") == false) }
    }

    private static let prose =
        "<p>This sentence is here so that the paragraph is long enough to be taken for text, with commas, and more.</p>"

    @Test(
        "is parsed in linear time",
        arguments: [
            "<div>", "<b>", "<p>x, y", "<br>", "<", "&amp;", "<table>", "<table><tr><td>x", "<ul><li>x, ", "<a href=b>",
            "<b><p></b>", "<h1>x", "<meta name=title content=x>", "<script type=application/ld+json>[1]</script>",
            "<img><noscript><img src=a></noscript>", "<div class='share comment main'>x", "<!--", "<p a='",
            "<p a=\"<p b='",
            "<form><div><ul><li>", "<div><ins>", "<select><option>x", "<div><p>x, y, z</p></div>",
            "<section><p>x</section>",
            "<section><h2>a</h2></section><section><h2>a</h2></section><section class=menu><h2>b</h2>",
            "</p>", "<title>a - ", "<div hidden>", "<p class=byline>x", "<a href=#x>y</a>", "<font><span>", "漢、",
            "<aside>x</aside>", "<blockquote><p>x<footer>y</footer></blockquote>", "<nav><a href=a>b</a></nav>",
            prose + "<div class=share>x</div>", prose + "<div class=share>", prose + "<aside><ul><li>x</ul></aside>",
            "<div class=row><div>\(prose)</div><figure></figure></div>", "<div class=row><div>" + prose,
            "<section><div><div>\(prose)</div><b>x</b></div></section>", "<dialog><p>x",
            "<ul><li><div><a href=b>x</a></div>", "<ul><li>\(prose)</ul>",
            "<h2>a</h2><h3>b</h3><ul><li><a href=b>c</a></ul>",
            "<h3>a</h3><a href=#a>#</a>", "<div><h3>a</h3></div><div class=related>b</div>", "<h2>a</h2><b></b><i></i>",
            "<section><h2>a</h2><p>b.</p></section>", "<a href=lamp-2.html>2</a>", "<a rel=next href=lamp-2.html>x</a>",
            "<a href='lamp.html?page=2&page=2&page=2'>Page 2</a>…", "<a>2", "<a href=lamp/2>2",
            "<section><h2>a</h2>\(prose)</section><section><h2>a</h2>b</section>",
        ])
    func growth(piece: String) throws {
        let address = try ArticleSample.address()
        let growth = Growth.ofEightfoldInput(enough: 20, from: 1 << 10) { length in
            let page = ArticleSample.page(String(repeating: piece, count: length / piece.utf8.count))
            let article = PageArticle(page: page, at: address)
            #expect(article?.html.utf8.count ?? 0 <= SafeArticle.maxGrowth * page.utf8.count + 4096)
        }
        #expect(growth < 20)
    }

    @Test("may be nested 20,000 levels deep, or have 100,000 attributes")
    func extremes() throws {
        let deep = String(repeating: "<div>", count: 20_000)
        #expect(try ArticleSample.article(deep + ArticleSample.text).textLength > 500)
        let attributes = String(repeating: "a=b ", count: 100_000)
        #expect(try ArticleSample.article("<p \(attributes)>x</p>" + ArticleSample.text).textLength > 500)
    }

    @Test("ends when its processor time is over")
    func time() throws {
        let time = ProcessorTime(limit: .zero)
        let page = ArticleSample.page(String(repeating: "<p>x</p>", count: 10_000))
        _ = PageArticle(page: page, at: try ArticleSample.address(), time: time)
        #expect(time.isOver)
        let enough = ProcessorTime(limit: .seconds(600))
        #expect(PageArticle(page: page, at: try ArticleSample.address(), time: enough) != nil)
        #expect(!enough.isOver)
    }

    // An article may be 1 MB longer than twice its page.
    @Test(
        "are too complicated if their text would become far longer as HTML",
        arguments: [("&", 360_000), ("<", 540_000), (">", 540_000)])
    func escapes(text: String, count: Int) throws {
        let enough = ProcessorTime(limit: .seconds(600))
        let page = "<body><p>" + String(repeating: text, count: count)
        #expect(PageArticle(page: page, at: try ArticleSample.address(), time: enough) == nil)
        #expect(enough.isOver)
    }

    @Test("can't inflate its article with a long base URL")
    func links() throws {
        let base = "<base href='https://example.com/\(String(repeating: "x", count: 2000))/'>"
        let page = ArticleSample.page(
            String(repeating: "<p>Some text, and a <a href=y>z</a>.</p>", count: 1000), head: base)
        #expect(try ArticleSample.article(page).html.utf8.count < SafeArticle.maxGrowth * page.utf8.count)
    }
}

@Suite("Random pages") struct ArticleFuzzTests {
    /// The number of pages; `BLOG_FUZZ` overrides it.
    private static let count = Mutation.count(200)

    @Test("yield safe articles, no longer than a small multiple of the page, or none")
    func anything() throws {
        let address = try ArticleSample.address()
        let samples = try ArticleSample.names.map(ArticleSample.page(named:))
        var random = SplitMix(state: 11)
        var articles = 0
        for _ in 0..<Self.count {
            let page = try Self.mutated(#require(samples.randomElement(using: &random)), samples, &random)
            let rules = ArticleRules(
                body: [nil, ElementSelector("article, td")].randomElement(using: &random) ?? nil,
                drop: [nil, ElementSelector(".x, p p")].randomElement(using: &random) ?? nil)
            guard let article = PageArticle(page: page, at: address, rules: rules) else { continue }
            #expect(SafeArticle.problem(in: article.html) == nil)
            #expect(article.html.utf8.count <= SafeArticle.maxGrowth * page.utf8.count + 4096)
            let lines = [article.title, article.author, article.siteName, article.excerpt, article.publishDate]
            for line in lines + [article.language, article.direction] {
                #expect(line.map { HostileText.isHarmless($0, but: []) } != false && line?.isEmpty != true)
            }
            #expect(HostileText.isHarmless(article.html, but: ["\n", "\t", "\u{2028}", "\u{2029}"]))
            articles += 1
        }
        #expect(articles > Self.count / 10)
    }

    /// A damaged page: cut off, joined with another, or with parts missing, doubled or nested.
    private static func mutated(_ page: String, _ samples: [String], _ random: inout SplitMix) -> String {
        var page = page
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            page = Mutation.of(page, pieces: pieces, &random)
        }
        var bytes = Array(page.utf8)
        func range() -> Range<Int> {
            let start = Int.random(in: 0...bytes.count, using: &random)
            return start..<Int.random(in: start...bytes.count, using: &random)
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeSubrange(range())
        case 1: bytes.insert(contentsOf: bytes[range()], at: bytes.count / 2)
        case 2: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        case 3:
            let other = Array((samples.randomElement(using: &random) ?? "").utf8)
            bytes = Array(bytes[range()]) + other.suffix(other.count / 3) + bytes[range()]
        case 4:
            let piece = pieces.randomElement(using: &random) ?? ""
            let nested = String(repeating: piece, count: Int.random(in: 1...500, using: &random))
            bytes.insert(contentsOf: nested.utf8, at: range().lowerBound)
        default: break
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let pieces = [
        "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "&", "&#", "&#x202e;", "&#27;[2J", "\"", "'", "=", "/>",
        "<p>",
        "</p>", "<div>", "</div>", "<b>", "</a>", "<table>", "<td>", "</table>", "<script>", "</script>", "<br><br>",
        "<ul>",
        "<li>", "<img src=", "<noscript>", "</noscript>", " onclick=alert(1) ", " href='javascript:alert(1)'", "<svg>",
        "<math>", "<title>", "<base href='//x.example/'>", "<iframe src=//www.youtube.com/x>", " class='share comment'",
        " hidden", " style=display:none", "<h1>", "<article>", "\u{0}", "\u{202E}", "\u{1B}]0;", "\u{7}",
    ]
}

/// The guarantees about an article's HTML, checked by reading its tags.
enum SafeArticle {
    /// Each `<` in the text becomes four bytes, and links grow by a few times the length of the page.
    static let maxGrowth = 10

    /// The first unsafe part of some HTML; nil if it is safe.
    static func problem(in html: String) -> String? {
        var problem: String?
        HTMLToken.forEach(in: html, leavingOut: []) { token in
            guard case .open(let name, let attributes) = token else { return }
            if ["script", "style", "object", "embed", "form", "input", "base", "link", "meta", "svg"].contains(name) {
                problem = "<\(name)>"
            }
            for (key, value) in attributes.pairs where !isSafe(key, value) { problem = "\(key)=\(value)" }
        }
        return problem
    }

    private static func isSafe(_ name: String, _ value: String) -> Bool {
        switch name {
        case "href", "src", "poster":
            ["http://", "https://", "mailto:", "#"].contains { value.lowercased().hasPrefix($0) }
        case "class": value.hasPrefix("language-") || value == "latex"
        default: !name.hasPrefix("on") && !["style", "srcdoc", "srcset", "action"].contains(name)
        }
    }
}
