import Foundation

/// A body as it came from a server.
package struct FetchedBody: Sendable {
    package let content: BodyContent
    package let fetchedAt: Date
    /// What was known of the post when the body was asked for, to which it belongs; nil for what is stored now.
    package let metadata: PostMetadata?
    /// What to ask with next time.
    package let validators: CacheValidators

    package init(
        content: BodyContent, fetchedAt: Date, metadata: PostMetadata? = nil,
        validators: CacheValidators = CacheValidators(etag: nil, lastModified: nil)
    ) {
        self.content = content
        self.fetchedAt = fetchedAt
        self.metadata = metadata
        self.validators = validators
    }

    /// A short body that is whole.
    package init(text: String, fetchedAt: Date) {
        self.init(content: .text(text), fetchedAt: fetchedAt)
    }
}
