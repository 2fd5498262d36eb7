import BlogEssentials

extension Sequence<PostMetadata> {
    /// Sorts the posts in the same order as a list from the store.
    ///
    /// Ties are sorted by date, newest first, and then by id; the sort is stable. An array has neither a source's own
    /// order nor search terms, so ``Sorting/rank`` and ``Sorting/relevance`` are the same as ``Sorting/date``. Posts
    /// without a score, a number of comments or a rating come last.
    ///
    /// - Parameters:
    ///   - sorting: the order.
    ///   - isReversed: whether to reverse the order, including ties.
    /// - Complexity: O(*n* log *n*)
    public func sorted(by sorting: Sorting, reversed isReversed: Bool = false) -> [PostMetadata] {
        let posts = enumerated().map { SortablePost($1, at: $0) }.sorted { $0.precedes($1, by: sorting) }
        return isReversed ? posts.reversed().map(\.metadata) : posts.map(\.metadata)
    }
}

private struct SortablePost {
    let metadata: PostMetadata
    private let key: SortKey
    private let index: Int

    init(_ metadata: PostMetadata, at index: Int) {
        self.metadata = metadata
        key = SortKey(metadata)
        self.index = index
    }

    /// The order must be the same as in `ListStatement`.
    func precedes(_ other: SortablePost, by sorting: Sorting) -> Bool {
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

    /// Compares byte by byte like SQLite, and unlike String, which compares by canonical equivalence.
    ///
    /// Negative if the first text comes first.
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

    /// Compares in descending order, nil last, like SQLite.
    ///
    /// Negative if the first number comes first.
    private static func descending<Number: Comparable>(_ first: Number?, _ second: Number?) -> Int {
        guard first != second else { return 0 }
        guard let first else { return 1 }
        guard let second else { return -1 }
        return first > second ? -1 : 1
    }
}

extension Sequence<PostMetadata> {
    /// Divides the posts into the same groups as a list from the store; the order within a group is preserved.
    ///
    ///     posts.sorted(by: .title).grouped(by: .author)
    ///
    /// Authors are sorted alphabetically, ignoring case and accents, although names that only differ in these are
    /// separate groups. Months, in UTC, are sorted newest first. Letters follow "#" and "0–9", other scripts last.
    /// Metadata doesn't include its source, so all posts are in one group by source or folder.
    ///
    /// - Parameters:
    ///   - grouping: the criterion for groups.
    ///   - isReversed: whether to reverse the order of the groups, but not that of their posts.
    /// - Complexity: O(*n* + *g* log *g*) for *g* groups
    public func grouped(by grouping: Grouping, reversed isReversed: Bool = false) -> [PostsInGroup] {
        // Compares bytes like SQLite, and unlike String, which compares by canonical equivalence.
        let groups = Dictionary(grouping: self) { Array(grouping.key(SortKey($0)).utf8) }
        let ordered = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, posts in
            PostsInGroup(name: grouping.name(ofKey: String(decoding: key, as: UTF8.self), posts), posts: posts)
        }
        return (grouping == .date) == isReversed ? ordered : ordered.reversed()
    }
}

extension Grouping {
    /// The key by which posts are grouped and groups are sorted.
    fileprivate func key(_ key: SortKey) -> String {
        switch self {
        case .author: key.author
        case .date: key.month
        case .title: key.letter
        case .source, .folder: ""
        }
    }

    /// The displayed name of a group.
    fileprivate func name(ofKey key: String, _ posts: [PostMetadata]) -> String {
        switch self {
        case .author: name(ofStored: posts[0].author.name)
        case .date, .title, .source, .folder: name(ofStored: key)
        }
    }
}

/// The header of a group in a list.
public struct PostGroup: Hashable, Sendable {
    /// The name of the group, such as "Kerri Miller", "August 2018" or "B".
    public let name: String
    /// The number of posts in the group.
    public let count: Int

    /// A group with a name and a number of posts.
    public init(name: String, count: Int) {
        self.name = name
        self.count = count
    }
}

/// A group with its posts.
public struct PostsInGroup: Hashable, Sendable {
    /// The name of the group, such as "Kerri Miller", "August 2018" or "B".
    public let name: String
    /// The posts in order; never empty.
    public let posts: [PostMetadata]

    /// A group with a name and its posts.
    public init(name: String, posts: [PostMetadata]) {
        self.name = name
        self.posts = posts
    }
}
