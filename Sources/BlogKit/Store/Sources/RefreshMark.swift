import Foundation

/// What is remembered of a server's response, so that an unchanged list is not sent again.
package struct RefreshMark: Sendable {
    package let validators: CacheValidators
    package let digest: String?
    /// When the server responded.
    package let refreshedAt: Date
    package let currentUntil: Date
    /// When the server last sent the complete list.
    package let validatedAt: Date

    /// A mark; without `validatedAt`, of a response with the complete list.
    package init(
        validators: CacheValidators, digest: String?, refreshedAt: Date, maxAge: Double, validatedAt: Date? = nil
    ) {
        self.validators = validators
        self.digest = digest
        self.refreshedAt = refreshedAt
        self.validatedAt = validatedAt ?? refreshedAt
        currentUntil = refreshedAt.addingTimeInterval(maxAge)
    }

    /// The same without validators, so that the next request is unconditional.
    package var withoutValidators: RefreshMark {
        RefreshMark(
            validators: CacheValidators(etag: nil, lastModified: nil), digest: nil, refreshedAt: refreshedAt, maxAge: 0)
    }
}
