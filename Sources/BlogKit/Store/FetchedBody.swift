import Foundation

/// A body as it came from a server.
package struct FetchedBody: Sendable {
    package let text: String
    package let fetchedAt: Date
    /// What to ask with next time.
    package let validators: CacheValidators

    package init(
        text: String, fetchedAt: Date, validators: CacheValidators = CacheValidators(etag: nil, lastModified: nil)
    ) {
        self.text = text
        self.fetchedAt = fetchedAt
        self.validators = validators
    }
}
