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

/// A post that can't be read because the store is damaged.
public struct UnreadablePost: Hashable, Sendable {
    /// Its key in the store.
    public let key: Int64
    /// Its id; nil if that can't be read either.
    public let id: PostID?

    package init(key: Int64, id: PostID?) {
        self.key = key
        self.id = id
    }
}

/// The number of posts that an import changed.
public struct MergeReport: Hashable, Sendable {
    /// The number of new posts.
    public package(set) var new = 0
    /// The number of changed posts.
    public package(set) var changed = 0
    /// The number of unchanged posts.
    public package(set) var unchanged = 0
    /// How many of all these are comments.
    public package(set) var comments = 0

    /// The number of all posts and comments.
    public var total: Int { new + changed + unchanged }

    /// An empty report.
    public init() {}

    /// Adds the numbers of another report.
    public mutating func add(_ other: MergeReport) {
        new += other.new
        changed += other.changed
        unchanged += other.unchanged
        comments += other.comments
    }
}

/// What came from another reader.
package struct HistoryReport: Hashable, Sendable {
    /// How many posts were added.
    package var added = 0
    /// How many posts, new and stored ones, were marked as read.
    package var read = 0
    /// How many were marked as saved.
    package var saved = 0
    /// How many were left out, because a feed has too many.
    package var leftOut = 0

    package init() {}

    package static func += (report: inout HistoryReport, other: HistoryReport) {
        report.added += other.added
        report.read += other.read
        report.saved += other.saved
        report.leftOut += other.leftOut
    }
}
