/// Which comments of a discussion are wanted.
public struct CommentSelection: Hashable, Sendable {
    /// How many levels, starting at 1; nil for all.
    public var levels: Int?
    /// How many at most, the first in their order; nil for all.
    public var limit: Int?
    /// The author whose comments are wanted; nil for all authors.
    public var author: String?

    /// A selection; without arguments all comments.
    public init(levels: Int? = nil, limit: Int? = nil, author: String? = nil) {
        self.levels = levels
        self.limit = limit
        self.author = author
    }
}
