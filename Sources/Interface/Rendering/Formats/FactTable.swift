import BlogEssentials
import BlogMarkup

/// A table of facts, such as those about sources.
package struct FactTable: Sendable {
    private let columns: [String]
    private let rows: [[Fact]]

    /// - Parameter rows: the rows, each with a fact for every column.
    package init(columns: [String], rows: [[Fact]]) {
        self.columns = columns
        self.rows = rows
    }

    /// A copy with only these columns, in this order.
    package func picking(_ names: [String]) -> FactTable {
        let indexes = names.compactMap { columns.firstIndex(of: $0) }
        return FactTable(columns: indexes.map { columns[$0] }, rows: rows.map { row in indexes.map { row[$0] } })
    }

    /// Aligned columns with a header; "" without rows.
    package var aligned: StyledText {
        guard !rows.isEmpty else { return "" }
        let widths = widths
        return ([header] + rows.map { $0.map(\.cell) }).map { line in
            zip(line, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed
        }.lines
    }

    /// Aligned columns if they fit; otherwise each row becomes lines of names and facts.
    package func aligned(in columns: Int) -> StyledText {
        let widths = widths
        guard widths.reduce(0, +) + 2 * (widths.count - 1) > columns else { return aligned }
        let margin = header.map(\.width).max() ?? 0
        return rows.map { row in
            zip(header, row).filter { !$1.text.isEmpty }.map { $0.padded(to: margin) + "  " + $1.cell }.lines
        }.joined(separator: "\n")
    }

    private var header: [StyledText] { columns.map { StyledText($0, .muted) } }

    private var widths: [Int] {
        columns.indices.map { index in
            rows.reduce(DisplayWidth.of(columns[index])) { max($0, $1[index].cell.width) }
        }
    }

    /// One row per line, with tabs between the facts.
    package var tabSeparated: String {
        var text: [UInt8] = []
        for row in rows {
            for (index, fact) in row.enumerated() {
                if index > 0 { text.append(UInt8(ascii: "\t")) }
                text += fact.line.utf8
            }
            text.append(UInt8(ascii: "\n"))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// CSV with a header.
    ///
    /// - Parameter isSafe: whether spreadsheets are kept from reading texts as formulas.
    package func commaSeparated(isSafe: Bool = true) -> String {
        let rows = rows.map { row in
            row.map { fact in
                let text = Sanitizer.block(fact.text)
                return if case .text = fact, isSafe { CSV.safe(text) } else { text }
            }
        }
        return ([columns] + rows).map(CSV.line).joined()
    }

    /// One object per line.
    package var jsonLines: String { rows.map { object($0) + "\n" }.joined() }

    /// An array with one object per line.
    package var json: String {
        rows.isEmpty ? "[]\n" : "[\n" + rows.map(object).joined(separator: ",\n") + "\n]\n"
    }

    /// What a row doesn't have is absent, as in the objects of posts.
    private func object(_ row: [Fact]) -> String {
        JSONText(zip(columns, row).filter { !$1.text.isEmpty }.map { ($0, $1) }).json
    }
}

/// A value in a ``FactTable``.
package enum Fact: Sendable {
    case none
    case text(String)
    case number(Int)
    case date(Date)

    /// The value as text, dates in UTC.
    fileprivate var text: String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .number(let number): String(number)
        case .date(let date): date.formatted(.iso8601)
        }
    }

    /// The value on one line.
    fileprivate var line: String { if case .text(let text) = self { Sanitizer.line(text) } else { text } }

    fileprivate var cell: StyledText { StyledText(line) }
}

extension Fact: JSONValue {
    package func write(to json: inout [UInt8]) {
        switch self {
        case .none: json += "null".utf8
        case .number: json += text.utf8
        case .text, .date: text.write(to: &json)
        }
    }
}
