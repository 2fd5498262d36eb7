/// The size and contents of a store.
public struct StoreFacts: Hashable, Sendable {
    /// The size of the database with SQLite's side files, in bytes.
    public let bytes: Int
    /// The version of its schema.
    public let schemaVersion: Int
    /// The number of posts in all sources, listed or not, without comments.
    public let posts: Int
    /// The number of comments.
    public let comments: Int
    /// The number of bodies, including those of comments.
    public let bodies: Int
    /// The number of linked articles.
    public let articles: Int

    package init(bytes: Int, schemaVersion: Int, posts: Int, comments: Int, bodies: Int, articles: Int) {
        self.bytes = bytes
        self.schemaVersion = schemaVersion
        self.posts = posts
        self.comments = comments
        self.bodies = bodies
        self.articles = articles
    }
}
