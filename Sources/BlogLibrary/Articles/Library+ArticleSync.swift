import Essentials
import HTTP
import Model
import Store

extension Library {
    /// Fetches the articles of posts that are unread or saved and that have none stored; with ``Freshness/refresh``,
    /// of all of them.
    ///
    /// Of a scope that names its sources, each is looked at; of any other, those that are read with articles. One page
    /// of a host is requested at a time, with a pause before the next. A page that gave no article is requested again
    /// after a day, and one that is gone never.
    ///
    /// Throws a ``LibraryError`` or a ``StoreError``.
    ///
    /// - Parameters:
    ///   - usual: the choice for sources that have none.
    ///   - limit: how many of the newest posts of each source are looked at; nil for all, or for the front of a ranking.
    ///   - section: which list of a source that has several; nil for the usual one.
    ///   - pause: how long a host is left alone between two of its pages.
    ///   - observe: is called with every step.
    package func syncArticles(
        _ usual: ArticleChoice = .never, limit: Int? = nil, section: String? = nil,
        in scope: Scope = .everything, pause: Duration = .seconds(1),
        observe: @escaping @Sendable (SyncEvent) async -> Void = { _ in }
    ) async throws -> ArticleReport {
        var report = ArticleReport()
        var hosts = WantedPages()
        for source in try await sourceIDs(in: scope) {
            let stored = try await store.source(source)
            let choice = ArticlePreference(fallback: usual).choice(for: stored)
            guard choice != .never || scope.isNamed || source.isPageSource else { continue }
            report.sources += 1
            for planned in try await plan(source, limit, section) {
                try await add(planned, choice, to: &hosts, &report)
            }
        }
        let total = hosts.count
        try await concurrently(atMost: Self.maxHosts) {
            hosts.next()
        } work: { pages in
            try await fetch(pages, pause)
        } take: { (done: FetchedPages) in
            report.count(done)
            await observe(.articles(report.done, of: total))
        }
        return report
    }

    /// The posts of a source that are looked at: of a ranking, those at its front, and all that are saved.
    private func plan(_ source: SourceID, _ limit: Int?, _ section: String?) async throws -> [PlannedArticle] {
        guard let section = section ?? self.source(source)?.capabilities.sections.first else {
            return try await store.articlePlan(of: source, limit: limit)
        }
        let front = try await store.ranking(of: section, source)?.ids.prefix(limit ?? SourceReader.frontPage) ?? []
        let ids = Set(front)
        return try await store.articlePlan(of: source, limit: nil).filter { ids.contains($0.post.local) || $0.isSaved }
    }

    /// Plans a page, unless its article is stored, isn't due or isn't needed.
    private func add(
        _ planned: PlannedArticle, _ choice: ArticleChoice, to hosts: inout WantedPages, _ report: inout ArticleReport
    ) async throws {
        guard let url = URL(address: planned.link) else { return }
        if planned.hasArticle, freshness != .refresh {
            report.unchanged += 1
        } else if planned.problem == .gone, freshness != .refresh {
            report.unavailable += 1
        } else if !StoredArticle.isDue(planned.problem, failedAt: planned.failedAt, at: now()) {
            report.waiting += 1
        } else if try await isNeeded(planned.post, choice) {
            hosts.add(WantedPage(post: planned.post, url: url))
        }
    }

    /// Whether a post's own text isn't enough.
    private func isNeeded(_ post: PostID, _ choice: ArticleChoice) async throws -> Bool {
        guard choice != .always, let metadata = try await storedMetadata(of: post) else { return true }
        let body = try await store.body(id: post.local, of: post.source)
        guard body?.parts == nil else { return false }
        return Post(id: post.local, metadata: metadata, body: body?.text ?? "", bodyFormat: body?.format).isSummary
    }

    /// Fetches pages of one host one after the other, until it refuses requests.
    private func fetch(_ pages: [WantedPage], _ pause: Duration) async throws -> FetchedPages {
        var done = FetchedPages()
        for (number, page) in pages.enumerated() {
            if number > 0 { try await Task.sleep(for: pause) }
            do {
                let stored = try await store.article(of: page.post)
                let article = try await fetchArticle(of: page.post, at: page.url, stored).article
                if article.body == stored?.article?.body { done.unchanged += 1 } else { done.new += 1 }
            } catch let error as any FetchError {
                done.failures.append((page.post, error))
                guard (error as? HTTPError)?.isOfHost == true else { continue }
                done.untried = pages.count - number - 1
                break
            }
        }
        return done
    }

    /// How many hosts are requested at a time.
    private static let maxHosts = 20
}

extension HTTPError {
    /// Whether it is about the whole host, and not about one page.
    fileprivate var isOfHost: Bool {
        switch self {
        case .rateLimited, .status(_, 429, _), .status(_, 503, _): true
        default: isConnectionFailure
        }
    }
}

/// A page whose article is to be fetched.
private struct WantedPage: Sendable {
    let post: PostID
    let url: URL
}

/// The pages to fetch by their hosts.
private struct WantedPages {
    private var hosts: [String: [WantedPage]] = [:]
    /// The hosts in the order in which they came.
    private var order: ArraySlice<String> = []
    /// How many pages there are in all.
    private(set) var count = 0

    mutating func add(_ page: WantedPage) {
        let host = page.url.hostAndPort
        if hosts[host] == nil { order.append(host) }
        hosts[host, default: []].append(page)
        count += 1
    }

    /// The pages of the next host; nil if there is none.
    mutating func next() -> [WantedPage]? { order.popFirst().flatMap { hosts.removeValue(forKey: $0) } }
}

/// What came of the pages of one host.
private struct FetchedPages: Sendable {
    var new = 0
    var unchanged = 0
    var untried = 0
    var failures: [(post: PostID, error: any FetchError)] = []
}

/// The result of a sync of articles.
package struct ArticleReport: Sendable {
    /// How many sources were looked at.
    package fileprivate(set) var sources = 0
    /// Articles that were fetched.
    package private(set) var new = 0
    /// Articles that were stored already.
    package fileprivate(set) var unchanged = 0
    /// Pages that are gone, or are no pages.
    package fileprivate(set) var unavailable = 0
    /// Pages that aren't requested now because they gave no article before.
    package fileprivate(set) var waiting = 0
    /// Pages that were not requested any more because their host refused requests.
    package private(set) var untried = 0
    /// The pages that were requested and gave no article, and why; some of them are ``unavailable``.
    package private(set) var problems: [(post: PostID, error: any FetchError)] = []
    /// How many of the problems may be gone another time.
    package private(set) var failed = 0

    /// Whether something may succeed another time: that a link leads to nothing, or to something else, is no failure.
    package var hasFailed: Bool { untried > 0 || problems.contains { !$0.error.isForGood && !($0.error is PageError) } }

    /// How many pages there are.
    package var total: Int { new + unchanged + unavailable + waiting + untried + failed }
    /// How many of the pages that were planned are done.
    fileprivate(set) var done = 0

    fileprivate mutating func count(_ pages: FetchedPages) {
        new += pages.new
        unchanged += pages.unchanged
        done += pages.new + pages.unchanged + pages.untried + pages.failures.count
        untried += pages.untried
        problems += pages.failures
        let lost = pages.failures.count { $0.error.isForGood }
        unavailable += lost
        failed += pages.failures.count - lost
    }
}
