import BlogEssentials
import BlogModel

extension Statement {
    /// A column with milliseconds since 1970; nil for NULL.
    func date(_ column: Int32) -> Date? { optionalInteger(column).map { Date(millisecondsSince1970: $0) } }

    func format(_ column: Int32) -> BodyFormat? { text(column).flatMap { BodyFormat(rawValue: $0) } }

    /// Two columns with the kind and address of a source.
    func sourceID(_ column: Int32) -> SourceID {
        SourceID(kind: text(column) ?? "", address: text(column + 1) ?? "")
    }

    /// Three columns with the source of a post and its id.
    func postID(_ column: Int32) -> PostID {
        PostID(source: sourceID(column), local: text(column + 2) ?? "")
    }
}

extension DatabaseValue {
    init(_ date: Date?) {
        self.init(date?.millisecondsSince1970)
    }
}

extension SourceID {
    var values: [DatabaseValue] { [.text(kind), .text(address)] }
}

/// The `sources` table: one row for each source.
enum SourceRow {
    static func find(_ source: SourceID, in database: Database) throws -> StoredSource? {
        try all("kind = ? AND address = ?", source.values, in: database).first
    }

    static func hasPosts(_ sourceKey: Int64, in database: Database) throws -> Bool {
        try database.exists("SELECT 1 FROM posts WHERE source = ? LIMIT 1", [.integer(sourceKey)])
    }

    /// The sources that meet a condition, ordered by name.
    ///
    /// - Parameter areNamed: whether they all have names, so that an index has their order.
    static func all(
        _ condition: String, _ values: [DatabaseValue] = [], areNamed: Bool = false, in database: Database
    ) throws -> [StoredSource] {
        let order = areNamed ? "AND name NOT NULL ORDER BY name" : "ORDER BY name, kind, address"
        return try database.all(
            """
            SELECT key, kind, address, name, folder, ifnull(label, title), followed_at, etag, last_modified, digest,
                refreshed_at, current_until, validated_at, post_count, unread_count, body_count, problem, asked_at,
                due_at, failures, moved_to, comment_count, site, keep, pruned_at, label, article,
                article_body, article_drop, every, home, feed, validators_origin, account, is_forgotten
            FROM sources WHERE \(condition) \(order)
            """, values, source(of:))
    }

    /// The sources with names that meet a condition as they are listed, ordered by name.
    static func listed(
        _ condition: String, _ values: [DatabaseValue] = [], in database: Database
    ) throws -> [ListedSource] {
        try database.all(
            """
            SELECT key, kind, address, name, ifnull(label, title), followed_at NOT NULL, post_count, unread_count,
                body_count
            FROM sources WHERE \(condition) AND name NOT NULL ORDER BY name
            """, values
        ) { row in
            ListedSource(
                key: row.integer(0), id: row.sourceID(1), name: row.text(3), title: row.text(4),
                isFollowed: row.bool(5), posts: Int(row.integer(6)), unread: Int(row.integer(7)),
                bodies: Int(row.integer(8)))
        }
    }

