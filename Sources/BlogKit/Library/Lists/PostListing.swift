import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore
import Synchronization

/// Lists and searches posts of a scope.
package struct PostListing: Sendable {
    let connections: Connections
    let scopes: ScopeResolver

    var store: PostStore { connections.store }

    /// ``Library/list(_:in:refreshed:)`` for a scope that was looked up.
    package func list(
        _ query: Query, in scope: ResolvedScope, refreshed: @escaping RefreshObserver = { _, _ in }
    ) async throws -> PostList {
        // What is kept of everything is listed without a request.
        if query.isOfKept, case .everything = scope.scope,
            try await !scopes.stored(for: query, in: scope).isEmpty
        {
            return try await list(query, of: scope, [])
        }
        if let source = scope.single, source.service == nil {
            return try await list(query, of: source, scope.isNamed ? .all : .present)
        }
        let sources = scope.sources
        guard connections.freshness != .offline else { return try await list(query, of: scope, []) }
        let areServices = sources.requested.allSatisfy(\.isService)
        let refreshes = try await SourcesRefresh(connections: connections).refresh(
            sources, scopes.stored(scope), scope.isNamed && !areServices ? .all : .due,
            patience: .seconds(Politeness.listDeadline), observe: refreshed)
        return try await list(query, of: scopes.current(scope), refreshes)
    }

    /// The next page of a stored list: the posts before it aren't read, so the last page is as fast as the first.
    package func page(
        _ query: Query, in scope: ResolvedScope, after position: ListPosition?, count: Int
    ) async throws -> [StoredPost] {
        var query = query
        (query.after, query.limit) = (position, count)
        return try await list(query, of: scope, []).posts.reduce(into: []) { $0.append($1) }
    }

    /// How many stored posts match a query, ignoring its limit, without a request; nil for a search.
    package func counts(of query: Query, in scope: ResolvedScope) async throws -> ListCounts? {
        var query = query
        (query.limit, query.offset) = (nil, 0)
        query = try await scopes.narrowed(query, to: scope, clock: connections.clock)
        let stored = try await scopes.stored(for: query, in: scopes.current(scope))
        if query.section == nil, scope.single != nil { query.section = stored.frontPages.values.first }
        return try await store.counts(of: query, in: stored)
    }

    /// ``Library/search(_:in:indexed:)`` for a scope that was looked up.
    package func search(
        _ query: Query, in scope: ResolvedScope, indexed: @Sendable (Int) async -> Void = { _ in }
    ) async throws -> PostList {
        if query.hasWords { try await SearchIndexing(store: store).indexAll(indexed) }
        return try await list(query, of: scope, [])
    }

    /// The tags of the newest posts in the stored lists, unordered.
    package func tags(in scope: ResolvedScope) async throws -> [String] {
        let settled = try await store.settleRules()
        return try await store.read { try ListCounting($0).tags(in: scope.stored, settled) }
    }

    /// The names of the cursors that track new posts.
    package func cursors() async throws -> [String] { try await store.read { try Cursors($0).names() } }

    /// How many listed posts are stored without their bodies.
    package func missingBodies(in scope: ResolvedScope) -> Int { scope.stored.missingBodies }

    /// The length in characters of the longest numbered ID in a scope; 0 if none is numbered.
    package func widestID(in scope: ResolvedScope) async throws -> Int {
        try await store.read { try Sources($0).widestID(in: scope.stored) }
    }

    private func list(
        _ query: Query, of scope: ResolvedScope, _ refreshes: [SourceRefresh]
    ) async throws -> PostList {
        let query = try await scopes.narrowed(query, to: scope, clock: connections.clock)
        let stored = try await scopes.stored(for: query, in: scope)
        let hasFailed = !refreshes.isEmpty && !refreshes.contains(where: \.hasSucceeded)
        guard !stored.isEmpty, stored.posts > 0 || !hasFailed else { throw noListError(scope.sources, refreshes) }
        let list = try await store.openList(query, in: stored)
        return PostList(refreshes: refreshes, list: list, store: store)
    }

    private func noListError(_ sources: [SourceID], _ refreshes: [SourceRefresh]) -> any Error {
        let unreachable = refreshes.first(where: \.report.isUnreachable)?.report.failure as? HTTPError
        if let unreachable, refreshes.lackNetwork { return LibraryError.unreachable(unreachable) }
        for refresh in refreshes {
            if case .unfinished(_, isSilent: true) = refresh.report.outcome,
                let url = URL(address: refresh.source.address)
            {
                return LibraryError.unreachable(HTTPError.timedOut(url, seconds: Politeness.listDeadline))
            }
            if case .waiting(let until?, _) = refresh.report.outcome, let url = URL(address: refresh.source.address) {
                return HTTPError.rateLimited(url, until: until)
            }
            if case .skipped(.unconfirmed, _, _) = refresh.report.outcome,
                let url = URL(address: refresh.source.address)
            {
                return refresh.source.isService ? ServiceError.unconfirmed(url) : HTTPError.privateAddress(url)
            }
            guard case .failed(let error, _) = refresh.report.outcome else { continue }
            guard let error = error as? HTTPError, error.isUnreachable else { return error }
            return LibraryError.unreachable(error)
        }
        let skipped = refreshes.count { if case .skipped = $0.report.outcome { true } else { false } }
        if skipped > 0 { return LibraryError.noneWorks(skipped) }
        return LibraryError.nothingStored(
            URL(address: (sources.first ?? scopes.defaultSource).address) ?? URL(filePath: "/"))
    }

    /// The posts of one source that match a query, which is waited for while its server sends data: then those that are
    /// stored are listed, if there are any.
    private func list(_ query: Query, of source: SourceID, _ asking: Schedule.Asking) async throws -> PostList {
        guard connections.freshness != .offline, let stored = try await store.read({ try Sources($0).find(source) }),
            stored.hasList
        else {
            return try await connections.reader(of: source).list(query)
        }
        let listed = Mutex<PostList?>(nil)
        let refreshes = await SourcesRefresh(connections: connections).refresh(
            [source], [stored], asking, patience: .whileDataComes, observe: { _, _ in }
        ) { source, activity in
            let list = try await connections.reader(of: source, recording: activity).list(query)
            listed.withLock { $0 = list }
            return list.refreshes[0].report
        }
        try Task.checkCancellation()
        if let list = listed.withLock({ $0 }) { return list }
        return try await connections.reader(of: source).offline.list(query).after(refreshes[0])
    }
}
