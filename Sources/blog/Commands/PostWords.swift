import BlogLibrary
import Model
import Store

/// Words that stand for posts without naming them.
///
/// | word | posts |
/// | --- | --- |
/// | `latest`, `latest:3` | the first ones of a list as it is without options |
/// | `next`, `next:3` | the first unread ones of it |
/// | `swift:latest` | of one source |
/// | `3-7`, `swift:3-7` | those with numbers from 3 to 7 |
enum PostWords {
    /// The ids of the posts that a word stands for; the word itself where it is an id.
    ///
    /// Throws what a list throws.
    static func ids(_ word: String, in session: Session) async throws -> [String] {
        if word == "last", try await !isStored(word, session) {
            throw UsageError.elsewhere("ID “last”", "latest (the newest post) or next (the first unread one)")
        }
        guard isWord(word), try await !isStored(word, session) else { return [word] }
        if let range = range(word) { return range.numbers.map { "\(range.prefix)\($0)" } }
        guard let (source, name, count) = place(word) else { return [word] }
        guard let count else {
            throw UsageError.unknownAction(word, known: ["latest", "latest:3", "next", "next:3"], nearest: nil)
        }
        let library = session.library
        let scope = if let source { try await library.scope(named: [source], in: session.scope) } else { session.scope }
        let sorting: Sorting = try await library.capabilities(in: scope).isRanked ? .rank : .date
        var query = Query(arrangement: Arrangement(sorting: sorting), limit: count)
        query.filter.isUnread = name == next
        let list = try await library.list(query, in: scope)
        var ids: [String] = []
        for try await post in list.posts {
            ids.append(session.typedIDs.text(post.id))
        }
        return ids
    }

    /// Whether a word may stand for several posts.
    static func areSeveral(_ word: String) -> Bool { place(word)?.count ?? 0 > 1 || range(word) != nil }

    private static func isWord(_ word: String) -> Bool { place(word) != nil || range(word) != nil }

    /// A blog's own id may look like one of these words.
    private static func isStored(_ word: String, _ session: Session) async throws -> Bool {
        guard let post = try? await session.library.post(word, in: session.scope) else { return false }
        return try await session.library.storedMetadata(of: post) != nil
    }

    /// The source, the word itself, and how many posts it stands for, nil if that is no number; nil for another word.
    private static func place(_ word: String) -> (source: String?, name: String, count: Int?)? {
        var parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let names = [latest, next]
        let source = parts.count > 1 && !names.contains(parts[0]) ? parts.removeFirst() : nil
        guard names.contains(parts[0]), parts.count <= 2 else { return nil }
        let count = parts.count == 1 ? 1 : Int(parts[1]).flatMap { (1...maxCount).contains($0) ? $0 : nil }
        return (source, parts[0], count)
    }

    /// The numbers that a range names, and what stands before them; nil for another word.
    private static func range(_ word: String) -> (prefix: String, numbers: ClosedRange<Int>)? {
        guard let match = word.wholeMatch(of: #/([a-z0-9-]+:)?(\d{1,9})-(\d{1,9})/#), let first = Int(match.2),
            let last = Int(match.3), first < last, last - first < maxCount
        else { return nil }
        return (match.1.map { String($0) } ?? "", first...last)
    }

    private static let latest = "latest"
    private static let next = "next"
    /// More than anybody means.
    private static let maxCount = 1000
}
