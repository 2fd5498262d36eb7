import Model

/// A record as a JSON object: the API's own shape, or the fields that were picked.
struct JSONRecord {
    let fields: [Field]?

    private static let metadata = exported + [.photo]
    /// What a list says of a post besides: a post that is read has the API's own shape.
    private static let listed = metadata + [.source, .read, .saved]

    /// The members of a post that is exported, to which its details are added as they are stored.
    static let exported: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .author, .link, .score, .commentCount, .rank, .parent, .story,
        .tags, .enclosures, .image, .updated, .changed, .type, .snippet,
    ]

    /// The object on one line.
    func text(_ record: Record, withGroup: Bool = false) -> String {
        let group: [(key: String, value: String?)] =
            withGroup ? [("group", record.group.map(JSONText.string))] : []
        if let fields { return JSONText.object(group + members(fields, record)) }
        guard let body = record.body else { return JSONText.object(group + members(Self.listed, record)) }
        return JSONText.object([
            ("id", JSONText.string(record.metadata.postId)),
            // What a list has as the id.
            ("typedId", JSONText.string(record.metadata.id)),
            ("metadata", JSONText.object(members(Self.metadata, record))),
            ("body", JSONText.string(body)),
        ])
    }

    /// The object before and after the text of its body; nil if it has none.
    func around(bodyOf record: Record, withGroup: Bool) -> (head: String, tail: String)? {
        var record = record
        record.body = ""
        let text = self.text(record, withGroup: withGroup)
        // Inside a string each quote has a backslash in front, so this is the member.
        guard let place = text.utf8.firstRange(of: "\"body\":\"".utf8) else { return nil }
        return (String(text[..<place.upperBound]), String(text[place.upperBound...]))
    }

    /// Whether the object can be written before the body is complete.
    var takesParts: Bool { fields.map { $0.count { $0 == .body } <= 1 } ?? true }

    private func members(_ fields: [Field], _ record: Record) -> [(key: String, value: String?)] {
        fields.map { ($0.rawValue, $0.json(record)) }
    }
}
