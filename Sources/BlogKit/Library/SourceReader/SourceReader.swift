import BlogEssentials
import BlogModel
import BlogStore

/// Reads one source: refreshes its list, fetches its posts, and stores all of it.
///
/// ``Library`` makes one for each source that a query covers.
struct SourceReader: Refreshable {
    private let source: any Source
    private let connection: SourceConnection

    init(source: any Source, store: PostStore, freshness: Freshness = .normal, clock: WallClock = .system) {
        self.init(
            source, SourceConnection(sourceID: source.id, store: store, freshness: freshness, clock: clock))
    }

    init(_ source: any Source, _ connection: SourceConnection) {
        (self.source, self.connection) = (source, connection)
    }

    /// This reader without requests.
    var offline: SourceReader { SourceReader(source, connection.offline) }

    var sourceID: SourceID { connection.sourceID }

    /// The source, if its items are fetched one by one.
    private var itemSource: (any ItemFetching)? { source as? any ItemFetching }

    /// The posts that match a query, after refreshing the list; throws what ``Library/list(_:in:refreshed:)`` throws.
    func list(_ query: Query) async throws -> PostList {
        if let itemSource {
            return try await RankedListing(connection: connection, source: itemSource).list(query)
        }
        return try await connection.list(query, after: ListRefresh(connection: connection, source: source).refresh())
    }

    /// Refreshes the list or, for a ranked source, the default section and the posts on its front page.
    ///
    /// Throws what ``list(_:)`` throws.
    func refreshed() async throws -> RefreshReport { try await refreshed(respectsMaxAge: true) }

    /// - Parameter respectsMaxAge: whether to skip the request while the list is fresh.
    func refreshed(respectsMaxAge: Bool) async throws -> RefreshReport {
        guard let itemSource else {
            return try await ListRefresh(connection: connection, source: source).refresh(respectsMaxAge: respectsMaxAge)
        }
        return try await RankingRefresh(connection: connection, source: itemSource).refreshFrontPage()
    }

    /// Reads a post with its body, without an article.
    func read(id: String) async throws -> ReadResult {
        if let itemSource { return try await ItemGathering(connection: connection, source: itemSource).read(id: id) }
        return try await BodyReading(connection: connection, source: source).read(id: id)
    }

    func comments(on read: ReadResult, _ selection: CommentSelection = CommentSelection()) -> CommentStream {
        guard let itemSource, itemSource.capabilities.hasComments else {
            return CommentStream(comments: AsyncThrowingStream { $0.finish() }, missing: MissingItems())
        }
        return CommentFetching(connection: connection, source: itemSource).comments(on: read, selection)
    }

    /// Refreshes the list and fetches the posts or bodies for reading offline.
    func sync(_ options: SyncOptions, observe: @escaping SyncObserver) async throws -> SyncReport {
        if let itemSource {
            return try await RankingSync(connection: connection, source: itemSource).sync(options, observe: observe)
        }
        return try await BodySync(connection: connection, source: source).sync(options, observe: observe)
    }
}
