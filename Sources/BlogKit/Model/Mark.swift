/// A mark that the user sets on a post.
public enum Mark: String, CaseIterable, Sendable {
    /// The post was read.
    case read
    /// The post is unread.
    case unread
    /// The post is saved.
    case saved
    /// The post is no longer saved.
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
    /// Whether the post was read.
    public let isRead: Bool
    /// Whether the post is saved.
    public let isSaved: Bool

    /// The given marks; by default those of a new post.
    public init(isRead: Bool = false, isSaved: Bool = false) {
        self.isRead = isRead
        self.isSaved = isSaved
    }
}

/// The result of a marking.
public struct MarkingReport: Hashable, Sendable {
    /// The mark that was set.
    public let mark: Mark
    /// How many of the posts are stored.
    public let known: Int
    /// How many posts didn't have the mark before.
    public let changed: Int
    /// The ids that aren't stored.
    public let unknownIDs: [PostID]
    /// The titles of the newest changed posts, at most ``maxTitles``; empty in the report of a new marking.
    public let titles: [String]

    /// The maximum number of ``titles``.
    public static let maxTitles = 3

    package init(mark: Mark, known: Int, changed: Int, unknownIDs: [PostID], titles: [String] = []) {
        self.titles = titles
        self.mark = mark
        self.known = known
        self.changed = changed
        self.unknownIDs = unknownIDs
    }
}
