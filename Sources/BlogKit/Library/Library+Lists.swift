import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

extension Library {
    /// The posts that match a query, after refreshing the sources that are due.
    ///
    /// A single source is refreshed every time, as are sources that the scope names. If a refresh fails or takes longer
    /// than five seconds, the stored posts are listed.
    ///
    /// Throws ``LibraryError/unreachable(_:)`` or ``LibraryError/nothingStored(_:)`` if there is nothing to show, a
    /// ``FetchError`` if the only server failed and nothing is stored, or a ``StoreError``.
    ///
    /// - Parameters:
    ///   - query: which posts, in which order.
    ///   - scope: the sources to list.
    ///   - refreshed: called with the number of sources refreshed so far and their total, if there are several.
    public func list(
        _ query: Query, in scope: Scope = .everything,
        refreshed: @escaping RefreshObserver = { _, _ in }
    ) async throws -> PostList {
        try await list(query, in: resolve(scope), refreshed: refreshed)
    }

    /// The same for a scope that was looked up.
    package func list(
        _ query: Query, in scope: ResolvedScope, refreshed: @escaping RefreshObserver = { _, _ in }
    ) async throws -> PostList {
        if let all = try await savedEverywhere(query, scope) { return all }
        let (sources, stored, isNamed) = (scope.sources, scope.stored.sources, scope.scope.isNamed)
        if sources.count == 1 { return try await list(query, of: sources[0], stored.first, isNamed: isNamed) }
        guard freshness != .offline else { return try await list(query, of: scope, []) }
        let refreshes = await refresh(
            sources, stored, onlyDue: freshness == .normal && !isNamed, within: Politeness.listDeadline,
            observe: refreshed)
        return try await list(query, of: current(scope), refreshes)
    }

    /// The next page of a stored list, without a request.
    ///
    /// The posts before it aren't read, so the millionth page is as fast as the first.
    ///
    /// - Parameters:
    ///   - query: which posts, in which order.
    ///   - scope: the sources to list.
    ///   - position: the position of the last post on the previous page; nil for the first page.
    ///   - count: the number of posts per page.
    public func page(
        _ query: Query, in scope: Scope = .everything, after position: ListPosition?, count: Int
    ) async throws -> [ListedPost] {
        var query = query
        (query.after, query.limit) = (position, count)
        let list = try await list(query, of: resolve(scope), [])
        return try await list.posts.reduce(into: []) { $0.append($1) }
    }

    /// How many stored posts match a query, ignoring its limit, without a request; nil for a search.
    ///
    /// Throws a ``StoreError``.
    public func counts(of query: Query, in scope: Scope = .everything) async throws -> ListCounts? {
        try await counts(of: query, in: resolve(scope))
    }

    /// The same for a scope that was looked up.
    package func counts(of query: Query, in scope: ResolvedScope) async throws -> ListCounts? {
        var query = query
        (query.limit, query.offset) = (nil, 0)
        let stored = try await current(scope).stored
        if query.section == nil, scope.sources.count == 1 { query.section = stored.frontPages.values.first }
        return try await store.counts(of: query, in: stored)
    }

    /// The stored posts that contain the words of a query, without a request.
    ///
    /// Posts stored since the last search are indexed first.
    ///
    /// Throws ``LibraryError/nothingStored(_:)`` if there is nothing to search, or a ``StoreError``.
    ///
    /// - Parameters:
    ///   - query: the words and filters.
    ///   - scope: the sources to search.
    ///   - indexed: called with the number of posts indexed since the last call.
    public func search(
        _ query: Query, in scope: Scope = .everything, indexed: @Sendable (Int) async -> Void = { _ in }
    ) async throws -> PostList {
        try await search(query, in: resolve(scope), indexed: indexed)
    }

    /// The same for a scope that was looked up.
    package func search(
        _ query: Query, in scope: ResolvedScope, indexed: @Sendable (Int) async -> Void = { _ in }
    ) async throws -> PostList {
        try await index(indexed)
        if let all = try await savedEverywhere(query, scope) { return all }
        return try await list(query, of: scope, [])
    }

    private func list(
        _ query: Query, of scope: ResolvedScope, _ refreshes: [SourceRefresh]
    ) async throws -> PostList {
        let (sources, stored) = (scope.sources, scope.stored)
        let hasFailed = !refreshes.isEmpty && !refreshes.contains(where: \.hasSucceeded)
        guard !stored.sources.isEmpty, stored.posts > 0 || !hasFailed else { throw noListError(sources, refreshes) }
        let list = try await store.openList(query, in: stored)
        return PostList(refreshes: refreshes, list: list, store: store)
    }

