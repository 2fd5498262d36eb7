import Model
import Store

/// A word that refers to posts without naming them.
///
/// | word | posts |
/// | --- | --- |
/// | `latest`, `latest:3` | the first ones of a list as it is without options |
/// | `next`, `next:3` | the first unread ones of it |
/// | `swift:latest` | of one source |
/// | `3-7`, `swift:3-7` | those with numbers from 3 to 7 |
package enum PostReference: Hashable, Sendable {
    /// The first posts of a source's list, or of everything; `count` is nil for a number that isn't one.
    case first(source: String?, isUnread: Bool, count: Int?)
    /// Numbers, and the prefix of their ids.
    case numbers(prefix: String, ClosedRange<Int>)

    /// Nil for any other word.
    package init?(_ word: String) {
        if let match = word.wholeMatch(of: #/([a-z0-9-]+:)?(\d{1,9})-(\d{1,9})/#), let first = Int(match.2),
            let last = Int(match.3), first < last, last - first < Self.maxCount
        {
            self = .numbers(prefix: match.1.map { String($0) } ?? "", first...last)
            return
        }
        var parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let source = parts.count > 1 && !Self.words.contains(parts[0]) ? parts.removeFirst() : nil
        guard Self.words.contains(parts[0]), parts.count <= 2 else { return nil }
        let count = parts.count == 1 ? 1 : Int(parts[1]).flatMap { (1...Self.maxCount).contains($0) ? $0 : nil }
        self = .first(source: source, isUnread: parts[0] == "next", count: count)
    }

    /// Whether it may refer to more than one post.
    package var isPlural: Bool {
        switch self {
        case .first(_, _, let count): count ?? 0 > 1
        case .numbers: true
        }
    }

    private static let words = ["latest", "next"]
    /// More than anybody means.
    private static let maxCount = 1000
}

extension Library {
    /// The ids that a word refers to; the word itself if it is an id.
    ///
    /// Throws ``LibraryError/badReference(_:)``, or what a list throws.
    package func ids(for word: String, in scope: Scope) async throws -> [String] {
        let reference = PostReference(word)
        guard reference != nil || word == "last" else { return [word] }
        // A blog's own id may look like one of these words.
        if let post = try? await post(word, in: scope), try await storedMetadata(of: post) != nil { return [word] }
        switch reference {
        case .numbers(let prefix, let numbers): return numbers.map { "\(prefix)\($0)" }
        case .first(let source, let isUnread, let count?):
            let scope = if let source { try await self.scope(named: [source], in: scope) } else { scope }
            let sorting: Sorting = try await capabilities(in: scope).isRanked ? .rank : .date
            var query = Query(arrangement: Arrangement(sorting: sorting), limit: count)
            query.filter.isUnread = isUnread
            let typedIDs = try await typedIDs()
            var ids: [String] = []
            for try await post in try await list(query, in: scope).posts { ids.append(typedIDs.text(post.id)) }
            return ids
        case .first, nil: throw LibraryError.badReference(word)
        }
    }
}
