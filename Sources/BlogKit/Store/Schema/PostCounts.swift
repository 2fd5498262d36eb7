import BlogModel

/// The stored counts of posts, unread posts, bodies and comments of each source: triggers handle changed and deleted
/// posts, and ``add(to:in:)`` adds new ones.
///
/// The plain way is a trigger for new posts, too, which would take a tenth of the time of "first list of 100,000 posts"
/// in Benchmarks/RESULTS.md. `StoreModelTests` and `PostCountsTests` compare the counts with the posts.
///
/// Posts that a rule hides aren't counted, but their comments are.
struct PostCounts {
    private var posts = 0
    private var bodies = 0
    private var comments = 0

    static let triggers = """
        CREATE TRIGGER count_changed AFTER UPDATE OF listed, is_hidden, is_read, body_revision, parent ON posts BEGIN
            UPDATE sources SET
                post_count = post_count + (NEW.listed > NEW.is_hidden) - (OLD.listed > OLD.is_hidden),
                unread_count = unread_count + (NEW.listed > NEW.is_hidden AND NOT NEW.is_read)
                    - (OLD.listed > OLD.is_hidden AND NOT OLD.is_read),
                body_count = body_count + (NEW.listed > NEW.is_hidden AND NEW.body_revision IS NOT NULL)
                    - (OLD.listed > OLD.is_hidden AND OLD.body_revision IS NOT NULL),
                comment_count = comment_count + (NEW.parent IS NOT NULL) - (OLD.parent IS NOT NULL)
            WHERE key = NEW.source;
        END;
        CREATE TRIGGER count_deleted AFTER DELETE ON posts BEGIN
            UPDATE sources SET
                post_count = post_count - (OLD.listed > OLD.is_hidden),
                unread_count = unread_count - (OLD.listed > OLD.is_hidden AND NOT OLD.is_read),
                body_count = body_count - (OLD.listed > OLD.is_hidden AND OLD.body_revision IS NOT NULL),
                comment_count = comment_count - (OLD.parent IS NOT NULL)
            WHERE key = OLD.source;
        END;

        """

    static let columns = "(post_count, unread_count, body_count, comment_count)"

    /// The correct values of ``columns``.
    static let counted = """
        (
            SELECT ifnull(sum(listed > is_hidden), 0), ifnull(sum(listed > is_hidden AND NOT is_read), 0),
                ifnull(sum(listed > is_hidden AND body_revision IS NOT NULL), 0), count(parent)
            FROM posts WHERE source = sources.key
        )
        """

    /// Notes a new post.
    mutating func note(_ metadata: PostMetadata, _ content: Entry.Content?, isListed: Bool) {
        if isListed { posts += 1 }
        if isListed, content != nil { bodies += 1 }
        if metadata.discussion?.parent != nil { comments += 1 }
    }

    /// Adds what was noted to the counts of a source.
    func add(to sourceKey: Int64, in database: Database) throws {
        guard posts + comments > 0 else { return }
        try database.run(
            """
            UPDATE sources SET (post_count, unread_count, body_count, comment_count)
                = (post_count + ?1, unread_count + ?1, body_count + ?2, comment_count + ?3) WHERE key = ?4
            """, [.integer(Int64(posts)), .integer(Int64(bodies)), .integer(Int64(comments)), .integer(sourceKey)])
    }
}
