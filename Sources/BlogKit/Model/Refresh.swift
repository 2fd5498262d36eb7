import BlogEssentials

/// A source's response to a request for its list.
package enum Refresh: Sendable {
    /// Not modified; `wasSent` is true if the server sent the whole list again instead of a 304.
    case unchanged(Checkpoint, wasSent: Bool)
    case entries(any EntryBatches, Coverage, Checkpoint)
    /// Ranked entries.
    case ranking(Ranking)
}

/// A source's own order.
package struct Ranking: Sendable {
    package let ids: [String]
    /// The entries that came with the ranking; others are fetched one by one.
    package let entries: [Entry]
    /// Records that were skipped because a field is missing or invalid.
    package let rejected: [RejectedRecord]

    /// How many posts at the front of a ranking belong to a list of several sources.
    package static let frontPageCount = 30

    package init(ids: [String], entries: [Entry] = [], rejected: [RejectedRecord] = []) {
        self.ids = ids
        self.entries = entries
        self.rejected = rejected
    }
}

/// How much of a source its list covers.
package enum Coverage: Sendable {
    /// All posts: others are no longer listed.
    case complete
    /// Only the newest posts: others may still exist.
    case window
}

/// The cache state of a list, to be sent with the next request for it.
package struct Checkpoint: Sendable {
    package let validators: CacheValidators
    /// The digest of a complete list, to compare lists without parsing.
    package let digest: String?
    /// How long the list is fresh according to the server, in seconds.
    package let maxAge: TimeInterval
    /// The minimum refresh interval according to the list itself, in seconds.
    package let timeToLive: TimeInterval
    package let title: String?
    /// The address of the site that the list says it is of; nil if it doesn't.
    package let home: String?
    /// The permanent new address of the source according to its server; nil if it hasn't moved.
    package let movedTo: String?
    /// What the list says of older posts that it has no more.
    package var older: OlderPosts?
    /// Reads the stored entries of the list.
    package let entries: StoredEntries

    /// The stored identities of entries, which needn't be decoded again, by their digests: see ``Entry/digest``.
    package typealias StoredEntries = @Sendable () async -> [Int64: String]

    package init(
        validators: CacheValidators, digest: String?, maxAge: TimeInterval = 0, timeToLive: TimeInterval = 0,
        title: String? = nil, home: String? = nil, movedTo: String? = nil, entries: @escaping StoredEntries = { [:] }
    ) {
        self.validators = validators
        self.digest = digest
        self.maxAge = maxAge
        self.timeToLive = timeToLive
        self.title = title
        self.home = home
        self.movedTo = movedTo
        self.entries = entries
    }
}

/// Older posts of a blog that its list has no more.
package struct OlderPosts: Hashable, Sendable {
    /// The address of the newest of them.
    package let page: URL
    /// How many posts the blog has in all; nil if it doesn't say so.
    package let total: Int?

    package init(page: URL, total: Int?) { (self.page, self.total) = (page, total) }
}

/// The validators of a response, for conditional requests (RFC 9110, section 8.8).
package struct CacheValidators: Hashable, Sendable {
    package let etag: String?
    package let lastModified: String?
    /// The origin of the response, which alone gets them back; nil for that of the requested address.
    package let origin: String?

    package init(etag: String? = nil, lastModified: String? = nil, origin: String? = nil) {
        (self.etag, self.lastModified, self.origin) = (etag, lastModified, origin)
    }

    /// These unless they are of another origin, which isn't stored.
    package var ofRequestedOrigin: CacheValidators { origin == nil ? self : CacheValidators() }

    package var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// How a refresh failed.
public enum RefreshProblem: String, Sendable {
    /// The server couldn't be reached.
    case unreachable
    /// The server failed, or its response was incomplete.
    case failed
    /// The server says that the source was removed permanently (410).
    case gone
    /// There is nothing at the address (404).
    case missing
    /// The server redirects permanently to another host, which has none of the stored posts; the reason is the new address.
    case moved
    /// The server requires a login (401), which it didn't get or rejected.
    case login
    /// The server refuses programs, or these requests (403 and other statuses from 400 to 499).
    case refused
    /// The response isn't a list, or no longer.
    case unreadable
    /// It isn't asked: nobody typed its address, which is that of a sync server or in a private network.
    case unconfirmed
}
