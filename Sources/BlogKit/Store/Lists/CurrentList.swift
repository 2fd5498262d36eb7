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
