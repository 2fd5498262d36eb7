import Foundation

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

/// Which sources a list, a search, a sync or a marking is over.
public enum Scope: Hashable, Sendable {
    /// Everything that is followed; where nothing is, the default source.
    case everything
    /// These, followed or not.
    case sources([SourceID])
    /// The followed sources of a folder and of the folders in it.
    case folder(String)

    /// Whether the sources themselves were asked for, and not all that are followed somewhere.
    package var isNamed: Bool { if case .sources = self { true } else { false } }
}
