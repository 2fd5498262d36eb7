import BlogModel
import BlogStore
import Synchronization

/// The posts of a store, read on demand.
///
/// In a damaged store, whatever SQLite can't read is omitted and counted in ``unreadable``. Iterating throws a
/// ``StoreError``.
public struct ExportedPosts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// The sources that have a name; services come first, so that an import knows the account before the posts.
    public let sources: [ExportedSource]
    /// The rules.
    package let rules: [ExportedRule]
    /// The cursors of `--new`.
    package let cursors: [ExportedCursor]
    /// What was omitted so far.
    public let unreadable = UnreadablePosts()
    private let store: PostStore
    private var keys: ArraySlice<Int64>

    package init(of store: PostStore) async throws {
        self.store = store
        // After a label has got the name of another one, a rule may be there twice.
        var seen: Set<ExportedRule> = []
        do {
            (sources, rules, cursors) = (
                try await store.read { try Sources($0).named() }
                    .sorted { $0.id.isService && !$1.id.isService }.compactMap { ExportedSource($0) },
                try await store.read { try Rules($0).stored() }.map { ExportedRule($0.rule) }
                    .filter { seen.insert($0).inserted },
                try await store.read { try Cursors($0).exported() }
            )
        } catch let error as StoreError where error.reason != .busy {
            (sources, rules, cursors) = ([], [], [])
            unreadable.state.withLock { $0.areSourcesLost = true }
        }
        let keys = try await store.read { try Exporting($0).keys() }
        self.keys = keys?[...] ?? []
        if keys == nil { unreadable.state.withLock { $0.areAllPostsLost = true } }
    }

    /// An iterator that starts at the first post.
    public func makeAsyncIterator() -> ExportedPosts { self }

    /// The next readable post; nil at the end.
    public mutating func next() async throws -> ExportedPost? {
        while let key = keys.popFirst() {
            if let post = try await readable(key) { return post }
        }
        return nil
    }

    /// The post with a key, without its body if that can't be read; nil if nothing of it can.
    private func readable(_ key: Int64) async throws -> ExportedPost? {
        do {
            if let post = try await store.read({ try Exporting($0).find(key, withBody: true) }) { return post }
        } catch let error as StoreError where error.reason != .busy {
            if let post = try? await store.read({ try Exporting($0).find(key, withBody: false) }) {
                unreadable.state.withLock { $0.bodies += 1 }
                return post
            }
        }
        unreadable.state.withLock { $0.posts += 1 }
        return nil
    }
}

/// What an export couldn't read in a damaged store.
public final class UnreadablePosts: Sendable {
    fileprivate struct State {
        var posts = 0
        var bodies = 0
        var areSourcesLost = false
        var areAllPostsLost = false
    }

    fileprivate let state = Mutex(State())

    /// The number of omitted posts.
    public var posts: Int { state.withLock { $0.posts } }
    /// The number of exported posts whose bodies were omitted.
    public var bodies: Int { state.withLock { $0.bodies } }
    /// Whether the sources were omitted; their posts are exported.
    public var areSourcesLost: Bool { state.withLock { $0.areSourcesLost } }
    /// Whether all posts were omitted, so that their number is unknown.
    public var areAllPostsLost: Bool { state.withLock { $0.areAllPostsLost } }
    /// Whether nothing was omitted.
    public var isEmpty: Bool {
        state.withLock { $0.posts + $0.bodies == 0 && !$0.areSourcesLost && !$0.areAllPostsLost }
    }
}
