import Foundation

/// A post or comment in the store, with its text.
package struct StoredItem: Sendable {
    package let metadata: PostMetadata
    package let body: String
    /// What the text is written in; nil where its source didn't say.
    package let format: BodyFormat?
    /// When the source gave it last.
    package let fetchedAt: Date
    /// What was noted about it.
    package let state: PostState
}
