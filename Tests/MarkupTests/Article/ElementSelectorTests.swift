import Foundation
import Testing
@testable import BlogMarkup

@Suite("A CSS selector") struct ElementSelectorTests {
    private static let page = """
        <article id=main class=" post\tbig " data-x="a b"><P class=lead>1<p>2</article><div class=post><p>3</p>
        <x-y>4</x-y></div><section><div><p lang=en>5</div></section>
        """

    @Test(
        "finds elements in document order, without those nested in a match",
        arguments: [
            ("p", "1 2 3 5"), ("P.lead", "1"), (".post", "12 34"), (".post p", "1 2 3"), ("#main p", "1 2"),
            ("article, section", "12 5"), ("article.post.big", "12"), ("div.big", ""), ("[lang]", "5"),
            ("[lang=en]", "5"),
            ("[ lang = 'en' ]", "5"), ("[lang=de]", ""), ("[data-x=\"a b\"]", "12"), ("section p, .lead", "1 5"),
            ("body section div p", "5"), ("section section p", ""), ("* p", "1 2 3 5"), ("x-y", "4"),
            ("body, p", "12345"),
            ("p[lang=en]", "5"), ("div *", "3 4 5"),
        ])
    func matches(selector: String, texts: String) throws {
        let tree = HTMLTreeBuilder.tree(of: Self.page)
        let found = try #require(ElementSelector(selector)).matches(in: tree)
        #expect(found.map { tree.text(of: $0).filter { !$0.isWhitespace } }.joined(separator: " ") == texts)
    }

    @Test(
        "reports what is wrong with it",
        arguments: [
            ("", "is empty"), ("  ", "is empty"), ("a,", "has a comma with nothing before or after it"),
            (",a", "has a comma with nothing before or after it"), ("a > b", "has “>”, which isn't supported"),
            ("a + b", "has “+”, which isn't supported"), ("a:first-child", "has “:”, which isn't supported"),
            ("[a^=b]", "has “^”, which isn't supported"), ("[a", "has “[” without “]”"),
            ("[a='b]", "has an unclosed quote"), (".", "is missing a name"), ("#", "is missing a name"),
            ("[]", "is missing a name"), ("a*", "has “*”, which isn't supported"),
            ("{", "has “{”, which isn't supported"),
        ])
    func problems(selector: String, problem: String) {
        #expect(ElementSelector.problem(in: selector) == problem)
        #expect(ElementSelector(selector) == nil)
    }

    @Test("reports no problem if it is valid")
    func noProblem() {
        #expect(ElementSelector.problem(in: "article .post, [a='b']") == nil)
        #expect(ElementSelector("a b")?.text == "a b")
    }

    @Test("can choose the article's body")
    func body() throws {
        let page = ArticleSample.page("<div class=box><p>One</p><p hidden>Two</p></div><ul class=box><li>Three</ul>")
        let rules = ArticleRules(body: ElementSelector(".box"))
        #expect(
            try ArticleSample.article(page, rules: rules).html
                == "<div><p>One</p></div><ul><li>Three</li></ul>")
    }

    @Test("is ignored as the body if it matches nothing")
    func noBody() throws {
        let rules = ArticleRules(body: ElementSelector(".nothing"))
        #expect(try ArticleSample.article(ArticleSample.page(""), rules: rules).html.contains("The lamp"))
    }

    @Test("can drop elements from the article")
    func drop() throws {
        let page = ArticleSample.page("<p class=x>Not this.</p><p>This.</p>")
        let rules = ArticleRules(drop: ElementSelector("p.x"))
        #expect(try ArticleSample.rest(ArticleSample.article(page, rules: rules)) == "<p>This.</p>")
    }
}
