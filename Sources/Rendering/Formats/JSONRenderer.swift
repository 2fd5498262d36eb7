import Model

/// A JSON array of records in the API's own shape, one a line; in a grouped list an array of groups with their posts.
package struct JSONRenderer: Renderer {
    private var parts: JSONParts
    private let isGrouped: Bool
    private var isFirstGroup = true
    private var isFirstRecord = true
    private var comments = CommentTree()

    package init(fields: [Field]?, isGrouped: Bool) {
        parts = JSONParts(JSONRecord(fields: fields), withGroup: false)
        self.isGrouped = isGrouped
    }

    package mutating func start() -> StyledText { "[" }

    package mutating func group(_ group: PostGroup) -> StyledText {
        defer { (isFirstGroup, isFirstRecord) = (false, true) }
        let head = "{\"group\":\(JSONText.string(group.name)),\"count\":\(group.count),\"posts\":["
        return StyledText((isFirstGroup ? "\n" : "\n]},\n") + head)
    }

    package mutating func record(_ record: Record) -> StyledText { StyledText(object(record)) }

    private mutating func object(_ record: Record) -> String {
        (parts.isOpen ? "" : separator()) + parts.end(record)
    }

    package var takesParts: Bool { parts.object.takesParts }

    package var isCompleteOnly: Bool { true }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        let isOpen = parts.isOpen
        return parts.add(text, of: record.metadata).map { StyledText((isOpen ? "" : separator()) + $0) }
    }

    package mutating func giveUp() { parts.giveUp() }

    private mutating func separator() -> String {
        defer { isFirstRecord = false }
        return isFirstRecord ? "\n" : ",\n"
    }

    package mutating func thread(_ record: Record) -> StyledText { StyledText(comments.start(object(record))) }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(comments.add(comment)) }

    package mutating func endThread() -> StyledText { StyledText(comments.end()) }

    package mutating func end() -> StyledText {
        let hasGroups = isGrouped && !isFirstGroup
        return StyledText((hasGroups ? "\n]}" : "") + (isFirstRecord && !hasGroups ? "]\n" : "\n]\n"))
    }
}
