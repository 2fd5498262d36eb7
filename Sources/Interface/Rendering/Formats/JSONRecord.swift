import BlogEssentials
import BlogModel

/// A record as a JSON object as in the API, or with chosen fields.
struct JSONRecord {
    private let fields: [Field]?
    private let hasGroup: Bool

    /// - Parameters:
    ///   - fields: the members; nil for the default ones.
    ///   - hasGroup: whether the first member is the group.
    init(fields: [Field]?, hasGroup: Bool = false) {
        self.fields = fields
        self.hasGroup = hasGroup
    }

    private static let metadata = exported + [.photo]
    /// The members in a list; a post with its body is written as in the API.
    private static let listed = metadata + [.source, .read, .saved, .labels, .duplicates]

    /// The members in an export, to which the stored details are added.
    static let exported: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .author, .link, .score, .commentCount, .rank, .parent, .story,
        .tags, .enclosures, .image, .updated, .changed, .type, .snippet, .snippetPlace,
    ]

    /// The object on one line.
    func text(_ record: Record) -> String {
        if let fields { return object(fields, record).json }
        guard let body = record.body else { return object(Self.listed, record).json }
        let post: JSONText = [
            "id": record.metadata.postId,
            // The ID in lists.
            "typedId": record.metadata.id, "metadata": JSONText(members(Self.metadata + [.duplicates], record)),
            "body": body,
            "article": Field.article.value(record),
        ]
        return post.json
    }

    private func object(_ fields: [Field], _ record: Record) -> JSONText {
        let members = members(fields, record)
        return hasGroup ? JSONText([("group", record.group)] + Array(members)) : JSONText(members)
    }

    /// Lazy, because most values of most posts are nil.
    private func members(_ fields: [Field], _ record: Record) -> some Sequence<(String, (any JSONValue)?)> {
        fields.lazy.map { ($0.rawValue, $0.value(record)) }
    }

    /// Writes the object piece by piece, as its body may be too long for memory.
    func write(_ record: Record, _ emit: (String) throws -> Void) throws {
        guard let body = record.longBody, fields.map({ $0.count { $0 == .body } <= 1 }) ?? true else {
            return try emit(text(record.whole()))
        }
        var empty = record
        empty.body = ""
        let object = text(empty)
        // Quotes in strings are escaped, so this is the member.
        guard let key = object.utf8.firstRange(of: "\"body\":\"".utf8) else { return try emit(object) }
        try emit(String(object[..<key.upperBound]))
        var place = 0
        while let part = try body.part(at: &place) { try emit(JSONText.part(part)) }
        try emit(String(object[key.upperBound...]))
    }
}
