import BlogModel

/// What a sync has to fetch: which listed posts are stored with their bodies.
package struct SyncPlan {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// A listed post.
    package struct Item: Sendable {
        /// The post's key.
        package let post: Int64
        package let hasBody: Bool
        /// Whether the stored body belongs to the stored metadata.
        package let isCurrent: Bool
    }

    /// The listed posts of a source that a query finds, newest first, and whether their bodies are stored.
    package func items(of source: SourceID, _ query: Query, _ settled: SettledRules) throws -> [Item] {
        // Whatever a rule hides comes back, with its body, when the rule ends.
        var query = query
        query.filter.hidden = .included
        guard let stored = try SourceRow.find(source, in: database),
            let (conditions, values) = ListStatement.allConditions(query, SourceScope([stored]), settled)
        else { return [] }
        return try database.all(
            """
            SELECT key, body_revision IS NOT NULL, body_revision IS revision FROM posts
            WHERE listed = 1 AND \(conditions.joined(separator: " AND ")) ORDER BY date_key DESC, id_key LIMIT ?
            """, values + [.integer(Int64(query.limit ?? -1))]
        ) { row in
            Item(post: row.integer(0), hasBody: row.bool(1), isCurrent: row.bool(2))
        }
    }
}

extension PostStore {
    /// The metadata of the posts of a plan in the same order, except deleted and unreadable ones, and whether a body is
    /// stored.
    package func planned(
        _ items: some Collection<SyncPlan.Item>
    ) throws -> [(metadata: PostMetadata, hasBody: Bool)] {
        try items.compactMap { item in
            try metadata(ofPost: item.post).map { ($0, item.hasBody) }
        }
    }

    /// A post's metadata by its key; nil if the post was deleted or can't be read.
    package func metadata(ofPost key: Int64) throws -> PostMetadata? {
        try connection.read { database in
            do {
                return try Posts(database).metadata(ofPost: key)
            } catch StoreError.Reason.damaged {
                connection.note(unreadable: [key])
                return nil
            }
        }
    }
}
