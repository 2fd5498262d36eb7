import Foundation

/// When a post or comment that is stored is asked for again.
enum ItemFreshness {
    /// For how many seconds it stays current: people answer within minutes.
    private static let lifetime: TimeInterval = 5 * 60
    /// After how many seconds nobody answers any more: sources with discussions close them by then.
    private static let closing: TimeInterval = 14 * 86_400

    /// Whether what is stored can be taken for what the source has now.
    static func isCurrent(_ item: StoredItem, at now: Date) -> Bool {
        if item.metadata.discussion?.withheld != nil { return true }
        // A clock that was set back makes everything look as if it came from the future.
        let age = now.timeIntervalSince(item.fetchedAt)
        if (0..<lifetime).contains(age) { return true }
        return item.fetchedAt.timeIntervalSince(item.metadata.publishDate.date) >= closing
    }
}
