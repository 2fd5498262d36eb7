import BlogMarkup
import BlogModel

/// Renders a JSON array of records as in the API, one per line, or of groups with their posts.
package struct JSONRenderer: DataRenderer, PostRenderer {
    private let object: JSONRecord
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

    package mutating func write(_ record: Record, to data: inout [UInt8]) {
        data.append(text: separator())
        object.write(record, to: &data)
    }

    package mutating func post(_ record: Record, _ emit: (StyledText) throws -> Void) throws {
        try emit(StyledText(separator()))
        try emit(StyledText(comments.start(object, record)))
    }

    private mutating func separator() -> String {
        defer { isFirstRecord = false }
        return isFirstRecord ? "\n" : ",\n"
    }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(comments.add(comment)) }

    package mutating func endThread() -> StyledText { StyledText(comments.end()) }

    package mutating func end() -> StyledText {
        let hasGroups = isGrouped && !isFirstGroup
        return StyledText((hasGroups ? "\n]}" : "") + (isFirstRecord && !hasGroups ? "]\n" : "\n]\n"))
    }
}

/// Renders one JSON object per line; in a grouped list, `group` is the first member.
package struct JSONLinesRenderer: DataRenderer, PostRenderer {
    private let object: JSONRecord
    private var comments = CommentTree()

    package init(fields: [Field]?) {
        object = JSONRecord(fields: fields, hasGroup: true)
    }

    package mutating func write(_ record: Record, to data: inout [UInt8]) {
        object.write(record, to: &data)
        data.append(UInt8(ascii: "\n"))
    }

    package mutating func post(_ record: Record, _ emit: (StyledText) throws -> Void) throws {
        try emit(StyledText(comments.start(object, record)))
        if !record.hasThread { try emit("\n") }
    }

    package mutating func comment(_ comment: Comment) -> StyledText { StyledText(comments.add(comment)) }

    package mutating func endThread() -> StyledText { StyledText(comments.end() + "\n") }
}

/// Writes comments as nested JSON arrays while they arrive.
///
/// Nothing is nested in memory, so the depth isn't limited.
struct CommentTree {
    /// The number of open objects, each nested in the previous one.
    private var open = 0

    /// An object; if comments follow, with an array for them as the last member, and both are left open.
    mutating func start(_ object: JSONRecord, _ record: Record) -> String {
        open = 0
        let text = object.text(record)
        guard record.hasThread else { return text }
        return text.dropLast() + (text == "{}" ? "" : ",") + "\"comments\":["
    }

    mutating func add(_ comment: Comment) -> String {
        let close = String(repeating: "]}", count: max(open - comment.depth, 0))
        open = comment.depth + 1
        return close + (close.isEmpty ? "" : ",") + comment.json.open + ",\"comments\":["
    }

    mutating func end() -> String { String(repeating: "]}", count: open) + "]}" }
}
