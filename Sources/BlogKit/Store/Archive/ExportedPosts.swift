import BlogEssentials
import BlogModel
import Synchronization

/// The posts of a store, read on demand.
///
/// In a damaged store, posts that SQLite can't read are recovered from the pages of the file and come last. Lost posts
/// are omitted and counted in ``unreadable``. Iterating throws a ``StoreError``.
public struct ExportedPosts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// The posts that were omitted so far.
    public let unreadable: UnreadablePosts
    /// Nil for a store that can't be opened.
    private let store: PostStore?
    private let recovery: PageRecovery
    private var keys: ArraySlice<Int64>
    /// Posts that SQLite couldn't read completely.
    private var damaged: [Int64] = []
    /// The remaining posts to recover from the pages; nil before the recovery starts.
    private var recoverable: ArraySlice<Int64>?

    /// - Parameter keys: the posts to export; nil to recover all posts from the pages.
    package init(
        store: PostStore?, recovery: PageRecovery, keys: [Int64]?, unreadable: UnreadablePosts = UnreadablePosts()
    ) {
        self.store = store
        self.recovery = recovery
        self.keys = keys?[...] ?? []
        self.unreadable = unreadable
        if keys == nil { unreadable.noteUnknown() }
    }

    /// An iterator that starts at the first post.
    public func makeAsyncIterator() -> ExportedPosts { self }

    /// The next readable post; nil at the end.
    public mutating func next() async throws -> ExportedPost? {
        while let key = keys.popFirst() {
            if let post = try await completePost(key) { return post }
            if await !isDeleted(key) { damaged.append(key) }
        }
        if recoverable == nil {
            recoverable = unreadable.isCountUnknown ? try await recovery.keys()[...] : damaged[...]
        }
        while let key = recoverable?.popFirst() {
            if let post = try await recoveredPost(key) { return post }
        }
        return nil
    }

    /// The post with a key; nil if it may be incomplete.
    private func completePost(_ key: Int64) async throws -> ExportedPost? {
        do {
            let post = try await store?.exported(key, withBody: true)
            return post?.mayLackPages == true ? nil : post
        } catch let error as StoreError where error.reason != .busy {
            unreadable.noteDamage()
            return nil
        }
    }

    /// Whether another process has deleted a post since the keys were read.
    private func isDeleted(_ key: Int64) async -> Bool { (try? await store?.hasPost(key)) == false }

    /// The post with a key, recovered from the pages, or else as much as SQLite can read.
    private func recoveredPost(_ key: Int64) async throws -> ExportedPost? {
        if let found = try await recovery.post(key) {
            if found.hasLostBody { unreadable.addBody() }
            return found.content
        }
        if let post = try? await store?.exported(key, withBody: false) {
            unreadable.addBody()
            return post
        }
        unreadable.addPost()
        return nil
    }
}

extension ExportedPost {
    /// Whether its body or article may span several pages and has zeros or invalid text, like lost pages.
    fileprivate var mayLackPages: Bool {
        [body?.text, article?.body].contains { text in
            guard let text, text.utf8.count > 2000 else { return false }
            return text.utf8.contains(0) || text.unicodeScalars.contains("\u{FFFD}")
        }
    }
}

/// What an export couldn't read in a damaged store.
public final class UnreadablePosts: Sendable {
    private struct State {
        var posts = 0
        var bodies = 0
        var sources = 0
        var isDamaged = false
        var isCountUnknown = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of omitted posts.
    public var posts: Int { state.withLock { $0.posts } }
    /// The number of exported posts whose bodies were omitted.
    public var bodies: Int { state.withLock { $0.bodies } }
    /// The number of omitted sources; their posts are exported.
    public var sources: Int { state.withLock { $0.sources } }
    /// Whether the store is damaged, even if everything was recovered.
    public var isDamaged: Bool { state.withLock { $0.isDamaged || $0.posts + $0.bodies + $0.sources > 0 } }
    /// Whether the original number of posts is unknown.
    public var isCountUnknown: Bool { state.withLock { $0.isCountUnknown } }

    func addPost() { state.withLock { $0.posts += 1 } }

    func addBody() { state.withLock { $0.bodies += 1 } }

    package func addSources(_ count: Int) { state.withLock { ($0.sources, $0.isDamaged) = ($0.sources + count, true) } }

    func noteDamage() { state.withLock { $0.isDamaged = true } }

    func noteUnknown() { state.withLock { ($0.isDamaged, $0.isCountUnknown) = (true, true) } }
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
