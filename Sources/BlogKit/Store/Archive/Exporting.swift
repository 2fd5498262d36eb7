import BlogEssentials
import BlogModel

/// Reads posts with their state, for moving them to another store.
package struct Exporting {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The keys of all posts, if possible in an order that only depends on the posts; nil if no index is intact.
    package func keys() throws -> [Int64]? {
        // Each of these reads different pages, so one may succeed if another finds damage.
        let queries = [
            "SELECT posts.key FROM posts JOIN sources ON sources.key = posts.source ORDER BY kind, address, id",
            "SELECT key FROM posts INDEXED BY sqlite_autoindex_posts_1",
            "SELECT key FROM posts NOT INDEXED",
        ]
        for sql in queries {
            do {
                return try database.all(sql) { $0.integer(0) }
            } catch let error as DatabaseError where error.kind != .busy {}
        }
        return nil
    }

    /// The post with a key; nil if there is none.
    package func find(_ key: Int64, withBody: Bool) throws -> ExportedPost? {
        try find("posts.key = ?", [.integer(key)], withBody: withBody)
    }

    /// The post of a source with an id; nil if there is none.
    func find(_ id: String, of sourceKey: Int64) throws -> ExportedPost? {
        try find("posts.source = ? AND id = ?", [.integer(sourceKey), .text(id)], withBody: true)
    }

    private func find(_ condition: String, _ values: [DatabaseValue], withBody: Bool) throws -> ExportedPost? {
        let body =
            withBody
            ? "body, fetched_at, body_revision IS revision, format" : "NULL, NULL, NULL, NULL"
        let sql = """
            SELECT \(PostRow.listColumns), posts.key, kind, address, listed, changed_at, number IS NOT NULL,
                is_archived = 1, \(body)
            FROM posts JOIN sources ON sources.key = posts.source
                \(withBody ? "LEFT JOIN bodies ON bodies.post = posts.key" : "")
            WHERE \(condition)
            """
        let found = try database.first(sql, values) { row in
            Result {
                let state = PostRow.state(of: row)
                let next = PostRow.listColumnCount
                let body = row.text(next + 7).map {
                    ExportedPost.Body(
                        text: $0, fetchedAt: row.integer(next + 8), isCurrent: row.bool(next + 9),
                        format: row.text(next + 10))
                }
                var post = ExportedPost(
                    source: row.text(next + 1) ?? "", address: row.text(next + 2) ?? "", listed: row.bool(next + 3),
                    read: state.isRead, saved: state.isSaved, labels: state.labels, changedAt: row.integer(next + 4),
                    wordsChangedAt: PostRow.changedAt(of: row), numbered: row.bool(next + 5) ? true : nil,
                    metadata: try PostRow.metadata(of: row), body: body)
                post.archived = row.bool(next + 6) ? true : nil
                return (key: row.integer(next), post: post)
            }
        }?.get()
        guard let (key, exported) = found else { return nil }
        var post = exported
        let article = Result { try Articles(database).find(key)?.article }
        // Without its body, a post is all that can be read in a damaged store.
        post.article = withBody ? try article.get() : try? article.get()
        if exported.source == SourceID.subscriptionKind {
            let unsent = (try? MarkQueue(database).unsent(ofPost: key)) ?? []
            post.unsent = unsent.isEmpty ? nil : unsent.map(\.text).sorted()
        }
        return post
    }
}

extension ExportedSource {
    /// Nil for a source that was never followed.
    package init?(_ stored: StoredSource) {
        guard let name = stored.name else { return nil }
        self.init(stored.id, name: name, folder: stored.folder)
        title = stored.title
        followedAt = stored.followedAt?.millisecondsSince1970
        site = stored.site
        keep = stored.keep?.text
        label = stored.label
        article = stored.article?.rawValue
        articleBody = stored.articleBody
        articleDrop = stored.articleDrop
        every = stored.every?.text
        home = stored.home
        feed = stored.feed
        account = stored.account
    }
}
