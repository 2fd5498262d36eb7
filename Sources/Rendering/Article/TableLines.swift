import Markup

/// A table as lines: in columns, or with the cells of a row one below the other, whichever is shorter.
struct TableLines {
    private let table: Table
    private let width: Int

    init(_ table: Table, width: Int) {
        self.table = table
        self.width = width
    }

    /// Passes the lines to a function one by one.
    func write(_ spans: inout SpanLines, _ give: (StyledText) throws -> Void) rethrows {
        guard let (widths, isWhole) = fitted(&spans) else { return try stacked(&spans, give) }
        // If narrow cells need more lines than stacked ones, stacked cells are easier to read.
        let isStacked = !isWhole && !hasNoHeader && stackedCount(&spans) < columnsCount(widths, &spans)
        try isStacked ? stacked(&spans, give) : columns(widths, &spans, give)
    }

    private func stackedCount(_ spans: inout SpanLines) -> Int {
        var count = 0
        stacked(&spans) { _ in count += 1 }
        return count
    }

    private func columnsCount(_ widths: [Int], _ spans: inout SpanLines) -> Int {
        var count = 0
        columns(widths, &spans) { _ in count += 1 }
        return count
    }

    private var hasNoHeader: Bool { table.header.allSatisfy(\.isEmpty) }

    // MARK: Columns

    /// The width of each column, and whether all cells fit on one line; nil if the longest words don't fit, or if the
    /// table would be mostly space.
    private func fitted(_ spans: inout SpanLines) -> (widths: [Int], isWhole: Bool)? {
        let count = table.header.count
        var natural = [Int](repeating: 0, count: count)
        var least = natural
        var text = 0
        for row in [table.header] + table.rows {
            for (column, cell) in row.prefix(count).enumerated() {
                for line in spans.lines(cell, width: Self.unbounded).map(\.plain) {
                    let width = DisplayWidth.of(line)
                    text += width
                    natural[column] = max(natural[column], width)
                    let longestWord = line.split(separator: " ").map { DisplayWidth.of(String($0)) }.max() ?? 0
                    least[column] = max(least[column], longestWord)
                }
            }
        }
        let room = width - Self.gap.count * (count - 1)
        guard least.reduce(0, +) <= room, let widths = Self.widths(natural, least, room) else { return nil }
        let area = widths.reduce(0, +) * table.rows.count
        guard area <= Self.mostSpace * text + Self.usualWidth * table.rows.count else { return nil }
        return (widths, widths == natural)
    }

    /// The widest columns shrink first, until they are equally wide.
    private static func widths(_ natural: [Int], _ least: [Int], _ room: Int) -> [Int]? {
        for most in stride(from: natural.max() ?? 0, through: 0, by: -1) {
            let widths = zip(natural, least).map { max(min($0, most), $1) }
            if widths.reduce(0, +) <= room { return widths }
        }
        return nil
    }

    private func columns(
        _ widths: [Int], _ spans: inout SpanLines, _ give: (StyledText) throws -> Void
    ) rethrows {
        if !hasNoHeader {
            try row(table.header, widths, &spans).forEach(give)
            let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: Self.gap)
            try give(StyledText(rule, .muted))
        }
        for cells in table.rows { try row(cells, widths, &spans).forEach(give) }
    }

    private func row(_ cells: [[Span]], _ widths: [Int], _ spans: inout SpanLines) -> [StyledText] {
        var lines: [StyledText] = []
        var start = 0
        for (column, (cell, width)) in zip(cells, widths).enumerated() {
            let texts = spans.lines(cell, width: max(width, 1))
            while lines.count < texts.count { lines.append(StyledText(String(repeating: " ", count: start))) }
            for line in lines.indices {
                let text = line < texts.count ? texts[line] : ""
                lines[line] += padded(text, to: width, table.alignments[column])
                lines[line] += StyledText(Self.gap)
            }
            start += width + Self.gap.count
        }
        return lines.map(\.trimmed)
    }

    private func padded(_ text: StyledText, to columns: Int, _ alignment: Table.Alignment?) -> StyledText {
        let width = text.width
        let left = alignment == .right ? columns : alignment == .center ? width + (columns - width) / 2 : 0
        return text.padded(to: left, isRightAligned: true).padded(to: columns)
    }

    // MARK: Rows below their names

    private func stacked(_ spans: inout SpanLines, _ give: (StyledText) throws -> Void) rethrows {
        // A very long name is written in full only once.
        let shortNames = table.header.map(Self.shortened)
        var (hasLines, isAfterRow) = (false, false)
        for (number, row) in table.rows.enumerated() {
            for (name, cell) in zip(number == 0 ? table.header : shortNames, row) where !cell.isEmpty {
                if isAfterRow { try give("") }
                (hasLines, isAfterRow) = (true, false)
                let text: [Span] = name.isEmpty ? cell : [.strong(name), .text(": ")] + cell
                for (index, line) in spans.lines(text, width: width - Self.gap.count).enumerated() {
                    try give(index == 0 ? line : StyledText(Self.gap) + line)
                }
            }
            isAfterRow = hasLines
        }
        guard !hasLines else { return }
        let names = Array(table.header.joined(separator: [.text(" · ")]))
        try spans.lines(names, width: width).forEach(give)
    }

    private static func shortened(_ name: [Span]) -> [Span] {
        let text = name.plainText
        return text.utf8.count <= maxName ? name : [.text(TextLayout.truncate(Sanitizer.line(text), width: maxName))]
    }

    /// The longest name that is repeated for every row, in columns.
    private static let maxName = 40
    /// How many times wider than its text a table may be in total.
    private static let mostSpace = 4
    /// The width that a row may always have.
    private static let usualWidth = 120
    private static let gap = "  "
    private static let unbounded = 10_000
}
