import BlogEssentials
import BlogModel
import BlogStore

/// Reads one source: refreshes its list, fetches its posts, and stores all of it.
///
/// ``Library`` makes one for each source that a query covers.
struct SourceReader: Sendable {
    let source: any Source
    let store: PostStore
    var freshness = Freshness.normal
    var clock = WallClock.system

    /// This reader without requests.
    var offline: SourceReader { SourceReader(source: source, store: store, freshness: .offline, clock: clock) }

    func now() -> Date { clock.now() }

    var sourceID: SourceID { source.id }

    var url: URL { source.url }

    /// The source, if its items are fetched one by one.
    var itemSource: (any ItemFetching)? { source as? any ItemFetching }

    /// The posts that match a query, after refreshing the list.
    ///
    /// Throws ``LibraryError/unreachable(_:)`` or ``LibraryError/nothingStored(_:)`` if there is nothing to show, a
    /// ``FetchError`` if the server failed and nothing is stored, or a ``StoreError``.
    func list(_ query: Query) async throws -> PostList {
        if let itemSource { return try await rankedList(query, from: itemSource) }
        let refresh = try await refresh()
        return try await stored(query, after: refresh)
    }

    /// The stored posts that match a query.
    func stored(
        _ query: Query, after refresh: RefreshReport, missing: MissingItems = MissingItems()
    ) async throws -> PostList {
        guard let stored = try await store.source(sourceID) else { throw LibraryError.nothingStored(url) }
        let list = try await store.openList(query, in: SourceScope([stored]))
        return PostList(refreshes: [SourceRefresh(sourceID, refresh)], list: list, store: store, missing: missing)
    }

    /// Refreshes the list or, for a ranked source, the default section and the posts on its front page.
    ///
    /// Throws what ``list(_:)`` throws.
    ///
    /// - Parameter respectsMaxAge: whether to skip the request while the list is fresh.
    func refreshed(respectsMaxAge: Bool = true) async throws -> RefreshReport {
        guard let itemSource else { return try await refresh(respectsMaxAge: respectsMaxAge) }
        let (report, ids) = try await refreshRanking(of: source.capabilities.sections[0], from: itemSource)
        if case .failed = report.outcome { return report }
        if source.capabilities.includesPosts { return report }
        try await gather(Array(ids.prefix(Self.frontPage)), from: itemSource) { _ in [] }
        return report
    }

    /// How many posts at the front of a ranking belong to a list of several sources.
    static let frontPage = ListStatement.frontPageCount
}
