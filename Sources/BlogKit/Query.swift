/// What is asked of one source.
public struct Query: Hashable, Sendable {
    /// Which posts.
    public var filter: Filter
    /// In which order, and in which groups.
    public var arrangement: Arrangement
    /// The most posts to give, taken from the front of the order before they are grouped; nil for all.
    public var limit: Int?

    /// A query; without arguments all posts, the newest first.
    public init(filter: Filter = Filter(), arrangement: Arrangement = Arrangement(), limit: Int? = nil) {
        self.filter = filter
        self.arrangement = arrangement
        self.limit = limit
    }
}
