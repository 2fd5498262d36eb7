import Foundation

/// What is remembered of a server's answer, so that it need not be given again.
package struct RefreshMark: Sendable {
    package let validators: CacheValidators
    package let digest: String?
    /// When the server answered.
    package let refreshedAt: Date
    package let currentUntil: Date
    /// When the server last gave the list whole.
    package let validatedAt: Date

    /// A mark; without `validatedAt` of an answer that gave the list whole.
    package init(
        validators: CacheValidators, digest: String?, refreshedAt: Date, maxAge: Double, validatedAt: Date? = nil
    ) {
        self.validators = validators
        self.digest = digest
        self.refreshedAt = refreshedAt
        self.validatedAt = validatedAt ?? refreshedAt
        currentUntil = refreshedAt.addingTimeInterval(maxAge)
    }

    /// The same, but the next question is asked as if for the first time.
    package var withoutValidators: RefreshMark {
        RefreshMark(
            validators: CacheValidators(etag: nil, lastModified: nil), digest: nil, refreshedAt: refreshedAt, maxAge: 0)
    }
}
