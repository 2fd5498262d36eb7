/// Which comments of a discussion are wanted.
public struct CommentSelection: Hashable, Sendable {
    /// How many levels, from 1 on; nil for all.
    public var levels: Int?
    /// How many at most, the first in their order; nil for all.
    public var limit: Int?
    /// Whose only; nil for everybody's.
    public var author: String?

    /// A selection; without arguments all comments.
    public init(levels: Int? = nil, limit: Int? = nil, author: String? = nil) {
        self.levels = levels
        self.limit = limit
        self.author = author
    }
}
