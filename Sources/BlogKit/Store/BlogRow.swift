import Foundation

/// The `blogs` table: one row for each address.
enum BlogRow {
    /// The row of a blog, or nil.
    static func find(_ address: BlogAddress, in database: Database) throws -> BlogRecord? {
        let sql = """
            SELECT key, etag, last_modified, digest, refreshed_at, current_until, validated_at,
                post_count
            FROM blogs WHERE source = ? AND address = ?
            """
        return try database.first(sql, [.text(address.source), .text(address.address)]) { row in
            func date(_ column: Int32) -> Date? {
                row.isNull(column) ? nil : Date(millisecondsSince1970: row.integer(column))
            }
            return BlogRecord(
                key: row.integer(0), validators: CacheValidators(etag: row.text(1), lastModified: row.text(2)),
                digest: row.text(3), refreshedAt: date(4), currentUntil: date(5), posts: Int(row.integer(7)),
                validatedAt: date(6))
        }
    }

    /// The key of a blog, whose row is made where there is none.
    static func key(of address: BlogAddress, in database: Database) throws -> Int64 {
        if let blog = try find(address, in: database) { return blog.key }
        try database.run(
            "INSERT INTO blogs (source, address) VALUES (?, ?)", [.text(address.source), .text(address.address)])
        return database.lastInsertedKey
    }

    /// Notes that a server's list is still what it was, unless another process has noted something else since.
    static func confirm(_ mark: RefreshMark, after known: BlogRecord, in database: Database) throws {
        let now = try database.first(
            "SELECT etag IS ? AND last_modified IS ? AND digest IS ? FROM blogs WHERE key = ?",
            [
                DatabaseValue(known.validators.etag), DatabaseValue(known.validators.lastModified),
                DatabaseValue(known.digest), .integer(known.key),
            ]
        ) { $0.integer(0) == 1 }
        if now == true { try save(mark, of: known.key, in: database) }
    }

    /// Notes a server's answer.
    static func save(_ mark: RefreshMark, of blog: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE blogs SET
                (etag, last_modified, digest, refreshed_at, current_until, validated_at) = (?, ?, ?, ?, ?, ?),
                asked_at = NULL, problem = NULL
            WHERE key = ?
            """,
            [
                DatabaseValue(mark.validators.etag), DatabaseValue(mark.validators.lastModified),
                DatabaseValue(mark.digest), .integer(mark.refreshedAt.millisecondsSince1970),
                .integer(mark.currentUntil.millisecondsSince1970), .integer(mark.validatedAt.millisecondsSince1970),
                .integer(blog),
            ])
    }

    /// Forgets what a server's list could be compared with, so that it is compared with the posts.
    static func forgetValidators(of blog: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE blogs SET (etag, last_modified, digest, current_until, validated_at) = (NULL, NULL, NULL, NULL, NULL)
            WHERE key = ?
            """, [.integer(blog)])
    }

    /// Notes that a server gave no list when it was asked.
    static func save(_ problem: RefreshProblem, at date: Date, of blog: Int64, in database: Database) throws {
        try database.run(
            "UPDATE blogs SET asked_at = ?, problem = ? WHERE key = ?",
            [.integer(date.millisecondsSince1970), .text(problem.rawValue), .integer(blog)])
    }
}
