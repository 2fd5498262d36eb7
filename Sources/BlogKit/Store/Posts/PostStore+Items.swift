import BlogEssentials
import BlogModel

extension PostStore {
    /// The items with these ids whose bodies are stored, by id.
    package func items(_ ids: some Collection<String>, of source: SourceID) throws -> [String: StoredItem] {
        try read(source) { database, sourceKey in
            var found: [String: StoredItem] = [:]
            for id in ids {
                // An unreadable item is fetched again and replaced.
                do { found[id] = try Self.item(id, sourceKey, in: database) } catch StoreError.Reason.damaged {}
            }
            return found
        } ?? [:]
    }

    /// Stores posts and comments with their texts, all or none of them.
    ///
    /// Posts and comments that were deleted at the source keep their stored text.
    package func store(_ items: [Entry], of source: SourceID, at now: Date) async throws {
        try await write { database in
            let sourceKey = try SourceRow.key(of: source, in: database)
            let writer = try PostWriter(database: database, sourceKey: sourceKey, now: now)
            for item in items.flatMap({ [$0] + $0.comments }) {
                let kept = item.hasLostText ? try? Self.item(item.metadata.id, sourceKey, in: database) : nil
                let entry = kept.map(item.keepingText) ?? item
                let post = try writer.save(entry.metadata, isListed: entry.metadata.isStory).key
                let body = FetchedBody(text: entry.content?.text ?? "", format: entry.content?.format, fetchedAt: now)
                try Self.save(body, ofPost: post, isDiscussion: entry.metadata.discussion != nil, in: database)
            }
        }
    }

    /// The ranked ids of a section of a source, and when they were fetched; nil if they never were.
    package func ranking(of section: String, _ source: SourceID) throws -> (ids: [String], requestedAt: Date)? {
        try read(source) { database, sourceKey in
            let requestedAt = try database.integer(
                "SELECT refreshed_at FROM sections WHERE source = ? AND name = ?",
                [.integer(sourceKey), .text(section)])
            guard let requestedAt else { return nil }
            let ids = try Ranks(section, of: sourceKey, in: database).ids()
            return (ids, Date(millisecondsSince1970: requestedAt))
        }
    }

    /// Stores the ranking of a section and the posts that came with it, all or none of them.
    ///
    /// Details that only come with a request for a single post are kept.
    ///
    /// - Parameter dueAt: when the next automatic refresh is due; nil for at once.
    package func storeRanking(
        _ ids: [String], _ entries: [Entry] = [], of section: String, _ source: SourceID, at now: Date,
        dueAt: Date? = nil
    ) async throws {
        try await write { database in
            let sourceKey = try SourceRow.key(of: source, in: database)
            let writer = try PostWriter(database: database, sourceKey: sourceKey, now: now)
            for listed in entries.map(\.metadata) {
                let known = try writer.find(listed.id)?.metadata
                try writer.save(known.map(listed.completed) ?? listed, isListed: true)
            }
            let ranks = Ranks(section, of: sourceKey, in: database)
            try ranks.replace(with: ids)
            try ranks.noteRefresh(at: now)
            try database.run(
                """
                UPDATE sources SET (refreshed_at, due_at, asked_at, problem, failures) = (?, ?, NULL, NULL, 0)
                WHERE key = ?
                """, [DatabaseValue(now), DatabaseValue(dueAt), .integer(sourceKey)])
        }
    }

    /// The root post of the thread that a post or comment belongs to; nil if one of its ancestors isn't stored.
    static func story(above parent: String, _ sourceKey: Int64, in database: Database) throws -> Story? {
        var (id, seen) = (parent, Set<String>())
        while seen.insert(id).inserted {
            let found = try database.first(
                "SELECT parent, title FROM posts WHERE source = ? AND id = ?", [.integer(sourceKey), .text(id)]
            ) { ($0.text(0), $0.text(1)) }
            guard let (above, title) = found else { return nil }
            guard let above else { return Story(id: id, title: title ?? "") }
            id = above
        }
        return nil
    }

