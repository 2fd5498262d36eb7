import BlogEssentials
import BlogModel
import Synchronization

/// The posts of a store, read on demand.
///
/// In a damaged store, whatever SQLite can't read is omitted and counted in ``unreadable``. Iterating throws a
/// ``StoreError``.
public struct ExportedPosts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// The sources that have a name.
    public let sources: [ExportedSource]
    /// What was omitted so far.
    public let unreadable = UnreadablePosts()
    private let store: PostStore
    private var keys: ArraySlice<Int64>

    package init(of store: PostStore) async throws {
        self.store = store
        do {
            sources = try await store.namedSources().compactMap { ExportedSource($0) }
        } catch let error as StoreError where error.reason != .busy {
            sources = []
            unreadable.noteSources()
        }
        let keys = try await store.exportKeys()
        self.keys = keys?[...] ?? []
        if keys == nil { unreadable.noteAllPosts() }
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
            if let post = try await store.exported(key, withBody: true) { return post }
        } catch let error as StoreError where error.reason != .busy {
            if let post = try? await store.exported(key, withBody: false) {
                unreadable.addBody()
                return post
            }
        }
        unreadable.addPost()
        return nil
    }
}

/// What an export couldn't read in a damaged store.
public final class UnreadablePosts: Sendable {
    private struct State {
        var posts = 0
        var bodies = 0
        var areSourcesLost = false
        var areAllPostsLost = false
    }

    private let state = Mutex(State())

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

    fileprivate func addPost() { state.withLock { $0.posts += 1 } }

    fileprivate func addBody() { state.withLock { $0.bodies += 1 } }

    fileprivate func noteSources() { state.withLock { $0.areSourcesLost = true } }

    fileprivate func noteAllPosts() { state.withLock { $0.areAllPostsLost = true } }
}

/// A post with its state, for moving it from one store to another.
///
/// In JSON it is an object with the members `source`, `address`, `listed`, `read`, `saved`, `changedAt` (milliseconds
/// since 1970, UTC), optionally `wordsChangedAt`, `metadata` (in the format of the blog API) and optionally `body`,
/// with `text`, `fetchedAt` (milliseconds) and `isCurrent`. For a post with a linked article, `article` has `address`,
/// `text`, `format`, `isComplete`, `fetchedAt` (milliseconds) and, if known, `title`, `author`, `site`, `publishDate`
/// and `language`.
public struct ExportedPost: Codable, Hashable, Sendable {
    package let source: String
    package let address: String
    package var listed: Bool
    package var read: Bool
    package var saved: Bool
    /// When the metadata or ``listed`` last changed.
    package var changedAt: Int64
    /// When its words last changed; nil if they never did.
    package var wordsChangedAt: Int64?
    /// Whether its id is a number that the store gave it; nil for false.
    package var numbered: Bool?
    package var metadata: PostMetadata
    package var body: Body?
    package var article: LinkedArticle?

    package struct Body: Codable, Hashable, Sendable {
        package var text: String
        package let fetchedAt: Int64
        /// Whether the metadata is still the same as when the body was fetched.
        package var isCurrent: Bool
        /// The format of the text; nil if its source didn't specify it.
        package var format: String?
    }

    /// Whether its times are in the years 1970 to 9999: a later one would win every merge.
    public var isPlausible: Bool {
        let years = Self.plausibleTimes
        return years.contains(changedAt) && wordsChangedAt.map(years.contains) ?? true
            && body.map { years.contains($0.fetchedAt) } ?? true
            && article.map { years.contains($0.fetchedAt.millisecondsSince1970) } ?? true
    }

    /// The milliseconds of the years 1970 to 9999.
    static let plausibleTimes = 0..<Int64(253_402_300_800_000)
}
