import BlogEssentials
import BlogModel

/// The cursors of `--new`, after which posts have arrived or changed.
///
/// A cursor has a name (`blog list --new=NAME`), and for each source the last post and the last change that were seen.
package struct Cursors {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The conditions for posts that are new for a cursor, each with two parameters for its name.
    static func conditions(_ scope: SourceScope) -> [String] {
        func least(_ column: String) -> String {
            """
            (SELECT ifnull(min(ifnull(\(column), 0)), 0) FROM sources
            LEFT JOIN cursors ON cursors.source = sources.key AND cursors.name = ?
            WHERE \(scope.condition(on: "sources.key")))
            """
        }
        func own(_ column: String) -> String {
            "ifnull((SELECT \(column) FROM cursors WHERE cursors.source = posts.source AND cursors.name = ?), 0)"
        }
        return [
            // Without a subquery per post, the first condition lets SQLite use an index.
            "(posts.key > \(least("last_post")) OR posts.change_number > \(least("last_change")))",
            // Who reads an archive knows of its posts.
            "(posts.key > \(own("last_post")) OR posts.change_number > \(own("last_change"))) AND NOT posts.is_archived",
        ]
    }

    /// Moves cursors back to the last existing post and change: both numbers are reused once the greatest ones are
    /// deleted.
    func clamp() throws {
        let last = "(SELECT ifnull(max(key), 0) FROM posts)"
        let change = "(SELECT ifnull(max(change_number), 0) FROM posts WHERE change_number IS NOT NULL)"
        try database.run(
            """
            UPDATE cursors SET (last_post, last_change) = (min(last_post, \(last)), min(last_change, \(change)))
            WHERE last_post > \(last) OR last_change > \(change)
            """)
    }

    /// The names of the cursors, except the one without a name.
    package func names() throws -> [String] { try database.texts("SELECT DISTINCT name FROM cursors WHERE name != ''") }

    /// The cursors of sources that have posts, in an order that only depends on them.
    package func exported() throws -> [ExportedCursor] {
        let cursors = try database.all(
            """
            SELECT kind, address, cursors.name, source, last_post, last_change
            FROM cursors JOIN sources ON sources.key = source
            WHERE EXISTS (SELECT 1 FROM posts WHERE posts.source = cursors.source) ORDER BY kind, address, cursors.name
            """
        ) { row in
            (
                source: SourceID(kind: row.text(0) ?? "", address: row.text(1) ?? ""), name: row.text(2) ?? "",
                values: [3, 4, 5].map { DatabaseValue.integer(row.integer($0)) }
            )
        }
        return try cursors.map { cursor in
            let unseen = try database.texts(
                """
                SELECT id FROM posts WHERE source = ? AND (key > ? OR change_number > ?) AND NOT is_archived ORDER BY id
                """, cursor.values)
            return ExportedCursor(cursor: cursor.name, source: cursor.source, unseen: unseen)
        }
    }

    /// Adds the cursors of another store for sources that are new in this one.
    ///
    /// If a source has more posts by now, from elsewhere, all of them are listed again: none may be left out.
    ///
    /// Keys are those of this store, so that what a cursor has yet to list becomes the last that changed. Of a source's
    /// cursors, the one that was moved last has yet to list the fewest posts, which are among those of the others.
    ///
    /// - Parameter counts: how many posts came with the cursors.
    package func add(_ cursors: [ExportedCursor], ofPosts counts: [SourceID: Int]) throws {
        for cursor in cursors.sorted(by: { $0.unseen.count > $1.unseen.count }) {
            let id = SourceID(kind: cursor.source, address: cursor.address)
            guard let source = try SourceRow.find(id, in: database)?.key,
                try database.integer("SELECT count(*) FROM posts WHERE source = ?", [.integer(source)]) ?? 0
                    <= counts[id] ?? 0
            else { continue }
            let last = try LastSeen(in: database)
            try database.run(
                "INSERT OR IGNORE INTO cursors (source, name, last_post, last_change) VALUES (?, ?, ?, ?)",
                [.integer(source), .text(cursor.cursor), .integer(last.post), .integer(last.change)])
            for (number, post) in zip((last.change + 1)..., cursor.unseen) {
                try database.run(
                    "UPDATE posts SET change_number = ? WHERE source = ? AND id = ?",
                    [.integer(number), .integer(source), .text(post)])
            }
        }
    }

    /// The last post that was seen of a source; 0 for none.
    package func lastPost(_ name: String, of source: SourceID) throws -> Int64 {
        guard let key = try SourceRow.find(source, in: database)?.key else { return 0 }
        return try database.integer(
            "SELECT last_post FROM cursors WHERE source = ? AND name = ?", [.integer(key), .text(name)]) ?? 0
    }

    /// Moves a cursor forward, so that only later posts and changes are new for it.
    package func move(_ name: String, in scope: SourceScope, to lastSeen: LastSeen) throws {
        for source in scope.sources {
            try database.run(
                """
                INSERT INTO cursors (source, name, last_post, last_change)
                VALUES (?, ?, min(?, (SELECT ifnull(max(key), 0) FROM posts)), ?)
                ON CONFLICT (source, name) DO UPDATE SET (last_post, last_change)
                    = (max(last_post, excluded.last_post), max(last_change, excluded.last_change))
                """,
                [.integer(source.key), .text(name), .integer(lastSeen.post), .integer(lastSeen.change)])
        }
    }
}

/// The last post and the last change that were seen.
package struct LastSeen: Hashable, Sendable {
    let post: Int64
    let change: Int64

    package init(post: Int64, change: Int64) {
        (self.post, self.change) = (post, change)
    }

    init(in database: Database) throws {
        post = try database.integer("SELECT max(key) FROM posts") ?? 0
        change =
            try database.integer("SELECT max(change_number) FROM posts WHERE change_number IS NOT NULL") ?? 0
    }
}

/// Records changes of the words of stored posts.
struct PostChanges {
    let database: Database
    /// When the posts that are being stored were fetched.
    let now: Date

    /// Records that a post changed, unless it was stored or changed by the same response: a list may have two records
    /// of a post.
    func note(_ post: Int64) throws {
        try database.run(
            """
            UPDATE posts SET words_changed_at = ?1, change_number = (
                SELECT ifnull(max(change_number), 0) + 1 FROM posts WHERE change_number IS NOT NULL
            ) WHERE key = ?2 AND changed_at <> ?1
            """, [DatabaseValue(now), .integer(post)])
    }
}
