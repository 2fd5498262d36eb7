import BlogEssentials
import BlogModel

/// The marks that the user sets on posts, and what was read and shown.
struct Marks {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Marks posts as read, with their duplicates if the story itself was read, and records the last one.
    func noteReading(of ids: [PostID], withArticles: Set<PostID>) throws {
        let stories = Stories(database)
        var keys: [Int64] = []
        for id in ids {
            guard let key = try PostRow.key(of: id, in: database) else { continue }
            if try withArticles.contains(id) || stories.isStory(key) { keys += try stories.twins(of: [key]) }
            keys.append(key)
        }
        let marking = try Marking(.read, with: nil, in: database)
        try marking.finish(changed: try marking.add(keys, in: database), in: database)
        if let last = keys.last { try database.run("UPDATE last_read SET post = ?", [.integer(last)]) }
    }

    /// The post that was read last; nil if none was, or it was deleted.
    func lastRead() throws -> PostID? {
        let sql = """
            SELECT kind, address, id FROM last_read JOIN posts ON posts.key = last_read.post
            JOIN sources ON sources.key = posts.source
            """
        return try database.first(sql) { $0.postID(0) }
    }

    /// The last steps that can be undone, most recent first, each as its first marking.
    func last(_ limit: Int) throws -> [MarkingReport] {
        let steps = "key IN (SELECT min(key) FROM markings GROUP BY step ORDER BY step DESC LIMIT \(limit))"
        return try Marking.all(steps, in: database).reversed().map { marking in
            let count = try database.integer(
                "SELECT count(*) FROM marked_posts WHERE marking = ?", [.integer(marking.key)])
            let titles = try Marking.titles(of: marking.key, in: database)
            return MarkingReport(
                mark: marking.mark, known: Int(count ?? 0), changed: Int(count ?? 0), unknownIDs: [], titles: titles)
        }
    }

    /// The labels in alphabetical order, with the numbers of their posts.
    ///
    /// - Parameter withHidden: whether posts that a rule hides count, too.
    func labels(withHidden: Bool = false) throws -> [LabelCounts] {
        let sql = """
            SELECT labels, count(*), sum(NOT is_read) FROM posts
            WHERE labels IS NOT NULL\(withHidden ? "" : " AND is_hidden = 0") GROUP BY labels
            """
        var counts: [String: LabelCounts] = [:]
        let rows = try database.all(sql) { row in
            (row.text(0).map(TagLines.tags) ?? [], Int(row.integer(1)), Int(row.integer(2)))
        }
        for (labels, posts, unread) in rows {
            for label in labels {
                let key = Folding.searchable(label)
                let before = counts[key]
                counts[key] = LabelCounts(
                    label: before?.label ?? label, posts: (before?.posts ?? 0) + posts,
                    unread: (before?.unread ?? 0) + unread)
            }
        }
        return counts.sorted { ($0.key, $0.value.label) < ($1.key, $1.value.label) }.map(\.value)
    }

    /// Whether a hint is shown for the first time; records that it was.
    func takeHint(_ name: String) throws -> Bool {
        try database.run("INSERT OR IGNORE INTO hints (name) VALUES (?)", [.text(name)])
        return database.changes > 0
    }
}
