extension Schema {
    /// 11: posts can be deleted.
    ///
    /// A source says how long its posts are kept. What is left of a deleted one is what it needs to be the same post when
    /// its source lists it again. The index of words is made anew, as it has the words of long bodies in HTML from now on,
    /// and what it is to forget is noted as it was stored: no text is worked out while others wait to write.
    static let retention = """
        ALTER TABLE blogs ADD COLUMN keep TEXT;
        ALTER TABLE blogs ADD COLUMN pruned_at INTEGER;
        CREATE INDEX blogs_by_address ON blogs (address);
        CREATE INDEX marked_posts_by_post ON marked_posts (post);
        UPDATE blogs SET (etag, last_modified, digest) = (NULL, NULL, NULL) WHERE source = 'feed';
        INSERT INTO search (search) VALUES ('delete-all');
        UPDATE search_progress SET last_post = 0;
        DROP TABLE search_outdated;
        DROP VIEW searchable;
        \(searchedPosts)
        \(prunedPosts)
        """

    /// What is left of posts that were deleted: ``PrunedPosts``.
    static let prunedPosts = """
        CREATE TABLE pruned (
            blog INTEGER NOT NULL REFERENCES blogs (key),
            identity INTEGER NOT NULL,
            number INTEGER,
            is_read INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (blog, identity)
        ) WITHOUT ROWID;
        CREATE INDEX pruned_by_age ON pruned (blog, seen_at);
        CREATE TRIGGER count_deleted AFTER DELETE ON posts BEGIN
            UPDATE blogs SET
                post_count = post_count - OLD.listed,
                unread_count = unread_count - (OLD.listed AND NOT OLD.is_read),
                body_count = body_count - (OLD.listed AND OLD.body_revision IS NOT NULL),
                comment_count = comment_count - (OLD.parent IS NOT NULL)
            WHERE key = OLD.blog;
        END;

        """

    /// What of each post is searched, as it is stored (`search_sources`) and as text (`searchable`); and of posts that have
    /// changed or gone what the index still knows (`search_outdated`), as text in `searchable_outdated`.
    ///
    /// The words of the first parts of a long body are enough to find it by.
    static let searchedPosts = """
        CREATE VIEW search_sources AS
            SELECT posts.key AS post, parent IS NOT NULL AS is_comment, title, summary, details, author_name AS author,
                format, CASE WHEN body = '' THEN (
                    SELECT ifnull(group_concat(text, ''), '') FROM (
                        SELECT text FROM body_parts WHERE body_parts.body = bodies.key ORDER BY place LIMIT 32
                    )
                ) ELSE body END AS body
            FROM posts LEFT JOIN bodies ON bodies.post = posts.key;
        CREATE VIEW searchable AS \(searchedTexts) FROM search_sources;
        CREATE TABLE search_outdated (
            post INTEGER PRIMARY KEY,
            is_comment INTEGER NOT NULL,
            title TEXT,
            summary TEXT,
            details TEXT,
            author TEXT,
            format TEXT,
            body TEXT
        );
        CREATE VIEW searchable_outdated AS \(searchedTexts) FROM search_outdated;

        """

    private static let searchedTexts = """
        SELECT post, CASE WHEN is_comment THEN '' ELSE segmented(title) END AS title,
            segmented(ifnull(ifnull(summary || ' · ', '') || nullif(photo_words(details), ''), summary)) AS summary,
            segmented(author) AS author,
            segmented(CASE WHEN format = 'html' THEN html_text(body) ELSE body END) AS body
        """
}
