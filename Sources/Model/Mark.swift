/// A mark that the user sets on a post.
public enum Mark: String, CaseIterable, Sendable {
    /// It has been read.
    case read
    /// It has not been read.
    case unread
    /// It is saved.
    case saved
    /// It is no longer saved.
    case unsaved

    /// The mark that undoes this one.
    public var opposite: Mark {
        switch self {
        case .read: .unread
        case .unread: .read
        case .saved: .unsaved
        case .unsaved: .saved
        }
    }
}

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
