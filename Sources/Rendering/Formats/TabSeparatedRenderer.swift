import Markup

/// One record a line, fields separated by tabs.
///
/// Fields that were picked are not cut; without a choice a summary is at most 300 characters.
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
        text.count > maxSummary ? text.prefix(maxSummary - 1) + "…" : text
    }

    private static let maxSummary = 300
}
