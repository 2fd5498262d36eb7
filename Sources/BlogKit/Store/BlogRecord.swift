import Foundation

/// What the store knows of a blog as a whole.
package struct BlogRecord: Sendable {
    package let key: Int64
    package let validators: CacheValidators
    package let digest: String?
    /// When the server last said what it lists; nil where it never did.
    package let refreshedAt: Date?
    /// Until when the list is taken for current without asking.
    package let currentUntil: Date?
}
