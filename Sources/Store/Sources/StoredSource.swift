import Essentials
import HTTP
import Model

/// The stored facts about a source.
package struct StoredSource: Sendable {
    package let key: Int64
    package let id: SourceID
    /// The prefix of its post IDs; nil if it was never followed.
    package let name: String?
    /// The folder that it is in, its parts joined with `/`; "" for none.
    package let folder: String
    /// The user's title for it, or else its own; nil if neither is known.
    package let title: String?
    /// When the user followed it; nil if it isn't followed.
    package let followedAt: Date?
    package let validators: CacheValidators
    package let digest: String?
    /// When the list was last fetched or found unchanged; nil if never.
    package let refreshedAt: Date?
    /// Until when the list is fresh according to the server.
    package let currentUntil: Date?
    /// How many posts it lists.
    package let posts: Int
    /// How many of them have not been read.
    package let unread: Int
    /// How many of them are stored with their bodies.
    package let bodies: Int
    /// How many comments are stored.
    package let comments: Int
    /// When the server last sent the complete list; nil if never.
    package let validatedAt: Date?
    /// How and when the last refresh failed; nil if it succeeded.
    package let problem: RefreshProblem?
    package let failedAt: Date?

    /// Whether there is a list to show, not only single posts that were read.
    package var hasList: Bool { refreshedAt != nil || posts > 0 }

    package var isFollowed: Bool { followedAt != nil }

    /// The validators and the digest, unless they are older than ``CacheValidators/maxAge``.
    package func memory(at now: Date) -> (validators: CacheValidators?, digest: String?) {
        guard let validatedAt, now < validatedAt.addingTimeInterval(CacheValidators.maxAge) else {
            return (nil, nil)
        }
        return (validators, digest)
    }

    /// When it should be refreshed again together with others; nil for at once.
    package let dueAt: Date?
    /// How often in a row it has given no list.
    package let failures: Int
    /// Its permanent new address, as its server says; nil if it hasn't moved.
    package let movedTo: String?
    /// The base address of relative links in its posts; nil if unknown.
    package let site: String?

    /// How long its posts are kept; nil for as long as all others.
    package let keep: Retention?
    /// When the old ones were last deleted; nil if never.
    package let prunedAt: Date?
    /// The user's title for it, if that isn't its own.
    package let label: String?

    /// When its posts are read with the articles behind their links; nil for as all others.
    package let article: ArticleChoice?
    /// The selector of the article in its pages; nil to find it by its looks.
    package let articleBody: String?
    /// The selector of what is left out of its articles; nil for nothing.
    package let articleDrop: String?

    /// The minimum number of seconds between two automatic refreshes.
    package static let refreshInterval: TimeInterval = 30 * 60
    /// How many seconds pass at most, whatever a server says.
    package static let maxRefreshInterval: TimeInterval = 5 * 3600

    /// For how many seconds a silent host isn't requested: five minutes, and twice as long each further time.
    package static func silence(after failures: Int) -> TimeInterval {
        min(300 * Double(1 << min(max(failures - 1, 0), 10)), maxRefreshInterval)
    }
}

/// How a refresh failed.
public enum RefreshProblem: String, Sendable {
    /// The server could not be reached.
    case unreachable
    /// The server responded, but not with a list.
    case failed
    /// The server says that the source is gone for good.
    case gone
}

/// The sources in the store that a query is over.
package struct SourceScope: Sendable {
    package let sources: [StoredSource]
    private let byKey: [Int64: StoredSource]

    /// For sources with several lists: the list whose front page is shown among several sources, by the source's key.
    package var frontPages: [Int64: String] = [:]

    package init(_ sources: [StoredSource]) {
        self.sources = sources
        byKey = Dictionary(sources.map { ($0.key, $0) }) { first, _ in first }
    }

    /// How many posts all of them list.
    package var posts: Int { sources.reduce(0) { $0 + $1.posts } }

    /// The key of the only source; nil if there are several, or none.
    var only: Int64? { sources.count == 1 ? sources[0].key : nil }

    subscript(key: Int64) -> StoredSource? { byKey[key] }

    /// The condition that a column with a source's key meets.
    ///
    /// - Parameter isIndexed: whether SQLite may look posts up by their source; otherwise it has to go through them in
    ///   the order of another index.
    func condition(on column: String, isIndexed: Bool = true) -> String {
        if let only { return "\(column) = \(only)" }
        let keys = sources.map { String($0.key) }.joined(separator: ",")
        return "\(isIndexed ? "" : "+")\(column) IN (\(keys))"
    }
}
