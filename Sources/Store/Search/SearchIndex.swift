import SQLite

/// The full-text index over titles, summaries, authors, bodies and articles.
///
/// Indexing takes longer than storing, so it is done in batches, before a search or after a sync. Keys of posts only
/// grow, so posts up to the last indexed key are in the index. If one of them has changed since, `search_outdated` has
/// its indexed text.
///
/// Converting a body to plain text may take long, so that is done before the transaction: ``SearchBatch`` has the text
/// with the columns it was made from, which are compared again when it is written.
struct SearchIndex {
    let database: Database
    /// Whether to stop at the first post without a body, which would be indexed twice if the body arrives.
    var waitsForBodies = false

    /// Notes that the text of a post is about to change.
    func noteChange(of post: Int64) throws {
        guard try post <= lastPost() else { return }
        // An earlier text that was noted is the one in the index.
        try database.run(
            """
            INSERT OR IGNORE INTO search_outdated (post, \(SearchText.sources))
            SELECT post, \(SearchText.sources) FROM search_sources WHERE post = ?
            """, [.integer(post)])
    }

    /// The number of posts that are waiting to be indexed.
    func pending() throws -> Int {
        let sql = "SELECT (SELECT count(*) FROM posts WHERE key > ?) + (SELECT count(*) FROM search_outdated)"
        return try database.first(sql, [.integer(try lastPost())]) { Int($0.integer(0)) } ?? 0
    }

    // MARK: Indexing

    /// Prepares the next texts, for about `duration`, without a lock.
    func prepare(for duration: Duration) throws -> SearchBatch {
        let start = ContinuousClock.now
        let indexed = try lastPost()
        var (last, outdated) = (indexed, Int64(0))
        var batch = SearchBatch()
        repeat {
            if let post = try key("SELECT min(post) FROM search_outdated WHERE post > ?", [.integer(outdated)]) {
                outdated = post
                batch.add(post) {
                    SearchBatch.Change(
                        post: post, old: try SearchText.outdated(post, in: database),
                        new: post <= indexed ? try SearchText.current(post, in: database) : nil)
                }
            } else if let post = try nextNew(after: last) {
                last = post
                batch.add(post, isNew: true) {
                    SearchBatch.Change(post: post, old: nil, new: try SearchText.current(post, in: database))
                }
            } else {
                break
            }
        } while start.duration(to: .now) < duration && batch.bytes < SearchBatch.maxBytes
        return batch
    }

    /// Indexes prepared texts in a transaction, except those of posts that have changed meanwhile, and returns how many
    /// posts were indexed.
    func apply(_ batch: SearchBatch) throws -> Int {
        var last = try lastPost()
        var count = 0
        for change in batch.changes {
            let isSame = try change.isUnreadable || SearchText.current(change.post, equals: change.new, in: database)
            if let old = change.old {
                guard isSame, change.new == nil || change.post <= last,
                    try SearchText.outdated(change.post, equals: old, in: database)
                else { continue }
                try forget(old, of: change.post)
            } else {
                if change.post <= last { continue }
                // New posts are indexed in order, without gaps.
                guard isSame else { break }
                last = change.post
            }
            if let new = change.new { try add(new, of: change.post) }
            count += 1
        }
        try database.run("UPDATE search_progress SET last_post = ?", [.integer(last)])
        return count
    }

    /// Prepares and indexes the next texts in one transaction.
    func applyNext(for duration: Duration) throws -> Int { try apply(prepare(for: duration)) }

    // MARK: Deleted posts

    /// The indexed text of a post that will be deleted.
    func prepareRemoval(of post: Int64) throws -> SearchRemoval {
        if let old = try SearchText.outdated(post, in: database) { return .outdated(old) }
        guard try post <= lastPost() else { return .unknown }
        return try SearchText.current(post, in: database).map { .current($0) } ?? .unknown
    }

    /// Removes a post from the index; false if the prepared text is outdated.
    func remove(_ removal: SearchRemoval, of post: Int64) throws -> Bool {
        let outdated = try database.first("SELECT 1 FROM search_outdated WHERE post = ?", [.integer(post)]) { _ in true
        }
        switch removal {
        case .unknown: return try outdated == nil && post > lastPost()
        case .outdated(let old):
            guard try SearchText.outdated(post, equals: old, in: database) else { return false }
            try forget(old, of: post)
        case .current(let text):
            guard try outdated == nil && post <= lastPost(),
                try SearchText.current(post, equals: text, in: database)
            else { return false }
            try forget(text, of: post)
        }
        return true
    }

    /// Goes back to the last existing post, because the keys of deleted posts may be reused.
    func clampProgress() throws {
        try database.run(
            "UPDATE search_progress SET last_post = min(last_post, (SELECT ifnull(max(key), 0) FROM posts))")
    }

