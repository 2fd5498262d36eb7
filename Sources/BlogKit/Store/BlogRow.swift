import Foundation

/// The `blogs` table: one row for each address.
enum BlogRow {
    /// The row of a blog, or nil.
    static func find(_ address: BlogAddress, in database: Database) throws -> BlogRecord? {
        let sql = """
            SELECT key, etag, last_modified, digest, refreshed_at, current_until
            FROM blogs WHERE source = ? AND address = ?
            """
        return try database.first(sql, [.text(address.source), .text(address.address)]) { row in
            func date(_ column: Int32) -> Date? {
                row.isNull(column) ? nil : Date(millisecondsSince1970: row.integer(column))
            }
            return BlogRecord(
                key: row.integer(0), validators: CacheValidators(etag: row.text(1), lastModified: row.text(2)),
                digest: row.text(3), refreshedAt: date(4), currentUntil: date(5))
        }
    }

    /// The key of a blog, whose row is made where there is none.
    static func key(of address: BlogAddress, in database: Database) throws -> Int64 {
        if let blog = try find(address, in: database) { return blog.key }
        try database.run(
            "INSERT INTO blogs (source, address) VALUES (?, ?)", [.text(address.source), .text(address.address)])
        return database.lastInsertedKey
    }

    /// Notes a server's answer.
    static func save(_ mark: RefreshMark, of blog: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE blogs SET (etag, last_modified, digest, refreshed_at, current_until) = (?, ?, ?, ?, ?)
            WHERE key = ?
            """,
            [
                DatabaseValue(mark.validators.etag), DatabaseValue(mark.validators.lastModified),
                DatabaseValue(mark.digest), .integer(mark.refreshedAt.millisecondsSince1970),
                .integer(mark.currentUntil.millisecondsSince1970), .integer(blog),
            ])
    }
}
