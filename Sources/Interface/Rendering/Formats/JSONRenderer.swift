import BlogMarkup
import BlogModel

/// Renders a JSON array of records as in the API, one per line, or of groups with their posts.
package struct JSONRenderer: Renderer {
    private var object: JSONRecord
    private let isGrouped: Bool
    private var isFirstGroup = true
    private var isFirstRecord = true
    private var comments = CommentTree()

    package init(fields: [Field]?, isGrouped: Bool) {
        object = JSONRecord(fields: fields)
        self.isGrouped = isGrouped
    }

    package mutating func start() -> StyledText { "[" }

    package mutating func group(_ group: PostGroup) -> StyledText {
        defer { (isFirstGroup, isFirstRecord) = (false, true) }
        let head: JSONText = ["group": group.name, "count": group.count]
        return StyledText((isFirstGroup ? "\n" : "\n]},\n") + head.open + ",\"posts\":[")
    }

    package mutating func record(_ record: Record) -> StyledText { StyledText(text(record)) }

    private mutating func text(_ record: Record) -> String { (object.isOpen ? "" : separator()) + object.end(record) }

    package var takesParts: Bool { object.takesParts }

    package var isCompleteOnly: Bool { true }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        let isOpen = object.isOpen
        return object.part(text, of: record.metadata).map { StyledText((isOpen ? "" : separator()) + $0) }
    }

    package mutating func giveUp() { object.giveUp() }

    private mutating func separator() -> String {
        defer { isFirstRecord = false }
        return isFirstRecord ? "\n" : ",\n"
    }

    package mutating func thread(_ record: Record) -> StyledText { StyledText(comments.start(text(record))) }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(comments.add(comment)) }

    package mutating func endThread() -> StyledText { StyledText(comments.end()) }

    package mutating func end() -> StyledText {
        let hasGroups = isGrouped && !isFirstGroup
        return StyledText((hasGroups ? "\n]}" : "") + (isFirstRecord && !hasGroups ? "]\n" : "\n]\n"))
    }
}

/// Renders one JSON object per line; in a grouped list, `group` is the first member.
package struct JSONLinesRenderer: Renderer {
    private var object: JSONRecord
    private var comments = CommentTree()

    package init(fields: [Field]?) {
        object = JSONRecord(fields: fields, hasGroup: true)
    }

    package mutating func record(_ record: Record) -> StyledText { StyledText(object.end(record) + "\n") }

    package var takesParts: Bool { object.takesParts }

    package var isCompleteOnly: Bool { true }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        object.part(text, of: record.metadata).map { StyledText($0) }
    }

    package mutating func giveUp() { object.giveUp() }

    package mutating func thread(_ record: Record) -> StyledText { StyledText(comments.start(object.end(record))) }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(comments.add(comment)) }

    package mutating func endThread() -> StyledText { StyledText(comments.end() + "\n") }
}

/// Writes comments as nested JSON arrays while they arrive.
///
/// Nothing is nested in memory, so the depth isn't limited.
struct CommentTree {
    /// The number of open objects, each nested in the previous one.
    private var open = 0

    /// Adds an array of comments as the last member of an object, and leaves both open.
    mutating func start(_ object: String) -> String {
        open = 0
        return object.dropLast() + (object == "{}" ? "" : ",") + "\"comments\":["
    }

    mutating func add(_ comment: Comment) -> String {
        let close = String(repeating: "]}", count: max(open - comment.depth, 0))
        open = comment.depth + 1
        return close + (close.isEmpty ? "" : ",") + comment.json.open + ",\"comments\":["
    }

    mutating func end() -> String { String(repeating: "]}", count: open) + "]}" }
}
