import Essentials

/// The article behind a post's link, as it was extracted from its page.
public struct LinkedArticle: Codable, Hashable, Sendable {
    /// The address of the page, after redirects.
    public let address: String
    /// The page's own title; nil if it has none.
    public let title: String?
    /// The name of the author; nil if the page doesn't say.
    public let author: String?
    /// The name of the site; nil if the page doesn't say.
    public let site: String?
    /// When it was published; nil if the page doesn't say.
    public let publishDate: Timestamp?
    /// The tag of its language, such as `en-GB`; nil if the page doesn't say.
    public let language: String?
    /// The text without the rest of the page.
    public let body: String
    /// The format of ``body``.
    public let format: BodyFormat
    /// False if the page gave little text, or says that it isn't free.
    public let isComplete: Bool
    /// When the page was last fetched or found unchanged.
    public let fetchedAt: Date

    /// An article with the given facts, none of them checked.
    public init(
        address: String, title: String? = nil, author: String? = nil, site: String? = nil,
        publishDate: Timestamp? = nil, language: String? = nil, body: String, format: BodyFormat,
        isComplete: Bool = true, fetchedAt: Date
    ) {
        self.address = address
        self.title = title
        self.author = author
        self.site = site
        self.publishDate = publishDate
        self.language = language
        self.body = body
        self.format = format
        self.isComplete = isComplete
        self.fetchedAt = fetchedAt
    }
}

/// When a post is read with the article behind its link.
public enum ArticleChoice: String, CaseIterable, Codable, Hashable, Sendable {
    /// Only if asked for.
    case never
    /// If the post itself has little text.
    case auto
    /// For every post.
    case always
}

/// Why there is no article.
package enum ArticleProblem: String, Sendable {
    /// The page is gone for good: it isn't requested again.
    case gone
    /// The last request failed, or the page has no article.
    case failed
}
