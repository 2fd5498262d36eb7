import BlogEssentials
import BlogModel

/// A source as it is listed: what the lists of a thousand sources need of each.
package struct ListedSource: Sendable {
    package let key: Int64
    package let id: SourceID
    /// The prefix of its post IDs; nil if it was never followed.
    package let name: String?
    /// The user's title for it or its own; nil if it has neither.
    package let title: String?
    package let isFollowed: Bool
    package let posts: Int
    /// How many of ``posts`` are unread.
    package let unread: Int
    /// How many of ``posts`` are stored with their bodies.
    package let bodies: Int
}

/// A source with all that is stored about it.
package struct StoredSource: Sendable {
    package let key: Int64
    package let id: SourceID
    /// The prefix of its post IDs; nil if it was never followed.
    package let name: String?
    /// The path of its folder, joined with `/`; "" for none.
    package let folder: String
    /// The user's title for it or its own; nil if it has neither.
    package let title: String?
    /// When the user followed it; nil if it isn't followed.
    package let followedAt: Date?
    package let validators: CacheValidators
    package let digest: String?
    /// When the list was last fetched or found unchanged; nil if never.
    package let refreshedAt: Date?
    /// Until when the list is fresh according to the server.
    package let currentUntil: Date?
    package let posts: Int
    /// How many of ``posts`` are unread.
    package let unread: Int
    /// How many of ``posts`` are stored with their bodies.
    package let bodies: Int
    /// The number of stored comments.
    package let comments: Int
    /// When the server last sent the complete list; nil if never.
    package let validatedAt: Date?
    /// How and when the last refresh failed; nil if it succeeded.
    package let problem: RefreshProblem?
    /// Why, in words: "HTTP 404 Not Found"; nil if unknown.
    package let reason: String?
    package let failedAt: Date?

    /// Whether there is a list to show, and not only single posts that were read.
    package var hasList: Bool { refreshedAt != nil || posts > 0 }

    /// Whether it is followed, or kept as a search.
    package var isFollowed: Bool { followedAt != nil || id.isSearch }

    package var listed: ListedSource {
        ListedSource(
            key: key, id: id, name: name, title: title, isFollowed: isFollowed, posts: posts,
            unread: unread, bodies: bodies)
    }

    /// When its next automatic refresh is due; nil for now.
    package let dueAt: Date?
    /// The number of consecutive failed refreshes.
    package let failures: Int
    /// Its permanent new address according to its server; nil if it hasn't moved.
    package let movedTo: String?
    /// The base address of relative links in its posts; nil if unknown.
    package let site: String?

    /// How long its posts are kept; nil for the global setting.
    package let keep: Retention?
    /// When its old posts were last deleted; nil if never.
    package let prunedAt: Date?
    /// The user's title for it, unless it is the source's own.
    package let label: String?

    /// When its posts are read with the linked articles; nil for the global setting.
    package let article: ArticleChoice?
    /// A selector for the article in its pages; nil to detect it.
    package let articleBody: String?
    /// A selector for elements to remove from its articles; nil for none.
    package let articleDrop: String?
    /// How often it is refreshed automatically; nil for the default.
    package let every: RefreshInterval?
    /// The address of the site that its list says it is of; nil if unknown.
    package let home: String?
    /// The address of the feed at its service; nil unless it is one.
    package let feed: String?
    /// The account of a service, as its server names it; nil if unknown.
    package let account: String?
    /// Whether its posts were deleted, so that another account can take the place of a service's.
    package let isForgotten: Bool
}

/// How the requests for a source went so far, and when it is asked again.
package struct RequestRecord: Hashable, Sendable {
    /// When it last worked; nil if never.
    package var lastSuccess: Date?
    /// When the last request failed; nil if it didn't.
    package var lastFailure: Date?
    /// How it failed; nil if it didn't.
    package var problem: RefreshProblem?
    /// Why, in words, on one line; nil if the problem says all.
    package var reason: String?
    /// The number of consecutive failures.
    package var failures: Int
    /// When its next automatic refresh is due; nil for now.
    package var dueAt: Date?

    package init(
        lastSuccess: Date? = nil, lastFailure: Date? = nil, problem: RefreshProblem? = nil, reason: String? = nil,
        failures: Int = 0, dueAt: Date? = nil
    ) {
        (self.lastSuccess, self.lastFailure, self.problem) = (lastSuccess, lastFailure, problem)
        (self.reason, self.failures, self.dueAt) = (reason, failures, dueAt)
    }
}

