/// The tables of the store, as an ordered list of migrations.
///
/// A migration that has been released is never edited: a store somewhere has run it. Change the tables by adding one.
enum Schema {
    /// Marks a file as ours ("blog" in ASCII), so that nobody else's database is ever written to.
    static let applicationID: Int64 = 0x626C_6F67

    /// The version of the newest migration.
    static var version: Int64 { Int64(migrations.count) }

    static let migrations = [
        // 1: blogs and their posts. An address is a blog of its own; a body is kept apart from its post, so that
        // lists never read bodies. `revision` counts changes of the metadata: a body of an older one is stale.
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
        """
    ]

    /// Throws ``StoreError`` for a database that is newer than this program or not a store.
    ///
    /// It writes nothing.
    static func check(_ database: Database) throws {
        _ = try version(of: database)
    }

    /// Brings a database to the newest version in one transaction.
    ///
    /// Throws what ``check(_:)`` throws, and leaves such a database untouched.
    static func migrate(_ database: Database) throws {
        if try version(of: database) == version { return }
        try database.transaction {
            // Read again under the lock: another process may have migrated in the meantime.
            let old = try version(of: database)
            for (index, migration) in migrations.enumerated() where index >= old {
                try database.execute(migration)
            }
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    private static func version(of database: Database) throws -> Int64 {
        let owner = try database.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let found = try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        let tables = try database.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
        guard owner == applicationID || (owner == 0 && found == 0 && tables == 0) else {
            throw StoreError.Reason.notAStore
        }
        guard found <= version else { throw StoreError.Reason.newer(found: found, known: version) }
        return found
    }
}
