import SQLite

/// What the pages of a damaged store still hold, whether or not anything leads to them: their rows are copied into a
/// temporary store when they are first needed, and read from there.
package actor PageRecovery {
    /// The damaged store; nil if it can't even be opened.
    private let store: PostStore?
    private let path: String
    private var copy: Database?

    package init(path: String, store: PostStore?) {
        self.path = path
        self.store = store
    }

    /// The keys of all posts that were found.
    package func keys() async throws -> [Int64] {
        let database = try await recovered()
        return try StoreError.mapped(path) {
            try database.all("SELECT key FROM posts ORDER BY key") { $0.integer(0) }
        }
    }

    /// The sources that have a name.
    package func sources() async throws -> [StoredSource] {
        let database = try await recovered()
        return try StoreError.mapped(path) { try SourceRow.all("name IS NOT NULL", in: database) }
    }

    /// How many sources have lost everything but their address.
    package func lostSources() async throws -> Int {
        let database = try await recovered()
        return try StoreError.mapped(path) {
            Int(try database.first("SELECT count(*) FROM lost_sources", [], { $0.integer(0) }) ?? 0)
        }
    }

    /// A post, without its body where that is not whole; nil if it was not found, or means nothing any more.
    func post(_ key: Int64) async throws -> (content: ExportedPost, hasLostBody: Bool)? {
        let database = try await recovered()
        return try StoreError.mapped(path) {
            let hasLostBody = try database.first(Self.hasLostBody, [.integer(key)]) { $0.integer(0) == 1 }
            do {
                let found = try PostStore.find(
                    "posts.key = ?", [.integer(key)], withBody: hasLostBody == false, in: database)
                return found.map { (content: $0.content, hasLostBody: hasLostBody == true) }
            } catch StoreError.Reason.damaged {
                return nil
            }
        }
    }

    /// Whether the body that a post had is missing, or one of its parts is.
    private static let hasLostBody = """
        SELECT body_revision IS NOT NULL AND bodies.key IS NULL
            OR EXISTS (SELECT 1 FROM known_parts WHERE known_parts.body = bodies.key AND NOT EXISTS (
                SELECT 1 FROM body_parts WHERE body_parts.body = bodies.key AND body_parts.place = known_parts.place))
            OR (SELECT count(*) <> ifnull(max(place) + 1, 0) FROM body_parts WHERE body_parts.body = bodies.key)
        FROM posts LEFT JOIN bodies ON bodies.post = posts.key WHERE posts.key = ?
        """

    private func recovered() async throws -> Database {
        if let copy { return copy }
        await store?.checkpoint()
        var columns: [String: [String]] = [:]
        for table in RowShape.tables { columns[table] = await store?.storedColumns(of: table) }
        let made = try StoreError.mapped(path) {
            do {
                return try Self.copy(of: path, columns)
            } catch let error as DatabaseError where [.full, .notWritable].contains(error.kind) {
                throw StoreError.Reason.noTemporarySpace
            }
        }
        copy = made
        return made
    }

    /// A store with all rows that are on the pages of a file.
    private static func copy(of path: String, _ columns: [String: [String]]) throws -> Database {
        let database = try StoreFile.temporary()
        guard let pages = DatabasePages(path: path) else { return database }
        try database.execute(
            """
            CREATE TABLE known_parts (body INTEGER, place INTEGER, PRIMARY KEY (body, place)) WITHOUT ROWID;
            CREATE TABLE lost_sources (key INTEGER PRIMARY KEY, source TEXT, address TEXT);
            """)
        let shapes = try RowShape.all(in: database, columns)
        try database.transaction {
            for number in 1...max(pages.count, 1) {
                let records = pages.records(ofPage: number) { count in shapes.contains { $0.accepts(count) } }
                for record in records { try shapes.first { $0.fits(record) }?.insert(record, database) }
            }
            // The index of sources still tells where one was whose row is lost.
            try database.execute(
                """
                DELETE FROM lost_sources WHERE key IN (SELECT key FROM blogs);
                INSERT OR IGNORE INTO blogs (key, source, address) SELECT key, source, address FROM lost_sources;
                """)
        }
        return database
    }
}
