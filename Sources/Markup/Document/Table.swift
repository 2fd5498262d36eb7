/// A table of a document.
package struct Table: Hashable, Sendable {
    /// How a column is set.
    package enum Alignment: Hashable, Sendable {
        case left
        case center
        case right
    }

    /// One for each column; nil if the author doesn't say.
    package let alignments: [Alignment?]
    /// The names of the columns.
    package let header: [[Span]]
    /// Each row has at most as many cells as there are columns: those that it lacks are empty, and are not made, as a
    /// table of one wide row and many short ones would be many times as long as its text.
    package let rows: [[[Span]]]

    package init(alignments: [Alignment?], header: [[Span]], rows: [[[Span]]]) {
        self.alignments = alignments
        self.header = header
        self.rows = rows
    }
}

extension Table {
    /// A table of rows that may be of different lengths; nil for none.
    init?(rows: [[[Span]]], hasHeader: Bool) {
        guard let columns = rows.map(\.count).max(), columns > 0 else { return nil }
        let header = hasHeader ? rows[0] : []
        self.init(
            alignments: [Table.Alignment?](repeating: nil, count: columns),
            header: header + [[Span]](repeating: [], count: columns - header.count),
            rows: hasHeader ? Array(rows.dropFirst()) : rows)
    }
}
