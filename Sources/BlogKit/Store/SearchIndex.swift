/// The full-text index over titles, summaries, authors and bodies.
///
/// Indexing costs more than storing, so a list is stored first and its posts are indexed when somebody searches or
/// after a sync. Keys of posts only grow, so one number, the last post that is indexed, says what is still to be done;
/// a post up to it is indexed anew when it changes.
struct SearchIndex {
    let database: Database

    /// Runs a change of a post's text so that the index follows.
    func following(_ post: Int64, _ change: () throws -> Void) throws {
        guard try post <= lastPost() else { return try change() }
        // The index forgets a text by being told it once more, so this comes before the change.
        try database.run(
            """
            INSERT INTO search (search, rowid, title, summary, author, body)
            SELECT 'delete', post, title, summary, author, body FROM searchable WHERE post = ?
            """, [.integer(post)])
        try change()
        try add(from: post, to: post)
    }

    /// How many posts are still to be indexed.
    func pending() throws -> Int {
        try database.first("SELECT count(*) FROM posts WHERE key > ?", [.integer(try lastPost())]) {
            Int($0.integer(0))
        } ?? 0
    }

    /// Indexes the next posts, and gives how many there were.
    func catchUp(atMost count: Int) throws -> Int {
        let done = try lastPost()
        let sql = "SELECT max(key), count(*) FROM (SELECT key FROM posts WHERE key > ? ORDER BY key LIMIT ?)"
        let next = try database.first(sql, [.integer(done), .integer(Int64(count))]) { ($0.integer(0), $0.integer(1)) }
        guard let next, next.1 > 0 else { return 0 }
        try add(from: done + 1, to: next.0)
        try database.run("UPDATE search_progress SET last_post = ?", [.integer(next.0)])
        return Int(next.1)
    }

    private func add(from first: Int64, to last: Int64) throws {
        try database.run(
            """
            INSERT INTO search (rowid, title, summary, author, body)
            SELECT post, title, summary, author, body FROM searchable WHERE post BETWEEN ? AND ?
            """, [.integer(first), .integer(last)])
    }

    private func lastPost() throws -> Int64 {
        try database.first("SELECT last_post FROM search_progress") { $0.integer(0) } ?? 0
    }
}
