import BlogCore

/// Words that stand for posts without naming them.
///
/// | word | posts |
/// | --- | --- |
/// | `latest`, `latest:3` | the first ones of a list as it is without options |
/// | `next` | the first unread one of it |
/// | `3-7`, `swift:3-7` | those with numbers from 3 to 7 |
enum PostWords {
    /// The ids of the posts that a word stands for; the word itself where it is an id.
    ///
    /// Throws what a list throws.
    static func ids(_ word: String, in session: Session) async throws -> [String] {
        guard isWord(word), try await !isStored(word, session) else { return [word] }
        if let range = range(word) { return range.numbers.map { "\(range.prefix)\($0)" } }
        let sorting: Sorting = session.capabilities.isRanked ? .rank : .date
        var query = Query(arrangement: Arrangement(sorting: sorting), limit: count(word))
        query.filter.isUnread = word == next
        let list = try await session.library.list(query, in: session.scope)
        var ids: [String] = []
        for try await post in list.posts {
            ids.append(session.typedIDs.text(PostID(source: post.source, local: post.metadata.id)))
        }
        return ids
    }

    /// Whether a word may stand for several posts.
    static func areSeveral(_ word: String) -> Bool { count(word) ?? 0 > 1 || range(word) != nil }

    private static func isWord(_ word: String) -> Bool { count(word) != nil || range(word) != nil }

    /// A blog's own id may look like one of these words.
    private static func isStored(_ word: String, _ session: Session) async throws -> Bool {
        guard let post = try? await session.library.post(word, in: session.scope) else { return false }
        return try await session.library.storedMetadata(of: post) != nil
    }

    /// How many posts `latest` or `next` stands for; nil for another word.
    private static func count(_ word: String) -> Int? {
        if word == latest || word == next { return 1 }
        guard word.hasPrefix(latest + ":"), let count = Int(word.dropFirst(latest.count + 1)) else { return nil }
        return (1...maxCount).contains(count) ? count : nil
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
