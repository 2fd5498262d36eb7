/// Which posts are wanted, in which order and in which groups.
public struct Query: Hashable, Sendable {
    /// Which posts.
    public var filter: Filter
    /// In which order, and in which groups.
    public var arrangement: Arrangement
    /// The most posts to give, taken from the front of the order before they are grouped; nil for all.
    public var limit: Int?
    /// The post after which the list begins, the last of the page before; nil for its beginning.
    ///
    /// Posts before it are not read. An order of a source's own, or by relevance, has no such places: there ``offset``
    /// does it.
    public var after: ListPosition?
    /// How many posts at the front of the order are left out before that.
    public var offset = 0
    /// The name of a cursor whose posts are wanted: what came or changed after it was moved last; nil for all.
    public var newFor: String?
    /// The list of a source that has several; nil for all that it lists.
    public var section: String?
    /// What to search for, as the user types it; nil for a list.
    public var words: String?

    /// Whether each post that was searched for comes with the piece that has the words: to cut it takes longer than to
    /// find the post.
    public var hasSnippets = true

    /// A query; without arguments all posts, the newest first.
    public init(
        filter: Filter = Filter(), arrangement: Arrangement = Arrangement(), limit: Int? = nil, newFor: String? = nil,
        words: String? = nil
    ) {
        self.filter = filter
        self.arrangement = arrangement
        self.limit = limit
        self.newFor = newFor
        self.words = words
    }
}

/// A place in a list: that of a post.
public struct ListPosition: Hashable, Sendable {
    /// The post's key in the store.
    package let post: Int64

    package init(post: Int64) {
        self.post = post
    }
}
