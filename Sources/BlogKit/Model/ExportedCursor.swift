import BlogEssentials

/// How far `--new` has read a source, for moving it to another store.
///
/// In JSON it is an object with the members `cursor`, the name (empty for the one without a name), `source` (the kind) and
/// `address`, and `unseen`, the IDs of the posts that it has yet to list.
package struct ExportedCursor: Codable, Hashable, Sendable {
    package let cursor: String
    package let source: String
    package private(set) var address: String
    package let unseen: [String]

    package init(cursor: String, source: SourceID, unseen: [String]) {
        self.cursor = cursor
        (self.source, address) = (source.kind, source.address)
        self.unseen = unseen
    }

    package var sourceID: SourceID { SourceID(kind: source, address: address) }

    /// The cursor of the source at another address.
    package func moved(to address: String) -> ExportedCursor {
        var cursor = self
        cursor.address = address
        return cursor
    }
}
