import SQLite

extension PostStore {
    /// The posts of a blog's list, the newest first, and what is stored of their bodies.
    func syncPlan(of address: SourceID, limit: Int?) throws -> [SyncItem] {
        try read { database in
            guard let blog = try SourceRow.find(address, in: database) else { return [] }
            let rows = try database.statement(
                """
                SELECT key, body_revision IS NOT NULL, body_revision IS revision FROM posts
                WHERE blog = ? AND listed = 1 ORDER BY date_key DESC, id_key LIMIT ?
                """, [.integer(blog.key), .integer(Int64(limit ?? -1))])
            defer { rows.reset() }
            var items: [SyncItem] = []
            while try rows.step() {
                items.append(
                    SyncItem(
                        post: rows.integer(0), hasBody: rows.integer(1) == 1, isCurrent: rows.integer(2) == 1))
            }
            return items
        }
    }

    /// Posts of a plan with their metadata, in the same order.
    func planned(_ items: some Collection<SyncItem>) throws -> [PlannedPost] {
        try items.map { PlannedPost(metadata: try metadata(ofPost: $0.post), hasBody: $0.hasBody) }
    }

    /// A post's metadata by its key in the store.
    func metadata(ofPost key: Int64) throws -> PostMetadata {
        try read { database in
            let found = try database.first("SELECT \(PostRow.columns) FROM posts WHERE key = ?", [.integer(key)]) {
                row in
                Result { try PostRow.metadata(of: row) }
            }
            guard let found else { throw StoreError.Reason.damaged }
            return try found.get()
        }
    }
}

/// A post whose body a sync is to fetch.
struct PlannedPost: Sendable {
    let metadata: PostMetadata
    /// Whether there is one, of older metadata.
    let hasBody: Bool
}

/// A post of the list as a sync sees it.
package struct SyncItem: Sendable {
    /// The post's key in the store.
    let post: Int64
    let hasBody: Bool
    /// Whether the stored body is of the metadata that is stored.
    let isCurrent: Bool
}
