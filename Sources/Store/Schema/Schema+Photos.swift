extension Schema {
    /// 9: photos.
    ///
    /// Lists are ordered by their rating, and what they were taken with and where are words that they are found by.
    /// Both are read out of the details.
    static let photos =
        """
        ALTER TABLE posts ADD COLUMN rating REAL
            GENERATED ALWAYS AS (json_extract(details, '$.photo.rating')) VIRTUAL;
        DROP VIEW searchable;
        CREATE VIEW searchable AS
            SELECT posts.key AS post, CASE WHEN parent IS NULL THEN segmented(title) ELSE '' END AS title,
                segmented(
                    ifnull(ifnull(summary || ' · ', '') || nullif(photo_words(details), ''), summary)
                ) AS summary,
                segmented(author_name) AS author,
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
        """
}
