import Foundation

/// A body as it came from a server.
package struct FetchedBody: Sendable {
    package let content: BodyContent
    /// What it is written in; nil where its source doesn't say.
    package let format: BodyFormat?
    package let fetchedAt: Date
    /// What was known of the post when the body was asked for, to which it belongs; nil for what is stored now.
    package let metadata: PostMetadata?
    /// What to ask with next time.
    package let validators: CacheValidators

    package init(
        content: BodyContent, format: BodyFormat? = nil, fetchedAt: Date, metadata: PostMetadata? = nil,
        validators: CacheValidators = CacheValidators(etag: nil, lastModified: nil)
    ) {
        self.content = content
        self.format = format
        self.fetchedAt = fetchedAt
        self.metadata = metadata
        self.validators = validators
    }

    /// A short body that is whole.
    package init(text: String, format: BodyFormat? = nil, fetchedAt: Date) {
        self.init(content: .text(text), format: format, fetchedAt: fetchedAt)
    }
}

/// A body as it arrived, wherever it is by now.
package enum BodyContent: Sendable {
    /// All of it.
    case text(String)
    /// All of it, in a file as it is too long for memory.
    case staged(StagedText)
    /// What is stored, of which the server said that it is still the body.
    case unchanged
}
