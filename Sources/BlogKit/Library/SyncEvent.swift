/// A step of a sync.
public enum SyncEvent: Sendable {
    /// Some of the sources have been refreshed.
    case refreshed(Int, of: Int)
    /// The list was fetched; this many bodies will follow.
    case planned(Int)
    /// A body is being fetched.
    case fetching(PostMetadata)
    /// A post is done.
    case done(SyncedPost)
    /// This many of the pictures that were found are there.
    case pictures(Int, of: Int)
    /// This many more posts were indexed for search.
    case indexed(Int)
}
