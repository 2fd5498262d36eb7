import BlogEssentials
import BlogModel

/// The deleted posts of a source, so that they get back their number and mark if the source lists them again.
///
/// A row takes about forty bytes. A source has at most ``maxCount`` rows, for the posts that it listed most recently,
/// because older ones hardly ever return.
struct PrunedPosts {
    private let sourceKey: Int64
    private let database: Database

    init(of sourceKey: Int64, in database: Database) {
        self.sourceKey = sourceKey
        self.database = database
    }

    /// Identifies a post by its id.
    static func identity(id: String) -> DatabaseValue { hash(of: "id " + id) }

    /// Identifies a post that the store has numbered: another one may have the same GUID.
    static func identity(guid: String, title: String, link: String?) -> DatabaseValue {
        hash(
            of: ["guid " + Entry.withoutDistinction(guid), title, link.map(Entry.canonical) ?? ""].joined(
                separator: "\0"))
    }

    /// A 64-bit hash, because a GUID may have any length.
    private static func hash(of text: String) -> DatabaseValue {
        .integer(Int64(bitPattern: ContentDigest.hash(of: text)))
    }

    static let maxCount = 5000

    var isEmpty: Bool {
        get throws {
            try !database.exists("SELECT 1 FROM pruned WHERE source = ? LIMIT 1", [.integer(sourceKey)])
        }
    }

    /// The number of a deleted post, if it had one, and when it was last changed or listed.
    func find(_ identity: DatabaseValue) throws -> (number: Int64?, seenAt: Int64)? {
        try database.first(
            "SELECT number, seen_at FROM pruned WHERE source = ? AND identity = ?", [.integer(sourceKey), identity]
        ) { ($0.optionalInteger(0), $0.integer(1)) }
    }

    private static func identities(of metadata: PostMetadata) -> [DatabaseValue] {
        [identity(id: metadata.id), identity(guid: metadata.postId, title: metadata.title, link: metadata.link)]
    }

    /// Whether a post that isn't stored any more was read.
    func wasRead(_ metadata: PostMetadata) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM pruned WHERE source = ? AND identity IN (?, ?) AND is_read",
            [.integer(sourceKey)] + Self.identities(of: metadata))
    }

    /// Restores the mark of a post that is stored again.
    func restore(_ post: Int64, of metadata: PostMetadata) throws {
        for identity in Self.identities(of: metadata) {
            let wasRead = try database.first(
                "DELETE FROM pruned WHERE source = ? AND identity = ? RETURNING is_read",
                [.integer(sourceKey), identity]
            ) { $0.bool(0) }
            guard wasRead == true else { continue }
            try database.run("UPDATE posts SET is_read = 1 WHERE key = ?", [.integer(post)])
        }
    }

    /// Adds a post that will be deleted, unless it is a comment.
    func note(_ post: Int64) throws {
        let sql = """
            SELECT id, post_id, number, is_read, max(date_key, changed_at), title, link FROM posts
            WHERE key = ? AND parent IS NULL
            """
        let found = try database.first(sql, [.integer(post)]) { row in
            let number = row.optionalInteger(2)
            return [
                number == nil
                    ? Self.identity(id: row.text(0) ?? "")
                    : Self.identity(guid: row.text(1) ?? "", title: row.text(5) ?? "", link: row.text(6)),
                DatabaseValue(number), .integer(row.integer(3)), .integer(row.integer(4)),
            ]
        }
        guard let found else { return }
        try database.run(
            "INSERT OR REPLACE INTO pruned (source, identity, number, is_read, seen_at) VALUES (?, ?, ?, ?, ?)",
            [.integer(sourceKey)] + found)
    }

    /// Adds a post that another reader has deleted, so that it is read if its source lists it.
    func note(deleted post: PostMetadata, at now: Date) throws {
        try database.run(
            "INSERT OR IGNORE INTO pruned (source, identity, number, is_read, seen_at) VALUES (?, ?, NULL, 1, ?)",
            [
                .integer(sourceKey), Self.identity(guid: post.postId, title: post.title, link: post.link),
                DatabaseValue(now),
            ])
    }

    func trim() throws {
        try database.run(
            """
            DELETE FROM pruned WHERE source = ?1 AND identity IN (
                SELECT identity FROM pruned WHERE source = ?1 ORDER BY seen_at DESC, identity LIMIT -1 OFFSET ?2
            )
            """, [.integer(sourceKey), .integer(Int64(Self.maxCount))])
    }
}
