import BlogEssentials
import BlogModel

extension PostStore {
    /// The keys of all posts, if possible in an order that only depends on the posts; nil if no index is intact.
    package func exportKeys() throws -> [Int64]? {
        // Each of these reads different pages, so one may succeed if another finds damage.
        let queries = [
            "SELECT posts.key FROM posts JOIN sources ON sources.key = posts.source ORDER BY kind, address, id",
            "SELECT key FROM posts INDEXED BY sqlite_autoindex_posts_1",
            "SELECT key FROM posts NOT INDEXED",
        ]
        for sql in queries {
            do {
                return try read { try $0.all(sql) { $0.integer(0) } }
            } catch let error as StoreError where error.reason != .busy {}
        }
        return nil
    }

    /// The post with a key and its state; nil if there is none.
    func exported(_ key: Int64, withBody: Bool) throws -> ExportedPost? {
        try read { try Self.find("posts.key = ?", [.integer(key)], withBody: withBody, in: $0) }
    }

    /// The post that meets a condition, with its state and, by default, its body.
    static func find(
        _ condition: String, _ values: [DatabaseValue], withBody: Bool = true, in database: Database
    ) throws -> ExportedPost? {
        let body =
            withBody
            ? "body, fetched_at, body_revision IS revision, bodies.key, format" : "NULL, NULL, NULL, NULL, NULL"
        let sql = """
            SELECT \(PostRow.listColumns), posts.key, kind, address, listed, changed_at, number IS NOT NULL, \(body)
            FROM posts JOIN sources ON sources.key = posts.source
                \(withBody ? "LEFT JOIN bodies ON bodies.post = posts.key" : "")
            WHERE \(condition)
            """
        let found = try database.first(sql, values) { row in
            Result {
                let state = PostRow.state(of: row)
                let next = PostRow.listColumnCount
                let body = row.text(next + 6).map {
                    ExportedPost.Body(
                        text: $0, fetchedAt: row.integer(next + 7), isCurrent: row.bool(next + 8),
                        format: row.text(next + 10))
                }
                let post = ExportedPost(
                    source: row.text(next + 1) ?? "", address: row.text(next + 2) ?? "", listed: row.bool(next + 3),
                    read: state.isRead, saved: state.isSaved, changedAt: row.integer(next + 4),
                    wordsChangedAt: PostRow.changedAt(of: row), numbered: row.bool(next + 5) ? true : nil,
                    metadata: try PostRow.metadata(of: row), body: body)
                return (key: row.integer(next), post: post, body: row.integer(next + 9))
            }
        }?.get()
        guard let (key, exported, body) = found else { return nil }
        var post = exported
        let article = Result { try ArticleRow.find(key, in: database)?.article }
        // Without its body, a post is all that can be read in a damaged store.
        post.article = withBody ? try article.get() : try? article.get()
        if post.body?.text == "" { post.body?.text = try text(ofParts: body, in: database) }
        return post
    }
}

extension PostStore {
    /// Imports posts in one transaction.
    package func merge(_ posts: [ExportedPost]) async throws -> MergeReport {
        try await writeToDisk { database in
            var report = MergeReport()
            for imported in posts {
                let sourceKey = try SourceRow.key(
                    of: SourceID(kind: imported.source, address: imported.address), in: database)
                let post = try Self.renumbered(imported, sourceKey: sourceKey, in: database)
                let stored = try Self.find(
                    "posts.source = ? AND id = ?", [.integer(sourceKey), .text(post.metadata.id)], in: database)
                let merged = stored?.merged(with: post) ?? post
                guard merged != stored else {
                    report.unchanged += 1
                    continue
                }
                try Self.save(merged, sourceKey: sourceKey, in: database)
                if stored == nil { report.new += 1 } else { report.changed += 1 }
                // So that the next list is compared with the posts.
                try SourceRow.forgetValidators(of: sourceKey, in: database)
            }
            return report
        }
    }

    /// A numbered post with its number in this store, which may differ from the one in another store.
    private static func renumbered(
        _ post: ExportedPost, sourceKey: Int64, in database: Database
    ) throws -> ExportedPost {
        guard post.numbered == true else { return post }
        let numbers = EntryNumbers(of: sourceKey, in: database, now: Date(millisecondsSince1970: post.changedAt))
        let known = try database.first(
            "SELECT id FROM posts WHERE source = ? AND post_id = ? AND number IS NOT NULL",
            [.integer(sourceKey), .text(post.metadata.postId)]
        ) { $0.text(0) ?? "" }
        let id: String
        if let known {
            id = known
        } else if let number = EntryNumbers.number(post.metadata.id), try !numbers.isTaken(post.metadata.id) {
            id = post.metadata.id
            try numbers.note(number)
        } else {
            id = String(try numbers.nextNumber())
        }
        var post = post
        post.metadata = post.metadata.mappingIDs { _ in id }
        return post
    }

    private static func save(_ post: ExportedPost, sourceKey: Int64, in database: Database) throws {
        let changed = Date(millisecondsSince1970: post.changedAt)
        let writer = try PostWriter(database: database, sourceKey: sourceKey, now: changed, notesChanges: false)
        let number = post.numbered == true ? Int64(post.metadata.id) : nil
        let date = min(post.metadata.publishDate.milliseconds, post.changedAt)
        let sortKey = number.map { SortKey(post.metadata, date: EntryNumbers.sortDate(date, of: $0)) }
        let key = try writer.save(post.metadata, sortKey, isListed: post.listed).key
        try database.run(
            """
            UPDATE posts SET (number, listed, is_read, is_saved, changed_at, words_changed_at) = (?, ?, ?, ?, ?, ?)
            WHERE key = ?
            """,
            [
                DatabaseValue(number),
                .bool(post.listed), .bool(post.read), .bool(post.saved),
                .integer(post.changedAt), DatabaseValue(post.wordsChangedAt), .integer(key),
            ])
        if let article = post.article, try ArticleRow.find(key, in: database)?.article != article {
            try ArticleRow.save(article, CacheValidators(), of: key, in: database)
        }
        guard let body = post.body else { return }
        try SearchIndex(database: database).noteChange(of: key)
        // Older versions stored the HTML of discussions without a format.
        let format = body.format.flatMap { BodyFormat(rawValue: $0) } ?? (post.metadata.discussion == nil ? nil : .html)
        let fetchedAt = Date(millisecondsSince1970: body.fetchedAt)
        try insert(FetchedBody(text: body.text, format: format, fetchedAt: fetchedAt), of: key, in: database)
        // No metadata has the revision 0, so the body is outdated.
        try database.run(
            "UPDATE posts SET body_revision = \(body.isCurrent ? "revision" : "0") WHERE key = ?", [.integer(key)])
    }
}

/// The number of posts that an import changed.
public struct MergeReport: Hashable, Sendable {
    /// The number of new posts.
    public internal(set) var new = 0
    /// The number of changed posts.
    public internal(set) var changed = 0
    /// The number of unchanged posts.
    public internal(set) var unchanged = 0

    /// The number of all posts.
    public var total: Int { new + changed + unchanged }

    /// An empty report.
    public init() {}

    /// Adds the numbers of another report.
    public mutating func add(_ other: MergeReport) {
        new += other.new
        changed += other.changed
        unchanged += other.unchanged
    }
}
