import BlogEssentials
import BlogModel

extension Posts {
    /// What is known of a post; nil if it isn't stored.
    package func record(of post: PostID, _: SettledRules) throws -> PostRecord? {
        let facts = try database.first(
            """
            SELECT posts.key, changed_at, is_archived, is_hidden, is_removed, listed, followed_at, story, twin
            FROM posts JOIN sources ON sources.key = source WHERE kind = ? AND address = ? AND posts.id = ?
            """, post.source.values + [.text(post.local)]
        ) { row in
            (
                key: row.integer(0), changedAt: row.date(1) ?? .distantPast, isArchived: row.bool(2),
                isHidden: row.bool(3), isRemoved: row.bool(4), isListed: row.bool(5), isFollowed: row.date(6) != nil,
                story: row.integer(8) & Stories.hasTwin != 0 ? row.optionalInteger(7) : nil
            )
        }
        guard let facts else { return nil }
        let found = Set(
            try database.all("SELECT rule FROM rule_hits WHERE post = ? AND is_found", [.integer(facts.key)]) {
                Int($0.integer(0))
            })
        return PostRecord(
            changedAt: facts.changedAt, isArchived: facts.isArchived, isHidden: facts.isHidden,
            isRemoved: facts.isRemoved, isListed: facts.isListed, isFollowed: facts.isFollowed,
            rules: try Rules(database).stored().filter { !$0.isExpired && found.contains($0.number) },
            story: try facts.story.map { try shown(ofStory: $0) } ?? [])
    }

    /// The posts of a story in the order in which one of them stands for the others.
    private func shown(ofStory story: Int64) throws -> [PostID] {
        try database.all(
            """
            SELECT kind, address, posts.id FROM posts JOIN sources ON sources.key = source
            WHERE story = ? AND twin & 1 AND \(ListStatement.isNotHidden) AND followed_at IS NOT NULL
                AND \(ListStatement.isNotRemoved)
            ORDER BY twin, posts.key
            """, [.integer(story)]
        ) { $0.postID(0) }
    }
}
