import BlogModel

/// The marks that the user sets on posts, and what was read and shown.
struct Marks {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Marks posts as read and records the last one.
    func noteReading(of ids: [PostID]) throws {
        let keys = try ids.compactMap { try PostRow.key(of: $0, in: database) }
        let marking = try Marking(.read, in: database)
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

    /// The last markings that can be undone, most recent first.
    func last(_ limit: Int) throws -> [MarkingReport] {
        let markings = try database.all(
            """
            SELECT key, mark, (SELECT count(*) FROM marked_posts WHERE marking = key)
            FROM markings ORDER BY key DESC LIMIT \(limit)
            """
        ) { row in (row.integer(0), row.text(1).flatMap { Mark(rawValue: $0) }, Int(row.integer(2))) }
        return try markings.compactMap { key, mark, count in
            guard let mark else { return nil }
            let titles = try Marking.titles(of: key, in: database)
            return MarkingReport(mark: mark, known: count, changed: count, unknownIDs: [], titles: titles)
        }
    }

    /// Whether a hint is shown for the first time; records that it was.
    func takeHint(_ name: String) throws -> Bool {
        try database.run("INSERT OR IGNORE INTO hints (name) VALUES (?)", [.text(name)])
        return database.changes > 0
    }
}
