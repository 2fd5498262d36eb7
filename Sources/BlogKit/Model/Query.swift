import BlogEssentials

/// Selects, sorts and groups posts.
public struct Query: Hashable, Sendable {
    /// The conditions for posts.
    public var filter: Filter
    /// The order and the groups.
    public var arrangement: Arrangement
    /// The maximum number of posts, applied after sorting and before grouping; nil for no limit.
    public var limit: Int?
    /// Only returns posts after this one, such as the last one of the previous page; nil to start at the beginning.
    ///
    /// This is faster than ``offset``, but has no effect if posts are in a source's own order or sorted by relevance.
    public var after: ListPosition?
    /// The number of posts to skip.
    public var offset = 0
    /// The name of a cursor: only returns posts that arrived or changed after it was last moved; nil for all posts.
    public var newFor: String?
    /// One of the lists of a source that has several; nil for all listed posts.
    public var section: String?
    /// The only posts to list, in an order of their own; nil for those that meet the other conditions.
    package var ranked: RankedPosts?
    /// The search terms as the user types them; nil for a list.
    public var words: String? {
        get { search?.text }
        set { search = newValue.map { Search($0, in: searchField) } }
    }
    /// The field to search for terms that don't name one; nil for all fields.
    public var searchField: SearchField? {
        didSet { search = search.map { Search($0.text, in: searchField) } }
    }

    /// What ``words`` mean.
    package private(set) var search: Search?
    /// Searches that must all find the posts, besides ``search``: a saved search, and the filter of a screen.
    package var within: [Search] = []
    /// All searches that must find the posts, that of the user first.
    package var searches: [Search] { (search.map { [$0] } ?? []) + within }

    /// Whether a list of several sources has one post of each story, rather than those of all sources.
    public var hidesDuplicates = true

    /// Whether matching posts come with snippets, which take longer to extract than the posts to find.
    public var hasSnippets = true

    /// What is read of the posts in a list.
    public var parts = Parts.all

    /// A query; by default for all posts, newest first.
    public init(
        filter: Filter = Filter(), arrangement: Arrangement = Arrangement(), limit: Int? = nil, newFor: String? = nil,
        words: String? = nil
    ) {
        self.filter = filter
        self.arrangement = arrangement
        self.limit = limit
        self.newFor = newFor
        search = words.map { Search($0) }
    }
}

extension Query {
    /// Whether it is for a source's ranking; lists of saved posts and searches aren't.
    package var isRanked: Bool { section != nil && !isOfKept && !hasWords && ranked == nil }

    /// Parts of a list: those that nobody looks at needn't be read.
    ///
    /// Its posts always have their IDs and marks.
    public struct Parts: OptionSet, Hashable, Sendable {
        /// A bit for each part.
        public let rawValue: Int

        /// The parts with some bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The titles, dates and names of authors; without them, titles and names are empty and dates unknown.
        public static let headings = Parts(rawValue: 1)
        /// The summaries.
        public static let summaries = Parts(rawValue: 2)
        /// The GUIDs, the links, the points, the numbers of comments, the labels, and the titles and pictures of authors.
        public static let facts = Parts(rawValue: 4)
        /// ``PostMetadata/details``, which take longer to decode than all other metadata.
        public static let details = Parts(rawValue: 8)
        /// The names of the groups and the numbers of their posts.
        public static let groups = Parts(rawValue: 16)
        /// The posts of other sources about the same story.
        public static let duplicates = Parts(rawValue: 32)
        /// The names of months as they are displayed, "August 2018"; without them, they are "2018-08".
        public static let monthNames = Parts(rawValue: 64)
        /// All of them.
        public static let all: Parts = [
            .headings, .summaries, .facts, .details, .groups, .duplicates, .monthNames,
        ]
    }
}

/// Posts of any sources in an order that isn't stored.
package struct RankedPosts: Hashable, Sendable {
    /// Their keys in the store, in order.
    package let keys: [Int64]
    /// The posts that are shown with each as its duplicates, by its key.
    package let duplicates: [Int64: [Duplicate]]

    package init(keys: [Int64], duplicates: [Int64: [Duplicate]]) {
        (self.keys, self.duplicates) = (keys, duplicates)
    }
}

/// The position of a post in a list.
public struct ListPosition: Hashable, Sendable {
    package let post: Int64

    package init(post: Int64) {
        self.post = post
    }
}

/// Conditions that posts must all meet.
public struct Filter: Hashable, Sendable {
    /// Whole words of the author's name, ignoring case and accents: both "kerri" and "ker*" match "Kerri Miller".
    public var author: String?
    /// Whole words of the title, ignoring case, accents and width: "swif*" matches "Swiftly".
    public var title: String?
    /// A tag of the post, ignoring case and accents.
    public var tag: String?
    /// The earliest publication date, inclusive.
    public var since: Date?
    /// The latest publication date, exclusive.
    public var before: Date?
    /// Whether to exclude posts that were read.
    public var isUnread = false
    /// Whether to include only saved posts, even those that their source no longer lists.
    public var isSaved = false
    /// A label of the post, ignoring case and accents, even if its source no longer lists the post.
    public var label: String?
    /// The minimum number of points; nil for no minimum.
    public var minScore: Int?

