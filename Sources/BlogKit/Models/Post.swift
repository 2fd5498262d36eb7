/// A post whole: the blog API's `GET /post/POSTID` record.
public struct Post: Hashable, Sendable {
    /// The id under which the body lives: the metadata's ``PostMetadata/postId``.
    public let id: String
    /// What is known of the post.
    public let metadata: PostMetadata
    /// The text as published.
    public let body: String
    /// What ``body`` is written in; nil where its source doesn't say.
    public let bodyFormat: BodyFormat?

    /// A post with the given facts, none of them checked.
    public init(id: String, metadata: PostMetadata, body: String, bodyFormat: BodyFormat? = nil) {
        self.id = id
        self.metadata = metadata
        self.body = body
        self.bodyFormat = bodyFormat
    }
}
