/// A word that refers to posts without naming them.
///
/// | word | posts |
/// | --- | --- |
/// | `latest`, `latest:3` | the first in a default list |
/// | `next`, `next:3` | the first unread ones |
/// | `swift:latest` | the first of a source |
/// | `3-7`, `swift:3-7` | those with the numbers 3 to 7 |
package enum PostReference: Hashable, Sendable {
    /// The first posts of a source or of everything; `count` is nil if it is invalid.
    case first(source: String?, isUnread: Bool, count: Int?)
    /// Posts with numbers, after the prefix of their IDs; the range is nil if it is invalid.
    case numbers(prefix: String, ClosedRange<Int>?)

    /// Nil for any other word.
    package init?(_ word: String) {
        if let match = word.wholeMatch(of: #/([a-z0-9/-]+:)?(\d+)-(\d+)/#) {
            let (first, last) = (Int(match.2) ?? .max, Int(match.3) ?? .max)
            let isValid = first <= last && last - first < Self.maxCount && last < .max
            self = .numbers(prefix: match.1.map { String($0) } ?? "", isValid ? first...last : nil)
            return
        }
        var parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let source = parts.count > 1 && !Self.words.contains(parts[0]) ? parts.removeFirst() : nil
        guard Self.words.contains(parts[0]), parts.count <= 2 else { return nil }
        let count = parts.count == 1 ? 1 : Int(parts[1]).flatMap { (1...Self.maxCount).contains($0) ? $0 : nil }
        self = .first(source: source, isUnread: parts[0] == "next", count: count)
    }

    package var isNext: Bool {
        if case .first(_, isUnread: true, _) = self { true } else { false }
    }

    /// Whether it may refer to more than one post.
    package var isPlural: Bool {
        switch self {
        case .first(_, _, let count): count ?? 0 > 1
        case .numbers: true
        }
    }

    private static let words = ["latest", "next"]
    private static let maxCount = 1000
}
