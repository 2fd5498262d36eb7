import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// A source, the store for what it sends, and when it is asked.
struct SourceConnection: Sendable {
    let source: any Source
    let store: PostStore
    var freshness = Freshness.normal
    var clock = WallClock.system

    /// This without requests.
    var offline: SourceConnection {
        SourceConnection(source: source, store: store, freshness: .offline, clock: clock)
    }

    var sourceID: SourceID { source.id }

    var url: URL { source.url }

    func now() -> Date { clock.now() }

    /// The stored posts that match a query.
    func list(
        _ query: Query, after refresh: RefreshReport, missing: MissingItems = MissingItems()
    ) async throws -> PostList {
        guard let stored = try await store.source(sourceID) else { throw LibraryError.nothingStored(url) }
        let list = try await store.openList(query, in: SourceScope([stored]))
        return PostList(refreshes: [SourceRefresh(sourceID, refresh)], list: list, store: store, missing: missing)
    }

    /// An error as the library throws it when nothing stored can be shown instead.
    func unreachable(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError, error.isUnreachable else { return error }
        return LibraryError.unreachable(error)
    }
}
