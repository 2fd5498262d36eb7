import Model
import SQLite

extension PostStore {
    /// The keys of all posts, in an order that depends on nothing but the posts; where that can't be read, in any order;
    /// nil where no way leads to all of them.
    package func exportKeys() throws -> [Int64]? {
        // Each of these reads other pages, so one may succeed where another finds damage.
        let ways = [
            "SELECT posts.key FROM posts JOIN blogs ON blogs.key = posts.blog ORDER BY source, address, id",
            "SELECT key FROM posts INDEXED BY sqlite_autoindex_posts_1",
            "SELECT key FROM posts NOT INDEXED",
        ]
        for sql in ways {
            do {
                return try read { try $0.all(sql) { $0.integer(0) } }
            } catch let error as StoreError where error.reason != .busy {}
        }
        return nil
    }

    /// The post with a key and its state; nil if there is none.
    func exported(_ key: Int64, withBody: Bool) throws -> ExportedPost? {
        try read { try Self.find("posts.key = ?", [.integer(key)], withBody: withBody, in: $0)?.content }
    }

    /// Whether there is a post of a key.
    func hasPost(_ key: Int64) throws -> Bool {
        try read { try $0.first("SELECT 1 FROM posts WHERE key = ?", [.integer(key)]) { _ in true } ?? false }
    }

    /// The columns of a table as they lie in its rows, if that can be read.
    func storedColumns(of table: String) -> [String]? {
        try? read { try Schema.storedColumns(of: table, in: $0) }
    }

    /// Merges the write-ahead log into the file, as far as others let it.
    func checkpoint() {
        try? read { try $0.run("PRAGMA wal_checkpoint(PASSIVE)") }
    }

    /// The post that meets a condition, with its state and, by default, its body.
    static func find(
        _ condition: String, _ values: [DatabaseValue], withBody: Bool = true, in database: Database
    ) throws -> (key: Int64, content: ExportedPost)? {
        let sql = """
            SELECT \(PostRow.listColumns), posts.key, source, address, listed, changed_at, number IS NOT NULL,
                \(withBody ? "body, fetched_at, body_revision IS revision, bodies.key, format" : "NULL, NULL, NULL, NULL, NULL")
            FROM posts JOIN blogs ON blogs.key = posts.blog
                \(withBody ? "LEFT JOIN bodies ON bodies.post = posts.key" : "")
            WHERE \(condition)
            """
        let found = try database.first(sql, values) { row in
            Result {
                let state = PostRow.state(of: row)
                let next = PostRow.listColumnCount
                let body = row.text(next + 6).map {
                    ExportedPost.Body(
                        text: $0, fetchedAt: row.integer(next + 7), isCurrent: row.integer(next + 8) == 1,
                        format: row.text(next + 10))
                }
                let post = ExportedPost(
                    source: row.text(next + 1) ?? "", address: row.text(next + 2) ?? "",
                    listed: row.integer(next + 3) == 1,
                    read: state.isRead, saved: state.isSaved, changedAt: row.integer(next + 4),
                    wordsChangedAt: PostRow.changedAt(of: row),
                    numbered: row.integer(next + 5) == 1 ? true : nil, metadata: try PostRow.metadata(of: row),
                    body: body)
                return (key: row.integer(next), content: post, body: row.integer(next + 9))
            }
        }?.get()
        guard var found else { return nil }
        if found.content.body?.text == "" { found.content.body?.text = try text(ofParts: found.body, in: database) }
        return (found.key, found.content)
    }
}
