import Model

/// What the blog API lists: the records that can be read, and why the others can't.
public struct MetadataList: Hashable, Sendable {
    /// The posts in the API's order; an id that came twice is there twice.
    public let posts: [PostMetadata]
    /// Records that were left out because a field was missing or wrong, the first 100 of them.
    public let rejected: [RejectedRecord]
    /// How many records were left out.
    public let rejectedCount: Int

    /// A list of these posts; `rejectedCount` records were left out.
    init(posts: [PostMetadata], rejected: [RejectedRecord], rejectedCount: Int) {
        self.posts = posts
        self.rejected = rejected
        self.rejectedCount = rejectedCount
    }
}
