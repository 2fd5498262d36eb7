import BlogMarkup
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel

@Suite("The page of a repository on GitHub") struct WebPageTests {
    private let readme = "article.markdown-body"

    @Test(
        "shows its README, without the parts that the user leaves out",
        arguments: ["https://github.com/o/r", "https://github.com/o/r/", "http://www.GitHub.com/o/r?tab=readme#usage"])
    func repository(address: String) throws {
        let url = try #require(URL(string: address))
        let drop = ElementSelector(".badges")
        let rules = WebPage.rules(for: url, ArticleRules(drop: drop))
        #expect(rules == ArticleRules(body: ElementSelector(readme), drop: drop))
        let page = """
            <html><body><div><p>\(String(repeating: "A file. ", count: 200))</p></div>
            <article class="markdown-body"><p class="badges">passing</p><p>How to use it.</p></article></body></html>
            """
        let article = try #require(PageArticle(page: page, at: url, rules: rules))
        #expect(article.html.contains("How to use it.") && !article.html.contains("passing"))
        #expect(!article.html.contains("A file."))
    }

    @Test(
        "is read like any other if it isn't the repository's first page or the user has chosen a part",
        arguments: [
            ("https://github.com/o", nil), ("https://github.com/o/r/issues", nil), ("https://github.example/o/r", nil),
            ("https://gist.github.com/o/r", nil), ("https://github.com/o/r", "main"),
        ])
    func other(address: String, body: String?) throws {
        let rules = ArticleRules(body: body.flatMap { ElementSelector($0) }, drop: ElementSelector("nav"))
        #expect(WebPage.rules(for: try #require(URL(string: address)), rules) == rules)
    }
}

@Suite("A page") struct PageKindTests {
    private func article(_ body: String, at name: String, as type: String) throws -> Article {
        let url = try #require(URL(string: "https://a.example/\(name)"))
        let head = HTTPHead(status: 200, headers: ["Content-Type": type])
        let response = HTTPDocument(url: url, head: head, body: DocumentBody(Array(body.utf8)))
        return try WebPage.article(in: response, ArticleRules(), at: Date()).article
    }

    @Test(
        "of plain text is Markdown if its address says so",
        arguments: [
            ("a.md", BodyFormat.markdown), ("a.MD", .markdown), ("a.markdown", .markdown), ("a.txt", .plain),
            ("md", .plain), ("a.md.txt", .plain),
        ])
    func markdown(name: String, format: BodyFormat) throws {
        #expect(try article("*Two*", at: name, as: "text/plain").format == format)
    }

    @Test("has a complete article from 500 characters on", arguments: [(499, false), (500, true)])
    func length(characters: Int, isComplete: Bool) throws {
        let text = "A page, with words, that go on, and on: " + String(repeating: "x", count: characters - 40)
        let page = "<html><body><article><p>\(text)</p></article></body></html>"
        #expect(try article(page, at: "a", as: "text/html").isComplete == isComplete)
    }
    @Test(
        "that is one of several says so after its text, and is incomplete",
        arguments: [
            ("a", "<link rel=next href=a/2>", "Page 1 of several. Next page: https://a.example/a/2"),
            ("a/2", "<p><a href=/a>1</a> 2 <a href=/a/3>3</a></p>", "Page 2 of 3. Next page: https://a.example/a/3"),
            ("a?page=3", "<p><a href=/a>1</a> <a href='?page=2'>2</a> 3</p>", "Page 3 of 3."),
            ("a", "<link rel=next href=b>", nil),
        ], ["ltr", "rtl"])
    func several(page: (name: String, links: String, line: String?), direction: String) throws {
        let text = "<p>\(String(repeating: "A page, with words, that go on. ", count: 40))</p>"
        let html = "<html dir=\(direction)><body><article>\(text)</article><nav>\(page.links)</nav></body></html>"
        let article = try article(html, at: page.name, as: "text/html")
        let lines = HTML.document(article.body).blocks.plainText.split(separator: "\n")
        #expect(article.isComplete == (page.line == nil))
        #expect(page.line == nil || lines.last.map(String.init) == page.line)
        #expect(lines.count == (page.line == nil ? 1 : 2))
    }
}
