import Foundation

/// A body in the store.
package struct StoredBody: Sendable {
    /// All of it; "" for one that lies in parts.
    package let text: String
    /// The key by which its parts are read; nil where ``text`` is all of it.
    package let parts: Int64?
    /// What it is written in; nil where its source didn't say.
    package let format: BodyFormat?
    package let fetchedAt: Date
    /// Whether the metadata is still what it was when the body came.
    package let isCurrent: Bool
    /// What to ask with when the metadata has changed.
    package let validators: CacheValidators
}
