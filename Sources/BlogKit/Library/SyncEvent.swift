/// A step of a sync.
public enum SyncEvent: Sendable {
    /// So many of so many sources are refreshed.
    case refreshed(Int, of: Int)
    /// The list is there, and so many bodies are to be fetched.
    case planned(Int)
    /// A body is being fetched.
    case fetching(PostMetadata)
    /// A post is done.
    case done(SyncedPost)
    /// So many posts more can be searched.
    case indexed(Int)
}
