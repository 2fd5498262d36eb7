import Foundation

extension PostStore {
    /// The keys of all posts, in an order that depends on nothing but the posts.
    func exportKeys() throws -> [Int64] {
        try read { database in
            let rows = try database.statement(
                "SELECT posts.key FROM posts JOIN blogs ON blogs.key = posts.blog ORDER BY source, address, id")
            defer { rows.reset() }
            var keys: [Int64] = []
            while try rows.step() { keys.append(rows.integer(0)) }
            return keys
        }
    }

    /// One post with its state.
    func exported(_ key: Int64) throws -> ExportedPost {
        try read { database in
            guard let post = try Self.find("posts.key = ?", [.integer(key)], in: database) else {
                throw StoreError.Reason.damaged
            }
            return post.content
        }
    }

    /// Takes posts in, all of them or none.
    func merge(_ posts: [ExportedPost]) async throws -> MergeReport {
        try await writeToDisk { database in
            var report = MergeReport()
            for post in posts {
                let blog = try BlogRow.key(
                    of: BlogAddress(source: post.source, address: post.address), in: database)
                let stored = try Self.find(
                    "posts.blog = ? AND id = ?", [.integer(blog), .text(post.metadata.id)], in: database)
                let merged = stored?.content.merged(with: post) ?? post
                guard merged != stored?.content else {
                    report.unchanged += 1
                    continue
                }
                try Self.save(merged, key: stored?.key, blog: blog, in: database)
                if stored == nil { report.new += 1 } else { report.changed += 1 }
                // What the server lists must be compared with all of it next time.
                try BlogRow.forgetValidators(of: blog, in: database)
            }
            return report
        }
    }

    private static func find(
        _ condition: String, _ values: [DatabaseValue], in database: Database
    ) throws -> (key: Int64, content: ExportedPost)? {
        let sql = """
            SELECT \(PostRow.listColumns), posts.key, source, address, listed, changed_at, body, fetched_at,
                body_revision IS revision, bodies.key
            FROM posts JOIN blogs ON blogs.key = posts.blog LEFT JOIN bodies ON bodies.post = posts.key
            WHERE \(condition)
            """
        let found = try database.first(sql, values) { row in
            Result {
                let state = PostRow.state(of: row)
                let next = PostRow.listColumnCount
                let body = row.text(next + 5).map {
                    ExportedPost.Body(text: $0, fetchedAt: row.integer(next + 6), isCurrent: row.integer(next + 7) == 1)
                }
                let post = ExportedPost(
                    source: row.text(next + 1) ?? "", address: row.text(next + 2) ?? "",
                    listed: row.integer(next + 3) == 1,
                    read: state.isRead, saved: state.isSaved, changedAt: row.integer(next + 4),
                    metadata: try PostRow.metadata(of: row), body: body)
                return (key: row.integer(next), content: post, body: row.integer(next + 8))
            }
        }?.get()
        guard var found else { return nil }
        if found.content.body?.text == "" { found.content.body?.text = try text(ofParts: found.body, in: database) }
        return (found.key, found.content)
    }

    private static func save(_ post: ExportedPost, key: Int64?, blog: Int64, in database: Database) throws {
        let changed = Date(millisecondsSince1970: post.changedAt)
        let writer = PostWriter(database: database, blog: blog, now: changed)
        let key = try writer.save(post.metadata, isListed: post.listed).key
        try database.run(
            "UPDATE posts SET listed = ?, is_read = ?, is_saved = ?, changed_at = ? WHERE key = ?",
            [
                .integer(post.listed ? 1 : 0), .integer(post.read ? 1 : 0), .integer(post.saved ? 1 : 0),
                .integer(post.changedAt), .integer(key),
            ])
        guard let body = post.body else { return }
        try SearchIndex(database: database).noteChange(of: key)
        let fetched = FetchedBody(text: body.text, fetchedAt: Date(millisecondsSince1970: body.fetchedAt))
        try insert(fetched, of: key, in: database)
        // A revision that no metadata has ever had: the body is of an older one.
        try database.run(
            "UPDATE posts SET body_revision = \(body.isCurrent ? "revision" : "0") WHERE key = ?", [.integer(key)])
    }
}
