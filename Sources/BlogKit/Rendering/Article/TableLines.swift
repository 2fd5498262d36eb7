/// A table as lines: in columns, or a row's cells one below the other, whichever is shorter.
struct TableLines {
    private let table: Table
    private let width: Int

    init(_ table: Table, width: Int) {
        self.table = table
        self.width = width
    }

    func lines(_ spans: inout SpanLines) -> [StyledText] {
        let stacked = stacked(&spans)
        guard let (widths, isWhole) = fitted(&spans) else { return stacked }
        let columns = columns(widths, &spans)
        // Where cells get so narrow that columns need more lines, a row is read better below its names.
        return isWhole || hasNoHeader || columns.count <= stacked.count ? columns : stacked
    }

    private var hasNoHeader: Bool { table.header.allSatisfy(\.isEmpty) }

    // MARK: Columns

    /// The columns that each cell may take, and whether each has what it needs to be on one line; nil if not even the
    /// longest words fit.
    private func fitted(_ spans: inout SpanLines) -> (widths: [Int], isWhole: Bool)? {
        var (natural, least) = ([Int](), [Int]())
        for column in table.header.indices {
            let texts = ([table.header] + table.rows).flatMap { row in
                spans.lines(row[column], width: Self.unbounded).map(\.plain)
            }
            natural.append(texts.map(DisplayWidth.of).max() ?? 0)
            least.append(texts.flatMap { $0.split(separator: " ") }.map { DisplayWidth.of(String($0)) }.max() ?? 0)
        }
        let room = width - Self.gap.count * (natural.count - 1)
        guard least.reduce(0, +) <= room else { return nil }
        // The widest columns give way first, down to the same width.
        for most in stride(from: natural.max() ?? 0, through: 0, by: -1) {
            let widths = zip(natural, least).map { max(min($0, most), $1) }
            if widths.reduce(0, +) <= room { return (widths, widths == natural) }
        }
        return nil
    }

    private func columns(_ widths: [Int], _ spans: inout SpanLines) -> [StyledText] {
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: Self.gap)
        var lines = hasNoHeader ? [] : row(table.header, widths, &spans) + [StyledText(rule, .muted)]
        for cells in table.rows { lines += row(cells, widths, &spans) }
        return lines
    }

    private func row(_ cells: [[Span]], _ widths: [Int], _ spans: inout SpanLines) -> [StyledText] {
        let texts = zip(cells, widths).map { spans.lines($0, width: max($1, 1)) }
        return (0..<(texts.map(\.count).max() ?? 0)).map { line in
            let row = widths.indices.map { column in
                let text = line < texts[column].count ? texts[column][line] : ""
                return padded(text, to: widths[column], table.alignments[column])
            }.joined(separator: StyledText(Self.gap))
            return row.trimmed
        }
    }

    private func padded(_ text: StyledText, to columns: Int, _ alignment: Table.Alignment?) -> StyledText {
        let width = text.width
        let left = alignment == .right ? columns : alignment == .center ? width + (columns - width) / 2 : 0
        return text.padded(to: left, isRightAligned: true).padded(to: columns)
    }

    // MARK: Rows below their names

    private func stacked(_ spans: inout SpanLines) -> [StyledText] {
        var lines: [StyledText] = []
        for row in table.rows {
            if !lines.isEmpty { lines.append("") }
            for (name, cell) in zip(table.header, row) where !cell.isEmpty {
                let text: [Span] = name.isEmpty ? cell : [.strong(name), .text(": ")] + cell
                let field = spans.lines(text, width: width - Self.gap.count)
                lines += field.enumerated().map { $0 == 0 ? $1 : StyledText(Self.gap) + $1 }
            }
        }
        return lines.isEmpty ? spans.lines(Array(table.header.joined(separator: [.text(" · ")])), width: width) : lines
    }

    private static let gap = "  "
    private static let unbounded = 10_000
}
