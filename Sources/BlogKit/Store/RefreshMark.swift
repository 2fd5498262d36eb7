import Foundation

/// What is remembered of a server's answer, so that it need not be given again.
package struct RefreshMark: Sendable {
    package let validators: CacheValidators
    package let digest: String?
    package let refreshedAt: Date
    package let currentUntil: Date

    package init(validators: CacheValidators, digest: String?, refreshedAt: Date, maxAge: Double) {
        self.validators = validators
        self.digest = digest
        self.refreshedAt = refreshedAt
        currentUntil = refreshedAt.addingTimeInterval(maxAge)
    }

    /// The same, but the next question is asked as if for the first time.
    package var withoutValidators: RefreshMark {
        RefreshMark(
            validators: CacheValidators(etag: nil, lastModified: nil), digest: nil, refreshedAt: refreshedAt, maxAge: 0)
    }
}
