/// The rows of a table while it is read, with each cell in the column where browsers show it.
///
/// A cell that spans columns or rows leaves empty ones, which are added only before another cell, and at most a few times
/// as many as there are cells: a few bytes can ask for millions.
struct TableGrid {
    private(set) var rows: [[[Span]]] = []
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
    mutating func endGroup() { free = [] }

    /// Adds a cell that spans columns and rows.
    mutating func add(_ cell: [Span], columns: Int, rows height: Int) {
        if rows.isEmpty { beginRow() }
        let row = rows.count - 1
        spare += 4
        var place = column
        while place < free.count, free[place] > row, place - rows[row].count <= spare { place += 1 }
        let missing = place - rows[row].count
        if missing > spare {
            (place, spare) = (rows[row].count, 0)
        } else {
            spare -= missing
        }
        rows[row] += [[Span]](repeating: [], count: place - rows[row].count) + [cell]
        column = place + columns
        if height > 1 { reserve(place, columns, until: row + height) }
    }

    private mutating func reserve(_ place: Int, _ columns: Int, until row: Int) {
        let columns = columns - 1 > spare ? 1 : columns
        spare -= columns - 1
        let end = place + columns
        if free.count < end { free += [Int](repeating: 0, count: end - free.count) }
        for column in place..<end { free[column] = row }
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
