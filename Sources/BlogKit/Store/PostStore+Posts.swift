import Foundation

extension PostStore {
    /// A post's metadata, listed or not.
    package func metadata(id: String, of address: BlogAddress) throws -> PostMetadata? {
        try read { database in
            guard let blog = try BlogRow.find(address, in: database) else { return nil }
            return try Self.find(id, blog.key, in: database)?.metadata
        }
    }

    /// A post's body, or nil where it was never fetched.
    package func body(id: String, of address: BlogAddress) throws -> StoredBody? {
        try read { database in
            guard let blog = try BlogRow.find(address, in: database) else { return nil }
            let sql = """
                SELECT body, fetched_at, body_revision = revision, etag, last_modified
                FROM posts JOIN bodies ON posts.key = bodies.post WHERE blog = ? AND id = ?
                """
            return try database.first(sql, [.integer(blog.key), .text(id)]) { row in
                StoredBody(
                    text: row.text(0) ?? "", fetchedAt: Date(millisecondsSince1970: row.integer(1)),
                    isCurrent: row.integer(2) == 1,
                    validators: CacheValidators(etag: row.text(3), lastModified: row.text(4)))
            }
        }
    }

    /// Stores one post's metadata beside the list, without changing the list otherwise.
    package func store(_ metadata: PostMetadata, of address: BlogAddress, at now: Date) throws {
        try write { database in
            let blog = try BlogRow.key(of: address, in: database)
            try PostWriter(database: database, blog: blog, now: now).save(metadata, isListed: false)
        }
    }

    /// Stores the body of a post whose metadata is stored, and goes on in memory where the disk doesn't take it.
    package func store(_ body: FetchedBody, ofPost id: String, of address: BlogAddress) throws {
        try write { try Self.save(body, ofPost: id, of: address, in: $0) }
    }

    /// Stores the body of a post whose metadata is stored, on the disk or not at all.
    package func storeOnDisk(_ body: FetchedBody, ofPost id: String, of address: BlogAddress) throws {
        try writeToDisk { try Self.save(body, ofPost: id, of: address, in: $0) }
    }

    static func save(
        _ body: FetchedBody, ofPost id: String, of address: BlogAddress, in database: Database
    ) throws {
        let blog = try BlogRow.key(of: address, in: database)
        guard let (post, metadata) = try find(id, blog, in: database) else { return }
        let isSame = try database.first(
            "SELECT body = ? FROM bodies WHERE post = ?", [.text(body.text), .integer(post)]
        ) { $0.integer(0) == 1 }
        // Words are counted anew only where they are others.
        if isSame != true {
            try SearchIndex(database: database).following(post) { try insert(body, of: post, in: database) }
        } else {
            try insert(body, of: post, in: database)
        }
        // While the body was under way another process may have stored other metadata: then it is outdated already.
        let isCurrent = body.metadata == nil || body.metadata == metadata
        try database.run(
            "UPDATE posts SET body_revision = \(isCurrent ? "revision" : "0") WHERE key = ?", [.integer(post)])
    }

    private static func find(
        _ id: String, _ blog: Int64, in database: Database
    ) throws -> (key: Int64, metadata: PostMetadata)? {
        let sql = "SELECT \(PostRow.columns), key FROM posts WHERE blog = ? AND id = ?"
        return try database.first(sql, [.integer(blog), .text(id)]) { row in
            Result { (row.integer(PostRow.columnCount), try PostRow.metadata(of: row)) }
        }?.get()
    }

    static func insert(_ body: FetchedBody, of post: Int64, in database: Database) throws {
        try database.run(
            """
            INSERT INTO bodies (post, fetched_at, body, etag, last_modified) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (post) DO UPDATE SET (fetched_at, body, etag, last_modified)
                = (excluded.fetched_at, excluded.body, excluded.etag, excluded.last_modified)
            """,
            [
                .integer(post), .integer(body.fetchedAt.millisecondsSince1970), .text(body.text),
                DatabaseValue(body.validators.etag), DatabaseValue(body.validators.lastModified),
            ])
    }
}
