import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Fetches linked articles for reading offline.
package struct ArticleSync: Sendable {
    let connections: Connections
    let scopes: ScopeResolver
    let fetching: ArticleFetching

    private var store: PostStore { connections.store }

    /// Fetches the linked articles of unread or saved posts that have none stored; with ``Freshness/refresh``, of all
    /// of them.
    ///
    /// If the scope names its sources, all of them are synced; otherwise only those that are read with articles. Pages
    /// of one host are requested one at a time with a pause in between. A page without an article is requested again
    /// after a day, and one that is gone never.
    ///
    /// - Parameters:
    ///   - fallback: the choice for sources without one of their own.
    ///   - limit: how many of the newest posts of each source to sync; nil for all, or for the front page of a ranking.
    ///   - section: which list, for sources with several; nil for the default one.
    package func sync(
        _ fallback: ArticleChoice = .never, limit: Int? = nil, section: String? = nil,
        in scope: Scope = .everything, observe: @escaping SyncObserver = { _ in }
    ) async throws -> ArticleReport {
        var report = ArticleReport()
        var queue = FetchQueue<WantedPage>(Politeness.pages, clock: connections.clock)
        let scope = try await scopes.resolve(scope)
        let found = try await found(in: scope)
        for source in scope.sources {
            let stored = try await store.read { try Sources($0).find(source) }
            let choice = ArticlePreference(fallback: fallback).choice(for: stored)
            guard choice != .never || scope.isNamed || source.isOfPages else { continue }
            report.sources += 1
            for planned in try await plan(source, limit, section) where found?.contains(planned.post) != false {
                try await add(planned, choice, to: &queue, &report)
            }
        }
        let total = queue.count
        try await queue.run(refill: { _ in }) { page in
            try await fetch(page)
        } failure: { (fetched: FetchedPage) in
            if case .failed(let error) = fetched { error } else { nil }
        } take: { page, fetched, queue in
            report.count(fetched, of: page.post)
            await observe(.articles(total - queue.count, of: total))
        }
        return report
    }

    /// The posts that the saved search of a scope finds; nil if it has none.
    private func found(in scope: ResolvedScope) async throws -> Set<PostID>? {
        guard !scope.isOfSources else { return nil }
        var query = Query()
        (query.parts, query.hasSnippets) = ([], false)
        let list = try await PostListing(connections: connections.offline, scopes: scopes).list(query, in: scope)
        return try await list.posts.reduce(into: []) { $0.insert($1.id) }
    }

    /// The posts of a source to sync: for a ranking, those on its front page and all saved ones.
    private func plan(_ source: SourceID, _ limit: Int?, _ section: String?) async throws -> [PlannedArticle] {
        guard let section = section ?? connections.source(source)?.capabilities.sections.first else {
            return try await store.read { try Articles($0).plan(of: source, limit: limit) }
        }
        let ranking = try await store.read { try Rankings($0).find(section, of: source) }
        let front = Set(ranking?.ids.prefix(limit ?? Ranking.frontPageCount) ?? [])
        let plan = try await store.read { try Articles($0).plan(of: source, limit: nil) }
        return plan.filter { front.contains($0.post.local) || $0.isSaved }
    }

    /// Adds a page to fetch, unless its article is stored, isn't due or isn't needed.
    private func add(
        _ planned: PlannedArticle, _ choice: ArticleChoice, to queue: inout FetchQueue<WantedPage>,
        _ report: inout ArticleReport
    ) async throws {
        guard let url = URL(address: planned.link) else { return }
        if planned.hasArticle, connections.freshness != .refresh {
            report.unchanged += 1
        } else if planned.problem == .gone, connections.freshness != .refresh {
            report.unavailable += 1
        } else if !StoredArticle.isDue(planned.problem, failedAt: planned.failedAt, at: connections.now()) {
            report.waiting += 1
        } else if try await isNeeded(planned.post, choice) {
            queue.add(WantedPage(post: planned.post, url: url), host: url.hostAndPort)
        }
    }

    /// Whether a post's own text isn't enough.
    private func isNeeded(_ post: PostID, _ choice: ArticleChoice) async throws -> Bool {
        guard choice != .always, let own = try await store.post(post) else { return true }
        return own.isSummary
    }

    private func fetch(_ page: WantedPage) async throws -> FetchedPage {
        do {
            let stored = try await store.read { try Articles($0).find(of: page.post) }
            let article = try await fetching.fetch(of: page.post, at: page.url, stored).article
            return article.body == stored?.article?.body ? .unchanged : .new
        } catch let error as any FetchError {
            return .failed(error)
        }
    }
}

private struct WantedPage: Sendable {
    let post: PostID
    let url: URL
}

private enum FetchedPage: Sendable {
    case new
    case unchanged
    case failed(any FetchError)
}

package struct ArticleReport: Sendable {
    /// How many sources were synced.
    package fileprivate(set) var sources = 0
    package private(set) var new = 0
    /// Articles that were stored already.
    package fileprivate(set) var unchanged = 0
    /// Links that are dead or don't lead to a web page.
    package fileprivate(set) var unavailable = 0
    /// Pages without an article last time, which aren't due to be requested again.
    package fileprivate(set) var waiting = 0
    /// Pages that weren't requested because their host refused requests.
    package private(set) var untried = 0
    /// The pages that were requested without getting an article, and why; some of them are ``unavailable``.
    package private(set) var problems: [(post: PostID, error: any FetchError)] = []
    /// How many of the problems may be temporary.
    package private(set) var temporary = 0

    /// Whether something may succeed later; a dead link, or one that leads to something else, isn't a failure.
    package var hasFailed: Bool { untried > 0 || problems.contains { !$0.error.isForGood && !($0.error is PageError) } }

    /// The number of pages.
    package var total: Int { new + unchanged + unavailable + waiting + untried + temporary }

    /// Counts a page; nil for one that wasn't requested.
    fileprivate mutating func count(_ page: FetchedPage?, of post: PostID) {
        switch page {
        case nil: untried += 1
        case .new: new += 1
        case .unchanged: unchanged += 1
        case .failed(let error):
            problems.append((post, error))
            if error.isForGood { unavailable += 1 } else { temporary += 1 }
        }
    }
}
