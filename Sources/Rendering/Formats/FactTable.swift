import Essentials
import Markup

/// A table about something other than posts: sources, for example.
package struct FactTable: Sendable {
    private let columns: [String]
    private let rows: [[Fact]]

    /// A table; every row has a fact for each column.
    package init(columns: [String], rows: [[Fact]]) {
        self.columns = columns
        self.rows = rows
    }

    /// The same with these columns only, in this order.
    package func picking(_ names: [String]) -> FactTable {
        let places = names.compactMap { columns.firstIndex(of: $0) }
        return FactTable(columns: places.map { columns[$0] }, rows: rows.map { row in places.map { row[$0] } })
    }

    /// Aligned columns with a header; "" without rows.
    package var aligned: StyledText {
        guard !rows.isEmpty else { return "" }
        let header = columns.map { StyledText($0, .muted) }
        let lines = [header] + rows.map { $0.map { StyledText(Sanitizer.line($0.text)) } }
        let widths = columns.indices.map { index in lines.map { $0[index].width }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed
        }.lines
    }

    /// The same for a screen; on a narrow one each row becomes lines of names and facts.
    package func aligned(in columns: Int) -> StyledText {
        let names = self.columns.map { StyledText($0, .muted) }
        let margin = names.map(\.width).max() ?? 0
        let widths = self.columns.indices.map { index in
            rows.reduce(names[index].width) { max($0, StyledText(Sanitizer.line($1[index].text)).width) }
        }
        guard widths.reduce(0, +) + 2 * (widths.count - 1) > columns else { return aligned }
        let blocks = rows.map { row in
            zip(names, row).filter { !$1.text.isEmpty }.map { name, fact in
                name.padded(to: margin) + "  " + StyledText(Sanitizer.line(fact.text))
            }.lines
        }
        return blocks.dropFirst().reduce(blocks.first ?? "") { $0 + "\n" + $1 }
    }

    /// One row a line, with tabs between the facts.
    package var tabSeparated: String {
        rows.map { $0.map { Sanitizer.line($0.text) }.joined(separator: "\t") + "\n" }.joined()
    }

    /// CSV with a header.
    ///
    /// - Parameter isSafe: whether texts are protected from being read as spreadsheet formulas.
    package func commaSeparated(isSafe: Bool = true) -> String {
        let rows = rows.map { row in
            row.map { fact in
                let text = Sanitizer.block(fact.text)
                return if case .text = fact, isSafe { CommaSeparatedLine.safe(text) } else { text }
            }
        }
        return ([columns] + rows).map(CommaSeparatedLine.text).joined()
    }

    /// One object a line.
    package var jsonLines: String { rows.map { object($0) + "\n" }.joined() }

    /// An array with one object a line.
    package var json: String {
        rows.isEmpty ? "[]\n" : "[\n" + rows.map(object).joined(separator: ",\n") + "\n]\n"
    }

    private func object(_ row: [Fact]) -> String {
        JSONText.object(zip(columns, row).map { (key: $0, value: $1.json) })
    }
}

/// A value in a ``FactTable``.
package enum Fact: Sendable {
    case none
    case text(String)
    case number(Int)
    case date(Date)

    /// The value as text, dates in UTC, "" if there is none.
    var text: String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .number(let number): String(number)
        case .date(let date): date.formatted(.iso8601)
        }
    }

    /// The value as JSON.
    var json: String {
        switch self {
        case .none: "null"
        case .number: text
        case .text, .date: JSONText.string(text)
        }
    }
}
