import SQLite

/// The text of a body as its row has it, to be compared with another.
struct StoredText {
    /// The key of the body.
    let key: Int64
    /// The text; "" if it lies in parts.
    let text: String
    /// The name of its format; nil if its source didn't specify it.
    let format: String?
    private let hasParts: Bool

    /// The text of a post's body; nil if none is stored.
    static func find(_ post: Int64, in database: Database) throws -> StoredText? {
        let sql = """
            SELECT key, body, format, body = '' AND EXISTS (SELECT 1 FROM body_parts WHERE body_parts.body = bodies.key)
            FROM bodies WHERE post = ?
            """
        return try database.first(sql, [.integer(post)]) { row in
            StoredText(
                key: row.integer(0), text: row.text(1) ?? "", format: row.text(2), hasParts: row.integer(3) == 1)
        }
    }

    /// Whether a text is this one, byte for byte.
    func isWhole(_ other: String) -> Bool { !hasParts && text.utf8.elementsEqual(other.utf8) }
}
