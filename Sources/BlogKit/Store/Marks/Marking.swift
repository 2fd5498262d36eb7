import BlogModel

/// Marks posts within a transaction and records the changes so that they can be undone.
struct Marking {
    private let mark: Mark
    private let database: Database
    private let key: Int64

    init(_ mark: Mark, in database: Database) throws {
        self.mark = mark
        self.database = database
        try database.run("INSERT INTO markings (mark) VALUES (?)", [.text(mark.rawValue)])
        key = database.lastInsertedKey
    }

    func add(_ condition: String, _ values: [DatabaseValue]) throws {
        let (column, value) = Self.column(mark)
        try database.run(
            """
            INSERT OR IGNORE INTO marked_posts (marking, post)
            SELECT ?, posts.key FROM posts WHERE posts.\(column) <> ? AND \(condition)
            """, [.integer(key), .integer(value)] + values)
    }

    /// Applies the marks and returns how many posts they changed.
    func finish() throws -> Int {
        try Self.apply(mark, to: key, in: database)
        let changed = database.changes
        // A marking without changes can't be undone; only the latest markings are kept.
        if changed == 0 { try database.run("DELETE FROM markings WHERE key = ?", [.integer(key)]) }
        try database.run("DELETE FROM markings WHERE key <= ?", [.integer(key - Self.maxCount)])
        return changed
    }

    fileprivate static func titles(of marking: Int64, in database: Database) throws -> [String] {
        try database.texts(
            """
            SELECT title FROM marked_posts JOIN posts ON posts.key = post WHERE marking = ?
            ORDER BY date_key DESC LIMIT \(MarkingReport.maxTitles)
            """, [.integer(marking)])
    }

    fileprivate static func apply(_ mark: Mark, to key: Int64, in database: Database) throws {
        let (column, value) = column(mark)
        try database.run(
            """
            UPDATE posts SET \(column) = ?
            WHERE \(column) <> ? AND key IN (SELECT post FROM marked_posts WHERE marking = ?)
            """, [.integer(value), .integer(value), .integer(key)])
    }

    private static func column(_ mark: Mark) -> (name: String, value: Int64) {
        switch mark {
        case .read: ("is_read", 1)
        case .unread: ("is_read", 0)
        case .saved: ("is_saved", 1)
        case .unsaved: ("is_saved", 0)
        }
    }

    /// The number of markings that can be undone.
    private static let maxCount: Int64 = 100
}

/// The result of a marking.
public struct MarkingReport: Hashable, Sendable {
    /// The mark that was set.
    public let mark: Mark
    /// How many of the posts are stored.
    public let known: Int
    /// How many posts didn't have the mark before.
    public let changed: Int
    /// The ids that aren't stored.
    public let unknownIDs: [PostID]
    /// The titles of the newest changed posts, at most ``maxTitles``; empty in the report of a new marking.
    public let titles: [String]

    /// The maximum number of ``titles``.
    public static let maxTitles = 3

    package init(mark: Mark, known: Int, changed: Int, unknownIDs: [PostID], titles: [String] = []) {
        self.titles = titles
        self.mark = mark
        self.known = known
        self.changed = changed
        self.unknownIDs = unknownIDs
    }
}

extension PostStore {
    /// Marks posts by their ids, as one marking that ``undoMarking()`` can undo.
    package func mark(_ mark: Mark, ids: [PostID]) async throws -> MarkingReport {
        try await writeToDisk { database in
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
    }

    package func mark(_ mark: Mark, all query: Query, in scope: SourceScope) async throws -> MarkingReport {
        try await writeToDisk { database in
            let marking = try Marking(mark, in: database)
            let (conditions, values) = ListStatement.conditions(query, scope)
            try marking.add(conditions.joined(separator: " AND "), values)
            let changed = try marking.finish()
            return MarkingReport(mark: mark, known: changed, changed: changed, unknownIDs: [])
        }
    }

    /// Marks posts as read and records the last one, unless another process is writing or changes aren't saved.
    package func noteReading(of ids: [PostID]) async throws {
        guard notice == nil, !ids.isEmpty else { return }
        try await writeIfFree { database in
            let marking = try Marking(.read, in: database)
            for id in ids {
                guard let post = try PostRow.key(of: id, in: database) else { continue }
                try marking.add("posts.key = ?", [.integer(post)])
                try database.run("UPDATE last_read SET post = ?", [.integer(post)])
            }
            _ = try marking.finish()
        }
    }

    /// The post that was read last; nil if none was, or it was deleted.
    package func lastRead() throws -> PostID? {
        let sql = """
            SELECT kind, address, id FROM last_read JOIN posts ON posts.key = last_read.post
            JOIN sources ON sources.key = posts.source
            """
        return try read { try $0.first(sql) { $0.postID(0) } }
    }

    /// Undoes the last marking; nil if there is none.
    package func undoMarking() async throws -> MarkingReport? {
        try await writeToDisk { database in
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
    }

    /// The last markings that can be undone, most recent first.
    package func lastMarkings(_ limit: Int) throws -> [MarkingReport] {
        try read { database in
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
    }

    /// Whether to show a hint that is only shown once; records that it was shown.
    ///
    /// False if changes aren't saved or another process is writing.
    package func takeHint(_ name: String) async throws -> Bool {
        guard notice == nil else { return false }
        var isFirst = false
        try await writeIfFree { database in
            try database.run("INSERT OR IGNORE INTO hints (name) VALUES (?)", [.text(name)])
            isFirst = database.changes > 0
        }
        return isFirst
    }
}
