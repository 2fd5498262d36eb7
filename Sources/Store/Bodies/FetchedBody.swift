import Foundation
import HTTP
import Model

/// A body as a server sent it.
package struct FetchedBody: Sendable {
    package let content: BodyContent
    /// The format of the text; nil if its source doesn't specify it.
    package let format: BodyFormat?
    package let fetchedAt: Date
    /// The post's metadata when the body was requested; nil for the metadata stored now.
    package let metadata: PostMetadata?
    /// The validators to send with the next request.
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

    /// A complete short body.
    package init(text: String, format: BodyFormat? = nil, fetchedAt: Date) {
        self.init(content: .text(text), format: format, fetchedAt: fetchedAt)
    }
}

/// The content of a body that has arrived.
package enum BodyContent: Sendable {
    /// The whole text.
    case text(String)
    /// The whole text, in a temporary file because it is too long for memory.
    case staged(StagedText)
    /// Not modified: the stored body is still current.
    case unchanged
}
