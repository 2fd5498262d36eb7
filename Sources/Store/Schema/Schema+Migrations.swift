extension Schema {
    /// The migrations in order.
    ///
    /// One that has been released is never edited: a store somewhere has run it. Change the tables by adding one, and in
    /// ``tables``, which a new store is made of.
    static let migrations = [
        // 1: blogs and their posts. Each address is a separate blog; a body is kept apart from its post, so that lists
        // never read bodies. `revision` counts changes of the metadata: a body of an older one is stale.
        """
        CREATE TABLE blogs (
            key INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            address TEXT NOT NULL,
            etag TEXT,
            last_modified TEXT,
            digest TEXT,
            refreshed_at INTEGER,
            current_until INTEGER,
            UNIQUE (source, address)
        );
        CREATE TABLE posts (
            key INTEGER PRIMARY KEY,
            blog INTEGER NOT NULL REFERENCES blogs (key),
            id TEXT NOT NULL,
            post_id TEXT NOT NULL,
            title TEXT NOT NULL,
            publish_date TEXT NOT NULL,
            summary TEXT,
            author_name TEXT NOT NULL,
            author_image TEXT,
            author_title TEXT,
            revision INTEGER NOT NULL DEFAULT 1,
            listed INTEGER NOT NULL DEFAULT 1,
            date_key INTEGER NOT NULL,
            id_key TEXT NOT NULL,
            title_key TEXT NOT NULL,
            author_key TEXT NOT NULL,
            month TEXT NOT NULL,
            letter TEXT NOT NULL,
            UNIQUE (blog, id)
        );
        CREATE INDEX posts_by_date ON posts (blog, date_key DESC, id_key) WHERE listed = 1;
        CREATE INDEX posts_by_title ON posts (blog, title_key, date_key DESC, id_key) WHERE listed = 1;
        CREATE INDEX posts_by_author ON posts (blog, author_key, date_key DESC, id_key) WHERE listed = 1;
        CREATE TABLE bodies (
            post INTEGER PRIMARY KEY REFERENCES posts (key),
            revision INTEGER NOT NULL,
            fetched_at INTEGER NOT NULL,
            body TEXT NOT NULL
        );
        """,
        // 2: marks, search, and what politeness remembers. A post knows itself of which revision its body is, so that
        // what is missing is found without touching bodies. Bodies lie in the order in which they came, which keeps their
        // pages full. Words are indexed later than posts are stored:
        // `search_progress` holds the last post that has been (SearchIndex.swift tells why).
        """
        ALTER TABLE posts ADD COLUMN is_read INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE posts ADD COLUMN is_saved INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE posts ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE posts ADD COLUMN body_revision INTEGER;
        UPDATE posts SET body_revision = (SELECT bodies.revision FROM bodies WHERE post = posts.key);
        ALTER TABLE bodies RENAME TO old_bodies;
        CREATE TABLE bodies (
            key INTEGER PRIMARY KEY,
            post INTEGER NOT NULL UNIQUE REFERENCES posts (key),
            fetched_at INTEGER NOT NULL,
            etag TEXT,
            last_modified TEXT,
            body TEXT NOT NULL
        );
        INSERT INTO bodies (post, fetched_at, body) SELECT post, fetched_at, body FROM old_bodies;
        DROP TABLE old_bodies;
        CREATE INDEX posts_unread ON posts (blog, date_key DESC, id_key) WHERE listed = 1 AND is_read = 0;
        CREATE INDEX posts_saved ON posts (blog, date_key DESC, id_key) WHERE is_saved = 1;
        CREATE INDEX posts_with_body ON posts (blog) WHERE body_revision IS NOT NULL;

        ALTER TABLE blogs ADD COLUMN validated_at INTEGER;
        ALTER TABLE blogs ADD COLUMN asked_at INTEGER;
        ALTER TABLE blogs ADD COLUMN problem TEXT;
        CREATE TABLE waits (
            host TEXT PRIMARY KEY,
            until INTEGER NOT NULL
        );
        CREATE TABLE cursors (
            blog INTEGER NOT NULL REFERENCES blogs (key),
            name TEXT NOT NULL,
            last_post INTEGER NOT NULL,
            PRIMARY KEY (blog, name)
        );
        CREATE TABLE markings (
            key INTEGER PRIMARY KEY,
            mark TEXT NOT NULL
        );
        CREATE TABLE marked_posts (
            marking INTEGER NOT NULL REFERENCES markings (key) ON DELETE CASCADE,
            post INTEGER NOT NULL REFERENCES posts (key),
            PRIMARY KEY (marking, post)
        ) WITHOUT ROWID;

        CREATE VIEW searchable AS
            SELECT posts.key AS post, segmented(title) AS title, segmented(summary) AS summary,
                segmented(author_name) AS author, segmented(body) AS body
            FROM posts LEFT JOIN bodies ON bodies.post = posts.key;
        CREATE VIRTUAL TABLE search USING fts5 (
            title, summary, author, body, content = 'searchable', content_rowid = 'post',
            tokenize = 'unicode61 remove_diacritics 2'
        );
        INSERT INTO search (search, rank) VALUES ('rank', 'bm25(10.0, 4.0, 4.0, 1.0)');
        INSERT INTO search (search, rank) VALUES ('hashsize', 16777216);
        CREATE TABLE search_progress (last_post INTEGER NOT NULL);
        INSERT INTO search_progress VALUES (0);
        """,
        // 3: discussions. A comment is a post that replies to another, and `replies` holds the ids of its replies in
        // their order, which tells the tree without a separate table. `ranks` is the order of a source's own lists, by
        // id, as a list is known before the posts in it are. The title of a comment is its story's, so its words don't
        // count, and texts are HTML, whose tags don't.
        """
        ALTER TABLE posts ADD COLUMN link TEXT;
        ALTER TABLE posts ADD COLUMN score INTEGER;
        ALTER TABLE posts ADD COLUMN comment_count INTEGER;
        ALTER TABLE posts ADD COLUMN parent TEXT;
        ALTER TABLE posts ADD COLUMN replies TEXT;
        ALTER TABLE posts ADD COLUMN withheld TEXT;
        CREATE TABLE ranks (
            blog INTEGER NOT NULL REFERENCES blogs (key),
            section TEXT NOT NULL,
            place INTEGER NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (blog, section, place)
        ) WITHOUT ROWID;
        CREATE TABLE sections (
            blog INTEGER NOT NULL REFERENCES blogs (key),
            name TEXT NOT NULL,
            refreshed_at INTEGER NOT NULL,
            PRIMARY KEY (blog, name)
        ) WITHOUT ROWID;
        DROP VIEW searchable;
        CREATE VIEW searchable AS
            SELECT posts.key AS post, CASE WHEN parent IS NULL THEN segmented(title) ELSE '' END AS title,
                segmented(summary) AS summary, segmented(author_name) AS author,
                segmented(CASE WHEN replies IS NULL THEN body ELSE html_text(body) END) AS body
            FROM posts LEFT JOIN bodies ON bodies.post = posts.key;
        """,
        // 4: a million posts. How many there are is kept up, as counting them takes longer than all else about a
        // list's first page. The indexes of lists are made when they are first needed (PostIndexes.swift). And posts
        // of any size: a body that is longer than a row should be lies in parts, and is empty in its own row. The
        // words of the first parts are enough to find it by.
        """
        ALTER TABLE blogs ADD COLUMN post_count INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE blogs ADD COLUMN unread_count INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE blogs ADD COLUMN body_count INTEGER NOT NULL DEFAULT 0;
        UPDATE blogs SET (post_count, unread_count, body_count) = (
            SELECT ifnull(sum(listed), 0), ifnull(sum(listed AND NOT is_read), 0), count(body_revision)
            FROM posts WHERE blog = blogs.key
        );
        CREATE TRIGGER count_new AFTER INSERT ON posts BEGIN
            UPDATE blogs SET
                post_count = post_count + NEW.listed,
                unread_count = unread_count + (NEW.listed AND NOT NEW.is_read),
                body_count = body_count + (NEW.body_revision IS NOT NULL)
            WHERE key = NEW.blog;
        END;
        CREATE TRIGGER count_changed AFTER UPDATE OF listed, is_read, body_revision ON posts BEGIN
            UPDATE blogs SET
                post_count = post_count + NEW.listed - OLD.listed,
                unread_count = unread_count + (NEW.listed AND NOT NEW.is_read) - (OLD.listed AND NOT OLD.is_read),
                body_count = body_count + (NEW.body_revision IS NOT NULL) - (OLD.body_revision IS NOT NULL)
            WHERE key = NEW.blog;
        END;
        DROP INDEX posts_by_date;
        DROP INDEX posts_by_title;
        DROP INDEX posts_by_author;
        DROP INDEX posts_unread;
        DROP INDEX posts_with_body;

        CREATE TABLE body_parts (
            key INTEGER PRIMARY KEY,
            body INTEGER NOT NULL REFERENCES bodies (key),
            place INTEGER NOT NULL,
            text TEXT NOT NULL,
            UNIQUE (body, place)
        );
        DROP VIEW searchable;
        CREATE VIEW searchable AS
            SELECT posts.key AS post, CASE WHEN parent IS NULL THEN segmented(title) ELSE '' END AS title,
                segmented(summary) AS summary, segmented(author_name) AS author,
                segmented(CASE
                    WHEN replies IS NOT NULL THEN html_text(body)
                    WHEN body = '' THEN (
                        SELECT ifnull(group_concat(text, ''), '') FROM (
                            SELECT text FROM body_parts WHERE body_parts.body = bodies.key ORDER BY place LIMIT 32
                        )
                    )
                    ELSE body
                END) AS body
            FROM posts LEFT JOIN bodies ON bodies.post = posts.key;
        """,
        // 5: a smaller index of words. For every word of every text it notes the column, except the first: with bodies
        // there it takes a quarter less room and time. Posts that change are indexed when somebody searches; what the
        // index is to forget then is in `search_outdated`.
        """
        DROP TABLE search;
        CREATE VIRTUAL TABLE search USING fts5 (
            body, title, summary, author, content = 'searchable', content_rowid = 'post',
            tokenize = 'unicode61 remove_diacritics 2'
        );
        INSERT INTO search (search, rank) VALUES ('rank', 'bm25(1.0, 10.0, 4.0, 4.0)');
        INSERT INTO search (search, rank) VALUES ('hashsize', 16777216);
        UPDATE search_progress SET last_post = 0;
        CREATE TABLE search_outdated (
            post INTEGER PRIMARY KEY REFERENCES posts (key),
            title TEXT,
            summary TEXT,
            author TEXT,
            body TEXT
        );
        """,
        manySources,
        changedPosts,
        apartCounts,
        photos,
        fewerMerges,
        retention,
        // 12: what people call a source instead of its title.
        "ALTER TABLE blogs ADD COLUMN label TEXT",
        // 13: hints are given once. The index has superscripts and subscripts as it has them of HTML, so it is made again.
        """
        CREATE TABLE hints (name TEXT PRIMARY KEY) WITHOUT ROWID;
        DROP TABLE search;
        CREATE VIRTUAL TABLE search USING fts5 (
            body, title, summary, author, content = 'searchable', content_rowid = 'post',
            tokenize = 'unicode61 remove_diacritics 2'
        );
        INSERT INTO search (search, rank) VALUES ('rank', 'bm25(1.0, 10.0, 4.0, 4.0)');
        INSERT INTO search (search, rank) VALUES ('hashsize', 16777216);
        INSERT INTO search (search, rank) VALUES ('automerge', 8);
        UPDATE search_progress SET last_post = 0;
        DELETE FROM search_outdated;
        """,
    ]
}
