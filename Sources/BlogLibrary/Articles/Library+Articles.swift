import Essentials
import HTTP
import Markup
import Model
import Rendering
import Store

/// When posts are read with the articles behind their links.
package struct ArticlePreference: Hashable, Sendable {
    /// The choice for this reading; nil for that of the post's source.
    package var explicit: ArticleChoice?
    /// The choice for sources that have none.
    package var fallback: ArticleChoice

    package init(explicit: ArticleChoice? = nil, fallback: ArticleChoice = .never) {
        self.explicit = explicit
        self.fallback = fallback
    }

    /// The choice for a source.
    func choice(for source: StoredSource?) -> ArticleChoice { explicit ?? source?.article ?? fallback }
}

extension Library {
    /// Whether posts of a source are read with the articles behind their links.
    package func articleChoice(_ preference: ArticlePreference, for source: SourceID) async throws -> ArticleChoice {
        preference.choice(for: try await store.source(source))
    }

    /// A post with the article behind its link, if it is wanted and can be had.
    ///
    /// - Parameter isAsked: whether somebody asks for it now, so that a page that gave none before is requested again.
    func adding(
        article choice: ArticleChoice, to read: ReadPost, _ post: PostID, isAsked: Bool = false
    ) async throws -> ReadPost {
        guard let url = read.post.metadata.page else {
            return choice == .auto ? read : read.without(articleBecause: PageError.noLink)
        }
        if choice == .auto, !read.post.isSummary { return read }
        let stored = try await store.article(of: post)
        do {
            guard let found = try await article(of: post, at: url, stored, isAsked: isAsked || choice == .always)
            else { return read }
            if choice == .auto, found.article.isShorter(than: read.post) { return read }
            return read.with(found.article, unmatchedRule: found.unmatchedRule)
        } catch let error as any FetchError {
            guard let article = stored?.article else { return read.without(articleBecause: error) }
            return read.with(article, because: error)
        }
    }

    /// The article of a post; nil for one that isn't requested again so soon, or isn't stored, unless it is asked for.
    private func article(
        of post: PostID, at url: URL, _ stored: StoredArticle?, isAsked: Bool
    ) async throws -> FetchedArticle? {
        if let article = stored?.article, freshness != .refresh { return FetchedArticle(article) }
        guard freshness != .offline else {
            guard isAsked else { return nil }
            throw PageError.notStored(url)
        }
        if !isAsked, freshness != .refresh, stored?.isDue(at: now()) == false { return nil }
        return try await fetchArticle(of: post, at: url, stored)
    }

    /// Fetches an article and stores it, or notes why there is none.
    ///
    /// Throws a ``FetchError`` or a ``StoreError``.
    func fetchArticle(of post: PostID, at url: URL, _ stored: StoredArticle?) async throws -> FetchedArticle {
        let source = try await store.source(post.source)
        do {
            let response = try await response(page: url, of: post.source, stored)
            if response.isNotModified, let article = stored?.article {
                try await store.confirmArticle(of: post, at: now())
                return FetchedArticle(article)
            }
            let fetched = try WebPage.article(in: response, ArticleRules(of: source), at: now())
            if post.source.isPageSource { try await describe(post, fetched) }
            try await keep(fetched.article, response, of: post)
            return fetched
        } catch let error as any FetchError {
            try await noteProblem(error, of: post)
            throw error
        }
    }

    /// Stores an article, unless the store is busy: it is shown in any case.
    func keep(_ article: LinkedArticle, _ response: HTTPResponse, of post: PostID) async throws {
        do {
            try await store.store(article, validators: CacheValidators(response.head), of: post)
        } catch let error as StoreError where error.reason == .busy {}
    }

    private func response(
        page url: URL, of source: SourceID, _ stored: StoredArticle?
    ) async throws -> HTTPResponse {
        let validators = stored?.article == nil ? nil : stored?.validators
        // The address of a page was typed; any other is a server's.
        if source.isPageSource { return try await request(page: url, validators: validators) }
        return try await links.response(
            of: url, namedBy: URL(address: source.address), validators: validators, limit: HTTPLimits.pageBytes,
            wants: WebPage.isWanted
        ) { .page(ofSourceAt: $0) }
    }

    func noteProblem(_ error: any FetchError, of post: PostID) async throws {
        do {
            try await store.note(error.isForGood ? .gone : .failed, ofArticleOf: post, at: now())
        } catch let error as StoreError where error.reason == .busy {}
    }
}

extension FetchError {
    /// Whether a page that gave no article will never give one.
    var isForGood: Bool {
        if case .notAPage? = self as? PageError { return true }
        let status = (self as? HTTPError)?.statusCode
        return status == 404 || status == 410
    }
}

extension StoredArticle {
    /// Whether a page that gave no article may be requested again.
    func isDue(at now: Date) -> Bool { Self.isDue(problem, failedAt: failedAt, at: now) }

    /// The same for a problem: after a day, but never for a page that is gone.
    static func isDue(_ problem: ArticleProblem?, failedAt: Date?, at now: Date) -> Bool {
        guard let problem, let failedAt else { return true }
        return problem != .gone && !(failedAt..<failedAt.addingTimeInterval(86_400)).contains(now)
    }
}

extension ArticleRules {
    /// The user's rules for a source.
    init(of source: StoredSource?) {
        self.init(
            body: source?.articleBody.flatMap { ElementSelector($0) },
            drop: source?.articleDrop.flatMap { ElementSelector($0) })
    }
}

extension PostMetadata {
    /// The web page that it links to; nil if there is none, or if the post is itself all there is.
    var page: URL? {
        guard photo == nil, let link, let url = URL(address: link),
            ["http", "https"].contains(url.scheme?.lowercased())
        else { return nil }
        return url
    }
}

extension Post {
    /// Whether its text is only a summary of the page that it links to.
    var isSummary: Bool {
        // As a rule a longer text is complete, and needn't be read to know that.
        guard body.utf8.count < Self.maxSummaryBytes else { return false }
        let text = plainText.trimmed
        if text.count < Self.minCompleteLength { return true }
        let end = text.suffix(40).lowercased()
        return Self.continuations.contains { end.contains($0) }
    }

    private static let maxSummaryBytes = 20_000
    private static let minCompleteLength = 1000
    /// How summaries end.
    private static let continuations = ["…", "[...]", "(more)", "read more", "continue reading", "weiterlesen"]
}

extension LinkedArticle {
    /// Whether a post's own text is longer.
    func isShorter(than post: Post) -> Bool {
        let own = Post(id: "", metadata: post.metadata, body: body, bodyFormat: format)
        return own.plainText.count < post.plainText.count
    }
}
