import Foundation
import SQLite

/// Gives the posts of a source that has no ids for people numbers, in the order in which they arrive.
///
/// A post keeps its number for ever, and the date that it had when it was first seen. One with a date in the future is
/// ordered as first seen.
struct EntryNumbers {
    private let database: Database
    private let source: Int64
    private let now: Date

    /// Numbers for the posts of a source; `now` is when its list was learnt.
    init(of source: Int64, in database: Database, now: Date) {
        self.database = database
        self.source = source
        self.now = now
    }

    /// The entry with the number of the post that it is about; nil where there is none yet.
    func known(_ entry: Entry) throws -> (entry: Entry, sortKey: SortKey)? {
        let sql = "SELECT id, publish_date, date_key FROM posts WHERE blog = ? AND post_id = ? AND number IS NOT NULL"
        let found = try database.first(sql, [.integer(source), .text(entry.metadata.postId)]) { row in
            (id: row.text(0) ?? "", date: row.text(1).flatMap { Timestamp($0) }, sortDate: row.integer(2))
        }
        guard let found else { return nil }
        let metadata = entry.metadata.with(id: found.id, publishDate: found.date ?? entry.metadata.publishDate)
        return (Entry(metadata, content: entry.content), SortKey(metadata, date: found.sortDate))
    }

    /// The entry with the next number; ``assign(_:to:)`` notes it with the post.
    ///
    /// A post that was deleted gets the number that it had.
    func next(_ entry: Entry) throws -> (entry: Entry, sortKey: SortKey, number: Int64) {
        let pruned = try prunedPosts.find(.guid(entry.metadata.postId))
        let number = try pruned?.number.flatMap { try isFree($0) ? $0 : nil } ?? nextNumber()
        let seenAt = pruned.map { $0.seenAt / 1000 } ?? Int64(now.timeIntervalSince1970)
        let date =
            entry.numbering?.hasDate == true
            ? entry.metadata.publishDate : Timestamp(secondsSince1970: Int(seenAt))
        let metadata = entry.metadata.with(id: String(number), publishDate: date)
        let sortKey = SortKey(metadata, date: min(date.milliseconds, now.millisecondsSince1970))
        return (Entry(metadata, content: entry.content), sortKey, number)
    }

    /// Whether no post has a number: an import may have brought one.
    private func isFree(_ number: Int64) throws -> Bool {
        let sql = "SELECT 1 FROM posts WHERE blog = ? AND id = ?"
        return try database.first(sql, [.integer(source), .text(String(number))]) { _ in true } == nil
    }

    private func nextNumber() throws -> Int64 {
        let sql = "UPDATE blogs SET last_number = last_number + 1 WHERE key = ? RETURNING last_number"
        guard let number = try database.first(sql, [.integer(source)], { $0.integer(0) }) else {
            throw StoreError.Reason.damaged
        }
        return number
    }

    private var prunedPosts: PrunedPosts { PrunedPosts(of: source, in: database) }

    /// Notes that a post has a number.
    func assign(_ number: Int64, to post: Int64) throws {
        try database.run("UPDATE posts SET number = ? WHERE key = ?", [.integer(number), .integer(post)])
    }
}

extension PostMetadata {
    fileprivate func with(id: String, publishDate: Timestamp) -> PostMetadata {
        PostMetadata(
            id: id, title: title, publishDate: publishDate, postId: postId, summary: summary, author: author,
            link: link, score: score, commentCount: commentCount, details: details)
    }
}