    static func isNameTaken(_ name: String, except key: Int64?, in database: Database) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM sources WHERE name = ? AND key IS NOT ?", [.text(name), DatabaseValue(key)])
    }

    private static func source(of row: Statement) -> StoredSource {
        // The reason follows the kind of problem.
        let problem = row.text(16)?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        return StoredSource(
            key: row.integer(0), id: row.sourceID(1), name: row.text(3),
            folder: row.text(4) ?? "", title: row.text(5), followedAt: row.date(6),
            validators: CacheValidators(etag: row.text(7), lastModified: row.text(8), origin: row.text(32)),
            digest: row.text(9),
            refreshedAt: row.date(10), currentUntil: row.date(11), posts: Int(row.integer(13)),
            unread: Int(row.integer(14)), bodies: Int(row.integer(15)), comments: Int(row.integer(21)),
            validatedAt: row.date(12), problem: problem.first.flatMap { RefreshProblem(rawValue: $0) },
            reason: problem.dropFirst().first, failedAt: row.date(17), dueAt: row.date(18),
            failures: Int(row.integer(19)), movedTo: row.text(20),
            site: row.text(22), keep: row.text(23).flatMap { Retention($0) }, prunedAt: row.date(24),
            label: row.text(25),
            article: row.text(26).flatMap { ArticleChoice(rawValue: $0) }, articleBody: row.text(27),
            articleDrop: row.text(28), every: row.text(29).flatMap { RefreshInterval($0) },
            home: row.text(30), feed: row.text(31), account: row.text(33), isForgotten: row.bool(34))
    }

    /// The key of a source; creates its row if needed.
    static func key(of source: SourceID, in database: Database) throws -> Int64 {
        if let stored = try find(source, in: database) { return stored.key }
        try database.run("INSERT INTO sources (kind, address) VALUES (?, ?)", source.values)
        return database.lastInsertedKey
    }

    static func save(_ mark: RefreshMark, of sourceKey: Int64, in database: Database) throws {
        let checkpoint = mark.checkpoint
        try database.run(
            """
            UPDATE sources SET
                (etag, last_modified, digest, refreshed_at, current_until, validated_at) = (?1, ?2, ?3, ?4, ?5, ?6),
                asked_at = NULL, problem = NULL, failures = 0, due_at = ?7,
                title = ifnull(?8, title), label = nullif(label, ?8),
                (moved_to, moved_at, moved_count)
                    = (?9, iif(moved_to IS ?9, moved_at, ?4), iif(moved_to IS ?9, moved_count + 1, 1)),
                home = ifnull(?11, home), validators_origin = ?12
            WHERE key = ?10
            """,
            [
                DatabaseValue(checkpoint.validators.etag), DatabaseValue(checkpoint.validators.lastModified),
                DatabaseValue(checkpoint.digest), DatabaseValue(mark.refreshedAt), DatabaseValue(mark.currentUntil),
                DatabaseValue(mark.validatedAt), DatabaseValue(mark.dueAt), DatabaseValue(checkpoint.title),
                DatabaseValue(checkpoint.movedTo), .integer(sourceKey), DatabaseValue(checkpoint.home),
                DatabaseValue(checkpoint.validators.origin),
            ])
    }

    /// Forgets the validators and the digest of a list, so that the next one is compared with the stored posts.
    static func forgetValidators(of sourceKey: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE sources SET (etag, last_modified, digest, current_until, validated_at)
                = (NULL, NULL, NULL, NULL, NULL)
            WHERE key = ?
            """, [.integer(sourceKey)])
    }
}

/// A server's response to a request for a list, for later requests.
package struct RefreshMark: Sendable {
    package let checkpoint: Checkpoint
    /// When the server responded.
    package let refreshedAt: Date
    /// When the server last sent the complete list.
    package let validatedAt: Date
    /// When the next automatic refresh is due.
    package let dueAt: Date

    /// - Parameters:
    ///   - validatedAt: nil if this response is the complete list.
    ///   - dueAt: nil for at once.
    package init(_ checkpoint: Checkpoint, refreshedAt: Date, validatedAt: Date? = nil, dueAt: Date? = nil) {
        self.checkpoint = checkpoint
        self.refreshedAt = refreshedAt
        self.validatedAt = validatedAt ?? refreshedAt
        self.dueAt = dueAt ?? refreshedAt
    }

    package var currentUntil: Date { refreshedAt.addingTimeInterval(checkpoint.maxAge) }

    /// The mark without validators, so that the next request is unconditional.
    package var withoutValidators: RefreshMark {
        let title = checkpoint.title
        return RefreshMark(
            Checkpoint(validators: CacheValidators(), digest: nil, title: title, home: checkpoint.home),
            refreshedAt: refreshedAt,
            dueAt: dueAt)
    }
}
