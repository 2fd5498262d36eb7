import Essentials
import HTTP
import Model
import SQLite

/// The `blogs` table: one row for each source.
enum SourceRow {
    static func find(_ source: SourceID, in database: Database) throws -> StoredSource? {
        try all("source = ? AND address = ?", [.text(source.kind), .text(source.address)], in: database).first
    }

    /// The sources that meet a condition, ordered by name.
    static func all(
        _ condition: String, _ values: [DatabaseValue] = [], in database: Database
    ) throws -> [StoredSource] {
        try database.all(
            """
            SELECT key, source, address, name, folder, ifnull(label, title), followed_at, etag, last_modified, digest,
                refreshed_at, current_until, validated_at, post_count, unread_count, body_count, problem, asked_at,
                due_at, failures, moved_to, comment_count, site, keep, pruned_at, label, article,
                article_body, article_drop
            FROM blogs WHERE \(condition) ORDER BY name, source, address
            """, values, source(of:))
    }

    /// Whether another source has a name.
    static func isNameTaken(_ name: String, except key: Int64?, in database: Database) throws -> Bool {
        try database.first(
            "SELECT 1 FROM blogs WHERE name = ? AND key IS NOT ?", [.text(name), DatabaseValue(key)]
        ) { _ in true } ?? false
    }

    private static func source(of row: Statement) -> StoredSource {
        func date(_ column: Int32) -> Date? {
            row.isNull(column) ? nil : Date(millisecondsSince1970: row.integer(column))
        }
        return StoredSource(
            key: row.integer(0), id: SourceID(kind: row.text(1) ?? "", address: row.text(2) ?? ""), name: row.text(3),
            folder: row.text(4) ?? "", title: row.text(5), followedAt: date(6),
            validators: CacheValidators(etag: row.text(7), lastModified: row.text(8)), digest: row.text(9),
            refreshedAt: date(10), currentUntil: date(11), posts: Int(row.integer(13)), unread: Int(row.integer(14)),
            bodies: Int(row.integer(15)), comments: Int(row.integer(21)), validatedAt: date(12),
            problem: row.text(16).flatMap { RefreshProblem(rawValue: $0) }, failedAt: date(17), dueAt: date(18),
            failures: Int(row.integer(19)), movedTo: row.text(20), site: row.text(22),
            keep: row.text(23).flatMap { Retention($0) }, prunedAt: date(24), label: row.text(25),
            article: row.text(26).flatMap { ArticleChoice(rawValue: $0) }, articleBody: row.text(27),
            articleDrop: row.text(28))
    }

    /// The key of a source; creates its row if needed.
    static func key(of source: SourceID, in database: Database) throws -> Int64 {
        if let stored = try find(source, in: database) { return stored.key }
        try database.run(
            "INSERT INTO blogs (source, address) VALUES (?, ?)", [.text(source.kind), .text(source.address)])
        return database.lastInsertedKey
    }

    /// Records that a source's list is unchanged, unless another process has refreshed it since.
    static func confirm(_ mark: RefreshMark, after known: StoredSource, in database: Database) throws {
        let now = try database.first(
            "SELECT etag IS ? AND last_modified IS ? AND digest IS ? FROM blogs WHERE key = ?",
            [
                DatabaseValue(known.validators.etag), DatabaseValue(known.validators.lastModified),
                DatabaseValue(known.digest), .integer(known.key),
            ]
        ) { $0.integer(0) == 1 }
        if now == true { try save(mark, of: known.key, in: database) }
    }

