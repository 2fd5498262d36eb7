import Model
import SQLite

extension PostStore {
    /// The posts of a blog's list, the newest first, and what is stored of their bodies.
    package func syncPlan(of source: SourceID, limit: Int?) throws -> [SyncItem] {
        try read { database in
            guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return [] }
            return try database.all(
                """
                SELECT key, body_revision IS NOT NULL, body_revision IS revision FROM posts
                WHERE blog = ? AND listed = 1 ORDER BY date_key DESC, id_key LIMIT ?
                """, [.integer(sourceKey), .integer(Int64(limit ?? -1))]
            ) { row in
                SyncItem(post: row.integer(0), hasBody: row.integer(1) == 1, isCurrent: row.integer(2) == 1)
            }
        }
    }

    /// Posts of a plan with their metadata, in the same order, without those that are gone or can't be read.
    package func planned(_ items: some Collection<SyncItem>) throws -> [PlannedPost] {
        try items.compactMap { item in
            try metadata(ofPost: item.post).map { PlannedPost(metadata: $0, hasBody: item.hasBody) }
        }
    }

    /// A post's metadata by its key in the store; nil for one that is gone or can't be read.
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

/// A post whose body a sync is to fetch.
package struct PlannedPost: Sendable {
    package let metadata: PostMetadata
    /// Whether there is one, of older metadata.
    package let hasBody: Bool
}

/// A post of the list as a sync sees it.
package struct SyncItem: Sendable {
    /// The post's key in the store.
    package let post: Int64
    package let hasBody: Bool
    /// Whether the stored body is of the metadata that is stored.
    package let isCurrent: Bool
}
