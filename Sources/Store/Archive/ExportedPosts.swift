import Synchronization

/// The posts of a store one after the other, read when they are needed.
///
/// Of a damaged store what SQLite can't read is looked for on the pages of its file, and comes last. What is lost is left
/// out and counted in ``unreadable``. Iterating throws a ``StoreError``.
public struct ExportedPosts: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// What was left out so far.
    public let unreadable: UnreadablePosts
    /// Nil for a store that can't be opened.
    private let store: PostStore?
    private let recovery: PageRecovery
    private var keys: ArraySlice<Int64>
    /// Posts that could not be read, or not whole.
    private var flawed: [Int64] = []
    /// The posts that are looked for on the pages; nil before that.
    private var sought: ArraySlice<Int64>?

    /// - Parameter keys: the posts; nil for those that are found on the pages.
    package init(
        store: PostStore?, recovery: PageRecovery, keys: [Int64]?, unreadable: UnreadablePosts = UnreadablePosts()
    ) {
        self.store = store
        self.recovery = recovery
        self.keys = keys?[...] ?? []
        self.unreadable = unreadable
        if keys == nil { unreadable.noteUnknown() }
    }

    /// An iterator that begins with the first post.
    public func makeAsyncIterator() -> ExportedPosts { self }

    /// The next post that can be read, or nil at the end.
    public mutating func next() async throws -> ExportedPost? {
        while let key = keys.popFirst() {
            if let post = try await soundPost(key) { return post }
            if await !isGone(key) { flawed.append(key) }
        }
        if sought == nil {
            let isListKnown = !unreadable.isCountUnknown
            sought = isListKnown ? flawed[...] : try await recovery.keys()[...]
        }
        while let key = sought?.popFirst() {
            if let post = try await recoveredPost(key) { return post }
        }
        return nil
    }

    /// The post with a key if there is no doubt that it is whole.
    private func soundPost(_ key: Int64) async throws -> ExportedPost? {
        do {
            let post = try await store?.exported(key, withBody: true)
            return post?.mayLackPages == true ? nil : post
        } catch let error as StoreError where error.reason != .busy {
            unreadable.noteDamage()
            return nil
        }
    }

    /// Whether another process has deleted a post since the keys were read.
    private func isGone(_ key: Int64) async -> Bool { (try? await store?.hasPost(key)) == false }

    /// The post with a key as its pages have it, or else what SQLite can read of it.
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
    /// Whether its body may lie on several pages and has what a lost one is read as: zeros, or no text.
    fileprivate var mayLackPages: Bool {
        guard let text = body?.text, text.utf8.count > 2000 else { return false }
        return text.utf8.contains(0) || text.unicodeScalars.contains("\u{FFFD}")
    }
}

/// How much of a damaged store an export could not read.
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

    /// Posts that were left out.
    public var posts: Int { state.withLock { $0.posts } }
    /// Bodies that were left out, of posts that were exported.
    public var bodies: Int { state.withLock { $0.bodies } }
    /// Sources that were left out, but for their posts.
    public var sources: Int { state.withLock { $0.sources } }
    /// Whether something could not be read in the usual way, although it may have been found in another.
    public var isDamaged: Bool { state.withLock { $0.isDamaged || $0.posts + $0.bodies + $0.sources > 0 } }
    /// Whether nothing tells how many posts there were.
    public var isCountUnknown: Bool { state.withLock { $0.isCountUnknown } }

    func addPost() { state.withLock { $0.posts += 1 } }

    func addBody() { state.withLock { $0.bodies += 1 } }

    package func addSources(_ count: Int) { state.withLock { ($0.sources, $0.isDamaged) = ($0.sources + count, true) } }

    func noteDamage() { state.withLock { $0.isDamaged = true } }

    func noteUnknown() { state.withLock { ($0.isDamaged, $0.isCountUnknown) = (true, true) } }
}
