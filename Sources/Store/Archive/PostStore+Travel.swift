import Foundation
import Model
import SQLite

extension PostStore {
    /// Merges posts into the store in one transaction.
    package func merge(_ posts: [ExportedPost]) async throws -> MergeReport {
        try await writeToDisk { database in
            var report = MergeReport()
            for imported in posts {
                let blog = try SourceRow.key(
                    of: SourceID(kind: imported.source, address: imported.address), in: database)
                let post = try Self.renumbered(imported, blog: blog, in: database)
                let stored = try Self.find(
                    "posts.blog = ? AND id = ?", [.integer(blog), .text(post.metadata.id)], in: database)
                let merged = stored?.content.merged(with: post) ?? post
                guard merged != stored?.content else {
                    report.unchanged += 1
                    continue
                }
                try Self.save(merged, key: stored?.key, blog: blog, in: database)
                if stored == nil { report.new += 1 } else { report.changed += 1 }
                // What the server lists must be compared with all of it next time.
                try SourceRow.forgetValidators(of: blog, in: database)
            }
            return report
        }
    }

    /// A post whose id is a number, with the number that it has here: another store may have given it another, and this
    /// one to another post; and no store gives one that is out of range.
    private static func renumbered(
        _ post: ExportedPost, blog: Int64, in database: Database
    ) throws -> ExportedPost {
        guard post.numbered == true else { return post }
        let numbers = EntryNumbers(of: blog, in: database, now: Date(millisecondsSince1970: post.changedAt))
        let known = try database.first(
            "SELECT id FROM posts WHERE blog = ? AND post_id = ? AND number IS NOT NULL",
            [.integer(blog), .text(post.metadata.postId)]
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

    private static func save(_ post: ExportedPost, key: Int64?, blog: Int64, in database: Database) throws {
        let changed = Date(millisecondsSince1970: post.changedAt)
        let writer = try PostWriter(database: database, blog: blog, now: changed, notesChanges: false)
        let sortKey = SortKey(post.metadata, date: min(post.metadata.publishDate.milliseconds, post.changedAt))
        let key = try writer.save(post.metadata, post.numbered == true ? sortKey : nil, isListed: post.listed).key
        try database.run(
            """
            UPDATE posts SET (number, listed, is_read, is_saved, changed_at, words_changed_at) = (?, ?, ?, ?, ?, ?)
            WHERE key = ?
            """,
            [
                DatabaseValue(post.numbered == true ? Int64(post.metadata.id) : nil),
                .integer(post.listed ? 1 : 0), .integer(post.read ? 1 : 0), .integer(post.saved ? 1 : 0),
                .integer(post.changedAt), DatabaseValue(post.wordsChangedAt), .integer(key),
            ])
        guard let body = post.body else { return }
        try SearchIndex(database: database).noteChange(of: key)
        // Stores of older versions took what has replies for HTML, without saying so.
        let format = body.format.flatMap { BodyFormat(rawValue: $0) } ?? (post.metadata.discussion == nil ? nil : .html)
        let fetched = FetchedBody(
            text: body.text, format: format, fetchedAt: Date(millisecondsSince1970: body.fetchedAt))
        try insert(fetched, of: key, over: StoredText.find(key, in: database), in: database)
        // A revision that no metadata has ever had: the body is of an older one.
        try database.run(
            "UPDATE posts SET body_revision = \(body.isCurrent ? "revision" : "0") WHERE key = ?", [.integer(key)])
    }
}

/// What a merge changed.
public struct MergeReport: Hashable, Sendable {
    /// Posts that were not stored before.
    public internal(set) var new = 0
    /// Posts of which something was changed.
    public internal(set) var changed = 0
    /// Posts that did not change.
    public internal(set) var unchanged = 0

    /// Posts in all.
    public var total: Int { new + changed + unchanged }

    /// A report of nothing.
    public init() {}

    /// Adds what another merge changed.
    public mutating func add(_ other: MergeReport) {
        new += other.new
        changed += other.changed
        unchanged += other.unchanged
    }
}
