import Synchronization

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
