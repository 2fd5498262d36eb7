import BlogEssentials
import BlogModel

extension PostStore {
    /// A post's body; nil if it was never fetched.
    package func body(id: String, of source: SourceID) throws -> StoredBody? {
        try read(source) { database, sourceKey in
            let sql = """
                SELECT body, fetched_at, body_revision = revision, etag, last_modified, bodies.key,
                    EXISTS (SELECT 1 FROM body_parts WHERE body_parts.body = bodies.key), format
                FROM posts JOIN bodies ON posts.key = bodies.post WHERE source = ? AND id = ?
                """
            return try database.first(sql, [.integer(sourceKey), .text(id)]) { row in
                StoredBody(
                    text: row.text(0) ?? "", parts: row.bool(6) ? row.integer(5) : nil, format: row.format(7),
                    fetchedAt: Date(millisecondsSince1970: row.integer(1)), isCurrent: row.bool(2),
                    validators: CacheValidators(etag: row.text(3), lastModified: row.text(4)))
            }
        }
    }

    /// The text of a stored body, as it is now; nil if another process has just replaced a long body with a short one.
    package func content(of body: StoredBody) throws -> BodyContent? {
        guard let parts = body.parts else { return .text(body.text) }
        return try read { database in
            guard !database.isInMemory else { return .text(try Self.text(ofParts: parts, in: database)) }
            // Avoids caching the same pages for two connections.
            try database.execute("PRAGMA shrink_memory")
            let file = StoreFile(path: path, busyTimeout: busyTimeout)
            let text = StoredParts(of: parts, in: try file.openSnapshot(isWritten: notice == nil), path: path)
            return try text.isEmpty ? nil : .long(text)
        }
    }

    /// The whole text of a body that is stored in parts.
    static func text(ofParts body: Int64, in database: Database) throws -> String {
        try database.texts("SELECT text FROM body_parts WHERE body = ? ORDER BY place", [.integer(body)]).joined()
    }

    /// Stores the body of a stored post; continues in memory if the disk is full or not writable.
    package func store(_ body: FetchedBody, ofPost id: String, of source: SourceID) async throws {
        guard case .long = body.content else {
            return try await write { database in
                let sourceKey = try SourceRow.key(of: source, in: database)
                try Self.save(body, ofPost: id, of: sourceKey, in: database)
            }
        }
        // A body that is too long for memory is stored on disk or not at all.
        guard notice == nil else { return }
        do {
            try await storeOnDisk([(id, body)], of: source)
        } catch let error as StoreError {
            guard case .notKept(let notice) = error.reason else { throw error }
            try StoreError.mapped(path) { try moveToMemory(because: notice) }
        }
    }

    /// Stores the bodies of stored posts; throws if they can't be written to disk.
    package func storeOnDisk(_ bodies: [(id: String, body: FetchedBody)], of source: SourceID) async throws {
        let isLong = bodies.contains { if case .long = $0.body.content { true } else { false } }
        // Sequential writes don't benefit from the page cache. In KiB.
        if isLong { try read { try $0.execute("PRAGMA cache_size = -1024") } }
        defer { if isLong { try? read { try $0.execute("PRAGMA cache_size = -8192") } } }
        try await writeToDisk { database in
            let sourceKey = try SourceRow.key(of: source, in: database)
            for (id, body) in bodies { try Self.save(body, ofPost: id, of: sourceKey, in: database) }
        }
    }

    private static func save(_ body: FetchedBody, ofPost id: String, of sourceKey: Int64, in database: Database) throws
    {
        guard let (post, metadata) = try find(id, sourceKey, in: database) else { return }
        // If another process changed the metadata during the fetch, the body is outdated already.
        try save(
            body, ofPost: post, isCurrent: body.metadata == nil || body.metadata == metadata,
            isDiscussion: metadata.discussion != nil, in: database)
    }

    /// Stores the body that came with an entry, if there is one.
    static func save(_ content: Entry.Content?, ofPost post: Int64, at now: Date, in database: Database) throws {
        guard let content else { return }
        let body = FetchedBody(text: content.text, format: content.format, fetchedAt: now)
        try save(body, ofPost: post, in: database)
    }