    /// Records that comments were seen, so that later ones count as new.
    ///
    /// This can't be undone like a marking.
    package func noteSeen(_ ids: [String], of source: SourceID) async throws {
        guard notice == nil, !ids.isEmpty else { return }
        try await writeIfFree { database in
            guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return }
            for id in ids {
                try database.run(
                    "UPDATE posts SET is_read = 1 WHERE source = ? AND id = ? AND parent IS NOT NULL",
                    [.integer(sourceKey), .text(id)])
            }
        }
    }

    private static func item(_ id: String, _ sourceKey: Int64, in database: Database) throws -> StoredItem? {
        let sql = """
            SELECT \(PostRow.listColumns), body, fetched_at, format FROM posts JOIN bodies ON bodies.post = posts.key
            WHERE source = ? AND id = ?
            """
        return try database.first(sql, [.integer(sourceKey), .text(id)]) { row in
            Result {
                StoredItem(
                    metadata: try PostRow.metadata(of: row), body: row.text(PostRow.listColumnCount) ?? "",
                    format: row.format(PostRow.listColumnCount + 2),
                    fetchedAt: Date(millisecondsSince1970: row.integer(PostRow.listColumnCount + 1)),
                    state: PostRow.state(of: row))
            }
        }?.get()
    }
}

/// A source's own order of one of its lists: the `ranks` and `sections` tables.
struct Ranks {
    private let database: Database
    private let key: [DatabaseValue]

    init(_ section: String, of sourceKey: Int64, in database: Database) {
        self.database = database
        key = [.integer(sourceKey), .text(section)]
    }

    func ids() throws -> [String] {
        try database.texts("SELECT id FROM ranks WHERE source = ? AND section = ? ORDER BY place", key)
    }

    func replace(with ids: [String]) throws {
        try database.run("DELETE FROM ranks WHERE source = ? AND section = ?", key)
        for (place, id) in zip(Int64(1)..., ids) {
            try database.run(
                "INSERT INTO ranks (source, section, place, id) VALUES (?, ?, ?, ?)",
                key + [.integer(place), .text(id)])
        }
    }

    func noteRefresh(at now: Date) throws {
        try database.run(
            "INSERT OR REPLACE INTO sections (source, name, refreshed_at) VALUES (?, ?, ?)", key + [DatabaseValue(now)])
    }
}

extension Entry {
    fileprivate var hasLostText: Bool { metadata.discussion?.removal != nil && content?.text.isEmpty != false }

    /// A removed entry with its stored text, which stays readable.
    fileprivate func keepingText(of stored: StoredItem) -> Entry {
        guard !stored.body.isEmpty else { return self }
        var kept = stored.metadata
        kept.details = .discussion(
            Discussion(
                parent: kept.discussion?.parent, replies: metadata.discussion?.replies ?? [],
                removal: metadata.discussion?.removal, type: kept.discussion?.type))
        return Entry(kept, content: Entry.Content(stored.body, stored.format))
    }
}

extension PostMetadata {
    fileprivate var isStory: Bool { isDiscussed && discussion?.parent == nil }
}

package struct StoredItem: Sendable {
    package let metadata: PostMetadata
    package let body: String
    /// The format of the text; nil if its source didn't specify it.
    package let format: BodyFormat?
    package let fetchedAt: Date
    package let state: PostState
    /// The comments that were fetched with it; empty for an item from the store.
    package var comments: [Entry] = []

    package init(
        metadata: PostMetadata, body: String, format: BodyFormat?, fetchedAt: Date, state: PostState,
        comments: [Entry] = []
    ) {
        self.metadata = metadata
        self.body = body
        self.format = format
        self.fetchedAt = fetchedAt
        self.state = state
        self.comments = comments
    }
}

extension PostStore {
    package func metadata(id: String, of source: SourceID) throws -> PostMetadata? {
        try read(source) { database, sourceKey in try Self.find(id, sourceKey, in: database)?.metadata }
    }

    /// A post with its marks; nil if it isn't stored.
    package func marked(_ post: PostID) throws -> (metadata: PostMetadata, state: PostState)? {
        try read(post.source) { database, sourceKey in
            let sql = "SELECT \(PostRow.listColumns) FROM posts WHERE source = ? AND id = ?"
            return try database.first(sql, [.integer(sourceKey), .text(post.local)]) { row in
                Result { (try PostRow.metadata(of: row), PostRow.state(of: row)) }
            }?.get()
        }
    }

    /// Stores a post's metadata without changing whether it is listed.
    package func store(_ metadata: PostMetadata, of source: SourceID, at now: Date) async throws {
        try await write { database in
            let sourceKey = try SourceRow.key(of: source, in: database)
            try PostWriter(database: database, sourceKey: sourceKey, now: now).save(metadata, isListed: false)
        }
    }

    static func find(
        _ id: String, _ sourceKey: Int64, in database: Database
    ) throws -> (key: Int64, metadata: PostMetadata)? {
        let sql = "SELECT \(PostRow.columns), key FROM posts WHERE source = ? AND id = ?"
        return try database.first(sql, [.integer(sourceKey), .text(id)]) { row in
            Result { (row.integer(PostRow.columnCount), try PostRow.metadata(of: row)) }
        }?.get()
    }
}
