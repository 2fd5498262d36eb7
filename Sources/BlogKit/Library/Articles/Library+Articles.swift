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

extension Library {
    /// When to read posts of a source with their linked articles.
    package func articleChoice(_ preference: ArticlePreference, for source: SourceID) async throws -> ArticleChoice {
        preference.choice(for: try await store.source(source))
    }

    /// A post with its linked article, if it is wanted and available.
    ///
    /// - Parameter isExplicit: whether the user asks for this article now, so that a page without one is requested
    ///   again.
    package func adding(
        article choice: ArticleChoice, to read: ReadPost, _ post: PostID, isExplicit: Bool = false
    ) async throws -> ReadPost {
        guard let url = read.post.metadata.page else {
            return choice == .auto ? read : read.without(articleBecause: PageError.noLink)
        }
        if choice == .auto, read.longBody != nil || !read.post.isSummary { return read }
        let stored = try await store.article(of: post)
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
        if let article = stored?.article, freshness != .refresh { return FetchedArticle(article: article) }
        guard freshness != .offline else {
            guard isExplicit else { return nil }
            throw PageError.notStored(url)
        }
        if !isExplicit, freshness != .refresh, stored?.isDue(at: now()) == false { return nil }
        return try await fetchArticle(of: post, at: url, stored)
    }

    /// Fetches an article and stores it, or records why there is none.
    ///
    /// Throws a ``FetchError`` or a ``StoreError``.
    func fetchArticle(of post: PostID, at url: URL, _ stored: StoredArticle?) async throws -> FetchedArticle {
        let source = try await store.source(post.source)
        do {
            let response = try await response(page: url, of: post.source, stored)
            if response.isNotModified, let article = stored?.article {
                try await store.confirmArticle(of: post, at: now())
                return FetchedArticle(article: article)
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
        try await writeIfFree {
            try await store.store(article, validators: CacheValidators(response.head), of: post)
        }
    }

    private func response(
        page url: URL, of source: SourceID, _ stored: StoredArticle?
    ) async throws -> HTTPResponse {
        let validators = stored?.article == nil ? nil : stored?.validators
        // The user typed the address of a page; any other address comes from a server.
        if source.isPageSource { return try await request(page: url, validators: validators) }
        return try await links.response(
            of: url, namedBy: URL(address: source.address), validators: validators, limit: HTTPLimits.pageBytes,
            wants: WebPage.isWanted
        ) { .page(ofSourceAt: $0) }
    }

    func noteProblem(_ error: any FetchError, of post: PostID) async throws {
        try await writeIfFree {
            try await store.note(error.isForGood ? .gone : .failed, ofArticleOf: post, at: now())
        }
    }
}

extension FetchError {
    /// Whether the page will never have an article.
    var isForGood: Bool {
        if case .notAPage? = self as? PageError { return true }
        return (self as? HTTPError)?.isNotFound == true
    }
}

extension StoredArticle {
    /// Whether a page without an article may be requested again.
    func isDue(at now: Date) -> Bool { Self.isDue(problem, failedAt: failedAt, at: now) }

    /// Whether it may be requested again: after a day, but never if it is gone.
    static func isDue(_ problem: ArticleProblem?, failedAt: Date?, at now: Date) -> Bool {
        guard let problem, let failedAt else { return true }
        let due = failedAt.addingTimeInterval(Politeness.pageRetryInterval)
        return problem != .gone && !now.isBetween(failedAt, and: due)
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
    /// The web page that it links to; nil if there is none, or for a photo, which is complete in itself.
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
        // A longer text is usually complete, so it needn't be rendered to find out.
        guard body.utf8.count < Self.maxSummaryBytes else { return false }
        let text = plainText.trimmed
        if text.count < Self.minCompleteLength { return true }
        let end = text.suffix(40).lowercased()
        return Self.continuations.contains { end.contains($0) }
    }

    private static let maxSummaryBytes = 20_000
    private static let minCompleteLength = 1000
    /// Phrases at the end of summaries.
    private static let continuations = ["…", "[...]", "(more)", "read more", "continue reading", "weiterlesen"]
}

extension LinkedArticle {
    /// Whether it is shorter than a post's own text.
    func isShorter(than post: Post) -> Bool {
        let own = Post(id: "", metadata: post.metadata, body: body, bodyFormat: format)
        return own.plainText.count < post.plainText.count
    }
}
