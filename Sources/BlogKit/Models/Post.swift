/// A post whole: the blog API's `GET /post/POSTID` answer.
public struct Post: Codable, Hashable, Sendable {
    /// The id of the body, ``PostMetadata/postId``.
    public let id: String
    /// What a list says of the post.
    public let metadata: PostMetadata
    /// The text as published: plain or Markdown.
    public let body: String

    /// A post with the given facts, none of them checked.
    public init(id: String, metadata: PostMetadata, body: String) {
        self.id = id
        self.metadata = metadata
        self.body = body
    }
}
