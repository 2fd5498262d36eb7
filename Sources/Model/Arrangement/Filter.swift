import Foundation

/// Which posts a list is to hold: those that meet every condition given.
public struct Filter: Hashable, Sendable {
    /// Whole words of the author's name, case and accents aside: "kerri" finds "Kerri Miller", as "ker*" does.
    public var author: String?
    /// Whole words of the title, case, accents and width aside; "swif*" finds "Swiftly".
    public var title: String?
    /// A tag that the post has, case and accents aside.
    public var tag: String?
    /// The first moment that counts.
    public var since: Date?
    /// The first moment that no longer counts.
    public var before: Date?
    /// Whether posts that have been read are left out.
    public var isUnread = false
    /// Whether only saved posts pass, those that their blog no longer lists among them.
    public var isSaved = false
    /// The fewest points that a post must have; nil for no matter how many.
    public var minScore: Int?

    /// Whether posts or comments pass; nil for both.
    public var kind: Kind?

    /// Kinds of item in a source with discussions.
    public enum Kind: String, CaseIterable, Sendable {
        /// A post.
        case posts
        /// A comment.
        case comments
    }

    /// A filter; without arguments every post passes.
    public init(
        author: String? = nil, title: String? = nil, since: Date? = nil, before: Date? = nil, isUnread: Bool = false,
        isSaved: Bool = false
    ) {
        self.author = author
        self.title = title
        self.since = since
        self.before = before
        self.isUnread = isUnread
        self.isSaved = isSaved
    }

    /// Whether every post passes.
    public var isEmpty: Bool { self == Filter() }
}
