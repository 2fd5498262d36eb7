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
        try add(post)
    }

    /// Whether posts are still to be indexed.
    func hasPending() throws -> Bool {
        try database.first("SELECT 1 FROM posts WHERE key > ? LIMIT 1", [.integer(try lastPost())]) { _ in true }
            ?? false
    }

    /// How many posts are still to be indexed.
    func pending() throws -> Int {
        try database.first("SELECT count(*) FROM posts WHERE key > ?", [.integer(try lastPost())]) {
            Int($0.integer(0))
        } ?? 0
    }

    /// Indexes the next posts for about so long, and gives how many there were.
    func catchUp(for duration: Duration) throws -> Int {
        let start = ContinuousClock.now
        var last = try lastPost()
        var count = 0
        let next = "SELECT min(key) FROM posts WHERE key > ?"
        while let post = try database.first(next, [.integer(last)], { $0.isNull(0) ? nil : $0.integer(0) }) ?? nil {
            try add(post)
            last = post
            count += 1
            if start.duration(to: .now) >= duration { break }
        }
        try database.run("UPDATE search_progress SET last_post = ?", [.integer(last)])
        return count
    }

    /// One row with its values bound: with `INSERT … SELECT` the index would write its memory to the disk each time.
    private func add(_ post: Int64) throws {
        let texts = try database.first(
            "SELECT title, summary, author, body FROM searchable WHERE post = ?", [.integer(post)]
        ) { row in (0..<4).map { DatabaseValue(row.text($0)) } }
        guard let texts else { return }
        try database.run(
            "INSERT INTO search (rowid, title, summary, author, body) VALUES (?, ?, ?, ?, ?)", [.integer(post)] + texts)
    }

    private func lastPost() throws -> Int64 {
        try database.first("SELECT last_post FROM search_progress") { $0.integer(0) } ?? 0
    }
}
