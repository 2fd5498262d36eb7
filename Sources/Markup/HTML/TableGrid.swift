/// The rows of a table while it is read, with each cell in the column where browsers show it.
///
/// A cell that spans columns or rows leaves empty ones, which are added only before another cell, and at most a few times
/// as many as there are cells: a few bytes can ask for millions.
struct TableGrid {
    private(set) var rows: [[[Span]]] = []
    /// The cells that span columns or rows, with sizes as published.
    private var merged: [(place: CellPlace, size: CellSize, group: Int)] = []
    /// The ends of the table's head and bodies.
    private var groupEnds: [Int] = []
    /// False if cells aren't where browsers show them.
    private var isExact = true
    /// The column of the next cell.
    private var column = 0
    /// For each column, the first row below the cells from above.
    private var free: [Int] = []
    /// How many empty cells may still be added.
    private var spare = 64

    mutating func beginRow() {
        rows.append([])
        column = 0
    }

    /// Ends the cells that span further rows, at the end of a table's head or body.
    mutating func endGroup() {
        free = []
        groupEnds.append(rows.count)
    }

    /// Adds a cell that spans columns and rows.
    mutating func add(_ cell: [Span], columns: Int, rows height: Int) {
        if rows.isEmpty { beginRow() }
        let row = rows.count - 1
        spare += 4
        var place = column
        while place < free.count, free[place] > row, place - rows[row].count <= spare { place += 1 }
        let missing = place - rows[row].count
        if missing > spare {
            (place, spare, isExact) = (rows[row].count, 0, false)
        } else {
            spare -= missing
        }
        rows[row] += [[Span]](repeating: [], count: place - rows[row].count) + [cell]
        column = place + columns
        if columns > 1 || height > 1 {
            let size = CellSize(columns: columns, rows: height)
            merged.append((CellPlace(row: row, column: place), size, groupEnds.count))
        }
        if height > 1 { reserve(place, columns, until: row + height) }
    }

    private mutating func reserve(_ place: Int, _ columns: Int, until row: Int) {
        isExact = isExact && columns - 1 <= spare
        let columns = columns - 1 > spare ? 1 : columns
        spare -= columns - 1
        let end = place + columns
        if free.count < end { free += [Int](repeating: 0, count: end - free.count) }
        for column in place..<end { free[column] = row }
    }

    /// The table, without the rows that have no cells; nil if no row has one.
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

    /// The sizes of cells within their groups and the rows that have cells.
    private mutating func sizes(columns: Int, headers: Int) -> [CellPlace: CellSize] {
        endGroup()
        guard isExact else { return [:] }
        var count = headers
        // The number of each row among those that have cells.
        let numbers =
            rows.map { row in
                defer { count += row.isEmpty ? 0 : 1 }
                return count
            } + [count]
        var sizes: [CellPlace: CellSize] = [:]
        for (place, size, group) in merged {
            let row = numbers[place.row]
            let shown = CellSize(
                columns: min(size.columns, columns - place.column),
                rows: numbers[min(place.row + size.rows, groupEnds[group])] - row)
            if shown != CellSize() { sizes[CellPlace(row: row, column: place.column)] = shown }
        }
        return sizes
    }

    /// The number of a `colspan` or `rowspan`, bounded as in https://html.spec.whatwg.org/#attr-tdth-colspan.
    static func span(_ value: String?, most: Int, zero: Int = 1) -> Int {
        let digits = (value ?? "").utf8.drop(while: \.isASCIIWhitespace).prefix(while: \.isDigit)
        guard let number = Int(digits.prefix(9).text) else { return 1 }
        return number == 0 ? zero : min(number, most)
    }

    static let mostColumns = 1000
    static let mostRows = 65534
}
