/// A list that is being read.
struct ListCursor {
    let rows: Statement
    let grouping: Grouping?
    /// What was searched for, where each post comes with the piece that has it.
    let search: SearchExpression?
    /// The row that was read when the list was opened and is still to be given.
    var first: ListedPost?
    /// How many rows are given next: few at first, so that they are shown at once.
    var batchSize = 128
}
