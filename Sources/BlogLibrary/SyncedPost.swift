import Model

/// What a sync did about one post.
public struct SyncedPost: Sendable {
    /// Where the post is from.
    public let source: SourceID
    /// The post.
    public let metadata: PostMetadata
    /// What became of its body.
    public let outcome: Outcome

    /// What became of a body.
    public enum Outcome: Sendable {
        /// It was stored for the first time.
        case new
        /// It was stored instead of another.
        case updated
        /// The one that was stored is current.
        case unchanged
        /// It can't be fetched; what was stored before is still there.
        case failed(any Error)
    }
}
