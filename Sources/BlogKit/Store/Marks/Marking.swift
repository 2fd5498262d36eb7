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

    static func titles(of marking: Int64, in database: Database) throws -> [String] {
        try database.texts(
            """
            SELECT title FROM marked_posts JOIN posts ON posts.key = post WHERE marking = ?
            ORDER BY date_key DESC LIMIT \(MarkingReport.maxTitles)
            """, [.integer(marking)])
    }

    static func apply(_ mark: Mark, to key: Int64, in database: Database) throws {
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
