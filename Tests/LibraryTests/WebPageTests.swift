import BlogMarkup
import Foundation
import Testing
@testable import BlogLibrary

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
