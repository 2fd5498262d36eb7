import Foundation
import HTTP
import Model

/// What is remembered of a server's response to a request for a list.
package struct RefreshMark: Sendable {
    package let checkpoint: Checkpoint
    /// When the server responded.
    package let refreshedAt: Date
    /// When the server last gave the list whole.
    package let validatedAt: Date

    /// A mark; without `validatedAt` of a response that gave the list whole.
    package init(_ checkpoint: Checkpoint, refreshedAt: Date, validatedAt: Date? = nil) {
        self.checkpoint = checkpoint
        self.refreshedAt = refreshedAt
        self.validatedAt = validatedAt ?? refreshedAt
    }

    package var validators: CacheValidators { checkpoint.validators }

    package var digest: String? { checkpoint.digest }

    /// Until when the list is fresh, as its server said.
    package var currentUntil: Date { refreshedAt.addingTimeInterval(checkpoint.maxAge) }

    /// When the source should be refreshed again together with others: after half an hour, or later where the server or
    /// the source itself says so, but not too late.
    package var dueAt: Date {
        let wait = max(StoredSource.refreshInterval, checkpoint.maxAge, checkpoint.timeToLive)
        return refreshedAt.addingTimeInterval(min(wait, StoredSource.maxRefreshInterval))
    }

    /// The same without what would make the next request conditional.
    package var withoutValidators: RefreshMark {
        let checkpoint = Checkpoint(
            validators: CacheValidators(etag: nil, lastModified: nil), digest: nil, title: checkpoint.title)
        return RefreshMark(checkpoint, refreshedAt: refreshedAt)
    }
}
