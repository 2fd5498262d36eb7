/// One JSON object a line.
///
/// In a grouped list each has a member `group` in front.
package struct JSONLinesRenderer: Renderer {
    private let object: JSONRecord

    package init(fields: [Field]?) {
        object = JSONRecord(fields: fields)
    }

    package mutating func record(_ record: Record) -> String {
        object.text(record, withGroup: true) + "\n"
    }
}
