import Foundation

/// What the store knows of a blog as a whole.
package struct BlogRecord: Sendable {
    package let key: Int64
    package let validators: CacheValidators
    package let digest: String?
    /// When the server last said what it lists; nil where it never did.
    package let refreshedAt: Date?
    /// Until when the list is taken for current without asking.
    package let currentUntil: Date?
    /// How many posts it lists.
    package let posts: Int
    /// When the server last gave the list whole; nil where it never did.
    package let validatedAt: Date?

    /// Whether there is a list to show, not only single posts that were read.
    package var hasList: Bool { refreshedAt != nil || posts > 0 }

    /// The validators and the digest, unless they are so old that a server's mistake in them would hide new posts.
    package func memory(at now: Date) -> (validators: CacheValidators?, digest: String?) {
        guard let validatedAt, now < validatedAt.addingTimeInterval(CacheValidators.longestUse) else {
            return (nil, nil)
        }
        return (validators, digest)
    }
}