    /// Whether to include only posts or only comments; nil for both.
    public var kind: Kind?
    /// Whether to include posts that a rule hides.
    public var hidden = Hidden.excluded

    /// What a filter does with posts that a rule hides.
    public enum Hidden: Hashable, Sendable {
        /// It excludes them.
        case excluded
        /// It excludes all others.
        case only
        /// It includes them.
        case included
    }

    /// The kinds of items in a source with discussions.
    public enum Kind: String, CaseIterable, Sendable {
        /// A post.
        case posts
        /// A comment.
        case comments
    }

    /// A filter; by default without conditions.
    public init(
        author: String? = nil, title: String? = nil, tag: String? = nil, since: Date? = nil, before: Date? = nil,
        isUnread: Bool = false, isSaved: Bool = false, label: String? = nil, minScore: Int? = nil, kind: Kind? = nil
    ) {
        self.author = author
        self.title = title
        self.tag = tag
        self.since = since
        self.before = before
        self.isUnread = isUnread
        self.isSaved = isSaved
        self.label = label
        self.minScore = minScore
        self.kind = kind
    }

    /// Whether it is for posts that the user keeps, even those that their source no longer lists.
    package var isOfKept: Bool { isSaved || label != nil }

    /// Whether the filter has no conditions.
    public var isEmpty: Bool { self == Filter() }
}

/// The sources that a list, a search, a sync or a marking covers.
public enum Scope: Hashable, Sendable {
    /// All followed sources, or the default source if there are none.
    case everything
    /// These sources, followed or not.
    case sources([SourceID])
    /// The followed sources in a folder and its subfolders.
    case folder(String)
    /// The posts with a label, of all sources.
    case label(String)

    /// Whether the sources are given explicitly.
    package var isNamed: Bool { if case .sources = self { true } else { false } }

    /// Whether it is a list that has the posts of other sources.
    package var listsOthers: Bool {
        if case .sources(let sources) = self { sources.contains(where: \.listsOthers) } else { false }
    }
}

/// The order and grouping of posts.
public struct Arrangement: Hashable, Sendable {
    /// The order of the posts, within each group.
    public var sorting: Sorting
    /// The criterion for groups; nil for a list without groups.
    public var grouping: Grouping?
    /// Whether to reverse the order of the posts, within each group.
    public var isReversed: Bool
    /// Whether to reverse the order of the groups.
    public var areGroupsReversed: Bool

    /// An arrangement; by default newest first, without groups.
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
/// Ties are sorted by date, newest first, and then by id. ``Arrangement/isReversed`` reverses all of it.
public enum Sorting: String, CaseIterable, Sendable {
    /// Newest first.
    case date
    /// Alphabetically by title.
    case title
    /// Alphabetically by the author's name.
    case author
    /// The source's own order, or by date if there is none.
    case rank
    /// Most points first.
    case score
    /// Most comments first.
    case comments
    /// Best rated first.
    case rating
    /// Best search matches first, or by date without a search.
    case relevance
}

/// The criterion by which posts are grouped.
public enum Grouping: String, CaseIterable, Sendable {
    /// The author's name, in alphabetical order.
    case author
    /// The month of publication in UTC, newest first.
    case date
    /// The title's first letter.
    case title
    /// The source's name, in alphabetical order.
    case source
    /// The source's folder, in alphabetical order.
    case folder
}

extension Grouping {
    /// The name of a group, from its column in the store.
    package func name(ofStored value: String, _ parts: Query.Parts = .all) -> String {
        switch self {
        case .date where !parts.contains(.monthNames): value
        case .author, .title, .source: value
        case .folder: value.isEmpty ? "No folder" : value
        case .date: CalendarMonth(text: value)?.name ?? value
        }
    }
}

/// A field that can be searched on its own, as in `author:kim`.
public enum SearchField: String, CaseIterable, Sendable {
    /// The title.
    case title
    /// The summary.
    case summary
    /// The author's name.
    case author
    /// The post's own text.
    case body
    /// The article that the post links to.
    case article
}

/// An excerpt of a post around search terms.
public struct Snippet: Hashable, Sendable {
    /// The text as published, divided into matches and the text between them; "…" stands for omitted text.
    public let pieces: [Piece]
    /// The text that the excerpt is from.
    public package(set) var place = Place.post

    /// The text that a snippet is from.
    public enum Place: String, Sendable {
        /// The post itself.
        case post
        /// The article that the post links to.
        case article
    }

    /// A match, or the text between matches.
    public struct Piece: Hashable, Sendable {
        /// The text.
        public let text: String
        /// Whether it is a match.
        public let isHit: Bool

        package init(text: String, isHit: Bool) {
            self.text = text
            self.isHit = isHit
        }
    }

    package init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// The text with each match between two marks.
    public func marked(_ start: String, _ end: String) -> String {
        pieces.map { $0.isHit ? start + $0.text + end : $0.text }.joined()
    }
}
