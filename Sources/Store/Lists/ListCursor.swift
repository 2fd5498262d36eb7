import Model
import SQLite

/// A list that is being read.
struct ListCursor {
    let rows: Statement
    /// Their connection.
    let snapshot: Database
    /// The sources it covers.
    let scope: SourceScope
    let grouping: Grouping?
    /// The search expression, if each post comes with a snippet.
    let search: SearchExpression?
    /// The row that was read when the list was opened, not returned yet.
    var first: ListedPost?
    /// The size of the next batch: small at first, so that the first posts are shown at once.
    var batchSize = 128
}

extension PostStore {
    /// How many lists are being read.
    package var openLists: Int { cursors.count }

    /// Ends the reading of a list, also before its end.
    package func closeList(_ number: Int) {
        cursors[number] = nil
    }
}

/// A list whose posts are about to be read.
package struct OpenedList: Sendable {
    /// What ``PostStore/nextBatch(_:)`` takes.
    package let cursor: Int
    /// The groups in their order; none in a list without groups.
    package let groups: [PostGroup]
    /// What was there when the list was opened; what comes later is new.
    package let lastSeen: LastSeen
}

/// How far somebody has seen what is in the store.
package struct LastSeen: Hashable, Sendable {
    /// The newest post.
    let post: Int64
    /// The newest change of a post.
    let change: Int64

    package init(post: Int64, change: Int64) {
        (self.post, self.change) = (post, change)
    }

    init(in database: Database) throws {
        post = try database.first("SELECT max(key) FROM posts") { $0.integer(0) } ?? 0
        change = try PostChanges.last(in: database)
    }
}
