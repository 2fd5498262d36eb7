import BlogEssentials
import BlogModel

/// Single posts.
package struct Posts {
    let database: Database

    package init(_ database: Database) { self.database = database }

    /// A post's metadata; nil if it isn't stored.
    package func metadata(_ id: String, of source: SourceID) throws -> PostMetadata? {
        guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return nil }
        return try PostRow.find(id, sourceKey, in: database)?.metadata
    }

    /// A post's metadata by its key; nil if the post was deleted.
    ///
    /// Throws ``StoreError/Reason/damaged`` if it can't be read.
    func metadata(ofPost key: Int64) throws -> PostMetadata? {
        try database.first("SELECT \(PostRow.columns) FROM posts WHERE key = ?", [.integer(key)]) { row in
            Result { try PostRow.metadata(of: row) }
        }?.get()
    }

    /// A post with its marks; nil if it isn't stored.
    package func marked(_ post: PostID) throws -> (metadata: PostMetadata, state: PostState)? {
        guard let sourceKey = try SourceRow.find(post.source, in: database)?.key else { return nil }
        let sql = "SELECT \(PostRow.listColumns) FROM posts WHERE source = ? AND id = ?"
        return try database.first(sql, [.integer(sourceKey), .text(post.local)]) { row in
            Result { (try PostRow.metadata(of: row), PostRow.state(of: row)) }
        }?.get()
    }

    /// The marks of a post, and whether another source may have a post of its story; nil if it isn't stored.
    package func facts(of post: PostID) throws -> (state: PostState, hasTwin: Bool)? {
        let sql = """
            SELECT is_read, is_saved, labels, twin FROM posts JOIN sources ON sources.key = posts.source
            WHERE kind = ? AND address = ? AND posts.id = ?
            """
        return try database.first(sql, post.source.values + [.text(post.local)]) { row in
            (
                PostState(
                    isRead: row.bool(0), isSaved: row.bool(1), labels: row.text(2).map(TagLines.tags) ?? []),
                row.integer(3) & Stories.hasTwin != 0
            )
        }
    }

    /// The marks of those posts that are stored.
    package func states(of posts: [PostID]) throws -> [PostID: PostState] {
        var states: [PostID: PostState] = [:]
        let sql = "SELECT is_read, is_saved, labels FROM posts WHERE source = ? AND id = ?"
        for (source, posts) in Dictionary(grouping: posts, by: \.source) {
            guard let key = try SourceRow.find(source, in: database)?.key else { continue }
            for post in posts {
                states[post] = try database.first(sql, [.integer(key), .text(post.local)]) {
                    PostState(
                        isRead: $0.bool(0), isSaved: $0.bool(1), labels: $0.text(2).map(TagLines.tags) ?? [])
                }
            }
        }
        return states
    }

    /// The post with a link, preferably of a followed source; of several, the newest in the store.
    package func find(withLink link: String) throws -> PostID? {
        try database.first(
            """
            SELECT kind, address, posts.id FROM posts JOIN sources ON sources.key = posts.source
            WHERE link = ? ORDER BY followed_at IS NULL, posts.key DESC LIMIT 1
            """, [.text(link)]
        ) { $0.postID(0) }
    }

    /// The numbered post of a source with a GUID; nil if none is stored.
    package func find(withGUID guid: String, of source: SourceID) throws -> PostID? {
        guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return nil }
        let sql = "SELECT id FROM posts WHERE source = ? AND post_id = ? AND number IS NOT NULL"
        return try database.first(sql, [.integer(sourceKey), .text(guid)]) { row in
            PostID(source: source, local: row.text(0) ?? "")
        }
    }

    /// The root post of the thread that a post or comment belongs to; nil if one of its ancestors isn't stored.
    ///
    /// - Parameter known: the root posts above others of the source, to which those on the way are added.
    func story(above parent: String, _ sourceKey: Int64, known: inout [String: Story?]) throws -> Story? {
        var (id, seen, story) = (parent, Set<String>(), Story?.none)
        while seen.insert(id).inserted {
            if let found = known[id] {
                story = found
                break
            }
            let found = try database.first(
                "SELECT parent, title FROM posts WHERE source = ? AND id = ?", [.integer(sourceKey), .text(id)]
            ) { ($0.text(0), $0.text(1)) }
            guard let (above, title) = found else { break }
            guard let above else {
                story = Story(id: id, title: title ?? "")
                break
            }
            id = above
        }
        for id in seen { known[id] = .some(story) }
        return story
    }

    /// Stores a post's metadata without changing whether it is listed.
    package func save(_ metadata: PostMetadata, of source: SourceID, at now: Date) throws {
        let sourceKey = try SourceRow.key(of: source, in: database)
        try PostWriter(database: database, sourceKey: sourceKey, now: now).save(metadata, nil, isListed: false)
    }

    /// Stores a single post as listed and returns its id, which is a number.
    ///
    /// A stored post with the same ``PostMetadata/postId`` is updated and keeps its number.
    package func addNumbered(_ entry: Entry, to source: SourceID, at now: Date) throws -> PostID {
        let sourceKey = try SourceRow.key(of: source, in: database)
        var numbers = EntryNumbers(of: sourceKey, in: database, now: now)
        let writer = try PostWriter(database: database, sourceKey: sourceKey, now: now)
        let post = try EntryIdentity(sourceKey: sourceKey, database: database).stored(as: entry.metadata.postId)
        let (id, key, _) = try numbers.save(entry, as: post, with: writer)
        try numbers.finish()
        try Bodies(database).save(entry.content, ofPost: key, at: now)
        return PostID(source: source, local: id)
    }
}
