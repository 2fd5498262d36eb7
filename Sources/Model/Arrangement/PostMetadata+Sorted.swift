import Foundation

extension Sequence<PostMetadata> {
    /// The posts in an order, the same that a list from the store has.
    ///
    /// Ties go by date, newest first, then by id. What ties in all of it keeps its order. As an array has neither an
    /// order of a source's own nor search terms, ``Sorting/rank`` and ``Sorting/relevance`` are ``Sorting/date``. Posts
    /// without a score, a number of comments or a rating come behind all others.
    ///
    /// Takes O(*n* log *n*) time; what a title or a name is compared by is computed once a post.
    ///
    /// - Parameters:
    ///   - sorting: what the order goes by.
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
