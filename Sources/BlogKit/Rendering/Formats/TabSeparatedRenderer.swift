/// One record a line, fields separated by tabs, nothing cut.
///
/// In a grouped list the group's name comes first.
package struct TabSeparatedRenderer: Renderer {
    private let fields: [Field]

    package init(fields: [Field]?) {
        self.fields = fields ?? Field.tabSeparated
    }

    package mutating func record(_ record: Record) -> StyledText {
        var line = record.group.map(Sanitizer.line) ?? ""
        for (index, field) in fields.enumerated() {
            if index > 0 || record.group != nil { line += "\t" }
            line += Sanitizer.line(field.text(record))
        }
        return StyledText(line + "\n")
    }
}
