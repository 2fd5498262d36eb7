import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

/// When posts are read with their linked articles.
package struct ArticlePreference: Hashable, Sendable {
    /// The choice of the command; nil for that of the post's source.
    package var explicit: ArticleChoice?
    /// The choice for sources without one of their own.
    package var fallback: ArticleChoice

    package init(explicit: ArticleChoice? = nil, fallback: ArticleChoice = .never) {
        self.explicit = explicit
        self.fallback = fallback
    }

    func choice(for source: StoredSource?) -> ArticleChoice { explicit ?? source?.article ?? fallback }
}

/// Adds linked articles to posts that are read.
package struct ArticleReading: Sendable {
    let connections: Connections
    let fetching: ArticleFetching

    /// When to read posts of a source with their linked articles.
    package func choice(_ preference: ArticlePreference, for source: SourceID) async throws -> ArticleChoice {
        preference.choice(for: try await connections.store.read({ try Sources($0).find(source) }))
    }

    /// A post with its linked article, if it is wanted and available.
    ///
    /// - Parameter isExplicit: whether the user asks for this article now, so that a page without one is requested
    ///   again.
    package func adding(
        article choice: ArticleChoice, to read: ReadResult, _ post: PostID, isExplicit: Bool = false
    ) async throws -> ReadResult {
        guard let url = read.post.metadata.page else {
            return choice == .auto ? read : read.without(articleBecause: PageError.noLink)
        }
        if choice == .auto, !read.post.isSummary { return read }
        let stored = try await connections.store.read { try Articles($0).find(of: post) }
        do {
            guard let found = try await article(of: post, at: url, stored, isExplicit: isExplicit || choice == .always)
            else { return read }
            if choice == .auto, found.article.isShorter(than: read.post) { return read }
            return read.with(found.article, unmatchedRule: found.unmatchedRule)
        } catch let error as any FetchError {
            guard let article = stored?.article else { return read.without(articleBecause: error) }
            return read.with(article, because: error)
        }
    }

    /// The article of a post; nil if it isn't explicit and isn't stored or due to be requested again.
    private func article(
        of post: PostID, at url: URL, _ stored: StoredArticle?, isExplicit: Bool
    ) async throws -> FetchedArticle? {
        if let article = stored?.article, connections.freshness != .refresh { return FetchedArticle(article: article) }
        guard connections.freshness != .offline else {
            guard isExplicit else { return nil }
            throw PageError.notStored(url)
        }
        if !isExplicit, connections.freshness != .refresh, stored?.isDue(at: connections.now()) == false { return nil }
        return try await fetching.fetch(of: post, at: url, stored)
    }
}

extension PostMetadata {
    /// The web page that it links to; nil if there is none, or for a photo, which is complete in itself.
    var page: URL? {
        guard photo == nil, let link, let url = URL(address: link),
            url.isWeb
        else { return nil }
        return url
    }
}

extension Post {
    /// Whether its text is only a summary of the page that it links to.
    var isSummary: Bool {
        // A longer text is usually complete, so it needn't be rendered to find out.
        guard body.utf8.count < Self.maxSummaryBytes else { return false }
        let text = safeText.trimmed
        return text.count < Self.minCompleteLength || Self.endsLikeSummary(text)
    }

    static func endsLikeSummary(_ text: String) -> Bool {
        let end = text.suffix(40).lowercased()
        return continuations.contains { end.contains($0) }
    }

    private static let maxSummaryBytes = 20_000
    private static let minCompleteLength = 1000
    /// Phrases at the end of summaries.
    private static let continuations = ["…", "[...]", "(more)", "read more", "continue reading", "weiterlesen"]
}

extension Article {
    /// Whether it is shorter than a post's own text.
    func isShorter(than post: Post) -> Bool { safeText.count < post.safeText.count }

    /// Whether a post's own text shows that it is only a beginning: it has hardly anything that the post hasn't, and the
    /// post goes on, or ends like a summary.
    func isBeginning(of post: Post) -> Bool {
        guard !post.body.isEmpty, post.body.utf8.count < Self.maxComparedBytes else { return false }
        let own = post.safeText.trimmed
        let (letters, others) = (Self.letters(safeText), Self.letters(own))
        let shared = zip(letters, others).prefix { $0 == $1 }.count
        guard shared * 5 >= letters.count * 4 else { return false }
        return others.count * 4 > letters.count * 5 || others.count >= letters.count && Post.endsLikeSummary(own)
    }

    private static func letters(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    private static let maxComparedBytes = 1 << 20
}
