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
    /// Each row has as many cells as there are columns.
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
        let full = rows.map { $0 + [[Span]](repeating: [], count: columns - $0.count) }
        self.init(
            alignments: [Table.Alignment?](repeating: nil, count: columns),
            header: hasHeader ? full[0] : [[Span]](repeating: [], count: columns),
            rows: hasHeader ? Array(full.dropFirst()) : full)
    }
}
