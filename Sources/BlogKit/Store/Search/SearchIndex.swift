import BlogEssentials

/// The full-text index over titles, summaries, authors, bodies and articles.
///
/// Indexing takes longer than storing, so it is done in batches, before a search or after a sync. Keys of posts only
/// grow, so posts up to the last indexed key are in the index. If one of them has changed since, `search_outdated` has
/// its indexed text.
///
/// Converting a body to plain text may take long, so that is done before the transaction: ``SearchBatch`` has the text
/// with the columns it was made from, which are compared again when it is written.
package struct SearchIndex {
    private let database: Database
    /// Whether to stop at the first post without a body, which would be indexed twice if the body arrives.
    private let waitsForBodies: Bool

    package init(_ database: Database) { self.init(database, waitsForBodies: false) }

    init(_ database: Database, waitsForBodies: Bool) {
        self.database = database
        self.waitsForBodies = waitsForBodies
    }

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
    package func pending() throws -> Int {
        let sql = "SELECT (SELECT count(*) FROM posts WHERE key > ?) + (SELECT count(*) FROM search_outdated)"
        return Int(try database.integer(sql, [.integer(lastPost())]) ?? 0)
    }

    var hasPending: Bool {
        get throws {
            try database.exists("SELECT 1 FROM search_outdated")
                || database.exists("SELECT 1 FROM posts WHERE key > ?", [.integer(lastPost())])
        }
    }

    // MARK: Indexing

    /// Prepares the next texts, about `bytes` of them and at least one, without a lock.
    func prepare(_ bytes: Int) throws -> SearchBatch {
        let indexed = try lastPost()
        var (last, outdated) = (indexed, Int64(0))
        var batch = SearchBatch()
        repeat {
            if let post = try nextOutdated(after: outdated) {
                outdated = post
                batch.add(post) {
                    SearchBatch.Change(
                        post: post, old: try SearchText.find(post, .outdated, in: database),
                        new: post <= indexed ? try SearchText.find(post, .current, in: database) : nil)
                }
            } else if let post = try nextNew(after: last) {
                last = post
                batch.add(post, isNew: true) {
                    SearchBatch.Change(post: post, old: nil, new: try SearchText.find(post, .current, in: database))
                }
            } else {
                break
            }
        } while batch.bytes < bytes
        return batch
    }

    /// Indexes prepared texts in a transaction, except those of posts that have changed meanwhile, lets the rules look at
    /// these posts, and returns how many there are.
    func apply(_ batch: SearchBatch) throws -> Int {
        var last = try lastPost()
        var posts: [Int64] = []
        for change in batch.changes {
            let isSame =
                try change.isUnreadable || SearchText.isSame(change.post, .current, as: change.new, in: database)
            if let old = change.old {
                guard isSame, change.new == nil || change.post <= last,
                    try SearchText.isSame(change.post, .outdated, as: old, in: database)
                else { continue }
                try forget(old, of: change.post)
            } else {
                if change.post <= last { continue }
                // New posts are indexed in order, without gaps.
                guard isSame else { break }
                last = change.post
            }
            if let new = change.new { try add(new, of: change.post) }
            posts.append(change.post)
        }
        try database.run("UPDATE search_progress SET last_post = ?", [.integer(last)])
        try Rules(database).apply(to: posts)
        return posts.count
    }

    /// Prepares and indexes the next texts in one transaction.
    func applyNext(_ bytes: Int) throws -> Int { try apply(prepare(bytes)) }

    // MARK: Deleted posts

    /// The indexed text of a post; nil if it isn't indexed.
    func indexedText(of post: Int64) throws -> SearchText? {
        if let old = try SearchText.find(post, .outdated, in: database) { return old }
        return try post <= lastPost() ? SearchText.find(post, .current, in: database) : nil
    }

    /// Removes a post from the index; false if its indexed text is no longer the given one.
    func remove(_ text: SearchText?, of post: Int64) throws -> Bool {
        if text?.version != .outdated {
            let isOutdated = try database.exists("SELECT 1 FROM search_outdated WHERE post = ?", [.integer(post)])
            guard try !isOutdated && (post <= lastPost()) == (text != nil) else { return false }
        }
        guard let text else { return true }
        guard try SearchText.isSame(post, text.version, as: text, in: database) else { return false }
        try forget(text, of: post)
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
            "INSERT INTO search (search, rowid, \(SearchText.columns)) VALUES ('delete', ?, ?, ?, ?, ?, ?, ?)",
            [.integer(post)] + text.texts.map { DatabaseValue($0) })
        try database.run("DELETE FROM search_outdated WHERE post = ?", [.integer(post)])
    }

    /// Inserts bound values: with `INSERT … SELECT`, FTS5 would flush its buffer to disk each time.
    private func add(_ text: SearchText, of post: Int64) throws {
        try database.run(
            "INSERT INTO search (rowid, \(SearchText.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [.integer(post)] + text.texts.map { DatabaseValue($0) })
    }

    private func nextNew(after last: Int64) throws -> Int64? {
        let sql = "SELECT iif(body_revision IS NULL AND ?, NULL, key) FROM posts WHERE key > ? ORDER BY key LIMIT 1"
        return try database.first(sql, [.bool(waitsForBodies), .integer(last)]) { $0.optionalInteger(0) } ?? nil
    }

    private func nextOutdated(after last: Int64) throws -> Int64? {
        let sql = "SELECT post FROM search_outdated WHERE post > ? ORDER BY post LIMIT 1"
        return try database.integer(sql, [.integer(last)])
    }

    private func lastPost() throws -> Int64 {
        try database.integer("SELECT last_post FROM search_progress") ?? 0
    }
}

