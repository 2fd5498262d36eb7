import Foundation

/// A body in the store.
package struct StoredBody: Sendable {
    package let text: String
    package let fetchedAt: Date
    /// Whether the metadata is still what it was when the body came.
    package let isCurrent: Bool
    /// What to ask with when the metadata has changed.
    package let validators: CacheValidators
}
