import Markup
import Model

/// One record a line, with tabs between the fields.
///
/// Chosen fields are never cut; otherwise a summary has at most 300 characters.
///
/// In a grouped list the group's name comes first.
package struct TabSeparatedRenderer: Renderer {
    private let fields: [Field]
    private let cutsSummaries: Bool

    /// - Parameter isSearch: whether the posts come with snippets.
    package init(fields: [Field]?, isSearch: Bool = false) {
        self.fields = fields ?? (isSearch ? Field.tabSeparatedHits : Field.tabSeparated)
        cutsSummaries = fields == nil
    }

    package mutating func record(_ record: Record) -> StyledText {
        var line = record.group.map(Sanitizer.line) ?? ""
        for (index, field) in fields.enumerated() {
            if index > 0 || record.group != nil { line += "\t" }
            let text = Sanitizer.line(field.text(record))
            line += cutsSummaries && field == .summary ? Self.cut(text) : text
        }
        return StyledText(line + "\n")
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

/// CSV as RFC 4180 has it, with a header and lines ending in `\n`.
///
/// In a grouped list the group's name comes first.
package struct CommaSeparatedRenderer: Renderer {
    private let fields: [Field]
    private let isGrouped: Bool
    private let isSafe: Bool

    /// - Parameter isSafe: whether text from servers is protected from being read as a spreadsheet formula.
    package init(fields: [Field]?, isGrouped: Bool, isSafe: Bool = true) {
        self.fields = fields ?? Field.commaSeparated
        self.isGrouped = isGrouped
        self.isSafe = isSafe
    }

    package mutating func start() -> StyledText {
        StyledText(CommaSeparatedLine.text((isGrouped ? ["group"] : []) + fields.map(\.rawValue)))
    }

    package mutating func record(_ record: Record) -> StyledText {
        let group = (record.group.map { [$0] } ?? []).map(foreign)
        let values = fields.map { $0.isOurs ? Sanitizer.block($0.text(record)) : foreign($0.text(record)) }
        return StyledText(CommaSeparatedLine.text(group + values))
    }

    private func foreign(_ text: String) -> String {
        isSafe ? CommaSeparatedLine.safe(Sanitizer.block(text)) : Sanitizer.block(text)
    }
}

/// A line of CSV as RFC 4180 has it, but ending in `\n`.
enum CommaSeparatedLine {
    static func text(_ values: [String]) -> String {
        values.map(quoted).joined(separator: ",") + "\n"
    }

    /// The text with an apostrophe in front if a spreadsheet would take it for a formula, which may run programs and
    /// leak data.
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
    /// Whether its text is always a number, a date or one of our words, which can't be a formula.
    fileprivate var isOurs: Bool {
        switch self {
        case .publishDate, .score, .commentCount, .rank, .read, .saved, .updated, .changed, .type, .rating, .views,
            .votes, .nsfw, .snippetPlace:
            true
        default: false
        }
    }
}

/// Only ids, one a line, for commands like `blog read -`.
package struct IDRenderer: Renderer {
    package init() {}

    package mutating func record(_ record: Record) -> StyledText {
        StyledText(Sanitizer.line(record.metadata.id) + "\n")
    }
}