    /// FTS5 needs the indexed text again to remove it from an external-content index.
    private func forget(_ text: SearchText, of post: Int64) throws {
        try database.run(
            "INSERT INTO search (search, rowid, \(SearchText.columns)) VALUES ('delete', ?, ?, ?, ?, ?, ?)",
            [.integer(post)] + text.texts.map { DatabaseValue($0) })
        try database.run("DELETE FROM search_outdated WHERE post = ?", [.integer(post)])
    }

    /// Inserts bound values: with `INSERT … SELECT`, FTS5 would flush its buffer to disk each time.
    private func add(_ text: SearchText, of post: Int64) throws {
        try database.run(
            "INSERT INTO search (rowid, \(SearchText.columns)) VALUES (?, ?, ?, ?, ?, ?)",
            [.integer(post)] + text.texts.map { DatabaseValue($0) })
    }

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

/// The indexed text of a post that will be deleted.
enum SearchRemoval {
    /// The post isn't indexed.
    case unknown
    /// The post hasn't changed since it was indexed.
    case current(SearchText)
    /// The text from before a change.
    case outdated(SearchText)
}

/// The indexed text of a post, with the columns it was made from.
struct SearchText {
    /// The values of ``columns``.
    let texts: [String?]
    /// The values of ``sources``.
    private let stored: [String?]

    /// The columns of the index.
    static let columns = "title, summary, author, body, article"
    private static let columnCount: Int32 = 5

    /// The columns that the texts are made from.
    static let sources = "is_comment, title, summary, details, author, format, body, article_format, article"
    private static let sourceCount: Int32 = 9

    var bytes: Int { texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } }

    /// The current text of a post; nil if there is no such post.
    static func current(_ post: Int64, in database: Database) throws -> SearchText? {
        try find(post, "searchable", madeOf: "search_sources", in: database)
    }

    /// The indexed text of a post that has changed since; nil if it hasn't.
    static func outdated(_ post: Int64, in database: Database) throws -> SearchText? {
        try find(post, "searchable_outdated", madeOf: "search_outdated", in: database)
    }

    /// Whether a post still has a text, or for nil, still doesn't exist.
    static func current(_ post: Int64, equals text: SearchText?, in database: Database) throws -> Bool {
        isEqual(try stored(post, "search_sources", in: database), text?.stored)
    }

    /// Whether the index still has a text for a changed post.
    static func outdated(_ post: Int64, equals text: SearchText, in database: Database) throws -> Bool {
        isEqual(try stored(post, "search_outdated", in: database), text.stored)
    }

    private static func find(
        _ post: Int64, _ view: String, madeOf table: String, in database: Database
    ) throws -> SearchText? {
        guard let stored = try stored(post, table, in: database) else { return nil }
        let texts = try database.first(
            "SELECT \(columns) FROM \(view) WHERE post = ?", [.integer(post)]
        ) { row in (0..<columnCount).map { row.text($0) } }
        return texts.map { SearchText(texts: $0, stored: stored) }
    }

    private static func stored(_ post: Int64, _ table: String, in database: Database) throws -> [String?]? {
        try database.first("SELECT \(sources) FROM \(table) WHERE post = ?", [.integer(post)]) { row in
            (0..<sourceCount).map { row.text($0) }
        }
    }

    /// Compares byte for byte: canonically equivalent texts may have different words.
    private static func isEqual(_ one: [String?]?, _ other: [String?]?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return zip(one, other).allSatisfy { one, other in
            guard let one, let other else { return one == nil && other == nil }
            return one.utf8.elementsEqual(other.utf8)
        }
    }
}

/// Posts that are indexed together.
struct SearchBatch {
    /// A post that is new to the index, or was changed or deleted since it was indexed.
    struct Change {
        let post: Int64
        /// The text in the index; nil for a new post.
        let old: SearchText?
        /// The text to index; nil for a post that was deleted or can't be read.
        let new: SearchText?
        var isUnreadable = false
    }

    private(set) var changes: [Change] = []
    /// The posts that can't be read.
    private(set) var unreadable: [Int64] = []
    private(set) var bytes = 0

    /// Bounds the memory of a batch and the duration of its transaction.
    static let maxBytes = 8 << 20

    /// Adds a change; a post that can't be read is noted, and skipped if it is new.
    mutating func add(_ post: Int64, isNew: Bool = false, _ change: () throws -> Change) {
        do {
            let change = try change()
            bytes += (change.old?.bytes ?? 0) + (change.new?.bytes ?? 0)
            changes.append(change)
        } catch {
            unreadable.append(post)
            if isNew { changes.append(Change(post: post, old: nil, new: nil, isUnreadable: true)) }
        }
    }
}
