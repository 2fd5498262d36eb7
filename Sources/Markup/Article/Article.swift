import Foundation

/// The article of a web page, without what stands around it.
package struct Article: Hashable, Sendable {
    // Each is one line of plain text, not sanitised.
    package var title: String?
    package var author: String?
    package var siteName: String?
    package var excerpt: String?
    /// As the page has it, mostly as in ISO 8601.
    package var publishDate: String?
    /// `en`, for example.
    package var language: String?
    /// `rtl` or `ltr`.
    package var direction: String?
    /// The text with its markup: links are absolute, and nothing in it runs or loads by itself but pictures.
    package var html: String
    /// The number of characters of its text.
    package var textLength: Int
    /// Whether all of it is there for everyone: false if the page says that it isn't.
    package var isFree: Bool

    /// Reads a page in time linear in its size; nil if it has no text.
    package init?(page: String, at address: URL, rules: ArticleRules = ArticleRules()) {
        return nil
    }
}

/// What a user knows better about the pages of a source.
package struct ArticleRules: Hashable, Sendable {
    /// The elements that make up the article.
    package var body: ElementSelector?
    /// The elements that don't belong to it.
    package var drop: ElementSelector?

    package init(body: ElementSelector? = nil, drop: ElementSelector? = nil) {
        self.body = body
        self.drop = drop
    }
}

package enum ArticleReadability {
    /// Whether a page is probably an article, found out in a fraction of the time that reading it takes.
    package static func isProbablyReadable(page: String) -> Bool {
        false
    }
}
