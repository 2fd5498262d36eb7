import Model

/// A step of a sync.
public enum SyncEvent: Sendable {
    /// Some of the sources have been refreshed.
    case refreshed(Int, of: Int)
    /// A list was fetched, or a post with replies: this many more posts will be done.
    case planned(Int)
    /// A body is being fetched.
    case fetching(PostMetadata)
    /// A post is done that was planned.
    case done(SyncedPost)
    /// This many of the pictures that were found are there.
    case pictures(Int, of: Int)
    /// This many more posts were indexed for search.
    case indexed(Int)
}
