import Essentials

extension Sequence<PostMetadata> {
    /// The posts in an order, the same that a list from the store has.
    ///
    /// Ties go by date, newest first, then by id. What ties in all of it keeps its order. As an array has neither an
    /// order of a source's own nor search terms, ``Sorting/rank`` and ``Sorting/relevance`` are ``Sorting/date``. Posts
    /// without a score, a number of comments or a rating come behind all others.
    ///
    /// Takes O(*n* log *n*) time; the keys of a post are computed once.
    ///
    /// - Parameters:
    ///   - sorting: the order.
    ///   - isReversed: whether the posts run the other way round, ties too.
    public func sorted(by sorting: Sorting, reversed isReversed: Bool = false) -> [PostMetadata] {
        let places = enumerated().map { SortedPlace($1, at: $0) }.sorted { $0.precedes($1, by: sorting) }
        return isReversed ? places.reversed().map(\.metadata) : places.map(\.metadata)
    }
}

/// A post with what decides about its place.
private struct SortedPlace {
    let metadata: PostMetadata
    private let key: SortKey
    private let index: Int

    init(_ metadata: PostMetadata, at index: Int) {
        self.metadata = metadata
        key = SortKey(metadata)
        self.index = index
    }

    /// The order of the store's lists, see `ListStatement`.
    func precedes(_ other: SortedPlace, by sorting: Sorting) -> Bool {
        let first =
            switch sorting {
            case .date, .rank, .relevance: 0
            case .title: Self.compare(key.title, other.key.title)
            case .author: Self.compare(key.author, other.key.author)
            case .score: Self.descending(metadata.score, other.metadata.score)
            case .comments: Self.descending(metadata.commentCount, other.metadata.commentCount)
            case .rating: Self.descending(metadata.photo?.rating, other.metadata.photo?.rating)
            }
        if first != 0 { return first < 0 }
        if key.date != other.key.date { return key.date > other.key.date }
        let last = Self.compare(key.id, other.key.id)
        return last != 0 ? last < 0 : index < other.index
    }

    /// Below 0 if the first is to come first, byte by byte, as SQLite has it: to String two texts may be the same in
    /// different bytes.
    private static func compare(_ first: String, _ second: String) -> Int {
        var (first, second) = (first, second)
        return first.withUTF8 { first in
            second.withUTF8 { second in
                let rest = first.count - second.count
                guard let firstStart = first.baseAddress, let secondStart = second.baseAddress else { return rest }
                let order = memcmp(firstStart, secondStart, min(first.count, second.count))
                return order == 0 ? rest : Int(order)
            }
        }
    }

    /// Below 0 if the first is to come first; an unknown number is below all others, as it is to SQLite.
    private static func descending<Number: Comparable>(_ first: Number?, _ second: Number?) -> Int {
        guard first != second else { return 0 }
        guard let first else { return 1 }
        guard let second else { return -1 }
        return first > second ? -1 : 1
    }
}

extension Sequence<PostMetadata> {
    /// The posts cut into groups, the same that a list from the store has; inside a group they keep their order.
    ///
    ///     posts.sorted(by: .title).grouped(by: .author)
    ///
    /// Authors come from A to Z, case and accents aside, though names that differ in either are two groups; months, in
    /// UTC, from the newest on; letters behind "#" and "0–9", those of other scripts last. Metadata doesn't say which
    /// source it is from: by source or folder, all posts are one group.
    ///
    /// Takes O(*n* + *g* log *g*) time for *g* groups.
    ///
    /// - Parameters:
    ///   - grouping: what the posts of a group have in common.
    ///   - isReversed: whether the groups run the other way round; their posts don't.
    public func grouped(by grouping: Grouping, reversed isReversed: Bool = false) -> [PostsInGroup] {
        // By bytes, as SQLite has it: to String two texts may be the same in different bytes.
        let groups = Dictionary(grouping: self) { Array(grouping.key(SortKey($0)).utf8) }
        let ordered = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, posts in
            PostsInGroup(name: grouping.name(ofKey: String(decoding: key, as: UTF8.self), posts), posts: posts)
        }
        return (grouping == .date) == isReversed ? ordered : ordered.reversed()
    }
}

extension Grouping {
    /// The key by which posts are grouped, and groups are ordered.
    fileprivate func key(_ key: SortKey) -> String {
        switch self {
        case .author: key.author
        case .date: key.month
        case .title: key.letter
        case .source, .folder: ""
        }
    }

    /// The name of a group for people.
    fileprivate func name(ofKey key: String, _ posts: [PostMetadata]) -> String {
        switch self {
        case .author: name(ofStored: posts[0].author.name)
        case .date, .title, .source, .folder: name(ofStored: key)
        }
    }
}

/// A group's header: its posts follow it in the list.
public struct PostGroup: Hashable, Sendable {
    /// What the posts have in common: "Kerri Miller", "August 2018" or "B".
    public let name: String
    /// How many posts of the list are in the group.
    public let count: Int

    /// A group of that name and size.
    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// A group with its posts.
public struct PostsInGroup: Hashable, Sendable {
    /// What the posts have in common: "Kerri Miller", "August 2018" or "B".
    public let name: String
    /// The posts in their order; there is at least one.
    public let posts: [PostMetadata]

    /// A group of that name with these posts.
    public init(name: String, posts: [PostMetadata]) {
        self.name = name
        self.posts = posts
    }
}
