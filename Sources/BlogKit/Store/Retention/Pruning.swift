import BlogEssentials
import BlogModel

/// Deletes the old posts of a source, or all of them, but never those that the user keeps: saved and labelled ones.
///
/// The age of a post counts from when it was published, last changed or delisted, whichever is latest. Currently listed
/// posts stay, and so does the newest post in the store, whose key would be reused otherwise. Comments are deleted with
/// their post; if one of them is kept, all stay.
struct Pruning {
    let database: Database
    let sourceKey: Int64
    /// Newer posts stay; nil to forget the source with its listed posts and marks.
    let cutoff: Date?

    struct Candidate {
        let post: Int64
        /// Whether it is deleted in its own right, not along with the post that it is a comment on.
        let isRoot: Bool
        /// Whether it is a comment, perhaps on a post that isn't stored.
        let isComment: Bool
    }

    /// The posts and comments to be deleted, comments before their post.
    func candidates() throws -> [Candidate] {
        let sql = "SELECT key, id, parent IS NOT NULL FROM posts WHERE source = ?1 AND \(isDue) AND \(Self.isRoot)"
        let roots = try database.all(sql, dueValues) { row in
            (id: row.text(1) ?? "", post: Candidate(post: row.integer(0), isRoot: true, isComment: row.bool(2)))
        }
        guard !roots.isEmpty else { return [] }
        let comments = try commentsByParent()
        return roots.flatMap { root in
            guard let below = Self.comments(below: root.id, comments) else { return [Candidate]() }
            return below.map { Candidate(post: $0, isRoot: false, isComment: true) } + [root.post]
        }
    }

    /// The approximate size of posts with their bodies and articles, in bytes.
    func bytes(of candidates: [Candidate]) throws -> Int {
        let sql = """
            SELECT length(CAST(title || ifnull(summary, '') || ifnull(details, '') AS BLOB)) + 400
                + ifnull((SELECT length(CAST(body AS BLOB)) FROM bodies WHERE post = posts.key), 0)
                + ifnull((SELECT length(CAST(body AS BLOB)) FROM articles WHERE post = posts.key), 0)
            FROM posts WHERE key = ?
            """
        return try candidates.reduce(0) { sum, candidate in
            try sum + Int(database.integer(sql, [.integer(candidate.post)]) ?? 0)
        }
    }

    // MARK: Deleting

    /// Prepares the removal of the next candidates from the search index, without a lock.
    func prepare(_ candidates: ArraySlice<Candidate>, for duration: Duration) -> PruningBatch {
        let start = ContinuousClock.now
        let index = SearchIndex(database)
        var batch = PruningBatch()
        for candidate in candidates.prefix(PruningBatch.maxCount) {
            do {
                batch.add(candidate, try index.indexedText(of: candidate.post))
            } catch {
                batch.unreadable.append(candidate.post)
            }
            if batch.bytes > SearchBatch.size || start.duration(to: .now) > duration { break }
        }
        return batch
    }

    /// Deletes prepared posts in a transaction, except those that were marked or changed meanwhile, and returns how
    /// many were deleted.
    func apply(_ batch: PruningBatch) throws -> PruneCounts {
        let index = SearchIndex(database)
        let pruned = PrunedPosts(of: sourceKey, in: database)
        var counts = PruneCounts()
        for (candidate, text) in batch.removals {
            guard let isComment = try isComment(candidate), try index.remove(text, of: candidate.post) else {
                continue
            }
            if cutoff != nil { try pruned.note(candidate.post) }
            for sql in Self.deletions { try database.run(sql, [.integer(candidate.post)]) }
            if isComment { counts.comments += 1 } else { counts.posts += 1 }
        }
        try pruned.trim()
        // A marking without posts can't be undone.
        try database.run(
            "DELETE FROM markings WHERE NOT EXISTS (SELECT 1 FROM marked_posts WHERE marking = markings.key)")
        try clampProgress()
        return counts
    }

    /// Deletes everything else about a source that is forgotten; its row stays if it is followed or has saved posts.
    func forgetRest() throws {
        for table in ["ranks", "sections", "pruned"] {
            try database.run("DELETE FROM \(table) WHERE source = ?", [.integer(sourceKey)])
        }
        for table in ["service_items", "service_deleted"] {
            try database.run("DELETE FROM \(table) WHERE service = ?", [.integer(sourceKey)])
        }
        // The marks on posts that are kept have yet to be sent, if the service is followed again.
        try database.run(
            """
            DELETE FROM mark_queue WHERE service = ?1 AND item NOT IN (
                SELECT post_id FROM posts WHERE source IN (SELECT key FROM sources WHERE service = ?1)
            )
            """, [.integer(sourceKey)])
        try SourceRow.forgetValidators(of: sourceKey, in: database)
        try database.run(
            """
            UPDATE sources SET (refreshed_at, due_at, keep, pruned_at, article, article_body, article_drop)
                = (NULL, NULL, NULL, NULL, NULL, NULL, NULL)
            WHERE key = ?
            """, [.integer(sourceKey)])
        if try SourceRow.hasPosts(sourceKey, in: database)
            || database.exists(
                "SELECT 1 FROM sources WHERE key = ?1 AND followed_at IS NOT NULL OR service = ?1",
                [.integer(sourceKey)])
        {
            return
        }
        for table in ["cursors", "former_addresses"] {
            try database.run("DELETE FROM \(table) WHERE source = ?", [.integer(sourceKey)])
        }
        try database.run("DELETE FROM sources WHERE key = ?", [.integer(sourceKey)])
        try Rules(database).noteChangedSources()
    }

