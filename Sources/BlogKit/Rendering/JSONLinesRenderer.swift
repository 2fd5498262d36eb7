/// One JSON object a line.
///
/// In a grouped list each has a member `group` in front.
package struct JSONLinesRenderer: Renderer {
    private let object: JSONRecord
    private var comments = CommentTree()

    package init(fields: [Field]?) {
        object = JSONRecord(fields: fields)
    }

    package mutating func record(_ record: Record) -> String {
        object.text(record, withGroup: true) + "\n"
    }

    package mutating func thread(_ record: Record) -> String { comments.start(object.text(record, withGroup: true)) }

    package mutating func comment(_ comment: Comment) -> String { comments.add(comment) }

    package mutating func endThread() -> String { comments.end() + "\n" }
}
