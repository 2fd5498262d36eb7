import SQLite

/// What of a post is indexed, with the columns it was made of.
struct SearchText {
    /// Title, summary, author and body as the index has them.
    let texts: [String?]
    /// The same as it is stored.
    private let stored: [String?]

    /// The columns that the texts are made of.
    static let sources = "is_comment, title, summary, details, author, format, body"
    private static let sourceCount: Int32 = 7

    /// How much it takes.
    var bytes: Int { texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } }

    /// The text of a post as it is now; nil if there is no such post.
    static func current(_ post: Int64, in database: Database) throws -> SearchText? {
        try find(post, "searchable", madeOf: "search_sources", in: database)
    }

    /// The text of a post as the index still knows it; nil if that is what it is now.
    static func outdated(_ post: Int64, in database: Database) throws -> SearchText? {
        try find(post, "searchable_outdated", madeOf: "search_outdated", in: database)
    }

    /// Whether a post still has a text, or is still not there.
    static func current(_ post: Int64, equals text: SearchText?, in database: Database) throws -> Bool {
        isEqual(try stored(post, "search_sources", in: database), text?.stored)
    }

    /// Whether the index still knows a post by a text.
    static func outdated(_ post: Int64, equals text: SearchText, in database: Database) throws -> Bool {
        isEqual(try stored(post, "search_outdated", in: database), text.stored)
    }

    private static func find(
        _ post: Int64, _ view: String, madeOf table: String, in database: Database
    ) throws -> SearchText? {
        guard let stored = try stored(post, table, in: database) else { return nil }
        let texts = try database.first(
            "SELECT title, summary, author, body FROM \(view) WHERE post = ?", [.integer(post)]
        ) { row in (0..<4).map { row.text($0) } }
        return texts.map { SearchText(texts: $0, stored: stored) }
    }

    private static func stored(_ post: Int64, _ table: String, in database: Database) throws -> [String?]? {
        try database.first("SELECT \(sources) FROM \(table) WHERE post = ?", [.integer(post)]) { row in
            (0..<sourceCount).map { row.text($0) }
        }
    }

    /// Byte for byte: texts that look the same may have other words.
    private static func isEqual(_ one: [String?]?, _ other: [String?]?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return zip(one, other).allSatisfy { one, other in
            guard let one, let other else { return one == nil && other == nil }
            return one.utf8.elementsEqual(other.utf8)
        }
    }
}

/// What is to be indexed next.
struct SearchBatch {
    /// A post that is new to the index, has changed since it was indexed, or is gone.
    struct Change {
        let post: Int64
        /// What the index knows of it; nil for a new post.
        let old: SearchText?
        /// What it is to know from now on; nil for a post that is gone or can't be read.
        let new: SearchText?
        var isUnreadable = false
    }

    private(set) var changes: [Change] = []
    /// The posts that can't be read.
    private(set) var unreadable: [Int64] = []
    private(set) var bytes = 0

    /// More is not held in memory, nor written at once.
    static let maxBytes = 8 << 20

    /// Adds a change; of a post that can't be read only that it is so, and a new one is passed over.
    mutating func add(_ post: Int64, isNew: Bool = false, _ change: () throws -> Change) {
        do {
            let change = try change()
            bytes += (change.old?.bytes ?? 0) + (change.new?.bytes ?? 0)
            changes.append(change)
        } catch {
            unreadable.append(post)
            if isNew { changes.append(Change(post: post, old: nil, new: nil, isUnreadable: true)) }
        }
    }
}
