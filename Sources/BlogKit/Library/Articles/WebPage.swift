import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogMarkup
import BlogModel

/// Reads an article or a plain text from a response.
enum WebPage {
    /// Whether the body of a response can be shown, given its head.
    @Sendable static func isWanted(_ head: HTTPHead) -> Bool {
        guard let type = head.mediaType?.name else { return true }
        return type.hasPrefix("text/") || htmlTypes.contains(type)
    }

    /// The address that the text of a response redirects to; nil for none.
    @Sendable static func redirect(_ head: HTTPHead, _ body: Data) -> String? {
        let type = head.mediaType?.name
        let isHTML =
            type == "text/html"
            || type.map(htmlTypes.contains) ?? HTML.isBeginning(of: String(decoding: body.prefix(1000), as: UTF8.self))
        return isHTML ? MetaRefresh.target(in: body) : nil
    }

    /// The article in a response.
    ///
    /// Throws a ``PageError``.
    ///
    /// - Parameters:
    ///   - rules: the user's rules for the source.
    ///   - now: when the response came.
    static func article(
        in response: HTTPDocument, _ rules: ArticleRules, at now: Date
    ) throws -> FetchedArticle {
        let (url, head) = (response.finalURL, response.head)
        guard isWanted(head) else { throw PageError.notAPage(url, type: head.mediaType?.name ?? "") }
        return try article(
            in: response.body.bytes, of: head.mediaType?.name, charset: head.charset, from: url, rules, at: now)
    }

    /// The article in a text.
    ///
    /// - Parameter type: its media type; nil if unknown.
    fileprivate static func article(
        in bytes: [UInt8], of type: String?, charset: String?, from url: URL, _ rules: ArticleRules, at now: Date
    ) throws -> FetchedArticle {
        if FeedParser.isFeed(bytes) { throw PageError.notAPage(url, type: PageError.feed) }
        let text = CharacterDecoding.page(bytes, charset: charset)
        guard !text.unicodeScalars.prefix(1000).contains("\0") else { throw PageError.notAPage(url, type: "") }
        if let format = format(of: url, type, text) {
            guard !text.allSatisfy(\.isWhitespace) else { throw PageError.noText(url) }
            return FetchedArticle(
                article: Article(address: url.absoluteString, body: text, format: format, fetchedAt: now))
        }
        let time = ProcessorTime()
        let found = PageArticle(page: text, at: url, rules: Self.rules(for: url, rules), time: time)
        if time.isOver { throw PageError.tooComplicated(url) }
        guard let found else { throw PageError.noText(url) }
        let html = found.direction == "rtl" ? "<div dir=\"rtl\">\(found.html)</div>" : found.html
        let article = Article(
            address: url.absoluteString, title: found.title, author: found.author, site: found.siteName,
            publishDate: found.dates.lazy.compactMap { FeedDate.timestamp($0) }.first, language: found.language,
            body: html + (found.pagination?.notice ?? ""), format: .html,
            isComplete: found.isComplete, fetchedAt: now)
        return FetchedArticle(
            article: article, excerpt: found.excerpt, canonicalAddress: found.canonicalAddress,
            unmatchedRule: found.matchesBodyRule ? nil : rules.body?.text)
    }

    /// The format of a text that is shown unchanged; nil for a web page.
    private static func format(of url: URL, _ type: String?, _ text: String) -> BodyFormat? {
        switch type {
        case "text/markdown", "text/x-markdown": return .markdown
        case "text/plain": break
        case nil where !HTML.isBeginning(of: text): break
        default: return nil
        }
        return ["md", "markdown"].contains(url.pathExtension.lowercased()) ? .markdown : .plain
    }

    /// The user's rules, or the built-in ones: the page of a repository on GitHub, whose path has two parts, shows its
    /// README.
    static func rules(for url: URL, _ rules: ArticleRules) -> ArticleRules {
        guard rules.body == nil, ["github.com", "www.github.com"].contains(url.host?.lowercased()),
            url.path().split(separator: "/").count == 2
        else { return rules }
        return ArticleRules(body: ElementSelector("article.markdown-body"), drop: rules.drop)
    }

    private static let htmlTypes: Set = ["application/xhtml+xml", "application/xml"]
}

extension Article {
    /// Extracts the article of a web page, without navigation, advertisements and the like, and without a request.
    ///
    /// Throws a ``PageError``, whose description is a sentence: the data isn't a page, has no readable text, or would take too long.
    ///
    /// - Parameters:
    ///   - data: the page, in HTML of any age, however malformed.
    ///   - url: its address, which its links are relative to.
    ///   - charset: its encoding as a server named it; nil to find it in the data.
    public init(html data: Data, at url: URL, charset: String? = nil) throws {
        self = try WebPage.article(
            in: Array(data), of: "text/html", charset: charset, from: url, WebPage.rules(for: url, ArticleRules()),
            at: Date()
        ).article
    }
}

/// A fetched article, with details that aren't stored.
struct FetchedArticle: Sendable {
    var article: Article
    /// Its opening; nil if the page doesn't give one.
    var excerpt: String?
    /// The address that the page names as its own; nil if it names none.
    var canonicalAddress: String?
    /// The user's selector for the body, if it matches nothing in the page.
    var unmatchedRule: String?
}

/// Why a page has no article.
public enum PageError: FetchError, Hashable {
    /// The response isn't a web page; `type` is its media type, "" if unknown.
    case notAPage(URL, type: String)
    /// The page has no readable text.
    case noText(URL)
    /// Finding the article would take too long.
    case tooComplicated(URL)
    /// The post has no link.
    case noLink
    /// Requests are off, and the article isn't stored.
    case notStored(URL)

    package static func isFeed(_ type: String) -> Bool {
        [feed, "application/atom+xml", "application/feed+json"].contains(type)
    }

    static let feed = "application/rss+xml"
}
