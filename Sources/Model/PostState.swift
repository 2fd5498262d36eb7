/// The user's marks on a post.
public struct PostState: Hashable, Sendable {
    /// Whether it has been read.
    public let isRead: Bool
    /// Whether it is saved.
    public let isSaved: Bool

    /// A state; without arguments that of a post just found.
    public init(isRead: Bool = false, isSaved: Bool = false) {
        self.isRead = isRead
        self.isSaved = isSaved
    }
}
