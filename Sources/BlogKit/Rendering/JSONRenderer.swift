/// A JSON array of records in the API's own shape, one a line; in a grouped list an array of groups with their posts.
package struct JSONRenderer: Renderer {
    private let object: JSONRecord
    private let isGrouped: Bool
    private var isFirstGroup = true
    private var isFirstRecord = true
    private var comments = CommentTree()

    package init(fields: [Field]?, isGrouped: Bool) {
        object = JSONRecord(fields: fields)
        self.isGrouped = isGrouped
    }

    package mutating func start() -> String { "[" }

    package mutating func group(_ group: PostGroup) -> String {
        defer { (isFirstGroup, isFirstRecord) = (false, true) }
        let head = "{\"group\":\(JSONText.string(group.name)),\"count\":\(group.count),\"posts\":["
        return (isFirstGroup ? "\n" : "\n]},\n") + head
    }

    package mutating func record(_ record: Record) -> String {
        defer { isFirstRecord = false }
        return (isFirstRecord ? "\n" : ",\n") + object.text(record)
    }

    package mutating func thread(_ record: Record) -> String { comments.start(self.record(record)) }

    package mutating func comment(_ comment: Comment) -> String { comments.add(comment) }

    package mutating func endThread() -> String { comments.end() }

    package mutating func end() -> String {
        let hasGroups = isGrouped && !isFirstGroup
        return (hasGroups ? "\n]}" : "") + (isFirstRecord && !hasGroups ? "]\n" : "\n]\n")
    }
}
