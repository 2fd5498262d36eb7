import BlogMarkup
import BlogModel

/// Renders one record per line, with tabs between the fields; in a grouped list, the first is the group's name.
///
/// By default summaries are cut to 300 characters; chosen fields are never cut.
package struct TabSeparatedRenderer: DataRenderer, PostRenderer {
    private let fields: [Field]
    private let cutsSummaries: Bool

    /// - Parameter isSearch: whether the posts come with snippets.
    package init(fields: [Field]?, isSearch: Bool = false) {
        self.fields = fields ?? Field.tabSeparated(isSearch: isSearch)
        cutsSummaries = fields == nil
    }

    package mutating func write(_ record: Record, to data: inout [UInt8]) {
        if let group = record.group { data.append(text: Sanitizer.line(group)) }
        for (index, field) in fields.enumerated() {
            if index > 0 || record.group != nil { data.append(UInt8(ascii: "\t")) }
            let text = Sanitizer.line(field.text(record))
            data.append(text: cutsSummaries && field == .summary ? Self.cut(text) : text)
        }
        data.append(UInt8(ascii: "\n"))
    }

    private static func cut(_ text: String) -> String {
        // A character has at least one byte, and counting bytes is free.
        guard text.utf8.count > maxSummary,
            let last = text.index(text.startIndex, offsetBy: maxSummary - 1, limitedBy: text.endIndex),
            last != text.endIndex, text.index(after: last) != text.endIndex
        else { return text }
        return text[..<last] + "…"
    }

    private static let maxSummary = 300
}

/// Renders CSV according to RFC 4180, but with lines that end in `\n`; in a grouped list, the first column is the group.
package struct CommaSeparatedRenderer: ListRenderer, PostRenderer {
    private let fields: [Field]
    private let isGrouped: Bool
    private let isSafe: Bool

    /// - Parameter isSafe: whether spreadsheets are kept from reading text from servers as formulas.
    package init(fields: [Field], isGrouped: Bool, isSafe: Bool = true) {
        self.fields = fields
        self.isGrouped = isGrouped
        self.isSafe = isSafe
    }

    package mutating func start() -> StyledText {
        StyledText(CSV.line((isGrouped ? ["group"] : []) + fields.map(\.rawValue)))
    }

    package mutating func record(_ record: Record) -> StyledText {
        let group = record.group.map { [cell($0)] } ?? []
        return StyledText(CSV.line(group + fields.map { cell($0.text(record), isTrusted: $0.isTrusted) }))
    }

    private func cell(_ text: String, isTrusted: Bool = false) -> String {
        isSafe && !isTrusted ? CSV.safe(Sanitizer.block(text)) : Sanitizer.block(text)
    }
}

enum CSV {
    /// A line according to RFC 4180, but ending in `\n`.
    static func line(_ values: [String]) -> String {
        values.map(quoted).joined(separator: ",") + "\n"
    }

    /// The text, after an apostrophe if a spreadsheet would read it as a formula, which may run programs and leak data.
    ///
    /// See https://owasp.org/www-community/attacks/CSV_Injection. In East Asia, full-width forms are read as ASCII.
    static func safe(_ text: String) -> String {
        guard let first = text.unicodeScalars.first else { return text }
        return "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) ? "'" + text : text
    }

    private static func quoted(_ value: String) -> String {
        let needsQuotes = value.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return needsQuotes ? "\"" + value.replacing(scalar: "\"", with: "\"\"") + "\"" : value
    }
}

extension Field {
    /// Whether its text is always a number, a date or a word of our own, which can't be a formula.
    fileprivate var isTrusted: Bool {
        switch self {
        case .publishDate, .score, .commentCount, .rank, .read, .saved, .updated, .changed, .type, .rating, .views,
            .votes, .nsfw, .snippetPlace:
            true
        default: false
        }
    }
}

/// Renders only IDs, one per line, for commands like `blog read -`.
package struct IDRenderer: DataRenderer, PostRenderer {
    package init() {}

    package mutating func write(_ record: Record, to data: inout [UInt8]) {
        data.append(text: Sanitizer.line(record.metadata.id))
        data.append(UInt8(ascii: "\n"))
    }
}
