import Foundation
import Model
import SQLite

extension PostStore {
    /// A post's metadata, listed or not.
    package func metadata(id: String, of address: SourceID) throws -> PostMetadata? {
        try read { database in
            guard let blog = try SourceRow.find(address, in: database) else { return nil }
            return try Self.find(id, blog.key, in: database)?.metadata
        }
    }

    /// Stores one post's metadata without changing the list.
    package func store(_ metadata: PostMetadata, of address: SourceID, at now: Date) async throws {
        try await write { database in
            let blog = try SourceRow.key(of: address, in: database)
            try PostWriter(database: database, blog: blog, now: now).save(metadata, isListed: false)
        }
    }

    static func find(
        _ id: String, _ blog: Int64, in database: Database
    ) throws -> (key: Int64, metadata: PostMetadata)? {
        let sql = "SELECT \(PostRow.columns), key FROM posts WHERE blog = ? AND id = ?"
        return try database.first(sql, [.integer(blog), .text(id)]) { row in
            Result { (row.integer(PostRow.columnCount), try PostRow.metadata(of: row)) }
        }?.get()
    }
}
