import Foundation
import Model
import Store

/// When a stored post or comment is stale.
enum ItemFreshness {
    /// How many seconds it stays fresh: replies arrive within minutes.
    private static let lifetime: TimeInterval = 5 * 60
    /// The age in seconds after which threads are closed to replies; those on photos never are.
    private static let closing: TimeInterval = 14 * 86_400

    /// Whether a stored item is still fresh.
    static func isCurrent(_ item: StoredItem, at now: Date) -> Bool {
        if item.metadata.discussion?.removal != nil { return true }
        // A clock that was set back makes everything look as if it came from the future.
        let age = now.timeIntervalSince(item.fetchedAt)
        if (0..<lifetime).contains(age) { return true }
        let isThread = item.metadata.photo == nil
        return isThread && item.fetchedAt.timeIntervalSince(item.metadata.publishDate.date) >= closing
    }
}
