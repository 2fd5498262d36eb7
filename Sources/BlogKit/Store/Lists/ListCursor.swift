import SQLite

/// A list that is being read.
struct ListCursor {
    let rows: Statement
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
    /// The newest post in the store when the list was opened; later ones are new.
    package let lastPost: Int64
}
