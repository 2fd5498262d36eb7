import Foundation
import Model
import SQLite

/// Notes when the words of posts changed after they were stored.
struct PostChanges {
    let database: Database
    /// When what is being stored was fetched.
    let now: Date

    /// Notes that a post changed.
    ///
    /// One that was stored or changed in the same response has not changed since: a list may have two records of it.
    func note(_ post: Int64) throws {
        try database.run(
            """
            UPDATE posts SET words_changed_at = ?1, change_number = (
                SELECT ifnull(max(change_number), 0) + 1 FROM posts WHERE change_number IS NOT NULL
            ) WHERE key = ?2 AND changed_at <> ?1
            """, [.integer(now.millisecondsSince1970), .integer(post)])
    }

    /// The newest change there is; 0 for none.
    static func last(in database: Database) throws -> Int64 {
        let sql = "SELECT max(change_number) FROM posts WHERE change_number IS NOT NULL"
        return try database.first(sql) { $0.integer(0) } ?? 0
    }
}

extension PostMetadata {
    /// Whether a reader finds nothing changed: points and replies change all the time without a word being written.
    func reads(as other: PostMetadata) -> Bool {
        (title, summary, author.name, article?.tags ?? [])
            == (other.title, other.summary, other.author.name, other.article?.tags ?? [])
    }
}
