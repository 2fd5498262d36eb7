/// Writes a table whose cells may span columns and rows.
struct PageTable {
    private let table: Table
    private let rows: [Row]
    /// For each column, the number of columns before it in which cells begin: browsers count only those.
    private let offsets: [Int]

    private struct Row {
        let isHead: Bool
        /// Whether cells above extend into it.
        let isCovered: Bool
        /// The cells that aren't covered by others.
        var cells: [Cell] = []
    }

    private struct Cell {
        let spans: [Span]
        let column: Int
        let columns: Int
        let rows: Int
    }

    init(_ table: Table) {
        self.table = table
        rows = Self.rows(of: table)
        var begins = [Bool](repeating: false, count: table.alignments.count)
        for cell in rows.lazy.flatMap(\.cells) { begins[cell.column] = true }
        offsets = begins.reduce(into: [0]) { $0.append(($0.last ?? 0) + ($1 ? 1 : 0)) }
    }

    private static func rows(of table: Table) -> [Row] {
        let columns = table.alignments.count
        let hasHead = table.header.contains { !$0.isEmpty }
        // The head has as many rows as its tallest cell.
        let headCount = hasHead ? (0..<columns).map { table.size(row: 0, column: $0).rows }.max() ?? 1 : 0
        // For each column, the first row that isn't covered from above, and the last of these rows.
        var (free, end) = ([Int](repeating: 0, count: columns), 0)
        return ([table.header] + table.rows).enumerated().compactMap { number, spans in
            // Empty rows count only in tables with cells of several rows.
            if number == 0 ? !hasHead : table.sizes.isEmpty && spans.allSatisfy(\.isEmpty) { return nil }
            var row = Row(isHead: number < headCount, isCovered: end > number)
            var column = 0
            while column < min(spans.count, columns) {
                guard free[column] <= number else {
                    column += 1
                    continue
                }
                let size = table.size(row: number, column: column)
                let height = row.isHead ? min(size.rows, headCount - number) : size.rows
                row.cells.append(Cell(spans: spans[column], column: column, columns: size.columns, rows: height))
                if height > 1 {
                    for covered in column..<column + size.columns { free[covered] = number + height }
                    end = max(end, number + height)
                }
                column += size.columns
            }
            return row
        }
    }

    /// The table's head and body; "" if all cells are empty.
    func text(_ text: ([Span]) -> PageText) -> PageText {
        let head = rows.filter(\.isHead).map { html(of: $0, text) }.joined()
        let body = rows.filter { !$0.isHead }.map { html(of: $0, text) }.joined()
        return (head.isEmpty ? "" : "<thead>\(head)</thead>\n") + (body.isEmpty ? "" : "<tbody>\(body)</tbody>\n")
    }

    private func html(of row: Row, _ text: ([Span]) -> PageText) -> PageText {
        let cells = row.cells.map { cell -> PageText in
            let columns = offsets[cell.column + cell.columns] - offsets[cell.column]
            let inner = text(cell.spans)
            let isHeader = row.isHead && !inner.isEmpty
            let span: PageText = columns > 1 ? " colspan=\"\(columns)\"" : ""
            let attributes = span + (cell.rows > 1 ? " rowspan=\"\(cell.rows)\"" : "")
            let style: PageText = inner.isEmpty ? "" : Self.style(table.alignments[cell.column])
            return isHeader
                ? "<th scope=\"col\"\(attributes)\(style)>\(inner)</th>" : "<td\(attributes)\(style)>\(inner)</td>"
        }
        let end = row.cells.last.map { $0.column + $0.columns } ?? 0
        let missing = row.isCovered ? 0 : offsets[table.alignments.count] - offsets[end]
        let rest: PageText = missing > 0 ? "<td colspan=\"\(missing)\"></td>" : ""
        return "<tr>\(cells.joined())\(rest)</tr>\n"
    }

    private static func style(_ alignment: Table.Alignment?) -> PageText {
        switch alignment {
        case .center: " class=\"center\""
        case .right: " class=\"right\""
        case .left, nil: ""
        }
    }
}