    private func noListError(_ sources: [SourceID], _ refreshes: [SourceRefresh]) -> any Error {
        for refresh in refreshes {
            if case .unfinished(_, isSilent: true) = refresh.report.outcome,
                let url = URL(address: refresh.source.address)
            {
                return LibraryError.unreachable(HTTPError.timedOut(url, seconds: Politeness.listDeadline))
            }
            guard case .failed(let error, _) = refresh.report.outcome else { continue }
            guard let error = error as? HTTPError, error.isUnreachable else { return error }
            return LibraryError.unreachable(error)
        }
        return LibraryError.nothingStored(URL(address: (sources.first ?? defaultSource).address) ?? URL(filePath: "/"))
    }

    /// All saved posts, including those of sources that are no longer followed; nil unless the query is for saved posts
    /// of everything.
    private func savedEverywhere(_ query: Query, _ scope: ResolvedScope) async throws -> PostList? {
        guard query.filter.isSaved, case .everything = scope.scope else { return nil }
        let named = try await store.namedSources()
        guard !named.isEmpty else { return nil }
        let unnamed = scope.stored.sources.filter { $0.name == nil }
        let list = try await store.openList(query, in: SourceScope(named + unnamed))
        return PostList(refreshes: [], list: list, store: store)
    }

    /// How many stored posts aren't indexed yet; the next search indexes them first.
    public func unindexedPosts() async throws -> Int { try await store.unindexedPosts() }

    /// Updates the full-text index, unless another process keeps the store locked.
    private func index(_ indexed: @Sendable (Int) async -> Void) async throws {
        try await writeIfFree {
            while case let count = try await store.indexMore(), count > 0 { await indexed(count) }
        }
    }

    /// The names of all authors in the stored lists, unordered.
    public func authors(in scope: Scope = .everything) async throws -> [String] {
        try await store.authors(in: stored(in: scope))
    }

    /// The tags of the newest posts in the stored lists, unordered.
    package func tags(in scope: Scope = .everything) async throws -> [String] {
        try await store.tags(in: stored(in: scope))
    }

    /// The names of the cursors that track new posts.
    package func cursors() async throws -> [String] { try await store.cursors() }

    /// How many listed posts are stored without their bodies.
    package func missingBodies(in scope: ResolvedScope) async throws -> Int {
        try await store.missingBodies(in: scope.stored)
    }

    /// Records that a hint is shown; true the first time in the store's life.
    package func takeHint(_ name: String) async -> Bool { (try? await store.takeHint(name)) == true }

    /// Moves a cursor past everything that was stored when a list was made.
    public func moveCursor(_ name: String, past list: PostList, in scope: Scope = .everything) async throws {
        try await store.moveCursor(name, in: stored(in: scope), to: list.lastSeen)
    }
}

extension Library {
    /// Marks stored posts by their ids.
    ///
    /// Throws a ``StoreError``, as do the other functions for marks.
    public func mark(_ mark: Mark, ids: [PostID]) async throws -> MarkingReport {
        try await store.mark(mark, ids: ids)
    }

    /// Marks every stored post in a scope that passes a filter.
    public func mark(_ mark: Mark, all filter: Filter, in scope: Scope = .everything) async throws -> MarkingReport {
        try await self.mark(mark, all: filter, in: resolve(scope))
    }

    /// The same for a scope that was looked up.
    package func mark(_ mark: Mark, all filter: Filter, in scope: ResolvedScope) async throws -> MarkingReport {
        try await store.mark(mark, all: Query(filter: filter), in: scope.stored)
    }

    /// Undoes the last marking; nil if there is none.
    ///
    /// The report has the marks after the undo.
    public func undoMarking() async throws -> MarkingReport? {
        try await store.undoMarking()
    }

    /// The markings that ``undoMarking()`` would undo, most recent first.
    public func lastMarkings(_ limit: Int = 10) async throws -> [MarkingReport] {
        try await store.lastMarkings(limit)
    }

    /// Marks posts as read, which ``undoMarking()`` can undo; the last of them becomes ``lastRead()``.
    public func noteReading(of ids: [PostID]) async throws {
        try await store.noteReading(of: ids)
    }

    /// The post most recently recorded by ``noteReading(of:)``; nil if there is none or it was deleted.
    public func lastRead() async throws -> PostID? {
        try await store.lastRead()
    }
}
