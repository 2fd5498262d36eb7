import BlogEssentials
import BlogModel

/// Stores the older posts of a blog, page by page, from the newest to the oldest.
///
/// They arrive as read, and nobody is told of them: they are in no list of new posts, rules only hide them, and no other post is
/// marked because of them.
package struct ArchiveStoring {
    private let database: Database
    private let source: Int64

    package init(_ source: SourceID, in database: Database) throws {
        self.database = database
        self.source = try SourceRow.key(of: source, in: database)
    }

    /// How far the archive of a source has been read.
    package enum Place: Hashable, Sendable {
        case notBegun
        /// The address of the next page.
        case page(String)
        /// To its end.
        case end
    }

    package var place: Place {
        get throws {
            let address = try database.first("SELECT archive FROM sources WHERE key = ?", [.integer(source)]) {
                $0.text(0)
            }
            return switch address ?? nil {
            case nil: .notBegun
            case ""?: .end
            case let address?: .page(address)
            }
        }
    }

    package func note(_ place: Place) throws {
        let address: String? =
            switch place {
            case .notBegun: nil
            case .page(let address): address
            case .end: ""
            }
        try database.run(
            "UPDATE sources SET archive = ? WHERE key = ?", [DatabaseValue(address), .integer(source)])
    }

    /// How many posts an archive has brought.
    package var count: Int {
        get throws {
            Int(
                try database.integer(
                    "SELECT count(*) FROM posts WHERE source = ? AND is_archived", [.integer(source)]) ?? 0)
        }
    }

    /// Stores the posts of a page that aren't stored; those that are stay as they are.
    ///
    /// - Returns: the number of new posts, and the keys of all.
    package func save(_ entries: [Entry], at now: Date) throws -> (new: Int, posts: Set<Int64>) {
        var numbers = EntryNumbers(of: source, in: database, now: now)
        let writer = try PostWriter(database: database, sourceKey: source, now: now)
        let known = try EntryIdentity(sourceKey: source, database: database).posts(of: entries) { _ in false }
        var posts = Set(known.values.map(\.key))
        var new = 0
        for (index, entry) in entries.enumerated() where known[index] == nil {
            let key = try numbers.save(entry, as: nil, with: writer).key
            try Bodies(database).save(entry.content, ofNewPost: key, at: now)
            try Marking.setUnqueued(.read, [key], in: database)
            try database.run("UPDATE posts SET is_archived = 1 WHERE key = ?", [.integer(key)])
            posts.insert(key)
            new += 1
        }
        try numbers.finish()
        return (new, posts)
    }
}
