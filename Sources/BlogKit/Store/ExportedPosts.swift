/// The posts of a store one after the other, read as they are asked for.
///
/// Iterating throws a ``StoreError``.
public struct ExportedPosts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let store: PostStore
    private var keys: ArraySlice<Int64>

    init(store: PostStore, keys: [Int64]) {
        self.store = store
        self.keys = keys[...]
    }

    /// An iterator that begins with the first post.
    public func makeAsyncIterator() -> ExportedPosts { self }

    /// The next post, or nil at the end.
    public mutating func next() async throws -> ExportedPost? {
        guard let key = keys.popFirst() else { return nil }
        return try await store.exported(key)
    }
}
