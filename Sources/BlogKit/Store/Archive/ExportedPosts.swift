import Synchronization

/// The posts of a store one after the other, read when they are needed.
///
/// What can't be read, as the store is damaged, is left out and counted in ``unreadable``. Iterating throws a
/// ``StoreError``.
public struct ExportedPosts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// What was left out so far.
    public let unreadable = UnreadablePosts()
    private let store: PostStore
    private var keys: ArraySlice<Int64>
    /// Whether each key is a post's.
    private let areExact: Bool

    init(store: PostStore, keys: [Int64], areExact: Bool) {
        self.store = store
        self.keys = keys[...]
        self.areExact = areExact
    }

    /// An iterator that begins with the first post.
    public func makeAsyncIterator() -> ExportedPosts { self }

    /// The next post that can be read, or nil at the end.
    public mutating func next() async throws -> ExportedPost? {
        while let key = keys.popFirst() {
            if let post = try await post(key) { return post }
        }
        return nil
    }

    /// The post with a key, without its body if that can't be read; nil if there is none or it can't be read.
    private func post(_ key: Int64) async throws -> ExportedPost? {
        for hasBody in [true, false] {
            do {
                let post = try await store.exported(key, withBody: hasBody)
                if post != nil, !hasBody { unreadable.addBody() }
                if post == nil, areExact { unreadable.addPost() }
                return post
            } catch let error as StoreError where error.reason != .busy {}
        }
        unreadable.addPost()
        return nil
    }
}

/// How much of a damaged store an export could not read.
public final class UnreadablePosts: Sendable {
    private let counts = Mutex((posts: 0, bodies: 0))

    /// Posts that were left out.
    public var posts: Int { counts.withLock { $0.posts } }
    /// Bodies that were left out, of posts that were exported.
    public var bodies: Int { counts.withLock { $0.bodies } }

    func addPost() { counts.withLock { $0.posts += 1 } }

    func addBody() { counts.withLock { $0.bodies += 1 } }
}
