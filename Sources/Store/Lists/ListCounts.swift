/// How many posts match a query.
public struct ListCounts: Hashable, Sendable {
    /// How many there are, at most ``limit``.
    public let posts: Int
    /// How many of those have not been read.
    public let unread: Int

    /// No more are counted, so that it takes the same time however many there are.
    public static let limit = 10_000

    package init(posts: Int, unread: Int) {
        self.posts = posts
        self.unread = unread
    }
}
