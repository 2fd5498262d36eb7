/// A group with its posts.
public struct PostsInGroup: Hashable, Sendable {
    /// What the posts have in common: "Kerri Miller", "August 2018" or "B".
    public let name: String
    /// The posts in their order; there is at least one.
    public let posts: [PostMetadata]

    /// A group of that name with these posts.
    public init(name: String, posts: [PostMetadata]) {
        self.name = name
        self.posts = posts
    }
}
