import Foundation

/// What the store knows of a source as a whole.
package struct StoredSource: Sendable {
    package let key: Int64
    package let id: SourceID
    /// What the ids of its posts begin with; nil for one that was never followed.
    package let name: String?
    /// The folder that it is in, its parts joined with `/`; "" for none.
    package let folder: String
    /// What it calls itself; nil where it doesn't say.
    package let title: String?
    /// When a person began to follow it; nil for one that is not followed.
    package let followedAt: Date?
    package let validators: CacheValidators
    package let digest: String?
    /// When the server last said what it lists; nil where it never did.
    package let refreshedAt: Date?
    /// Until when the list is fresh, as far as the server said.
    package let currentUntil: Date?
    /// How many posts it lists.
    package let posts: Int
    /// How many of them have not been read.
    package let unread: Int
    /// How many bodies are stored.
    package let bodies: Int
    /// When the server last gave the list whole; nil where it never did.
    package let validatedAt: Date?
    /// How the last refresh ended, where it gave no list, and when that was.
    package let problem: RefreshProblem?
    package let failedAt: Date?

    /// Whether there is a list to show, not only single posts that were read.
    package var hasList: Bool { refreshedAt != nil || posts > 0 }

    package var isFollowed: Bool { followedAt != nil }

    /// The validators and the digest, unless they are so old that a server's mistake in them would hide new posts.
    package func memory(at now: Date) -> (validators: CacheValidators?, digest: String?) {
        guard let validatedAt, now < validatedAt.addingTimeInterval(CacheValidators.longestUse) else {
            return (nil, nil)
        }
        return (validators, digest)
    }

    /// When it should be refreshed again together with others: after half an hour, or later where the server said so.
    package var dueAt: Date? {
        refreshedAt.map { max($0.addingTimeInterval(Self.refreshInterval), currentUntil ?? $0) }
    }

    /// How many seconds pass at least between two refreshes that nobody asked for by name.
    package static let refreshInterval: TimeInterval = 30 * 60
}

/// How a refresh ended that gave no list.
public enum RefreshProblem: String, Sendable {
    /// The server could not be asked.
    case unreachable
    /// The server answered, but not with a list.
    case failed
}
