import BlogModel

/// The tables of the store and their version.
///
/// Schema changes are migrations, which are appended here. From the first release on, they are never edited.
package enum Schema {
    /// Marks a file as a store ("Blog" in ASCII), so that other programs' databases are never written to.
    static let applicationID: Int64 = 0x426C_6F67
    /// The mark of the first stores, from before version 1 ("blog" in ASCII).
    static let unreleasedID: Int64 = 0x626C_6F67

    package static let version: Int64 = 18
    /// The oldest version that is migrated.
    package static let oldestVersion: Int64 = 12

    /// Throws a ``StoreError/Reason`` if a database isn't a store that this version can read, or empty, without
    /// changing it.
    ///
    /// - Returns: the version of its tables; nil if it is empty.
    @discardableResult
    static func check(_ database: Database) throws -> Int64? {
        // One statement: between several, another process could create the tables.
        let sql = """
            SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
            FROM pragma_application_id, pragma_user_version
            """
        let values = try database.first(sql) { row in (0..<3).map { row.integer($0) } } ?? [0, 0, 0]
        if values == [0, 0, 0] { return nil }
        switch (values[0], values[1]) {
        case (applicationID, let found) where (oldestVersion...version).contains(found): return found
        case (applicationID, let newer) where newer > version:
            throw StoreError.Reason.newer(found: newer, known: version)
        case (applicationID, 1...), (unreleasedID, _): throw StoreError.Reason.unreleased
        // No such version exists.
        case (applicationID, _): throw StoreError.Reason.notADatabase
        default: throw StoreError.Reason.notAStore
        }
    }

    /// Creates the tables in an empty database, or migrates older ones, in one transaction; throws like ``check(_:)``.
    ///
    /// - Parameter copy: makes a copy of a database of an older version before its bodies are rewritten. Other processes
    ///   can't write meanwhile.
    static func create(in database: Database, copy: (_ version: Int64) -> Void = { _ in }) throws {
        if try check(database) == version { return }
        try database.transaction {
            // Check again under the lock: another process may have created them in the meantime.
            let found = try check(database)
            if found == version { return }
            if let found {
                if found < 14, try database.exists("SELECT 1 FROM body_parts") {
                    guard try canJoinBodies(in: database) else { throw StoreError.Reason.unreleased }
                    copy(found)
                }
                for migration in migrations.suffix(Int(version - found)) { try database.execute(migration) }
            } else {
                try database.execute(tables)
            }
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Makes a database of an older version readable without changing it.
    static func complete(_ database: Database, of found: Int64) throws {
        if found < 15 {
            let missing = (found < 13 ? ["validators_origin"] : []) + ["account"]
            let columns = missing.map { "NULL AS \($0)" }.joined(separator: ", ")
            try database.execute(
                "CREATE TEMP VIEW sources AS SELECT *, \(columns), 0 AS is_forgotten FROM main.sources")
        }
        if found < 18 {
            try database.execute(
                "CREATE TEMP VIEW posts AS SELECT *, 0 AS is_archived, NULL AS letters_read FROM main.posts")
        }
        if found < 13 {
            try database.execute(
                """
                CREATE TEMP VIEW typed_origins AS \(followedOrigins(in: "main.sources"));
                """)
        }
        if found < 15 {
            try database.execute("CREATE TEMP VIEW silences AS \(silentHosts(in: "main.waits"))")
        }
        if found < 14 {
            // The view `search_sources` of that version has the same columns.
            try database.execute(
                """
                CREATE TEMP VIEW bodies AS SELECT key, post, fetched_at, etag, last_modified,
                    iif(body = '', ifnull(\(joinedParts(of: "main.bodies")), ''), body) AS body, format FROM main.bodies;
                """)
        }
    }

    /// The text of a body that versions before 14 stored in parts; NULL for a body without parts.
    private static func joinedParts(of bodies: String) -> String {
        """
        (SELECT group_concat(text, '') FROM (
            SELECT text FROM body_parts WHERE body_parts.body = \(bodies).key ORDER BY place
        ))
        """
    }

    /// Whether no body in parts is too long for SQLite.
    private static func canJoinBodies(in database: Database) throws -> Bool {
        // Leaves room for the other columns.
        let limit = database.maxValueBytes - 1 << 20
        let long = try database.all(
            "SELECT body FROM body_parts GROUP BY body HAVING count(*) > ?", [.integer(Int64(limit / partBytes))]
        ) { $0.integer(0) }
        return try long.allSatisfy { body in
            let sql = "SELECT sum(length(CAST(text AS BLOB))) FROM body_parts WHERE body = ?"
            return try database.integer(sql, [.integer(body)]) ?? 0 <= limit
        }
    }

    /// The most bytes in a part of a body, in versions before 14.
    private static let partBytes = 1 << 17

    /// How the tables of each version are made of those of the one before, from ``oldestVersion`` up to ``version``.
    private static let migrations = [
        // Who typed an address decides about logins and private networks; what is followed counts as typed.
        """
        ALTER TABLE sources ADD COLUMN validators_origin TEXT;
        \(typedOrigins)
        INSERT INTO typed_origins \(followedOrigins(in: "sources"));
        """,
        // Long bodies are one row, too. Of those with more than 32 parts, other words are indexed than before, so they are
        // noted as changed, with the text by which they are in the index.
        """
        INSERT OR IGNORE INTO search_outdated (post, \(SearchText.sources))
            SELECT post, \(SearchText.sources) FROM search_sources
            WHERE post <= (SELECT last_post FROM search_progress) AND post IN (
                SELECT bodies.post FROM bodies JOIN body_parts ON body_parts.body = bodies.key
                GROUP BY bodies.key HAVING count(*) > 32
            );
        -- The next body takes the place of the parts of the last one, so the file grows little.
        CREATE TRIGGER body_joined AFTER UPDATE OF body ON bodies BEGIN
            DELETE FROM body_parts WHERE body = NEW.key;
        END;
        UPDATE bodies SET body = \(joinedParts(of: "bodies")) WHERE key IN (SELECT body FROM body_parts);
        DROP TRIGGER body_joined;
        DROP VIEW searchable;
        DROP VIEW search_sources;
        DROP TABLE body_parts;
        \(searchSources)
        """,
        // Hosts that don't respond have a table of their own; items that a service has deleted are remembered.
        """
        ALTER TABLE sources ADD COLUMN account TEXT;
        ALTER TABLE sources ADD COLUMN is_forgotten INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE service_items ADD COLUMN asked_at INTEGER;
        ALTER TABLE mark_queue ADD COLUMN is_imported INTEGER NOT NULL DEFAULT 0;
        \(deletedItems)
        \(silences)
        \(twins)
        \(changes)
        INSERT INTO silences \(silentHosts(in: "waits"));
        DELETE FROM waits WHERE host LIKE 'silent %';
        """,
        // What wasn't told yet is taken back without telling it; it isn't known of the marks that wait already.
        "ALTER TABLE mark_queue ADD COLUMN changes INTEGER;",
        // The signs of words such as "C++" are in the index, so the next search indexes all posts again.
        """
        INSERT INTO search (search) VALUES ('delete-all');
        DELETE FROM search_outdated;
        UPDATE search_progress SET last_post = 0;
        """,
        // Older posts can be read, page by page; a long post is opened where it was left. What came with an archive, and is read
        // without anybody having read it, has an is_archived of 1; once somebody has set whether it is read, of 2.
        """
        ALTER TABLE posts ADD COLUMN is_archived INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE posts ADD COLUMN letters_read INTEGER;
        ALTER TABLE sources ADD COLUMN archive TEXT;
        """,
    ]

    /// The hosts that don't respond, and until when they are skipped: ``HostRecord``.
    private static let silences = """
        CREATE TABLE silences (
            host TEXT PRIMARY KEY,
            until INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// The hosts that don't respond, in stores where they were among the others.
    private static func silentHosts(in waits: String) -> String {
        "SELECT substr(host, length('silent ') + 1) AS host, until FROM \(waits) WHERE host LIKE 'silent %'"
    }

    /// The origins of addresses that the user has typed, such as `https://example.org`, and the name of the service whose
    /// login is for one: ``StoredOrigins``.
    private static let typedOrigins = """
        CREATE TABLE typed_origins (
            origin TEXT PRIMARY KEY,
            is_service INTEGER NOT NULL DEFAULT 0,
            allows_http INTEGER NOT NULL DEFAULT 0,
            login TEXT
        ) WITHOUT ROWID;

        """

    /// The origins of the sources with names, in stores from before they were recorded.
    private static func followedOrigins(in sources: String) -> String {
        """
        SELECT substr(address, 1, start + instr(substr(address, start + 1) || '/', '/') - 1) AS origin,
            max(kind = '\(SourceID.serviceKind)') AS is_service, 0 AS allows_http,
            max(iif(kind = '\(SourceID.serviceKind)', name, NULL)) AS login
        FROM (SELECT kind, address, name, instr(address, '://') + 2 AS start FROM \(sources)
            WHERE name NOT NULL AND address LIKE 'http%' AND kind <> '\(SourceID.subscriptionKind)')
        GROUP BY origin
        """
    }

    /// What servers have yet to be told (``MarkQueue``), and the items of which only the ID is known (``ServiceItems``).
    ///
    /// A source with a `service` is a feed of it, and `feed` its own address.
    private static let services = """
        CREATE TABLE mark_queue (
            service INTEGER NOT NULL REFERENCES sources (key),
            item TEXT NOT NULL,
            kind TEXT NOT NULL,
            value INTEGER NOT NULL,
            label TEXT,
            version INTEGER NOT NULL,
            queued_at INTEGER NOT NULL,
            is_sent INTEGER NOT NULL DEFAULT 0,
            pull INTEGER,
            is_imported INTEGER NOT NULL DEFAULT 0,
            changes INTEGER,
            PRIMARY KEY (service, item, kind)
        ) WITHOUT ROWID;
        CREATE TABLE service_items (
            service INTEGER NOT NULL REFERENCES sources (key),
            item TEXT NOT NULL,
            place INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            asked_at INTEGER,
            PRIMARY KEY (service, item)
        ) WITHOUT ROWID;

        """

    /// The items that a service was found not to have any more, and when: ``ServiceItems``.
    private static let deletedItems = """
        CREATE TABLE service_deleted (
            service INTEGER NOT NULL REFERENCES sources (key),
            item TEXT NOT NULL,
            asked_at INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 1,
            PRIMARY KEY (service, item)
        ) WITHOUT ROWID;

        """

    /// What `blog undo` undoes besides markings, as JSON, with keys that no marking has: ``ChangeHistory``.
    private static let changes = "CREATE TABLE changes (key INTEGER PRIMARY KEY, change TEXT NOT NULL);"

    /// The posts of stories that are in several sources, which are few: ``UnreadCounts``.
    private static let twins = "CREATE INDEX posts_twins ON posts (story, twin) WHERE twin & 1;"

    private static let postsByStory = "CREATE INDEX posts_by_story ON posts (story) WHERE story IS NOT NULL;"

    private static let hiddenPosts =
        "CREATE INDEX posts_hidden ON posts (source, date_key DESC, id_key) WHERE is_hidden = 1;"

    /// The rules, and the posts that each has found, whatever it does with them.
    ///
    /// `marks` has one mark a line. A rule with `pending` has yet to be applied to all posts: ``RuleKeeping/Pending``.
    private static let rules = """
        CREATE TABLE rules (
            key INTEGER PRIMARY KEY,
            words TEXT NOT NULL,
            hides INTEGER NOT NULL,
            marks TEXT NOT NULL,
            expires_at INTEGER,
            is_expired INTEGER NOT NULL DEFAULT 0,
            pending INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE rule_hits (
            rule INTEGER NOT NULL REFERENCES rules (key),
            post INTEGER NOT NULL REFERENCES posts (key),
            is_found INTEGER NOT NULL DEFAULT 1,
            PRIMARY KEY (rule, post)
        ) WITHOUT ROWID;
        CREATE INDEX rule_hits_by_post ON rule_hits (post);

        """

    private static let labelledPosts =
        "CREATE INDEX posts_labelled ON posts (labels, is_read) WHERE labels IS NOT NULL;"

    /// The addresses that sources had, by which lists of other readers may still name them.
    private static let formerAddresses = """
        CREATE TABLE former_addresses (
            kind TEXT NOT NULL,
            address TEXT NOT NULL,
            source INTEGER NOT NULL REFERENCES sources (key),
            PRIMARY KEY (kind, address)
        ) WITHOUT ROWID;

        """

    private static let tables =
        [
            sources, formerAddresses, posts, bodies, articles, marks, searchedPosts, search, PostCounts.triggers,
            prunedPosts, rules, services, typedOrigins, deletedItems, silences, twins, changes,
        ]
        .joined(separator: "\n")

    /// The sources, one per kind and address, and the hosts that get no requests for a while (`waits`).
    ///
    /// A followed source has a name, the prefix of its posts' ids, and keeps it when it is unfollowed. The post counts
    /// are stored because counting would take longer than everything else about a list's first page.
    private static let sources =
        """
        CREATE TABLE sources (
            key INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            address TEXT NOT NULL,
            name TEXT,
            folder TEXT NOT NULL DEFAULT '',
            title TEXT,
            site TEXT,
            etag TEXT,
            last_modified TEXT,
            digest TEXT,
            refreshed_at INTEGER,
            current_until INTEGER,
            validated_at INTEGER,
            asked_at INTEGER,
            followed_at INTEGER,
            due_at INTEGER,
            problem TEXT,
            failures INTEGER NOT NULL DEFAULT 0,
            moved_to TEXT,
            moved_at INTEGER,
            moved_count INTEGER NOT NULL DEFAULT 0,
            keep TEXT,
            pruned_at INTEGER,
            last_number INTEGER NOT NULL DEFAULT 0,
            post_count INTEGER NOT NULL DEFAULT 0,
            unread_count INTEGER NOT NULL DEFAULT 0,
            body_count INTEGER NOT NULL DEFAULT 0,
            comment_count INTEGER NOT NULL DEFAULT 0,
            label TEXT,
            article TEXT,
            article_body TEXT,
            article_drop TEXT,
            every TEXT,
            home TEXT,
            service INTEGER REFERENCES sources (key),
            feed TEXT,
            validators_origin TEXT,
            account TEXT,
            is_forgotten INTEGER NOT NULL DEFAULT 0,
            archive TEXT,
            UNIQUE (kind, address)
        );
        CREATE UNIQUE INDEX sources_by_name ON sources (name) WHERE name IS NOT NULL;
        CREATE INDEX sources_by_address ON sources (address);
        CREATE TABLE waits (
            host TEXT PRIMARY KEY,
            until INTEGER NOT NULL
        );
        """

    /// Posts, and the source's own order of its lists: `ranks` refers to posts by id, because a ranking is known before
    /// its posts.
    ///
    /// `revision` counts changes of the metadata; a body whose `body_revision` is lower is outdated. `details` holds
    /// the fields of one kind of post, as JSON, which no SQL looks into: what lists sort or filter by has a column from
    /// `date_key` on. `tags` and `labels` have one a line, with a line break before and after each. `is_hidden` is whether a rule that
    /// hides posts is in force and has found it. `story` and `twin` are those of ``Stories``. What
    /// every list asks for comes first, because SQLite has to look at all columns before. `number` is the number that
    /// the store gave to a post of a feed, and `digest` the ``Entry/digest`` of the entry that it is stored from. The indexes of lists are created when they are first needed:
    /// ``PostIndexes``.
    private static let posts =
        """
        CREATE TABLE posts (
            key INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES sources (key),
            is_hidden INTEGER NOT NULL DEFAULT 0,
            twin INTEGER NOT NULL DEFAULT 0,
            id TEXT NOT NULL,
            post_id TEXT NOT NULL,
            title TEXT NOT NULL,
            publish_date TEXT NOT NULL,
            summary TEXT,
            author_name TEXT NOT NULL,
            author_image TEXT,
            author_title TEXT,
            link TEXT,
            score INTEGER,
            comment_count INTEGER,
            parent TEXT,
            details TEXT,
            revision INTEGER NOT NULL DEFAULT 1,
            body_revision INTEGER,
            listed INTEGER NOT NULL DEFAULT 1,
            is_read INTEGER NOT NULL DEFAULT 0,
            is_saved INTEGER NOT NULL DEFAULT 0,
            changed_at INTEGER NOT NULL DEFAULT 0,
            words_changed_at INTEGER,
            change_number INTEGER,
            number INTEGER,
            date_key INTEGER NOT NULL,
            id_key TEXT NOT NULL,
            title_key TEXT NOT NULL,
            author_key TEXT NOT NULL,
            month TEXT NOT NULL,
            letter TEXT NOT NULL,
            rating REAL,
            is_removed INTEGER NOT NULL DEFAULT 0,
            tags TEXT,
            digest INTEGER,
            labels TEXT,
            story INTEGER,
            is_archived INTEGER NOT NULL DEFAULT 0,
            letters_read INTEGER,
            UNIQUE (source, id)
        );
        \(postsByStory)
        \(labelledPosts)
        \(hiddenPosts)
        CREATE INDEX posts_saved ON posts (source, date_key DESC, id_key) WHERE is_saved = 1;
        CREATE UNIQUE INDEX posts_by_number ON posts (source, post_id) WHERE number IS NOT NULL;
        CREATE INDEX posts_by_link ON posts (link) WHERE link IS NOT NULL;
        CREATE INDEX posts_by_change ON posts (change_number) WHERE change_number IS NOT NULL;
        CREATE TABLE ranks (
            source INTEGER NOT NULL REFERENCES sources (key),
            section TEXT NOT NULL,
            place INTEGER NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (source, section, place)
        ) WITHOUT ROWID;
        CREATE TABLE sections (
            source INTEGER NOT NULL REFERENCES sources (key),
            name TEXT NOT NULL,
            refreshed_at INTEGER NOT NULL,
            PRIMARY KEY (source, name)
        ) WITHOUT ROWID;
        """

    /// Bodies, in tables of their own so that lists never read them.
    ///
    /// They are stored in order of arrival, which keeps their pages full.
    private static let bodies =
        """
        CREATE TABLE bodies (
            key INTEGER PRIMARY KEY,
            post INTEGER NOT NULL UNIQUE REFERENCES posts (key),
            fetched_at INTEGER NOT NULL,
            etag TEXT,
            last_modified TEXT,
            body TEXT NOT NULL,
            format TEXT
        );
        """

    /// The articles that posts link to; `body` is NULL until one was fetched.
    private static let articles =
        """
        CREATE TABLE articles (
            post INTEGER PRIMARY KEY REFERENCES posts (key),
            fetched_at INTEGER,
            address TEXT,
            title TEXT,
            author TEXT,
            site TEXT,
            publish_date TEXT,
            language TEXT,
            body TEXT,
            format TEXT,
            is_complete INTEGER,
            etag TEXT,
            last_modified TEXT,
            problem TEXT,
            failed_at INTEGER,
            failures INTEGER NOT NULL DEFAULT 0
        );
        """

    /// How far lists were read, the last post that was read (one row), what `blog undo` undoes (all markings of the last
    /// `step`), and the hints that were shown.
    private static let marks =
        """
        CREATE TABLE cursors (
            source INTEGER NOT NULL REFERENCES sources (key),
            name TEXT NOT NULL,
            last_post INTEGER NOT NULL,
            last_change INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (source, name)
        );
        CREATE TABLE last_read (post INTEGER REFERENCES posts (key) ON DELETE SET NULL);
        INSERT INTO last_read (post) VALUES (NULL);
        CREATE TABLE markings (
            key INTEGER PRIMARY KEY,
            mark TEXT NOT NULL,
            step INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE marked_posts (
            marking INTEGER NOT NULL REFERENCES markings (key) ON DELETE CASCADE,
            post INTEGER NOT NULL REFERENCES posts (key),
            PRIMARY KEY (marking, post)
        ) WITHOUT ROWID;
        CREATE INDEX marked_posts_by_post ON marked_posts (post);
        CREATE TABLE hints (name TEXT PRIMARY KEY) WITHOUT ROWID;
        """

    /// The full-text index, which lags behind the posts: see ``SearchIndex``.
    ///
    /// FTS5 stores the column of each word, except for the first column: with bodies there, the index is a quarter
    /// smaller and faster.
    private static let search =
        """
        CREATE VIRTUAL TABLE search USING fts5 (
            body, article, title, summary, author, facts, content = 'searchable', content_rowid = 'post',
            tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
        );
        INSERT INTO search (search, rank) VALUES ('rank', 'bm25(1.0, 1.0, 10.0, 4.0, 4.0, 1.0)');
        INSERT INTO search (search, rank) VALUES ('hashsize', 16777216);
        INSERT INTO search (search, rank) VALUES ('automerge', 8);
        CREATE TABLE search_progress (last_post INTEGER NOT NULL);
        INSERT INTO search_progress (last_post) VALUES (0);
        """

    /// Deleted posts: ``PrunedPosts``.
    private static let prunedPosts = """
        CREATE TABLE pruned (
            source INTEGER NOT NULL REFERENCES sources (key),
            identity INTEGER NOT NULL,
            number INTEGER,
            is_read INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (source, identity)
        ) WITHOUT ROWID;
        CREATE INDEX pruned_by_age ON pruned (source, seen_at);

        """

    /// The searched columns of each post as stored (`search_sources`) and as plain text (`searchable`), and those of
    /// changed or deleted posts as the index still has them (`search_outdated`, `searchable_outdated`).
    ///
    /// Of a body, only the first 4 Mi characters are indexed.
    private static let searchedPosts = """
        \(searchSources)
        CREATE TABLE search_outdated (
            post INTEGER PRIMARY KEY,
            is_comment INTEGER NOT NULL,
            title TEXT,
            summary TEXT,
            details TEXT,
            author TEXT,
            format TEXT,
            body TEXT,
            tags TEXT,
            link TEXT,
            article_format TEXT,
            article TEXT
        );
        CREATE VIEW searchable_outdated AS \(searchedTexts) FROM search_outdated;

        """

    private static let searchSources = """
        CREATE VIEW search_sources AS
            SELECT posts.key AS post, parent IS NOT NULL AS is_comment, posts.title, summary, details,
                author_name AS author, bodies.format,
                iif(length(CAST(bodies.body AS BLOB)) > 4194304, substr(bodies.body, 1, 4194304), bodies.body) AS body,
                tags, link, articles.format AS article_format, articles.body AS article
            FROM posts LEFT JOIN bodies ON bodies.post = posts.key LEFT JOIN articles ON articles.post = posts.key;
        CREATE VIEW searchable AS \(searchedTexts) FROM search_sources;

        """

    private static let searchedTexts = """
        SELECT post, CASE WHEN is_comment THEN '' ELSE segmented(title) END AS title,
            segmented(\(SearchText.summary)) AS summary,
            segmented(author) AS author, segmented(\(SearchText.facts)) AS facts,
            segmented(shown_text(body, format)) AS body,
            segmented(shown_text(article, article_format)) AS article
        """
}
