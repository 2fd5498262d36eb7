/// A list that is being read.
struct ListCursor {
    let rows: Statement
    /// Whose posts they are.
    let scope: SourceScope
    let grouping: Grouping?
    /// What was searched for, where each post comes with the piece that has it.
    let search: SearchExpression?
    /// The row that was read when the list was opened and is still to be given.
    var first: ListedPost?
    /// How many rows are given next: few at first, so that they are shown at once.
    var batchSize = 128
}

extension PostStore {
    /// How many lists are being read.
    package var openLists: Int { cursors.count }

    /// Ends the reading of a list, be it before its end.
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
    /// The newest post in the store when the list was opened: what comes later is new.
    package let lastPost: Int64
}
