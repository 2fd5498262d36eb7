import BlogModel

/// The marks that the user sets on posts, and what was read and shown.
struct Marks {
    private let database: Database

    init(_ database: Database) { self.database = database }

    /// Marks posts by their ids, as one marking that ``undo()`` can undo.
    func mark(_ mark: Mark, ids: [PostID]) throws -> MarkingReport {
        var unknown: [PostID] = []
        let marking = try Marking(mark, in: database)
        for id in ids {
            if let post = try PostRow.key(of: id, in: database) {
                try marking.add("posts.key = ?", [.integer(post)])
            } else {
                unknown.append(id)
            }
        }
        return MarkingReport(
            mark: mark, known: ids.count - unknown.count, changed: try marking.finish(), unknownIDs: unknown)
    }

    func mark(_ mark: Mark, all query: Query, in scope: SourceScope) throws -> MarkingReport {
        let marking = try Marking(mark, in: database)
        let (conditions, values) = ListStatement.conditions(query, scope)
        try marking.add(conditions.joined(separator: " AND "), values)
        let changed = try marking.finish()
        return MarkingReport(mark: mark, known: changed, changed: changed, unknownIDs: [])
    }

    /// Marks posts as read and records the last one.
    func noteReading(of ids: [PostID]) throws {
        let marking = try Marking(.read, in: database)
        for id in ids {
            guard let post = try PostRow.key(of: id, in: database) else { continue }
            try marking.add("posts.key = ?", [.integer(post)])
            try database.run("UPDATE last_read SET post = ?", [.integer(post)])
        }
        _ = try marking.finish()
    }

    /// The post that was read last; nil if none was, or it was deleted.
    func lastRead() throws -> PostID? {
        let sql = """
            SELECT kind, address, id FROM last_read JOIN posts ON posts.key = last_read.post
            JOIN sources ON sources.key = posts.source
            """
        return try database.first(sql) { $0.postID(0) }
    }

    /// Undoes the last marking; nil if there is none.
    func undo() throws -> MarkingReport? {
        let last = try database.first("SELECT key, mark FROM markings ORDER BY key DESC LIMIT 1") { row in
            (row.integer(0), row.text(1).flatMap { Mark(rawValue: $0) })
        }
        guard let (key, mark) = last, let mark else { return nil }
        let titles = try Marking.titles(of: key, in: database)
        try Marking.apply(mark.opposite, to: key, in: database)
        let changed = database.changes
        try database.run("DELETE FROM markings WHERE key = ?", [.integer(key)])
        return MarkingReport(mark: mark.opposite, known: changed, changed: changed, unknownIDs: [], titles: titles)
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
