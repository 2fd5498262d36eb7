import BlogModel

/// A recorded change of marks, which can be undone.
struct Marking {
    let key: Int64
    let mark: Mark

    private init(key: Int64, mark: Mark) {
        self.key = key
        self.mark = mark
    }

    init(_ mark: Mark, in database: Database) throws {
        try database.run("INSERT INTO markings (mark) VALUES (?)", [.text(mark.rawValue)])
        self.init(key: database.lastInsertedKey, mark: mark)
    }

    /// The latest one; nil if there is none.
    static func last(in database: Database) throws -> Marking? {
        try database.first("SELECT key, mark FROM markings ORDER BY key DESC LIMIT 1") { row in
            row.text(1).flatMap { Mark(rawValue: $0) }.map { Marking(key: row.integer(0), mark: $0) }
        } ?? nil
    }

    /// Marks posts, and returns how many didn't have the mark.
    func add(_ posts: some Sequence<Int64>, in database: Database) throws -> Int {
        try set(mark, posts, in: database) {
            try database.run(
                "INSERT OR IGNORE INTO marked_posts (marking, post) VALUES (?, ?)", [.integer(key), .integer($0)])
        }
    }

    /// Undoes the change of posts, and returns how many had the mark.
    func undo(_ posts: some Sequence<Int64>, in database: Database) throws -> Int {
        let changed = try set(mark.opposite, posts, in: database) { _ in }
        for post in posts {
            try database.run(
                "DELETE FROM marked_posts WHERE marking = ? AND post = ?", [.integer(key), .integer(post)])
        }
        return changed
    }

    private func set(
        _ mark: Mark, _ posts: some Sequence<Int64>, in database: Database, _ note: (Int64) throws -> Void
    ) throws -> Int {
        let sql = "UPDATE posts SET \(Self.has(mark)) WHERE key = ? AND \(Self.lacks(mark))"
        return try posts.reduce(0) { changed, post in
            try database.run(sql, [.integer(post)])
            guard database.changes > 0 else { return changed }
            try note(post)
            return changed + 1
        }
    }

    /// Ends a marking; one without changes can't be undone, and only the latest ones are kept.
    func finish(changed: Int, in database: Database) throws {
        if changed == 0 { try remove(in: database) }
        try database.run("DELETE FROM markings WHERE key <= ?", [.integer(key - Self.maxCount)])
    }

    func remove(in database: Database) throws {
        try database.run("DELETE FROM markings WHERE key = ?", [.integer(key)])
    }

    static func titles(of marking: Int64, in database: Database) throws -> [String] {
        try database.texts(
            """
            SELECT title FROM marked_posts JOIN posts ON posts.key = post WHERE marking = ?
            ORDER BY date_key DESC LIMIT \(MarkingReport.maxTitles)
            """, [.integer(marking)])
    }

    private static func has(_ mark: Mark) -> String {
        switch mark {
        case .read: "is_read = 1"
        case .unread: "is_read = 0"
        case .saved: "is_saved = 1"
        case .unsaved: "is_saved = 0"
        }
    }

    /// The condition for posts that a mark would change.
    static func lacks(_ mark: Mark) -> String { has(mark.opposite) }

    /// The number of markings that can be undone.
    private static let maxCount: Int64 = 100
}
