import BlogTestSupport
import Foundation
import Testing
@testable import BlogMarkup

/// Sample pages, and parts to build others from.
enum ArticleSample {
    static let names = ["weblog", "newspaper", "old"]

    static func page(named name: String) throws -> String {
        let file = Repository.root.appending(path: "Tests/Fixtures/pages/\(name).html")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Three paragraphs, together long enough for an article.
    static let text = """
        <p>The lamp on the pier burns at night, and by day it doesn't, which is how most lamps do it, but this one has
        a switch that the wind can reach, so that in some weeks it is the other way round, to the joy of the gulls.</p>
        <p>Last autumn the town sent an electrician, who looked at it, listened to it, and put a box around the switch,
        of good grey plastic, with four screws, a seal, and a label that says what is inside, in two languages.</p>
        <p>Since then the lamp burns when it should, and the wind moves the box, slowly, towards the edge of the pier,
        where it will arrive, if nobody comes, at some time in the spring, with the switch, the seal and the label.</p>
        """

    /// A page with that text in the middle.
    static func page(_ more: String, head: String = "") -> String {
        "<html><head>\(head)</head><body><div id=text>\(text)\(more)</div></body></html>"
    }

    static func address() throws -> URL { try #require(URL(string: "https://example.com/notes/lamp.html")) }

    static func article(_ page: String, rules: ArticleRules = ArticleRules()) throws -> PageArticle {
        try #require(PageArticle(page: page, at: try address(), rules: rules))
    }

    /// The part of an article after that text, which must be complete.
    static func rest(_ article: PageArticle) throws -> String {
        let end = try #require(article.html.firstRange(of: "the seal and the label.</p>"))
        return String(article.html[end.upperBound...]).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
