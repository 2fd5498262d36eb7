extension Schema {
    /// 6: many sources.
    ///
    /// One that is followed has a name, which it keeps when it is no longer followed, as the ids of its posts begin with
    /// it. Posts of feeds have numbers that we give, and are known by their GUID, which is the `post_id`. Facts that only
    /// posts of one kind have are one column of JSON, and a body says what it is written in: until
    /// now texts of posts with replies were taken for HTML, and those of users were not.
    static let manySources =
        """
        ALTER TABLE blogs ADD COLUMN name TEXT;
        ALTER TABLE blogs ADD COLUMN folder TEXT NOT NULL DEFAULT '';
        ALTER TABLE blogs ADD COLUMN title TEXT;
        ALTER TABLE blogs ADD COLUMN followed_at INTEGER;
        ALTER TABLE blogs ADD COLUMN due_at INTEGER;
        ALTER TABLE blogs ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE blogs ADD COLUMN moved_to TEXT;
        ALTER TABLE blogs ADD COLUMN moved_at INTEGER;
        ALTER TABLE blogs ADD COLUMN moved_count INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE blogs ADD COLUMN last_number INTEGER NOT NULL DEFAULT 0;
        CREATE UNIQUE INDEX blogs_by_name ON blogs (name) WHERE name IS NOT NULL;

        ALTER TABLE bodies ADD COLUMN format TEXT;
        UPDATE bodies SET format = 'html' WHERE post IN (
            SELECT posts.key FROM posts JOIN blogs ON blogs.key = posts.blog WHERE source = 'hackernews'
        );
        INSERT OR IGNORE INTO search_outdated (post, title, summary, author, body)
            SELECT post, title, summary, author, body FROM searchable
            WHERE post IN (
                SELECT posts.key FROM posts JOIN bodies ON bodies.post = posts.key
                WHERE format = 'html' AND replies IS NULL
            ) AND post <= (SELECT last_post FROM search_progress);
        DROP VIEW searchable;
        CREATE VIEW searchable AS
            SELECT posts.key AS post, CASE WHEN parent IS NULL THEN segmented(title) ELSE '' END AS title,
                segmented(summary) AS summary, segmented(author_name) AS author,
                segmented(CASE
                    WHEN format = 'html' THEN html_text(body)
                    WHEN body = '' THEN (
                        SELECT ifnull(group_concat(text, ''), '') FROM (
                            SELECT text FROM body_parts WHERE body_parts.body = bodies.key ORDER BY place LIMIT 32
                        )
                    )
                    ELSE body
                END) AS body
            FROM posts LEFT JOIN bodies ON bodies.post = posts.key;

        ALTER TABLE posts ADD COLUMN number INTEGER;
        CREATE UNIQUE INDEX posts_by_number ON posts (blog, post_id) WHERE number IS NOT NULL;
        ALTER TABLE posts ADD COLUMN details TEXT;
        UPDATE posts SET details = json_object('discussion', json_object(
            'parent', parent,
            'replies', json(CASE replies WHEN '' THEN '[]' ELSE '["' || replace(replies, ' ', '","') || '"]' END),
            'withheld', withheld
        )) WHERE replies IS NOT NULL;
        ALTER TABLE posts DROP COLUMN replies;
        ALTER TABLE posts DROP COLUMN withheld;
        CREATE INDEX posts_by_link ON posts (link) WHERE link IS NOT NULL;
        """
}
