import Markup
import Model

/// A JSON array of records as in the API, one a line, or of groups with their posts.
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

/// One JSON object a line.
///
/// In a grouped list, `group` is the first member.
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

/// A record that is written as JSON while its body arrives in parts.
struct JSONParts {
    let object: JSONRecord
    let withGroup: Bool
    /// The JSON after the body that is being written; nil if there is none.
    private var tail: String?

    init(_ object: JSONRecord, withGroup: Bool) {
        self.object = object
        self.withGroup = withGroup
    }

    /// Whether the record is partly written.
    var isOpen: Bool { tail != nil }

    /// A part of the body, the first one with the members before it; nil if the body isn't wanted.
    mutating func add(_ text: String, of metadata: PostMetadata) -> String? {
        if tail != nil { return JSONText.part(text) }
        guard let (head, tail) = object.around(bodyOf: Record(metadata), withGroup: withGroup) else { return nil }
        self.tail = tail
        return head + JSONText.part(text)
    }

    /// The record, or its rest if it is partly written.
    mutating func end(_ record: Record) -> String {
        defer { tail = nil }
        return tail ?? object.text(record, withGroup: withGroup)
    }

    /// Forgets a partly written record.
    mutating func giveUp() { tail = nil }
}

/// Comments as nested JSON arrays, written as they arrive.
///
/// Nothing is nested in memory, so the depth isn't limited.
struct CommentTree {
    /// The number of objects that are open, each inside the one before.
    private var open = 0
    /// Whether a comment is the first in its array.
    private var isFirst = true

    /// The beginning of an object with an array of comments as its last member.
    mutating func start(_ object: String) -> String {
        (open, isFirst) = (0, true)
        return object.dropLast() + (object == "{}" ? "" : ",") + "\"comments\":["
    }

    mutating func add(_ comment: Comment) -> String {
        let ended = max(open - comment.depth, 0)
        let close = String(repeating: "]}", count: ended)
        let comma = isFirst && ended == 0 ? "" : ","
        (open, isFirst) = (comment.depth + 1, true)
        let object = JSONText.object([
            ("id", JSONText.string(comment.id)), ("author", Field.author(comment.author)),
            ("publishDate", JSONText.string(comment.publishDate.text)), ("body", JSONText.string(comment.body)),
            ("withheld", comment.removal.map { JSONText.string($0.rawValue) }),
            ("isNew", comment.isNew ? "true" : nil),
        ])
        return close + comma + object.dropLast() + ",\"comments\":["
    }

    mutating func end() -> String {
        defer { (open, isFirst) = (0, true) }
        return String(repeating: "]}", count: open) + "]}"
    }
}
