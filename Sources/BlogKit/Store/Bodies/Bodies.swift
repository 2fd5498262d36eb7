import BlogEssentials
import BlogMarkup
import BlogModel

/// The bodies of posts.
package struct Bodies {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// A post's body; nil if it was never fetched.
    package func find(_ id: String, of source: SourceID) throws -> StoredBody? {
        guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return nil }
        let sql = """
            SELECT body, fetched_at, body_revision = revision, etag, last_modified, format FROM posts
            JOIN bodies ON posts.key = bodies.post WHERE source = ? AND id = ?
            """
        return try database.first(sql, [.integer(sourceKey), .text(id)]) { row in
            StoredBody(
                text: row.text(0) ?? "", format: row.format(5), fetchedAt: Date(millisecondsSince1970: row.integer(1)),
                isCurrent: row.bool(2),
                validators: CacheValidators(etag: row.text(3), lastModified: row.text(4)))
        }
    }

    // MARK: Storing

    /// Stores the bodies of stored posts.
    package func save(_ bodies: [(id: String, body: FetchedBody)], of source: SourceID) throws {
        let sourceKey = try SourceRow.key(of: source, in: database)
        for (id, body) in bodies {
            guard let (post, metadata) = try PostRow.find(id, sourceKey, in: database) else { continue }
            // If another process changed the metadata during the fetch, the body is outdated already.
            try save(
                body, ofPost: post, isCurrent: body.metadata == nil || body.metadata == metadata,
                isDiscussion: metadata.discussion != nil)
        }
    }

    /// Stores the body that came with an entry, if there is one.
    func save(_ content: Entry.Content?, ofPost post: Int64, at now: Date) throws {
        guard let content else { return }
        try save(FetchedBody(text: content.text, format: content.format, fetchedAt: now), ofPost: post)
    }

    /// Stores the body that came with a new entry, if there is one: its post is marked as having it already.
    func save(_ content: Entry.Content?, ofNewPost post: Int64, at now: Date) throws {
        guard let content else { return }
        try database.run(
            "INSERT INTO bodies (fetched_at, format, post, body) VALUES (?, ?, ?, ?)",
            [DatabaseValue(now), DatabaseValue(content.format?.rawValue), .integer(post), .text(content.text)])
    }

    func save(
        _ body: FetchedBody, ofPost post: Int64, isCurrent: Bool = true, isDiscussion: Bool = false
    ) throws {
        let isSame =
            switch body.content {
            case .unchanged: true
            case .text(let text): try StoredText.isStored(text, in: body.format, ofPost: post, in: database)
            }
        if !isSame {
            try SearchIndex(database).noteChange(of: post)
            // The text of a poll includes its votes, which change all the time.
            if !isDiscussion, let known = try StoredText.find(post, in: database), hasOtherWords(body, than: known) {
                try PostChanges(database: database, now: body.fetchedAt).note(post)
            }
        }
        try insert(body, of: post)
        try setCurrent(isCurrent, post)
    }

    private func setCurrent(_ isCurrent: Bool, _ post: Int64) throws {
        try database.run(
            "UPDATE posts SET body_revision = \(isCurrent ? "revision" : "0") WHERE key = ?", [.integer(post)])
    }

    /// Replaces the row of a body; the caller updates the search index.
    func insert(_ body: FetchedBody, of post: Int64) throws {
        let values = [
            DatabaseValue(body.fetchedAt), DatabaseValue(body.validators.etag),
            DatabaseValue(body.validators.lastModified), DatabaseValue(body.format?.rawValue), .integer(post),
        ]
        switch body.content {
        case .unchanged:
            try database.run(
                "UPDATE bodies SET (fetched_at, etag, last_modified, format) = (?, ?, ?, ?) WHERE post = ?", values)
        case .text(let text): try insert(text, values)
        }
    }

    private func insert(_ text: String, _ values: [DatabaseValue]) throws {
        let sql = """
            INSERT INTO bodies (fetched_at, etag, last_modified, format, post, body) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (post) DO UPDATE SET (fetched_at, etag, last_modified, format, body)
                = (excluded.fetched_at, excluded.etag, excluded.last_modified, excluded.format, excluded.body)
            """
        try database.run(sql, values + [.text(text)])
    }

    /// Whether the text of a body differs from the stored one; false without a new one.
    ///
    /// HTML tags and what can't be seen are ignored: they often differ from one response to the next.
    private func hasOtherWords(_ body: FetchedBody, than stored: StoredText) -> Bool {
        guard case .text(let text) = body.content else { return false }
        guard body.format == .html, stored.format == BodyFormat.html.rawValue else { return stored.text != text }
        return VisibleTokens.hash(of: stored.text) != VisibleTokens.hash(of: text)
    }
}
