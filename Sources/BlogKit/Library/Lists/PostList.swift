import BlogHTTP
import BlogModel
import BlogStore
import Synchronization

/// The result of a query: reports of the refreshes, the groups, and the posts as a stream.
public struct PostList: Sendable {
    /// What became of the refreshes before the query; empty if no source was asked about.
    public private(set) var refreshes: [SourceRefresh]
    /// The groups in order; empty for an ungrouped list.
    public private(set) var groups: [PostGroup]
    /// The posts in order, read from the store on demand.
    public private(set) var posts: Posts
    /// The state of the store when the list was made, for ``Library/moveCursor(_:past:in:)``.
    let lastSeen: LastSeen

    /// Listed posts that couldn't be fetched; complete once ``posts`` has ended.
    public let missing: MissingItems
    /// Whether ``posts`` arrive from the source one by one, with delays in between.
    public let isArriving: Bool

    init(refreshes: [SourceRefresh], list: OpenedList, store: PostStore, missing: MissingItems = MissingItems()) {
        self.refreshes = refreshes
        self.missing = missing
        groups = list.groups
        posts = Posts(store: store, list: list.number)
        lastSeen = list.lastSeen
        isArriving = false
    }

    init(refresh: SourceRefresh, arriving: AsyncThrowingStream<StoredPost, any Error>, missing: MissingItems) {
        refreshes = [refresh]
        self.missing = missing
        groups = []
        posts = Posts(origin: .arriving(arriving))
        lastSeen = LastSeen(post: 0, change: 0)
        isArriving = true
    }

    /// This list with the report of another refresh.
    func after(_ refresh: SourceRefresh) -> PostList {
        var list = self
        list.refreshes = [refresh]
        return list
    }

    /// Posts that are read from the store in batches, so that a long list needs no more memory than a short one, or
    /// that arrive from the source.
    ///
    /// It can be iterated once; iterating throws a ``StoreError``.
    public struct Posts: AsyncSequence, Sendable {
        fileprivate enum Origin: Sendable {
            case store(OpenList)
            case arriving(AsyncThrowingStream<StoredPost, any Error>)
        }

        private let origin: Origin

        fileprivate init(origin: Origin) {
            self.origin = origin
        }

        package init(store: PostStore, list number: Int) {
            origin = .store(OpenList(store: store, number: number))
        }

        /// An iterator over the posts that have not been read yet.
        public func makeAsyncIterator() -> Iterator {
            switch origin {
            case .store(let list): Iterator(list)
            case .arriving(let posts): Iterator(arriving: posts.makeAsyncIterator())
            }
        }

        /// The position in a list.
        public struct Iterator: AsyncIteratorProtocol {
            private let list: OpenList?
            private var batch: ArraySlice<StoredPost> = []
            /// The next batch, read while this one is used.
            private var ahead: Task<[StoredPost], any Error>?
            private var arriving: AsyncThrowingStream<StoredPost, any Error>.Iterator?

            fileprivate init(_ list: OpenList) {
                self.list = list
            }

            fileprivate init(arriving: AsyncThrowingStream<StoredPost, any Error>.Iterator) {
                list = nil
                self.arriving = arriving
            }

            /// The next post, or nil at the end.
            public mutating func next() async throws -> StoredPost? {
                guard let list else { return try await arriving?.next() }
                if batch.isEmpty { try await takeBatch(from: list) }
                return batch.popFirst()
            }

            /// The next posts that can be had at once; empty at the end.
            package mutating func nextBatch() async throws -> ArraySlice<StoredPost> {
                guard let list else { return try await arriving?.next().map { [$0] } ?? [] }
                if batch.isEmpty { try await takeBatch(from: list) }
                defer { batch = [] }
                return batch
            }

            private mutating func takeBatch(from list: OpenList) async throws {
                let next = if let ahead { try await ahead.value } else { try await list.nextBatch() }
                batch = next[...]
                ahead = batch.isEmpty ? nil : Task { try await list.nextBatch() }
            }
        }
    }
}

/// An open list in the store, closed when nothing reads it any more.
private final class OpenList: Sendable {
    private let store: PostStore
    private let number: Int
    /// Whether the list was read to its end, where the store closes it itself.
    private let hasEnded = Mutex(false)

    init(store: PostStore, number: Int) {
        self.store = store
        self.number = number
    }

    deinit {
        guard !hasEnded.withLock({ $0 }) else { return }
        // A weak reference, because the last owner of the store closes the file before the process ends.
        Task { [weak store, number] in await store?.closeList(number) }
    }

    func nextBatch() async throws -> [StoredPost] {
        let batch = try await store.nextBatch(number)
        if batch.isEmpty { hasEnded.withLock { $0 = true } }
        return batch
    }
}
