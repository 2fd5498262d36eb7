/// The answer to a query: what the refresh did, the groups, and the posts one at a time.
public struct PostList: Sendable {
    /// What the refresh before the query did.
    public let refresh: RefreshReport
    /// The groups in their order; none in a list without groups.
    public let groups: [PostGroup]
    /// The posts in their order, read from the store as they are asked for.
    public let posts: Posts
    /// The newest post in the store when the list was made, for ``Reader/moveCursor(_:past:)``.
    let lastPost: Int64

    init(refresh: RefreshReport, list: OpenedList, store: PostStore) {
        self.refresh = refresh
        groups = list.groups
        posts = Posts(store: store, cursor: list.cursor)
        lastPost = list.lastPost
    }

    /// Posts that are read from the store in batches, so that a long list needs no more memory than a short one.
    ///
    /// It can be iterated once. Iterating throws a ``StoreError``.
    public struct Posts: AsyncSequence, Sendable {
        private let store: PostStore
        private let cursor: Int

        package init(store: PostStore, cursor: Int) {
            self.store = store
            self.cursor = cursor
        }

        /// An iterator over the posts that have not been read yet.
        public func makeAsyncIterator() -> Iterator {
            Iterator(store: store, cursor: cursor)
        }

        /// Where in the list the reading is.
        public struct Iterator: AsyncIteratorProtocol {
            private let store: PostStore
            private let cursor: Int
            private var batch: ArraySlice<ListedPost> = []

            fileprivate init(store: PostStore, cursor: Int) {
                self.store = store
                self.cursor = cursor
            }

            /// The next post, or nil at the end.
            public mutating func next() async throws -> ListedPost? {
                if batch.isEmpty { batch = try await store.nextBatch(cursor)[...] }
                return batch.popFirst()
            }
        }
    }
}
