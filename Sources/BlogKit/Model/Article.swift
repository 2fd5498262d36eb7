import BlogEssentials

/// The article of a web page, such as the one that a post links to.
public struct Article: Codable, Hashable, Sendable {
    /// The address of the page, after redirects.
    public let address: String
    /// The page's own title; nil if unknown.
    public let title: String?
    /// The name of the author; nil if unknown.
    public let author: String?
    /// The name of the site; nil if unknown.
    public let site: String?
    /// When it was published; nil if unknown.
    public let publishDate: Timestamp?
    /// The language tag, such as `en-GB`; nil if unknown.
    public let language: String?
    /// The extracted text.
    public let body: String
    /// The format of ``body``.
    public let format: BodyFormat
    /// False if the page has little text, no more than the post itself, a paywall, or is one of several.
    public private(set) var isComplete: Bool
    /// When the page was last fetched or found unchanged, to the millisecond.
    public var fetchedAt: Date { Date(millisecondsSince1970: fetchedMilliseconds) }
    /// ``fetchedAt`` in milliseconds since 1970, UTC.
    private let fetchedMilliseconds: Int64

    /// The members of the JSON in exports.
    private enum CodingKeys: String, CodingKey {
        case address, title, author, site, publishDate, language, format, isComplete
        case body = "text"
        case fetchedMilliseconds = "fetchedAt"
    }

    /// An article with the given values, which aren't validated.
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
        fetchedMilliseconds = fetchedAt.millisecondsSince1970
    }
}

extension Article {
    /// The same article, marked as a part of a longer one.
    package var incomplete: Article {
        var article = self
        article.isComplete = false
        return article
    }
}

/// When a post is read with the article that it links to.
public enum ArticleChoice: String, CaseIterable, Codable, Hashable, Sendable {
    /// Only on request.
    case never
    /// If the post itself has little text.
    case auto
    /// For every post.
    case always
}

/// Why a request for an article failed.
package enum ArticleProblem: String, Sendable {
    /// The page was removed permanently and isn't requested again.
    case gone
    /// The request failed, or the page has no article.
    case failed
    /// The server couldn't be reached.
    case unreachable
}
