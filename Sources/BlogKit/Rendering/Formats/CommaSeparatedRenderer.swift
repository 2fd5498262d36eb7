/// CSV as RFC 4180 has it, with a header and lines ending in `\n`.
///
/// In a grouped list the group's name comes first.
package struct CommaSeparatedRenderer: Renderer {
    private let fields: [Field]
    private let isGrouped: Bool

    package init(fields: [Field]?, isGrouped: Bool) {
        self.fields = fields ?? Field.commaSeparated
        self.isGrouped = isGrouped
    }

    package mutating func start() -> StyledText {
        StyledText(CommaSeparatedLine.text((isGrouped ? ["group"] : []) + fields.map(\.rawValue)))
    }

    package mutating func record(_ record: Record) -> StyledText {
        let values = (record.group.map { [$0] } ?? []) + fields.map { $0.text(record) }
        return StyledText(CommaSeparatedLine.text(values.map(Sanitizer.block)))
    }
}

/// A line of CSV as RFC 4180 has it, but ending in `\n`.
enum CommaSeparatedLine {
    static func text(_ values: [String]) -> String {
        values.map(quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ value: String) -> String {
        let needsQuotes = value.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return needsQuotes ? "\"" + value.replacing(scalar: "\"", with: "\"\"") + "\"" : value
    }
}
