/// A step of a sync.
public enum SyncEvent: Sendable {
    /// The list is there, and so many bodies are to be fetched.
    case planned(Int)
    /// A body is being fetched.
    case fetching(PostMetadata)
    /// A post is done.
    case done(SyncedPost)
    /// So many posts more can be searched.
    case indexed(Int)
}
