import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

/// Fetches articles from their pages and stores them.
struct ArticleFetching: Sendable {
    let connections: Connections
    let links: LinkRequests

    private var store: PostStore { connections.store }

    /// Fetches an article and stores it, or records why there is none.
    ///
    /// Throws a ``FetchError`` or a ``StoreError``.
    func fetch(of post: PostID, at url: URL, _ stored: StoredArticle?) async throws -> FetchedArticle {
        let source = try await store.read { try Sources($0).find(post.source) }
        do {
            let response = try await response(page: url, of: post.source, stored)
            if response.isNotModified, let article = stored?.article {
                try await store.writeIfFree { try Articles($0).confirm(of: post, at: connections.now()) }
                return FetchedArticle(article: article)
            }
            var fetched = try WebPage.article(in: response, ArticleRules(of: source), at: connections.now())
            if fetched.article.isComplete, let own = try await store.post(post), fetched.article.isBeginning(of: own) {
                fetched.article = fetched.article.incomplete
            }
            if post.source.isOfPages { try await describe(post, fetched) }
            try await keep(fetched.article, response, of: post)
            let page = StoryAddress(fetched.article.address)
            if let page, let named = fetched.canonicalAddress.flatMap({ StoryAddress($0) }),
                named.isNamed(byPageAt: page)
            {
                try await store.writeIfFree { try Stories($0).note(named, of: post) }
            }
            return fetched
        } catch let error as any FetchError {
            try await noteProblem(error, of: post)
            throw error
        }
    }

    /// Stores an article, unless the store is busy: it is shown in any case.
    func keep(_ article: Article, _ response: HTTPDocument, of post: PostID) async throws {
        try await store.writeUnlessLocked { try Articles($0).save(article, response.validators, of: post) }
    }

    private func response(
        page url: URL, of source: SourceID, _ stored: StoredArticle?
    ) async throws -> HTTPDocument {
        let validators = stored?.article == nil ? nil : stored?.validators
        // The user may have typed the address of a page; any other address comes from a server.
        if source.isPageSource { return try await request(url, validators: validators) }
        return try await links.response(
            of: url, namedBy: source, validators: validators, limit: HTTPLimits.pageBytes,
            wants: WebPage.isWanted
        ) { .page(ofSourceAt: $0).following(WebPage.redirect) }
    }

    func noteProblem(_ error: any FetchError, of post: PostID) async throws {
        let isUnreachable = (error as? HTTPError)?.isConnectionFailure == true
        let problem: ArticleProblem = isUnreachable ? .unreachable : error.isForGood ? .gone : .failed
        try await store.writeIfFree { try Articles($0).note(problem, of: post, at: connections.now()) }
    }

    /// Requests a web page that is read by its address.
    ///
    /// - Parameter isTyped: whether the user types it now.
    func request(_ page: URL, isTyped: Bool = false, validators: CacheValidators? = nil) async throws -> HTTPDocument {
        try await connections.client.typing(isTyped ? page : nil).get(
            page, options: .page.following(WebPage.redirect), validators: validators, limit: HTTPLimits.pageBytes,
            wants: WebPage.isWanted)
    }

    /// Completes a page that was stored without its article with the article's title and other details.
    private func describe(_ post: PostID, _ fetched: FetchedArticle) async throws {
        let metadata = try await store.read { try Posts($0).metadata(post.local, of: post.source) }
        guard let url = metadata.flatMap({ URL(address: $0.postId) }) else { return }
        let entry = PageSource.entry(for: url, fetched)
        _ = try await store.write { try Posts($0).addNumbered(entry, to: post.source, at: connections.now()) }
    }
}

extension PostStore {
    /// A post with its own text, as far as it is stored; nil if it isn't.
    func post(_ id: PostID) throws -> Post? {
        let (metadata, body) = try read {
            (try Posts($0).metadata(id.local, of: id.source), try Bodies($0).find(id.local, of: id.source))
        }
        return metadata.map { Post(id: id.local, metadata: $0, body: body?.text ?? "", bodyFormat: body?.format) }
    }
}

extension FetchError {
    /// Whether the page will never have an article.
    var isForGood: Bool {
        if case .notAPage? = self as? PageError { return true }
        return (self as? HTTPError)?.isNotFound == true
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
