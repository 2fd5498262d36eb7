import Essentials

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
    /// Posts before it are not read. A source's own order and the order by relevance have no such places: use
    /// ``offset`` there.
    public var after: ListPosition?
    /// How many posts at the front of the order are left out before that.
    public var offset = 0
    /// The name of a cursor: only posts that came or changed after it was last moved are given; nil for all posts.
    public var newFor: String?
    /// The list of a source that has several; nil for all that it lists.
    public var section: String?
    /// What to search for, as the user types it; nil for a list.
    public var words: String?
    /// Where ``words`` that name no place themselves are searched for; nil for everywhere.
    public var searchPlace: SearchPlace?

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

/// The place of a post in a list.
public struct ListPosition: Hashable, Sendable {
    /// The post's key in the store.
    package let post: Int64

    package init(post: Int64) {
        self.post = post
    }
}

/// The conditions that the posts of a list meet, all of them.
public struct Filter: Hashable, Sendable {
    /// Whole words of the author's name, case and accents aside: "kerri" finds "Kerri Miller", as "ker*" does.
    public var author: String?
    /// Whole words of the title, case, accents and width aside; "swif*" finds "Swiftly".
    public var title: String?
    /// A tag that the post has, case and accents aside.
    public var tag: String?
    /// The earliest moment that passes.
    public var since: Date?
    /// The moment from which on posts don't pass.
    public var before: Date?
    /// Whether posts that have been read are left out.
    public var isUnread = false
    /// Whether only saved posts pass, including those that their source no longer lists.
    public var isSaved = false
    /// The minimum number of points; nil for any number.
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
        author: String? = nil, title: String? = nil, tag: String? = nil, since: Date? = nil, before: Date? = nil,
        isUnread: Bool = false, isSaved: Bool = false, minScore: Int? = nil, kind: Kind? = nil
    ) {
        self.author = author
        self.title = title
        self.tag = tag
        self.since = since
        self.before = before
        self.isUnread = isUnread
        self.isSaved = isSaved
        self.minScore = minScore
        self.kind = kind
    }

    /// Whether every post passes.
    public var isEmpty: Bool { self == Filter() }
}

/// The sources that a list, a search, a sync or a marking covers.
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

/// In which order posts are shown, and how they are cut into groups.
public struct Arrangement: Hashable, Sendable {
    /// The order of the posts, inside a group too.
    public var sorting: Sorting
    /// What a group has in common; nil for one list without groups.
    public var grouping: Grouping?
    /// Whether the posts run the other way round, inside their groups too.
    public var isReversed: Bool
    /// Whether the groups run the other way round.
    public var areGroupsReversed: Bool

    /// An arrangement; without arguments the newest post first.
    public init(
        sorting: Sorting = .date, grouping: Grouping? = nil, isReversed: Bool = false, areGroupsReversed: Bool = false
    ) {
        self.sorting = sorting
        self.grouping = grouping
        self.isReversed = isReversed
        self.areGroupsReversed = areGroupsReversed
    }
}

/// The order of a list.
///
/// Ties go by date, newest first, then by id; ``Arrangement/isReversed`` turns all of it round, inside groups too.
public enum Sorting: String, CaseIterable, Sendable {
    /// Newest first.
    case date
    /// A to Z.
    case title
    /// A to Z by the author's name.
    case author
    /// The source's own order; a list that has none is ordered by date.
    case rank
    /// Most points first.
    case score
    /// Most comments first.
    case comments
    /// The best rated first.
    case rating
    /// What fits a search best first; a list that wasn't searched for has the order by date.
    case relevance
}

/// What the posts of one group have in common.
public enum Grouping: String, CaseIterable, Sendable {
    /// The author's name, A to Z.
    case author
    /// The month of publication in UTC, newest first.
    case date
    /// The title's first letter.
    case title
    /// The source, A to Z by its name.
    case source
    /// The folder that the source is in, A to Z.
    case folder
}

extension Grouping {
    /// The name of a group for people, from its column in the store.
    package func name(ofStored value: String) -> String {
        switch self {
        case .author, .title, .source: value
        case .folder: value.isEmpty ? "No folder" : value
        case .date: CalendarMonth(text: value)?.name ?? value
        }
    }
}

/// A place in which words may be searched for, as in `author:kim`.
public enum SearchPlace: String, CaseIterable, Sendable {
    /// The title.
    case title
    /// The summary.
    case summary
    /// The author's name.
    case author
    /// The post's own text.
    case body
    /// The article behind its link.
    case article
}

/// A piece of a post around search terms.
public struct Snippet: Hashable, Sendable {
    /// The text in pieces, as published, "…" where it was cut.
    public let pieces: [Piece]
    /// Where the piece is from.
    public package(set) var place = Place.post

    /// Where the text of a snippet stands.
    public enum Place: String, Sendable {
        /// In the post itself.
        case post
        /// In the article behind the post's link.
        case article
    }

    /// A run of text that is a hit or isn't.
    public struct Piece: Hashable, Sendable {
        /// The text.
        public let text: String
        /// Whether it is a hit.
        public let isHit: Bool

        package init(text: String, isHit: Bool) {
            self.text = text
            self.isHit = isHit
        }
    }

    package init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// The text with each hit between two marks.
    public func marked(_ start: String, _ end: String) -> String {
        pieces.map { $0.isHit ? start + $0.text + end : $0.text }.joined()
    }
}
