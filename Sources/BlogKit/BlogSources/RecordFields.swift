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

    /// The record; nil where something is missing or wrong.
    var record: PostMetadata? {
        guard let id, !id.isEmpty, let title, let date = publishDate.flatMap({ Timestamp($0) }), let postId,
            !postId.isEmpty, let author, let name = author.name
        else { return nil }
        return PostMetadata(
            id: id, title: title, publishDate: date, postId: postId, summary: summary ?? nil,
            author: Author(name: name, image: author.image ?? nil, title: author.title ?? nil))
    }

    /// Takes a field's value; a name that is unknown, or comes twice, is for the decoder.
    mutating func take(_ name: String, _ scanner: inout JSONScanner) -> Bool {
        switch name {
        case "id": scanner.string(into: &id)
        case "title": scanner.string(into: &title)
        case "publishDate": scanner.string(into: &publishDate)
        case "postId": scanner.string(into: &postId)
        case "summary": scanner.stringOrNull(into: &summary)
        case "author": takeAuthor(&scanner)
        default: false
        }
    }

    private mutating func takeAuthor(_ scanner: inout JSONScanner) -> Bool {
        guard author == nil else { return false }
        var fields = AuthorFields()
        defer { author = fields }
        return scanner.object { name, scanner in fields.take(name, &scanner) }
    }

    private struct AuthorFields {
        var name: String?
        var image: String??
        var title: String??

        mutating func take(_ field: String, _ scanner: inout JSONScanner) -> Bool {
            switch field {
            case "name": scanner.string(into: &name)
            case "image": scanner.stringOrNull(into: &image)
            case "title": scanner.stringOrNull(into: &title)
            default: false
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
        if takeNull() {
            field = .some(nil)
            return true
        }
        guard let text = string() else { return false }
        field = text
        return true
    }
}
