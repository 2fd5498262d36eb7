import BlogEssentials
import BlogMarkup
import BlogModel
import BlogStore

/// A record as a JSON object as in the API, or with chosen fields.
///
/// It can be written while its body arrives in parts.
struct JSONRecord {
    private let fields: [Field]?
    private let hasGroup: Bool
    /// The JSON after a body that is partly written.
    private var tail: String?

    /// - Parameters:
    ///   - fields: the members; nil for the default ones.
    ///   - hasGroup: whether the first member is the group.
    init(fields: [Field]?, hasGroup: Bool = false) {
        self.fields = fields
        self.hasGroup = hasGroup
    }

    private static let metadata = exported + [.photo]
    /// The members in a list; a post with its body is written as in the API.
    private static let listed = metadata + [.source, .read, .saved]

    /// The members in an export, to which the stored details are added.
    static let exported: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .author, .link, .score, .commentCount, .rank, .parent, .story,
        .tags, .enclosures, .image, .updated, .changed, .type, .snippet, .snippetPlace,
    ]

    /// The object on one line.
    func text(_ record: Record) -> String {
        let group: [(String, (any JSONValue)?)] = hasGroup ? [("group", record.group)] : []
        if let fields { return JSONText(group + members(fields, record)).json }
        guard let body = record.body else { return JSONText(group + members(Self.listed, record)).json }
        let post: JSONText = [
            "id": record.metadata.postId,
            // The ID in lists.
            "typedId": record.metadata.id, "metadata": JSONText(members(Self.metadata, record)), "body": body,
            "article": Field.article.value(record),
        ]
        return post.json
    }

    private func members(_ fields: [Field], _ record: Record) -> [(String, (any JSONValue)?)] {
        fields.map { ($0.rawValue, $0.value(record)) }
    }

    // MARK: In parts

    /// Whether the object can be written before the body is complete.
    var takesParts: Bool { fields.map { $0.count { $0 == .body } <= 1 } ?? true }

    /// Whether the object is partly written.
    var isOpen: Bool { tail != nil }

    /// The next part of the body, the first one after the members before it; nil if the body isn't one of the fields.
    mutating func part(_ text: String, of metadata: PostMetadata) -> String? {
        if isOpen { return JSONText.part(text) }
        var record = Record(metadata)
        record.body = ""
        let object = self.text(record)
        // Quotes in strings are escaped, so this is the member.
        guard let key = object.utf8.firstRange(of: "\"body\":\"".utf8) else { return nil }
        tail = String(object[key.upperBound...])
        return object[..<key.upperBound] + JSONText.part(text)
    }

    /// The object, or the rest of it if it is partly written.
    mutating func end(_ record: Record) -> String {
        defer { giveUp() }
        return tail ?? text(record)
    }

    /// Discards a partly written object.
    mutating func giveUp() { tail = nil }
}
