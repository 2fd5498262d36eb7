import Model

/// Comments as nested JSON arrays, written as they come.
///
/// Nothing is nested in memory, so a discussion may be as deep as it likes.
struct CommentTree {
    /// How many comments are open, each inside the one before it.
    private var open = 0
    /// Whether a comment is the first in its array.
    private var isFirst = true

    /// An object without its closing brace, and an array of comments at its end that is open.
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
