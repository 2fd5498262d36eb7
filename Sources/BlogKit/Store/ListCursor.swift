/// A list that is being read.
struct ListCursor {
    let rows: Statement
    let grouping: Grouping?
    /// The row that was read when the list was opened and is still to be given.
    var first: ListedPost?
}