    /// Records a server's response.
    static func save(_ mark: RefreshMark, of sourceKey: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE blogs SET
                (etag, last_modified, digest, refreshed_at, current_until, validated_at) = (?1, ?2, ?3, ?4, ?5, ?6),
                asked_at = NULL, problem = NULL, failures = 0, due_at = ?7,
                title = ifnull(?8, title), label = nullif(label, ?8),
                (moved_to, moved_at, moved_count)
                    = (?9, iif(moved_to IS ?9, moved_at, ?4), iif(moved_to IS ?9, moved_count + 1, 1))
            WHERE key = ?10
            """,
            [
                DatabaseValue(mark.validators.etag), DatabaseValue(mark.validators.lastModified),
                DatabaseValue(mark.digest), .integer(mark.refreshedAt.millisecondsSince1970),
                .integer(mark.currentUntil.millisecondsSince1970), .integer(mark.validatedAt.millisecondsSince1970),
                .integer(mark.dueAt.millisecondsSince1970), DatabaseValue(mark.checkpoint.title),
                DatabaseValue(mark.checkpoint.movedTo), .integer(sourceKey),
            ])
    }

    /// Prevents a source from ever moving to the address that its server has just named for the first time.
    static func doubtMove(of source: SourceID, in database: Database) throws {
        try database.run(
            """
            UPDATE blogs SET moved_at = ?
            WHERE source = ? AND address = ? AND moved_to IS NOT NULL AND moved_count = 1
            """, [.integer(.max), .text(source.kind), .text(source.address)])
    }

    /// Gives a source its new address if its server has named it in at least three responses over a week and no other
    /// source has it; returns whether it was changed.
    static func adoptMove(of source: SourceID, at now: Date, in database: Database) throws -> Bool {
        let weekAgo = now.addingTimeInterval(-7 * 86_400).millisecondsSince1970
        try database.run(
            """
            UPDATE OR IGNORE blogs SET (address, moved_to, moved_at, moved_count) = (moved_to, NULL, NULL, 0)
            WHERE source = ? AND address = ? AND moved_to IS NOT NULL AND moved_count >= 3 AND moved_at <= ?
            """, [.text(source.kind), .text(source.address), .integer(weekAgo)])
        return database.changes == 1
    }

    /// Forgets the validators and the digest of a list, so that the next one is compared with the stored posts.
    static func forgetValidators(of sourceKey: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE blogs SET (etag, last_modified, digest, current_until, validated_at) = (NULL, NULL, NULL, NULL, NULL)
            WHERE key = ?
            """, [.integer(sourceKey)])
    }

    /// Records a failed refresh, and when the next automatic one is due.
    static func save(
        _ problem: RefreshProblem, failures: Int, at date: Date, dueAt: Date?, of sourceKey: Int64,
        in database: Database
    ) throws {
        try database.run(
            "UPDATE blogs SET asked_at = ?, problem = ?, failures = ?, due_at = ? WHERE key = ?",
            [
                .integer(date.millisecondsSince1970), .text(problem.rawValue), .integer(Int64(failures)),
                DatabaseValue(dueAt?.millisecondsSince1970), .integer(sourceKey),
            ])
    }
}

/// A server's response to a request for a list, for later requests.
package struct RefreshMark: Sendable {
    package let checkpoint: Checkpoint
    /// When the server responded.
    package let refreshedAt: Date
    /// When the server last sent the complete list.
    package let validatedAt: Date

    /// - Parameter validatedAt: nil if this response is the complete list.
    package init(_ checkpoint: Checkpoint, refreshedAt: Date, validatedAt: Date? = nil) {
        self.checkpoint = checkpoint
        self.refreshedAt = refreshedAt
        self.validatedAt = validatedAt ?? refreshedAt
    }

    package var validators: CacheValidators { checkpoint.validators }

    package var digest: String? { checkpoint.digest }

    /// Until when the list is fresh according to the server.
    package var currentUntil: Date { refreshedAt.addingTimeInterval(checkpoint.maxAge) }

    /// When the next automatic refresh is due: after half an hour, or later if the server or the source says so, within
    /// limits.
    package var dueAt: Date {
        let wait = max(StoredSource.refreshInterval, checkpoint.maxAge, checkpoint.timeToLive)
        return refreshedAt.addingTimeInterval(min(wait, StoredSource.maxRefreshInterval))
    }

    /// The mark without validators, so that the next request is unconditional.
    package var withoutValidators: RefreshMark {
        let checkpoint = Checkpoint(
            validators: CacheValidators(etag: nil, lastModified: nil), digest: nil, title: checkpoint.title)
        return RefreshMark(checkpoint, refreshedAt: refreshedAt)
    }
}
