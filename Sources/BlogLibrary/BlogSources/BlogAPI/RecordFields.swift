import Model

/// The fields of a record in the API's usual form, as far as they have been read.
///
/// One that may be null is twice optional.
struct RecordFields {
    private var id: String?
    private var title: String?
    private var publishDate: String?
    private var postId: String?
    private var summary: String??
    private var author: AuthorFields?

    /// The record; nil if something is missing or wrong.
    var record: PostMetadata? {
        guard let id, !id.isEmpty, let title, let date = publishDate.flatMap({ Timestamp($0) }), let postId,
            !postId.isEmpty, max(id.utf8.count, postId.utf8.count) <= PostMetadata.maxIDLength, let author,
            let name = author.name
        else { return nil }
        return PostMetadata(
            id: id, title: title, publishDate: date, postId: postId, summary: summary ?? nil,
            author: Author(name: name, image: author.image ?? nil, title: author.title ?? nil))
    }

    /// Reads a record; nil for one that only the decoder can judge.
    static func record(_ scanner: inout JSONScanner) -> PostMetadata? {
        var fields = RecordFields()
        guard scanner.object({ name, scanner in fields.take(name, &scanner) }) else { return nil }
        return fields.record
    }

    /// Takes a field's value; one that comes twice, or that not every server has, is for the decoder.
    private mutating func take(_ name: UnsafeBufferPointer<UInt8>, _ scanner: inout JSONScanner) -> Bool {
        switch Name(name) {
        case .id: scanner.string(into: &id)
        case .title: scanner.string(into: &title)
        case .publishDate: scanner.string(into: &publishDate)
        case .postId: scanner.string(into: &postId)
        case .summary: scanner.stringOrNull(into: &summary)
        case .author: takeAuthor(&scanner)
        case .rare: false
        case .name, .image, .unknown: scanner.skipValue()
        }
    }

    private mutating func takeAuthor(_ scanner: inout JSONScanner) -> Bool {
        guard author == nil else { return false }
        var fields = AuthorFields()
        defer { author = fields }
        return scanner.object { name, scanner in fields.take(Name(name), &scanner) }
    }

    private struct AuthorFields {
        var name: String?
        var image: String??
        var title: String??

        mutating func take(_ field: Name, _ scanner: inout JSONScanner) -> Bool {
            switch field {
            case .name: scanner.string(into: &name)
            case .image: scanner.stringOrNull(into: &image)
            case .title: scanner.stringOrNull(into: &title)
            default: scanner.skipValue()
            }
        }
    }

    /// The names that mean something, told apart without making a String of each.
    private enum Name {
        case id, title, publishDate, postId, summary, author, name, image
        /// What ``PostMetadata`` has beside the API's own fields.
        case rare
        case unknown

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            func has(_ text: StaticString) -> Bool {
                text.utf8CodeUnitCount == bytes.count
                    && (0..<bytes.count).allSatisfy { bytes[$0] == text.utf8Start[$0] }
            }
            switch bytes.count {
            case 2: self = has("id") ? .id : .unknown
            case 4: self = has("name") ? .name : has("link") ? .rare : .unknown
            case 5: self = has("title") ? .title : has("image") ? .image : has("score") ? .rare : .unknown
            case 6: self = has("postId") ? .postId : has("author") ? .author : .unknown
            case 7: self = has("summary") ? .summary : .unknown
            case 10: self = has("discussion") ? .rare : .unknown
            case 11: self = has("publishDate") ? .publishDate : .unknown
            case 12: self = has("commentCount") ? .rare : .unknown
            default: self = .unknown
            }
        }
    }
}

extension JSONScanner {
    /// Takes a string as the value of a field that has none yet.
    fileprivate mutating func string(into field: inout String?) -> Bool {
        guard field == nil, let text = string() else { return false }
        field = text
        return true
    }

    /// Takes a string or null as the value of a field that has none yet.
    fileprivate mutating func stringOrNull(into field: inout String??) -> Bool {
        guard case .none = field else { return false }
        if take(literal: "null") {
            field = .some(nil)
            return true
        }
        guard let text = string() else { return false }
        field = text
        return true
    }
}
