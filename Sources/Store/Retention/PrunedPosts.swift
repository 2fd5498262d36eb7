import Essentials
import Model
import SQLite

/// The deleted posts of a source: enough of each to give it its number and its mark again if the source lists it once
/// more.
///
/// A row has some forty bytes, and a source at most ``maxCount`` rows: those of the posts that it listed last, as old
/// ones hardly ever come back.
struct PrunedPosts {
    private let sourceKey: Int64
    private let database: Database

    init(of sourceKey: Int64, in database: Database) {
        self.sourceKey = sourceKey
        self.database = database
    }

    /// How a source identifies a post.
    enum Identity {
        /// The id that the source gave it.
        case id(String)
        /// The GUID of a post with a number of ours.
        case guid(String)

        /// 64 bits of it: a GUID may be of any length.
        fileprivate var hash: DatabaseValue {
            let text =
                switch self {
                case .id(let id): "id " + id
                case .guid(let guid): "guid " + guid
                }
            let hash = Data(text.utf8).withUnsafeBytes { ContentDigest.hash(of: $0) }
            return .integer(Int64(bitPattern: hash))
        }
    }

    /// A source has this many at most.
    static let maxCount = 5000

    var isEmpty: Bool {
        get throws {
            try database.first("SELECT 1 FROM pruned WHERE blog = ? LIMIT 1", [.integer(sourceKey)]) { _ in true }
                == nil
        }
    }

    /// The number of a deleted post, nil if it had none, and when it was last changed or listed.
    func find(_ identity: Identity) throws -> (number: Int64?, seenAt: Int64)? {
        try database.first(
            "SELECT number, seen_at FROM pruned WHERE blog = ? AND identity = ?", [.integer(sourceKey), identity.hash]
        ) { ($0.isNull(0) ? nil : $0.integer(0), $0.integer(1)) }
    }

    /// Gives a post that has just come again the mark that it had.
    func restore(_ post: Int64, knownBy identities: [Identity]) throws {
        for identity in identities {
            let wasRead = try database.first(
                "DELETE FROM pruned WHERE blog = ? AND identity = ? RETURNING is_read",
                [.integer(sourceKey), identity.hash]
            ) { $0.integer(0) == 1 }
            guard wasRead == true else { continue }
            try database.run("UPDATE posts SET is_read = 1 WHERE key = ?", [.integer(post)])
        }
    }

    /// Remembers a post that is about to be deleted, unless it is a comment.
    func note(_ post: Int64) throws {
        let sql = """
            SELECT id, post_id, number, is_read, max(date_key, changed_at) FROM posts
            WHERE key = ? AND parent IS NULL
            """
        let found = try database.first(sql, [.integer(post)]) { row in
            let identity = row.isNull(2) ? Identity.id(row.text(0) ?? "") : .guid(row.text(1) ?? "")
            return [
                identity.hash, row.isNull(2) ? .null : .integer(row.integer(2)), .integer(row.integer(3)),
                .integer(row.integer(4)),
            ]
        }
        guard let found else { return }
        try database.run(
            "INSERT OR REPLACE INTO pruned (blog, identity, number, is_read, seen_at) VALUES (?, ?, ?, ?, ?)",
            [.integer(sourceKey)] + found)
    }

    /// Forgets those beyond ``maxCount``.
    func trim() throws {
        try database.run(
            """
            DELETE FROM pruned WHERE blog = ?1 AND identity IN (
                SELECT identity FROM pruned WHERE blog = ?1 ORDER BY seen_at DESC, identity LIMIT -1 OFFSET ?2
            )
            """, [.integer(sourceKey), .integer(Int64(Self.maxCount))])
    }
}
