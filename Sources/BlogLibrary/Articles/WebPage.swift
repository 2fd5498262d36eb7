import Essentials
import Feeds
import HTTP
import Markup
import Model

/// Reads what an address leads to: the article of a web page, or a text.
enum WebPage {
    /// Whether the body of a response can be shown, by its head.
    @Sendable static func isWanted(_ head: HTTPHead) -> Bool {
        guard let type = head.mediaType?.name else { return true }
        return type.hasPrefix("text/") || htmlTypes.contains(type)
    }

    /// The article in a response.
    ///
    /// Throws a ``PageError``.
    ///
    /// - Parameters:
    ///   - rules: what the user knows about the pages of the source.
    ///   - now: when the response came.
    static func article(
        in response: HTTPResponse, _ rules: ArticleRules, at now: Date
    ) throws -> FetchedArticle {
        let (url, head) = (response.finalURL, response.head)
        guard isWanted(head) else { throw PageError.notAPage(url, type: head.mediaType?.name ?? "") }
        let bytes = [UInt8](response.body.whole)
        if FeedParser.isFeed(bytes) { throw PageError.notAPage(url, type: PageError.feed) }
        let text = CharacterDecoding.page(bytes, charset: head.charset)
        guard !text.unicodeScalars.prefix(1000).contains("\0") else { throw PageError.notAPage(url, type: "") }
        if let format = format(of: url, head.mediaType?.name, text) {
            guard !text.allSatisfy(\.isWhitespace) else { throw PageError.noText(url) }
            return FetchedArticle(
                LinkedArticle(address: url.absoluteString, body: text, format: format, fetchedAt: now))
        }
        guard let found = PageArticle(page: text, at: url, rules: KnownPages.rules(for: url, rules)) else {
            throw PageError.noText(url)
        }
        let article = LinkedArticle(
            address: url.absoluteString, title: found.title, author: found.author, site: found.siteName,
            publishDate: found.publishDate.flatMap { FeedDate.timestamp($0) }, language: found.language,
            body: found.direction == "rtl" ? "<div dir=\"rtl\">\(found.html)</div>" : found.html, format: .html,
            isComplete: found.isFree && found.textLength >= minCompleteLength,
            fetchedAt: now)
        return FetchedArticle(
            article, excerpt: found.excerpt, unmatchedRule: found.matchesBodyRule ? nil : rules.body?.text)
    }

    /// The format of a text that is shown as it is; nil for a web page.
    private static func format(of url: URL, _ type: String?, _ text: String) -> BodyFormat? {
        switch type {
        case "text/markdown", "text/x-markdown": return .markdown
        case "text/plain": break
        case nil where !HTML.isBeginning(of: text): break
        default: return nil
        }
        return ["md", "markdown"].contains(url.pathExtension.lowercased()) ? .markdown : .plain
    }

    /// Shorter articles are probably only the beginning of one.
    private static let minCompleteLength = 500
    private static let htmlTypes: Set = ["application/xhtml+xml", "application/xml"]
}

/// An article as it was fetched, and what isn't stored of it.
struct FetchedArticle: Sendable {
    let article: LinkedArticle
    /// How it begins; nil if the page doesn't say.
    let excerpt: String?
    /// The user's selector of the body, if it matches nothing in the page.
    let unmatchedRule: String?

    init(_ article: LinkedArticle, excerpt: String? = nil, unmatchedRule: String? = nil) {
        self.article = article
        self.excerpt = excerpt
        self.unmatchedRule = unmatchedRule
    }
}

/// Sites whose pages are not articles but hold one at a place that is known.
enum KnownPages {
    /// The user's rules, or those that are known for a page.
    static func rules(for url: URL, _ rules: ArticleRules) -> ArticleRules {
        guard rules.body == nil, isRepository(url) else { return rules }
        return ArticleRules(body: ElementSelector("article.markdown-body"), drop: rules.drop)
    }

    /// Whether a page is that of a repository on GitHub, which shows its README: two parts of a path are its name.
    private static func isRepository(_ url: URL) -> Bool {
        ["github.com", "www.github.com"].contains(url.host?.lowercased())
            && url.path().split(separator: "/").count == 2
    }
}

/// Why there is no article.
public enum PageError: FetchError, Hashable {
    /// The address leads to something else; `type` is its media type, "" if unknown.
    case notAPage(URL, type: String)
    /// No text was found in the page.
    case noText(URL)
    /// The post links to no page.
    case noLink
    /// Requests are off, and the article isn't stored.
    case notStored(URL)

    /// Whether a media type is that of a feed.
    package static func isFeed(_ type: String) -> Bool {
        [feed, "application/atom+xml", "application/feed+json"].contains(type)
    }

    static let feed = "application/rss+xml"
}