    static func save(
        _ body: FetchedBody, ofPost post: Int64, isCurrent: Bool = true, isDiscussion: Bool = false,
        in database: Database
    ) throws {
        let known = try StoredText.find(post, in: database)
        let isSame =
            switch body.content {
            case .unchanged: true
            case .text(let text): known?.isWhole(text) ?? false
            case .long: false
            }
        if !isSame {
            try SearchIndex(database: database).noteChange(of: post)
            // The text of a poll includes its votes, which change all the time.
            if !isDiscussion, let known, try hasOtherWords(body, than: known, in: database) {
                try PostChanges(database: database, now: body.fetchedAt).note(post)
            }
        }
        try insert(body, of: post, in: database)
        try database.run(
            "UPDATE posts SET body_revision = \(isCurrent ? "revision" : "0") WHERE key = ?", [.integer(post)])
    }

    /// Replaces the rows of a body; the caller updates the search index.
    static func insert(_ body: FetchedBody, of post: Int64, in database: Database) throws {
        let values = [
            DatabaseValue(body.fetchedAt), DatabaseValue(body.validators.etag),
            DatabaseValue(body.validators.lastModified), DatabaseValue(body.format?.rawValue), .integer(post),
        ]
        switch body.content {
        case .unchanged:
            try database.run(
                "UPDATE bodies SET (fetched_at, etag, last_modified, format) = (?, ?, ?, ?) WHERE post = ?", values)
        case .text(let text) where text.utf8.count <= partSize:
            _ = try insert(text, values, in: database)
        case .text(let text):
            let key = try insert("", values, in: database)
            for (number, part) in parts(of: text).enumerated() {
                try insert(String(part), number, of: key, in: database)
            }
        case .long(let text):
            let key = try insert("", values, in: database)
            var (number, place) = (0, 0)
            while let part = try text.part(at: &place) {
                try insert(part, number, of: key, in: database)
                number += 1
            }
        }
    }

    private static func insert(_ part: String, _ number: Int, of body: Int64, in database: Database) throws {
        try database.run(
            "INSERT INTO body_parts (body, place, text) VALUES (?, ?, ?)",
            [.integer(body), .integer(Int64(number)), .text(part)])
    }

    /// The text in parts of at most ``partSize`` bytes, cut between characters.
    private static func parts(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text[...]
        while let limit = rest.utf8.index(rest.startIndex, offsetBy: partSize, limitedBy: rest.endIndex),
            limit < rest.endIndex
        {
            var end = limit
            while UTF8.isContinuation(rest.utf8[end]) { end = rest.utf8.index(before: end) }
            parts.append(rest[..<end])
            rest = rest[end...]
        }
        if !rest.isEmpty { parts.append(rest) }
        return parts
    }

    /// Writes the row of a body without its parts, and returns its key.
    private static func insert(_ text: String, _ values: [DatabaseValue], in database: Database) throws -> Int64 {
        let sql = """
            INSERT INTO bodies (fetched_at, etag, last_modified, format, post, body) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (post) DO UPDATE SET (fetched_at, etag, last_modified, format, body)
                = (excluded.fetched_at, excluded.etag, excluded.last_modified, excluded.format, excluded.body)
            RETURNING key
            """
        guard let key = try database.integer(sql, values + [.text(text)]) else { throw StoreError.Reason.damaged }
        try database.run("DELETE FROM body_parts WHERE body = ?", [.integer(key)])
        return key
    }

    /// Whether the text of a body differs from the stored one; false for a body that is too long to compare.
    ///
    /// HTML tags are ignored: they often differ from one response to the next.
    private static func hasOtherWords(
        _ body: FetchedBody, than stored: StoredText, in database: Database
    ) throws -> Bool {
        guard case .text(let text) = body.content else { return false }
        let old = stored.text.isEmpty ? try self.text(ofParts: stored.key, in: database) : stored.text
        guard body.format == .html, stored.format == BodyFormat.html.rawValue else { return old != text }
        return !TextOutsideTags(old).elementsEqual(TextOutsideTags(text))
    }

    /// The approximate maximum size of a row of text, in bytes.
    package static let partSize = 1 << 17
}