/// The indexed text of a post, with the columns it was made from.
struct SearchText {
    let version: Version
    /// The values of ``columns``.
    let texts: [String?]
    /// The values of ``sources``.
    private let stored: [String?]

    enum Version {
        case current
        /// The text in the index, which has changed since.
        case outdated

        fileprivate var view: String { self == .current ? "searchable" : "searchable_outdated" }
        fileprivate var table: String { self == .current ? "search_sources" : "search_outdated" }
    }

    /// The columns of the index.
    static let columns = "title, summary, author, facts, body, article"
    private static let columnCount: Int32 = 6

    /// The text of the summary, with the words of a photo.
    static let summary =
        "ifnull(ifnull(summary || char(32, 183, 32), '') || nullif(photo_words(details), ''), summary)"

    /// The tags, and the link without its scheme; NULL if there are none.
    static let facts = """
        nullif(ifnull(tags || ' ', '') || ifnull(substr(link, iif(instr(link, '://'), instr(link, '://') + 3, 1)), ''), '')
        """

    /// The columns that the texts are made from.
    static let sources =
        "is_comment, title, summary, details, author, format, body, tags, link, article_format, article"
    private static let sourceCount: Int32 = 11

    var bytes: Int { texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } }

    /// A version of a post's text; nil if there is none.
    static func find(_ post: Int64, _ version: Version, in database: Database) throws -> SearchText? {
        guard let stored = try stored(post, version, in: database) else { return nil }
        let texts = try database.first(
            "SELECT \(columns) FROM \(version.view) WHERE post = ?", [.integer(post)]
        ) { row in (0..<columnCount).map { row.text($0) } }
        return texts.map { SearchText(version: version, texts: $0, stored: stored) }
    }

    /// Whether a version of a post's text hasn't changed, or for nil, still doesn't exist.
    static func isSame(
        _ post: Int64, _ version: Version, as text: SearchText?, in database: Database
    ) throws -> Bool {
        isEqual(try stored(post, version, in: database), text?.stored)
    }

    private static func stored(_ post: Int64, _ version: Version, in database: Database) throws -> [String?]? {
        try database.first("SELECT \(sources) FROM \(version.table) WHERE post = ?", [.integer(post)]) { row in
            (0..<sourceCount).map { row.text($0) }
        }
    }

    /// Compares byte for byte: canonically equivalent texts may have different words.
    private static func isEqual(_ one: [String?]?, _ other: [String?]?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return zip(one, other).allSatisfy { one, other in
            guard let one, let other else { return one == nil && other == nil }
            return one.isIdentical(to: other)
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

    /// The usual size, in bytes: bounds the memory of a batch and the duration of its transaction.
    static let size = 8 << 20

    /// What a post takes besides its text, in bytes, about: 50,000 posts of a line each took 60 MB in one batch.
    private static let overhead = 1 << 10

    /// Adds a change; a post that can't be read is noted, and skipped if it is new.
    mutating func add(_ post: Int64, isNew: Bool = false, _ change: () throws -> Change) {
        do {
            let change = try change()
            bytes += Self.overhead + (change.old?.bytes ?? 0) + (change.new?.bytes ?? 0)
            changes.append(change)
        } catch {
            unreadable.append(post)
            if isNew { changes.append(Change(post: post, old: nil, new: nil, isUnreadable: true)) }
        }
    }
}
