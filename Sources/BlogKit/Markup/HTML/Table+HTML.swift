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
