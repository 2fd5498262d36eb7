/// One record a line, fields separated by tabs, nothing cut.
///
/// In a grouped list the group's name comes first.
package struct TabSeparatedRenderer: Renderer {
    private let fields: [Field]

    package init(fields: [Field]?) {
        self.fields = fields ?? Field.tabSeparated
    }

    package mutating func record(_ record: Record) -> String {
        let values = (record.group.map { [$0] } ?? []) + fields.map { $0.text(record) }
        return values.map(Sanitizer.line).joined(separator: "\t") + "\n"
    }
}
