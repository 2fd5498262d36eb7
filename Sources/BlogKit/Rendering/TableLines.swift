/// A table as lines: columns where they fit the width, else a row's cells one below the other.
struct TableLines {
    private let table: Table
    private let width: Int

    init(_ table: Table, width: Int) {
        self.table = table
        self.width = width
    }

    func lines(_ spans: inout SpanLines) -> [String] {
        let rows = [table.header] + table.rows
        let widths = (0..<table.header.count).map { column in
            rows.map { DisplayWidth.of(Sanitizer.line($0[column].plainText)) }.max() ?? 0
        }
        let cells = rows.map { row in row.map { spans.lines($0, width: 10_000).joined(separator: " ") } }
        let seen = cells.map { row in row.map { DisplayWidth.of(Self.unpainted($0)) } }
        let columns = widths.indices.map { column in seen.map { $0[column] }.max() ?? 0 }
        guard columns.reduce(0, +) + 2 * (columns.count - 1) <= width else { return stacked(&spans) }
        let rule = columns.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        let lines = zip(cells, seen).map { row, seen in
            columns.indices.map { padded(row[$0], seen[$0], to: columns[$0], table.alignments[$0]) }
                .joined(separator: "  ").trimmingTrailingSpaces
        }
        return [lines[0], rule] + lines.dropFirst()
    }

    private func padded(_ text: String, _ width: Int, to columns: Int, _ alignment: Table.Alignment?) -> String {
        let space = columns - width
        let left = alignment == .right ? space : alignment == .center ? space / 2 : 0
        return String(repeating: " ", count: left) + text + String(repeating: " ", count: space - left)
    }

    private func stacked(_ spans: inout SpanLines) -> [String] {
        var lines: [String] = []
        for row in table.rows {
            if !lines.isEmpty { lines.append("") }
            for (name, cell) in zip(table.header, row) where !cell.isEmpty {
                let text: [Span] = name.isEmpty ? cell : [.strong(name), .text(": ")] + cell
                lines += spans.lines(text, width: width)
            }
        }
        return lines.isEmpty ? spans.lines(Array(table.header.joined(separator: [.text(" · ")])), width: width) : lines
    }

    /// The text without the colours and links that ``SpanLines`` put into it.
    private static func unpainted(_ text: String) -> String {
        text.replacing(#/\u{1B}\[[0-9;]*m|\u{1B}\]8;;[^\u{1B}]*\u{1B}\\/#, with: "")
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
