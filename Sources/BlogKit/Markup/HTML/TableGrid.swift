/// The rows of a table being read, with each cell in the column where browsers show it.
///
/// The cells that a spanning cell covers are filled in only before another cell, and at most about four for every cell
/// in the table: a few bytes can claim millions.
struct TableGrid {
    private(set) var rows: [[[Span]]] = []
    /// The cells that span columns or rows, with their published sizes.
    private var merged: [(position: CellPosition, size: CellSize, group: Int)] = []
    /// The row at which each row group (head, body or foot) ends.
    private var groupEnds: [Int] = []
    /// False once a limit has moved a cell from where browsers show it.
    private var isExact = true
    /// The column of the next cell.
    private var column = 0
    /// For each column, the first row that no cell from above covers.
    private var free: [Int] = []
    /// The number of empty cells that may still be added.
    private var spare = 64

    /// The cells in the widest row so far.
    var columns: Int { rows.map(\.count).max() ?? 0 }

    mutating func beginRow() {
        rows.append([])
        column = 0
    }

    /// Ends a row group, and with it the cells that span further rows.
    mutating func endGroup() {
        free = []
        groupEnds.append(rows.count)
    }

    mutating func add(_ cell: [Span], columns: Int, rows height: Int) {
        if rows.isEmpty || column >= Self.maxColumns { beginRow() }
        let row = rows.count - 1
        spare += 4
        var start = column
        while start < free.count, free[start] > row, start - rows[row].count <= spare { start += 1 }
        let missing = start - rows[row].count
        if missing > spare {
            (start, spare, isExact) = (rows[row].count, 0, false)
        } else {
            spare -= missing
        }
        rows[row] += [[Span]](repeating: [], count: start - rows[row].count) + [cell]
        column = start + columns
        if columns > 1 || height > 1 {
            let size = CellSize(columns: columns, rows: height)
            merged.append((CellPosition(row: row, column: start), size, groupEnds.count))
        }
        if height > 1 { reserve(start, columns, until: row + height) }
    }

    private mutating func reserve(_ start: Int, _ columns: Int, until row: Int) {
        isExact = isExact && columns - 1 <= spare
        let columns = columns - 1 > spare ? 1 : columns
        spare -= columns - 1
        let end = start + columns
        if free.count < end { free += [Int](repeating: 0, count: end - free.count) }
        for column in start..<end { free[column] = row }
    }

    /// The table without empty rows; nil if all are empty.
    mutating func table(hasHeader: Bool) -> Table? {
        let shown = rows.filter { !$0.isEmpty }
        guard let columns = shown.map(\.count).max() else { return nil }
        let header = hasHeader ? shown[0] : []
        return Table(
            alignments: [Table.Alignment?](repeating: nil, count: columns),
            header: header + [[Span]](repeating: [], count: columns - header.count),
            rows: hasHeader ? Array(shown.dropFirst()) : shown,
            sizes: sizes(columns: columns, headers: hasHeader ? 0 : 1))
    }

    /// The sizes of the spanning cells, clipped to their row group and counted in nonempty rows.
    private mutating func sizes(columns: Int, headers: Int) -> [CellPosition: CellSize] {
        endGroup()
        guard isExact else { return [:] }
        var count = headers
        // The index of each row among the nonempty ones.
        let numbers =
            rows.map { row in
                defer { count += row.isEmpty ? 0 : 1 }
                return count
            } + [count]
        var sizes: [CellPosition: CellSize] = [:]
        for (position, size, group) in merged {
            let row = numbers[position.row]
            let shown = CellSize(
                columns: min(size.columns, columns - position.column),
                rows: numbers[min(position.row + size.rows, groupEnds[group])] - row)
            if shown != CellSize() { sizes[CellPosition(row: row, column: position.column)] = shown }
        }
        return sizes
    }

    /// The limits of `colspan` and `rowspan` (https://html.spec.whatwg.org/#attr-tdth-colspan).
    static let maxColumns = 1000
    static let maxRows = 65534
}
