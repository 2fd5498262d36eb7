/// What a person notes about a post.
public enum Mark: String, CaseIterable, Sendable {
    /// It has been read.
    case read
    /// It is still to be read.
    case unread
    /// It is to be found again.
    case saved
    /// It need not be found again.
    case unsaved

    /// The mark that takes this one back.
    public var opposite: Mark {
        switch self {
        case .read: .unread
        case .unread: .read
        case .saved: .unsaved
        case .unsaved: .saved
        }
    }
}
