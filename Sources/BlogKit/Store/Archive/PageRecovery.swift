/// Recovers the rows on the pages of a damaged store, even on pages that no B-tree refers to any more: they are copied
/// to a temporary store on first use and read from there.
package actor PageRecovery {
    /// The damaged store; nil if it can't even be opened.
    private let store: PostStore?
    private let path: String
    private var copy: Database?

    package init(path: String, store: PostStore?) {
        self.path = path
        self.store = store
    }

    package func keys() async throws -> [Int64] {
        try await read { try $0.all("SELECT key FROM posts ORDER BY key") { $0.integer(0) } }
    }

    package func sources() async throws -> [StoredSource] {
        try await read { try SourceRow.all("name IS NOT NULL", in: $0) }
    }

    /// The number of sources recovered without anything but their address.
    package func lostSources() async throws -> Int {
        try await read { Int(try $0.integer("SELECT count(*) FROM lost_sources") ?? 0) }
    }

    /// A post, without its body if that is incomplete; nil if the post wasn't found or can't be read.
    func post(_ key: Int64) async throws -> (content: ExportedPost, hasLostBody: Bool)? {
        try await read { database in
            let hasLostBody = try database.first(Self.hasLostBody, [.integer(key)]) { $0.bool(0) }
            do {
                let found = try PostStore.find(
                    "posts.key = ?", [.integer(key)], withBody: hasLostBody == false, in: database)
                return found.map { (content: $0, hasLostBody: hasLostBody == true) }
            } catch StoreError.Reason.damaged {
                return nil
            }
        }
    }

    /// Whether a post's body or one of its parts is missing.
    private static let hasLostBody = """
        SELECT body_revision IS NOT NULL AND bodies.key IS NULL
            OR EXISTS (SELECT 1 FROM known_parts WHERE known_parts.body = bodies.key AND NOT EXISTS (
                SELECT 1 FROM body_parts WHERE body_parts.body = bodies.key AND body_parts.place = known_parts.place))
            OR (SELECT count(*) <> ifnull(max(place) + 1, 0) FROM body_parts WHERE body_parts.body = bodies.key)
        FROM posts LEFT JOIN bodies ON bodies.post = posts.key WHERE posts.key = ?
        """

    private func read<Result>(_ work: (Database) throws -> Result) async throws -> Result {
        if copy == nil { await store?.checkpoint() }
        return try StoreError.mapped(path) { try work(recovered()) }
    }

    private func recovered() throws -> Database {
        if let copy { return copy }
        do {
            let recovered = try Self.copy(of: path)
            copy = recovered
            return recovered
        } catch let error as DatabaseError where [.full, .notWritable].contains(error.kind) {
            throw StoreError.Reason.noTemporarySpace
        }
    }

    /// A store with all rows on the pages of a file.
    private static func copy(of path: String) throws -> Database {
        let database = try StoreFile.temporary()
        guard let pages = DatabasePages(path: path) else { return database }
        // Rows are found in any order, so nothing can check their references or count them yet.
        try database.execute(
            """
            PRAGMA foreign_keys = OFF;
            PRAGMA synchronous = OFF;
            DROP TRIGGER count_changed;
            CREATE TABLE known_parts (body INTEGER, place INTEGER, PRIMARY KEY (body, place)) WITHOUT ROWID;
            CREATE TABLE lost_sources (key INTEGER PRIMARY KEY, source TEXT, address TEXT);
            """)
        let shapes = try RowShape.all(in: database)
        try database.transaction {
            for number in 1...max(pages.count, 1) {
                let records = pages.records(ofPage: number) { count in shapes.contains { $0.accepts(count) } }
                for record in records { try shapes.first { $0.matches(record) }?.insert(record, database) }
            }
            // The index of sources may still have the address of a source whose row is lost.
            try database.execute(
                """
                DELETE FROM lost_sources WHERE key IN (SELECT key FROM blogs);
                INSERT OR IGNORE INTO blogs (key, source, address) SELECT key, source, address FROM lost_sources;
                """)
        }
        return database
    }
}

/// The shape of a table's rows, by which they are recognized on a page.
struct RowShape: Sendable {
    private let sql: String
    private let count: Int
    /// The types of some of the values.
    private let kinds: [(index: Int, kind: Kind)]
    private let isRow: Bool

    private enum Kind {
        case null
        case number
        case text
    }

    /// The shapes of all records to recover.
    static func all(in database: Database) throws -> [RowShape] {
        let tables: KeyValuePairs<String, [String: Kind]> = [
            "blogs": ["key": .null, "source": .text, "address": .text],
            "posts": ["key": .null, "blog": .number, "id": .text, "post_id": .text, "title": .text],
            "bodies": ["key": .null, "post": .number, "fetched_at": .number, "body": .text],
            "articles": [
                "post": .null, "fetched_at": .number, "address": .text, "body": .text, "failures": .number,
            ],
            "body_parts": ["key": .null, "body": .number, "place": .number, "text": .text],
        ]
        return try [parts, sources]
            + tables.map { RowShape(of: $0.key, try Schema.storedColumns(of: $0.key, in: database), $0.value) }
    }

    private init(of table: String, _ columns: [String], _ kinds: [String: Kind]) {
        isRow = true
        count = columns.count
        self.kinds = kinds.compactMap { name, kind in columns.firstIndex(of: name).map { ($0, kind) } }
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        sql = "INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))"
    }

    private init(index sql: String, _ kinds: [Kind]) {
        isRow = false
        count = kinds.count
        self.kinds = Array(kinds.enumerated().map { ($0.offset, $0.element) })
        self.sql = sql
    }

    private static let parts = RowShape(
        index: "INSERT OR IGNORE INTO known_parts SELECT ?1, ?2 WHERE ?3 IS ?3", [.number, .number, .number])
    private static let sources = RowShape(
        index: "INSERT OR IGNORE INTO lost_sources (source, address, key) VALUES (?, ?, ?)", [.text, .text, .number])

    /// Whether records with this number of values may match.
    func accepts(_ count: Int) -> Bool { count == self.count }

    func matches(_ record: PageRecord) -> Bool {
        guard (record.row != nil) == isRow, accepts(record.values.count) else { return false }
        return kinds.allSatisfy { index, kind in
            switch (record.values[index], kind) {
            case (.null, .null), (.integer, .number), (.text, .text): true
            default: false
            }
        }
    }

    /// Stores a record unless its key exists or it violates a constraint.
    func insert(_ record: PageRecord, _ database: Database) throws {
        var values = record.values
        // SQLite doesn't store the primary key among the values of the row.
        if let row = record.row, let key = kinds.first(where: { $0.kind == .null })?.index {
            values[key] = .integer(row)
        }
        try database.run(sql, values)
    }
}