    /// Whether a candidate is a comment; nil if it is no longer to be deleted.
    private func isComment(_ candidate: Candidate) throws -> Bool? {
        let isDue = candidate.isRoot ? isDue : "?2 IS ?2 AND NOT \(Self.isKept)"
        return try database.first(
            "SELECT parent IS NOT NULL FROM posts WHERE key = ?3 AND source = ?1 AND \(isDue)",
            dueValues + [.integer(candidate.post)]
        ) { $0.bool(0) }
    }

    /// Resets counters that point past the last post or change, because keys and change numbers are reused once the
    /// greatest ones are deleted.
    private func clampProgress() throws {
        try SearchIndex(database).clampProgress()
        try Cursors(database).clamp()
    }

    private static let deletions = [
        "DELETE FROM bodies WHERE post = ?", "DELETE FROM articles WHERE post = ?",
        "DELETE FROM marked_posts WHERE post = ?", "DELETE FROM rule_hits WHERE post = ?",
        """
        DELETE FROM mark_queue WHERE (service, item) = (
            SELECT sources.service, post_id FROM posts JOIN sources ON sources.key = source WHERE posts.key = ?
        )
        """,
        "DELETE FROM posts WHERE key = ?",
    ]

    // MARK: Conditions

    /// The condition for deleting a post: `?1` is the source, `?2` the cutoff.
    ///
    /// A post of a service that is unread there would come back, and one with marks that its server has yet to be told is needed to
    /// tell whether their item is still its own.
    private var isDue: String {
        guard cutoff != nil else { return "?2 IS ?2 AND NOT \(Self.isKept)" }
        return """
            NOT \(Self.isKept) AND max(date_key, changed_at) < ?2 AND key < (SELECT max(key) FROM posts)
            AND CASE WHEN EXISTS (SELECT 1 FROM sections WHERE source = ?1)
                THEN id NOT IN (SELECT id FROM ranks WHERE source = ?1)
                WHEN EXISTS (SELECT 1 FROM sources WHERE key = ?1 AND service IS NOT NULL)
                THEN is_read AND post_id NOT IN (
                    SELECT item FROM mark_queue WHERE service = (SELECT service FROM sources WHERE key = ?1)
                        AND is_sent NOT IN (\(MarkQueue.withoutItem)))
                ELSE listed = 0 END
            """
    }

    /// The condition for posts that the user keeps.
    private static let isKept = "(is_saved OR labels IS NOT NULL)"

    private var dueValues: [DatabaseValue] {
        [.integer(sourceKey), DatabaseValue(cutoff)]
    }

    /// The condition that a post isn't a comment on a stored post.
    private static let isRoot = """
        (parent IS NULL OR NOT EXISTS (
            SELECT 1 FROM posts AS above WHERE above.source = posts.source AND above.id = posts.parent
        ))
        """

    // MARK: Comments

    private struct Comment {
        let key: Int64
        let id: String
        let parent: String
        let isKept: Bool
    }

    private func commentsByParent() throws -> [String: [Comment]] {
        let count = try database.integer("SELECT comment_count FROM sources WHERE key = ?", [.integer(sourceKey)])
        guard count != 0 else { return [:] }
        let sql = "SELECT key, id, parent, \(Self.isKept) FROM posts WHERE source = ? AND parent IS NOT NULL"
        let comments = try database.all(sql, [.integer(sourceKey)]) { row in
            Comment(key: row.integer(0), id: row.text(1) ?? "", parent: row.text(2) ?? "", isKept: row.bool(3))
        }
        return Dictionary(grouping: comments, by: \.parent)
    }

    /// The keys of all comments below a post; nil if one of them is kept.
    private static func comments(below id: String, _ comments: [String: [Comment]]) -> [Int64]? {
        var keys: [Int64] = []
        var seen: Set = [id]
        var unvisited = [id]
        while let parent = unvisited.popLast() {
            for comment in comments[parent] ?? [] where seen.insert(comment.id).inserted {
                if comment.isKept { return nil }
                keys.append(comment.key)
                unvisited.append(comment.id)
            }
        }
        return keys.reversed()
    }
}

struct PruningBatch {
    private(set) var removals: [(candidate: Pruning.Candidate, indexedText: SearchText?)] = []
    /// Posts that stay because their indexed text can't be read.
    var unreadable: [Int64] = []
    private(set) var bytes = 0

    static let maxCount = 500

    var count: Int { removals.count + unreadable.count }

    mutating func add(_ candidate: Pruning.Candidate, _ indexedText: SearchText?) {
        removals.append((candidate, indexedText))
        bytes += indexedText?.bytes ?? 0
    }
}

/// How many posts and comments were deleted or would be.
package struct PruneCounts: Hashable, Sendable {
    package var posts = 0
    package var comments = 0
}
