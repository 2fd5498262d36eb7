import BlogMarkup

/// Lays out a table in columns, or else with the cells of each row stacked.
///
/// Stacked if the columns don't fit or would be mostly empty, or if cells must be wrapped and stacking takes fewer lines.
struct TableLines {
    private let table: Table
    private let width: Int

    init(_ table: Table, width: Int) {
        self.table = table
        self.width = width
    }

    func write(_ spans: inout SpanLines, _ emit: (StyledText) throws -> Void) rethrows {
        guard let (widths, fits) = fitted(&spans) else { return try stacked(&spans, emit) }
        // If wrapped cells take more lines, stacked ones are easier to read.
        var (stackedCount, columnsCount) = (0, 0)
        if !fits, hasHeader {
            stacked(&spans) { _ in stackedCount += 1 }
            columns(widths, &spans) { _ in columnsCount += 1 }
        }
        try stackedCount < columnsCount ? stacked(&spans, emit) : columns(widths, &spans, emit)
    }

    private var hasHeader: Bool { !table.header.allSatisfy(\.isEmpty) }

    // MARK: Columns

    /// The width of each column, and whether every cell fits on one line; nil if the longest words don't fit, or if the
    /// table would be mostly empty.
    private func fitted(_ spans: inout SpanLines) -> (widths: [Int], fits: Bool)? {
        let count = table.header.count
        var natural = [Int](repeating: 0, count: count)
        var minimum = natural
        var textWidth = 0
        for row in [table.header] + table.rows {
            for (column, cell) in row.prefix(count).enumerated() {
                for line in spans.lines(cell, width: Self.unbounded).map(\.plain) {
                    let width = DisplayWidth.of(line)
                    textWidth += width
                    natural[column] = max(natural[column], width)
                    let longestWord = line.split(separator: " ").map { DisplayWidth.of(String($0)) }.max() ?? 0
                    minimum[column] = max(minimum[column], longestWord)
                }
            }
        }
        let room = width - Self.gap.count * (count - 1)
        guard minimum.reduce(0, +) <= room, let widths = Self.widths(natural, minimum, room) else { return nil }
        let area = widths.reduce(0, +) * table.rows.count
        guard area <= Self.maxSpaceRatio * textWidth + Self.minArea * table.rows.count else { return nil }
        return (widths, widths == natural)
    }

    /// The widest columns shrink first, until they are equally wide.
    private static func widths(_ natural: [Int], _ minimum: [Int], _ room: Int) -> [Int]? {
        for maxWidth in stride(from: natural.max() ?? 0, through: 0, by: -1) {
            let widths = zip(natural, minimum).map { max(min($0, maxWidth), $1) }
            if widths.reduce(0, +) <= room { return widths }
        }
        return nil
    }

    private func columns(_ widths: [Int], _ spans: inout SpanLines, _ emit: (StyledText) throws -> Void) rethrows {
        if hasHeader {
            try row(table.header, widths, &spans).forEach(emit)
            let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: Self.gap)
            try emit(StyledText(rule, .muted))
        }
        for cells in table.rows { try row(cells, widths, &spans).forEach(emit) }
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

    // MARK: Stacked cells

    private func stacked(_ spans: inout SpanLines, _ emit: (StyledText) throws -> Void) rethrows {
        // A very long column name is written in full only once.
        let shortNames = table.header.map(Self.shortened)
        var (hasLines, isAfterRow) = (false, false)
        for (number, row) in table.rows.enumerated() {
            for (name, cell) in zip(number == 0 ? table.header : shortNames, row) where !cell.isEmpty {
                if isAfterRow { try emit("") }
                (hasLines, isAfterRow) = (true, false)
                let text: [Span] = name.isEmpty ? cell : [.strong(name), .text(": ")] + cell
                let lines = spans.lines(text, width: width - Self.gap.count)
                try lines.hanging(from: "", indent: Self.gap.count).forEach(emit)
            }
            isAfterRow = hasLines
        }
        guard !hasLines else { return }
        let names = Array(table.header.joined(separator: [.text(" · ")]))
        try spans.lines(names, width: width).forEach(emit)
    }

    private static func shortened(_ name: [Span]) -> [Span] {
        let text = name.plainText
        return text.utf8.count <= maxName ? name : [.text(TextLayout.truncate(Sanitizer.line(text), width: maxName))]
    }

    /// The maximum width of a column name that is repeated for every row.
    private static let maxName = 40
    /// The area of a table may be this many times that of its text, plus a minimum for each row.
    private static let maxSpaceRatio = 4
    private static let minArea = 120
    private static let gap = "  "
    private static let unbounded = 10_000
}
