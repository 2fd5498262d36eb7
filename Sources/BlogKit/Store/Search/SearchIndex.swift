import SQLite

/// The full-text index over titles, summaries, authors and bodies.
///
/// Indexing costs more than storing, so it is done when somebody searches or after a sync, many posts at a time. What is
/// still to be done is known from two things: keys of posts only grow, so one number tells the last post that was ever
/// indexed; and of a post up to it that has changed since, `search_outdated` holds the text that the index knows.
struct SearchIndex {
    let database: Database
    /// Whether it goes no further than to the first post without a body: one that comes would be indexed twice.
    var waitsForBodies = false

    /// Records that the text of a post is about to change.
    func noteChange(of post: Int64) throws {
        guard try post <= lastPost() else { return }
        // Text that was noted before is what the index knows; what came after it, it has never seen.
        try database.run(
            """
            INSERT OR IGNORE INTO search_outdated (post, title, summary, author, body)
            SELECT post, title, summary, author, body FROM searchable WHERE post = ?
            """, [.integer(post)])
    }

    /// Whether posts are still to be indexed.
    func hasPending() throws -> Bool { try nextOutdated() != nil || nextNew(after: lastPost()) != nil }

    /// How many posts are still to be indexed.
    func pending() throws -> Int {
        let sql = "SELECT (SELECT count(*) FROM posts WHERE key > ?) + (SELECT count(*) FROM search_outdated)"
        return try database.first(sql, [.integer(try lastPost())]) { Int($0.integer(0)) } ?? 0
    }

    /// Indexes the next posts for about so long, and returns how many there were.
    func catchUp(for duration: Duration) throws -> Int {
        let start = ContinuousClock.now
        var last = try lastPost()
        var count = 0
        repeat {
            if let post = try nextOutdated() {
                try forget(post)
                try add(post)
            } else if let post = try nextNew(after: last) {
                try add(post)
                last = post
            } else {
                break
            }
            count += 1
        } while start.duration(to: .now) < duration
        try database.run("UPDATE search_progress SET last_post = ?", [.integer(last)])
        return count
    }

    /// FTS5 removes a text from an external-content index only if it is given that text again.
    private func forget(_ post: Int64) throws {
        try execute(
            "INSERT INTO search (search, rowid, title, summary, author, body) VALUES ('delete', ?, ?, ?, ?, ?)", post,
            "search_outdated")
        try database.run("DELETE FROM search_outdated WHERE post = ?", [.integer(post)])
    }

    private func add(_ post: Int64) throws {
        try execute(
            "INSERT INTO search (rowid, title, summary, author, body) VALUES (?, ?, ?, ?, ?)", post, "searchable")
    }

    /// One row with its values bound: with `INSERT … SELECT` the index would write its memory to the disk each time.
    private func execute(_ sql: String, _ post: Int64, _ table: String) throws {
        let texts = try database.first(
            "SELECT title, summary, author, body FROM \(table) WHERE post = ?", [.integer(post)]
        ) { row in (0..<4).map { DatabaseValue(row.text($0)) } }
        if let texts { try database.run(sql, [.integer(post)] + texts) }
    }

    private func nextOutdated() throws -> Int64? { try key("SELECT min(post) FROM search_outdated") }

    private func nextNew(after last: Int64) throws -> Int64? {
        let sql = "SELECT iif(body_revision IS NULL AND ?, NULL, key) FROM posts WHERE key > ? ORDER BY key LIMIT 1"
        return try key(sql, [.integer(waitsForBodies ? 1 : 0), .integer(last)])
    }

    private func key(_ sql: String, _ values: [DatabaseValue] = []) throws -> Int64? {
        try database.first(sql, values) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    }

    private func lastPost() throws -> Int64 {
        try database.first("SELECT last_post FROM search_progress") { $0.integer(0) } ?? 0
    }
}
