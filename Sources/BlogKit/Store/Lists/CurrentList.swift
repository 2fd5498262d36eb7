import BlogEssentials
import BlogModel

/// The current list of a source that lists only its newest posts: their IDs, stored as a ranking without a name.
struct CurrentList {
    private var ids: [String] = []
    private var known: Set<String> = []

    /// Adds a post of the list, unless it was added before.
    mutating func add(_ id: String) {
        if known.insert(id).inserted { ids.append(id) }
    }

    /// The posts of the stored list by the digests of their entries, unless they aren't stored whole any more, or with the
    /// date of a wrong clock.
    static func entries(
        of sourceKey: Int64, in database: Database, at now: Date
    ) throws -> [Int64: (key: Int64, id: String, identity: String)] {
        let dates = EntryNumbers.plausibleDates(at: now)
        let rows = try database.statement(
            """
            SELECT digest, posts.key, posts.id, post_id
            FROM ranks JOIN posts ON posts.source = ranks.source AND posts.id = ranks.id
            WHERE ranks.source = ? AND section = '' AND digest IS NOT NULL AND listed = 1
                AND EXISTS (SELECT 1 FROM bodies WHERE post = posts.key) AND date_key BETWEEN ? AND ?
            """, [.integer(sourceKey), .integer(dates.lowerBound), .integer(dates.upperBound)])
        var entries: [Int64: (key: Int64, id: String, identity: String)] = [:]
        while try rows.step() {
            entries[rows.integer(0)] = (rows.integer(1), rows.text(2) ?? "", rows.text(3) ?? "")
        }
        return entries
    }

    /// Stores the list, and notes when other posts were delisted.
    func save(of sourceKey: Int64, in database: Database, at now: Date) throws {
        let ranks = Ranks("", of: sourceKey, in: database)
        let before = try ranks.ids()
        try ranks.noteRefresh(at: now)
        guard before != ids else { return }
        for id in before where !known.contains(id) {
            try database.run(
                "UPDATE posts SET changed_at = ? WHERE source = ? AND id = ?",
                [DatabaseValue(now), .integer(sourceKey), .text(id)])
        }
        try ranks.replace(with: ids)
    }
}

extension PostStore {
    /// The identities of the posts of a source's stored list by the digests of their entries; empty if they can't be
    /// read.
    package func entries(of source: StoredSource, at now: Date) -> [Int64: String] {
        (try? read { try CurrentList.entries(of: source.key, in: $0, at: now).mapValues(\.identity) }) ?? [:]
    }
}
