/// A cursor in a list of which a part is shown.
package struct ScrolledList: Sendable, Equatable {
    /// The row with the cursor.
    package private(set) var cursor = 0
    /// The first row that is shown.
    package private(set) var top = 0
    /// How many rows are shown.
    package var height = 1

    package init() {}

    /// Moves the cursor to a row of `count`, and shows it.
    package mutating func move(to row: Int, of count: Int) {
        cursor = min(max(row, 0), max(count - 1, 0))
        fit(count)
    }

    /// Moves the cursor by some rows.
    package mutating func move(by rows: Int, of count: Int) { move(to: cursor + rows, of: count) }

    /// Shows the cursor's row, and no empty rows below a list that is long enough.
    package mutating func fit(_ count: Int) {
        top = min(max(top, cursor - height + 1), cursor)
        top = max(min(top, count - height), 0)
    }

    /// The rows that are shown.
    package func shown(of count: Int) -> Range<Int> { min(top, count)..<min(top + height, count) }
}
