import Model

/// One JSON object a line.
///
/// In a grouped list each has a member `group` in front.
package struct JSONLinesRenderer: Renderer {
    private var parts: JSONParts
    private var comments = CommentTree()

    package init(fields: [Field]?) {
        parts = JSONParts(JSONRecord(fields: fields), withGroup: true)
    }

    package mutating func record(_ record: Record) -> StyledText {
        StyledText(parts.end(record) + "\n")
    }

    package var takesParts: Bool { parts.object.takesParts }

    package var isCompleteOnly: Bool { true }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        parts.add(text, of: record.metadata).map { StyledText($0) }
    }

    package mutating func giveUp() { parts.giveUp() }

    package mutating func thread(_ record: Record) -> StyledText {
        StyledText(comments.start(parts.end(record)))
    }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(comments.add(comment)) }

    package mutating func endThread() -> StyledText { StyledText(comments.end() + "\n") }
}