/// A body in the store.
package struct StoredBody: Sendable {
    /// The text; "" if it is stored in parts.
    package let text: String
    /// The key for reading its parts; nil if ``text`` is the whole body.
    package let parts: Int64?
    /// The format of the text; nil if its source didn't specify it.
    package let format: BodyFormat?
    package let fetchedAt: Date
    /// Whether the metadata is still the same as when the body was fetched.
    package let isCurrent: Bool
    package let validators: CacheValidators
}

/// A body as a server sent it.
package struct FetchedBody: Sendable {
    package let content: BodyContent
    /// The format of the text; nil if its source doesn't specify it.
    package let format: BodyFormat?
    package let fetchedAt: Date
    /// The post's metadata when the body was requested; nil for the currently stored metadata.
    package let metadata: PostMetadata?
    package let validators: CacheValidators

    package init(
        content: BodyContent, format: BodyFormat? = nil, fetchedAt: Date, metadata: PostMetadata? = nil,
        validators: CacheValidators = CacheValidators()
    ) {
        self.content = content
        self.format = format
        self.fetchedAt = fetchedAt
        self.metadata = metadata
        self.validators = validators
    }

    package init(text: String, format: BodyFormat? = nil, fetchedAt: Date) {
        self.init(content: .text(text), format: format, fetchedAt: fetchedAt)
    }
}

/// The text of a stored body, for comparison.
struct StoredText {
    /// The key of the body.
    let key: Int64
    /// The text; "" if it is stored in parts.
    let text: String
    /// The name of its format; nil if its source didn't specify it.
    let format: String?
    private let hasParts: Bool

    /// The text of a post's body; nil if none is stored.
    static func find(_ post: Int64, in database: Database) throws -> StoredText? {
        let sql = """
            SELECT key, body, format, body = '' AND EXISTS (SELECT 1 FROM body_parts WHERE body_parts.body = bodies.key)
            FROM bodies WHERE post = ?
            """
        return try database.first(sql, [.integer(post)]) { row in
            StoredText(key: row.integer(0), text: row.text(1) ?? "", format: row.text(2), hasParts: row.bool(3))
        }
    }

    /// Whether the body equals a text, byte for byte.
    func isWhole(_ other: String) -> Bool { !hasParts && text.utf8.elementsEqual(other.utf8) }
}

extension PostStore {
    /// The listed posts of a source, newest first, and whether their bodies are stored.
    package func syncPlan(of source: SourceID, limit: Int?) throws -> [SyncItem] {
        try read(source) { database, sourceKey in
            try database.all(
                """
                SELECT key, body_revision IS NOT NULL, body_revision IS revision FROM posts
                WHERE source = ? AND listed = 1 ORDER BY date_key DESC, id_key LIMIT ?
                """, [.integer(sourceKey), .integer(Int64(limit ?? -1))]
            ) { row in
                SyncItem(post: row.integer(0), hasBody: row.bool(1), isCurrent: row.bool(2))
            }
        } ?? []
    }

    /// The posts of a plan with their metadata, in the same order, except deleted and unreadable ones.
    package func planned(_ items: some Collection<SyncItem>) throws -> [PlannedPost] {
        try items.compactMap { item in
            try metadata(ofPost: item.post).map { PlannedPost(metadata: $0, hasBody: item.hasBody) }
        }
    }

    /// A post's metadata by its key; nil if the post was deleted or can't be read.
    package func metadata(ofPost key: Int64) throws -> PostMetadata? {
        let found = try read { database in
            try database.first("SELECT \(PostRow.columns) FROM posts WHERE key = ?", [.integer(key)]) { row in
                Result { try PostRow.metadata(of: row) }
            }
        }
        if case .failure = found { note(unreadable: [key]) }
        return try? found?.get()
    }
}

/// A post whose body a sync will fetch.
package struct PlannedPost: Sendable {
    package let metadata: PostMetadata
    /// Whether an outdated body is stored.
    package let hasBody: Bool
}

/// A listed post in a sync plan.
package struct SyncItem: Sendable {
    /// The post's key.
    package let post: Int64
    package let hasBody: Bool
    /// Whether the stored body belongs to the stored metadata.
    package let isCurrent: Bool
}