extension StoredSource {
    package var requests: RequestRecord {
        RequestRecord(
            lastSuccess: refreshedAt, lastFailure: failedAt, problem: problem, reason: reason, failures: failures,
            dueAt: dueAt)
    }
}

/// The stored sources that a list or a search covers.
package struct SourceScope: Sendable {
    package let sources: [ListedSource]
    /// Further sources, of which it covers only the posts that are saved or have a label.
    private var kept: [ListedSource] = []
    /// The indexes of ``sources`` by their keys.
    private let indexes: [Int64: Int]
    /// The keys in ranges: all sources that are followed often have consecutive ones.
    private let ranges: [ClosedRange<Int64>]

    /// The ranking whose front page stands for its source in a list of several sources, by source key.
    package var frontPages: [Int64: String] = [:]

    package init(_ sources: [StoredSource]) { self.init(sources.map(\.listed)) }

    package init(_ sources: [ListedSource]) {
        self.sources = sources
        indexes = Dictionary(zip(sources.map(\.key), sources.indices)) { first, _ in first }
        ranges = Self.ranges(of: indexes.keys)
    }

    private static func ranges(of keys: some Collection<Int64>) -> [ClosedRange<Int64>] {
        // Usually the keys are consecutive, and sorting a thousand of them would take longer than all the rest.
        if let first = keys.min(), let last = keys.max(), last - first + 1 == keys.count { return [first...last] }
        return keys.sorted().reduce(into: []) { ranges, key in
            if let last = ranges.last, last.upperBound == key - 1 {
                ranges[ranges.count - 1] = last.lowerBound...key
            } else {
                ranges.append(key...key)
            }
        }
    }

    /// The same, with the posts of further sources that are saved or have a label.
    package func keeping(_ others: [ListedSource]) -> SourceScope {
        var scope = self
        scope.kept = others
        return scope
    }

    package var isEmpty: Bool { sources.isEmpty && kept.isEmpty }

    package var posts: Int { sources.reduce(0) { $0 + $1.posts } }

    /// How many posts are stored without their bodies.
    package var missingBodies: Int { sources.reduce(0) { $0 + $1.posts - $1.bodies } }

    var only: Int64? { sources.count == 1 && kept.isEmpty ? sources[0].key : nil }

    /// Whether its posts are looked up by source and then sorted, because there are few of them; others are read in the
    /// order of a list.
    var isReadBySource: Bool { only != nil || posts < Self.many }

    /// So many posts aren't sorted fast enough without an index.
    static let many = 2000

    func id(of key: Int64) -> SourceID? {
        if key == only { return sources[0].id }
        return indexes[key].map { sources[$0].id } ?? kept.first { $0.key == key }?.id
    }

    private static let maxListed = 100

    /// Comparing a key with up to so many ranges takes less time than looking it up in a list.
    private static let maxRanges = 8

    /// The condition on the posts in a table, with those that are kept of further sources.
    func condition(onPosts table: String, isIndexed: Bool) -> String {
        let condition = condition(on: "\(table).source", isIndexed: isIndexed)
        if kept.isEmpty { return condition }
        let others = SourceScope(kept).condition(on: "\(table).source", isIndexed: isIndexed)
        return "(\(condition) OR (\(table).is_saved = 1 OR \(table).labels IS NOT NULL) AND \(others))"
    }

    /// The condition on a column of source keys.
    ///
    /// - Parameter isIndexed: false to keep SQLite from using an index on the column, so that it reads posts in the
    ///   order of another index.
    func condition(on column: String, isIndexed: Bool = true) -> String {
        if let only { return "\(column) = \(only)" }
        if !isIndexed, (1...Self.maxRanges).contains(ranges.count) {
            let terms = ranges.map { "+\(column) BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
            return "(\(terms.joined(separator: " OR ")))"
        }
        let keys = sources.map { String($0.key) }.joined(separator: ",")
        // SQLite compiles an expression for each value of a list, which takes as long as reading ten posts.
        let list = sources.count > Self.maxListed ? "SELECT value FROM json_each('[\(keys)]')" : keys
        return "\(isIndexed ? "" : "+")\(column) IN (\(list))"
    }
}
