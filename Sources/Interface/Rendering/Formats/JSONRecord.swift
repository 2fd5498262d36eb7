import BlogEssentials
import BlogMarkup
import BlogModel

/// A record as a JSON object, named as in the API, or with chosen fields.
struct JSONRecord {
    private let fields: [Field]?
    private let hasGroup: Bool
    private let isExported: Bool

    /// - Parameters:
    ///   - fields: the members; nil for the default ones.
    ///   - hasGroup: whether the first member is the group.
    init(fields: [Field]?, hasGroup: Bool = false) {
        (self.fields, self.hasGroup, isExported) = (fields, hasGroup, false)
    }

    private init() { (fields, hasGroup, isExported) = (Self.exported, false, true) }

    /// The members in an export, to which the stored details are added.
    static let export = JSONRecord()

    /// The members in a list.
    private static let listed = exported + [.photo, .source, .read, .saved, .labels, .duplicates]
    /// The members of a post that is read: those of a list, and its text.
    private static let read = listed + [.body, .article]

    private static let exported: [Field] = [
        .id, .title, .publishDate, .postId, .summary, .author, .link, .score, .commentCount, .rank, .parent, .story,
        .tags, .enclosures, .image, .updated, .changed, .type, .snippet, .snippetPlace,
    ]

    /// Appends the object on one line.
    func write(_ record: Record, to json: inout [UInt8]) {
        JSONText.write(to: &json) { json in
            if let fields {
                add(fields, of: record, to: &json)
            } else {
                add(record.body == nil ? Self.listed : Self.read, of: record, to: &json)
            }
        }
    }

    func text(_ record: Record) -> String {
        var json: [UInt8] = []
        json.reserveCapacity(JSONText.usualSize)
        write(record, to: &json)
        return json.text
    }

    private func add(_ fields: [Field], of record: Record, to json: inout [UInt8]) {
        if hasGroup, let group = record.group { JSONText.add("group", group, to: &json) }
        for field in fields {
            if let value = field.value(record, isExported: isExported) {
                JSONText.add(field.rawValue, value, to: &json)
            }
        }
    }
}
