import BlogEssentials
import BlogMarkup
import BlogModel

/// A body in the store.
package struct StoredBody: Sendable {
    package let text: String
    /// The format of the text; nil if its source didn't specify it.
    package let format: BodyFormat?
    package let fetchedAt: Date
    /// Whether the metadata is still the same as when the body was fetched.
    package let isCurrent: Bool
    package let validators: CacheValidators
}

/// A body as a server sent it.
package struct FetchedBody: Sendable {
    package let content: BodyContent
    /// The format of the text; nil if its source doesn't specify it.
    package let format: BodyFormat?
    package let fetchedAt: Date
    /// The post's metadata when the body was requested; nil for the currently stored metadata.
    package let metadata: PostMetadata?
    package let validators: CacheValidators

    package init(
        content: BodyContent, format: BodyFormat? = nil, fetchedAt: Date, metadata: PostMetadata? = nil,
        validators: CacheValidators = CacheValidators()
    ) {
        self.content = content
        self.format = format
        self.fetchedAt = fetchedAt
        self.metadata = metadata
        self.validators = validators.ofRequestedOrigin
    }

    package init(text: String, format: BodyFormat? = nil, fetchedAt: Date) {
        self.init(content: .text(text), format: format, fetchedAt: fetchedAt)
    }
}

/// The text of a stored body, for comparison.
struct StoredText {
    let text: String
    /// The name of its format; nil if its source didn't specify it.
    let format: String?

    /// The text of a post's body; nil if none is stored.
    static func find(_ post: Int64, in database: Database) throws -> StoredText? {
        try database.first("SELECT body, format FROM bodies WHERE post = ?", [.integer(post)]) { row in
            StoredText(text: row.text(0) ?? "", format: row.text(1))
        }
    }

    /// Whether the body of a post equals a text, byte for byte.
    static func isStored(_ text: String, ofPost post: Int64, in database: Database) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM bodies WHERE post = ? AND body = ?", [.integer(post), .text(text)])
    }

    /// Whether it is stored in this format: a feed may correct what it says of its text.
    static func isStored(_ text: String, in format: BodyFormat?, ofPost post: Int64, in database: Database) throws
        -> Bool
    {
        try database.exists(
            "SELECT 1 FROM bodies WHERE post = ? AND body = ? AND format IS ?",
            [.integer(post), .text(text), DatabaseValue(format?.rawValue)])
    }

    /// Whether a text begins or ends with all of this one but for white space and end tags after it.
    func isPart(of text: String) -> Bool {
        var end = self.text.utf8.trimmed
        while end.last == UInt8(ascii: ">"), let tag = end.lastIndex(of: UInt8(ascii: "<")),
            end[tag...].dropFirst().first == UInt8(ascii: "/")
        {
            end = end[..<tag].trimmed
        }
        let text = text.utf8.trimmed
        return end.count >= Self.enoughText
            && (text.starts(with: end) || text.reversed().starts(with: self.text.utf8.trimmed.reversed()))
    }

    /// Many shorter texts begin alike.
    static let enoughText = 40
}
