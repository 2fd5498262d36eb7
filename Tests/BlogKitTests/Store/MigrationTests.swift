import Foundation
import Testing
@testable import Model
@testable import SQLite
@testable import Store

@Suite("A store of an older version", .serialized) struct MigrationTests {
    @Test("keeps its posts and bodies, which can be searched and marked")
    func fromVersion1() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("blog.sqlite3")
        do {
            let database = try Database(path: path, mode: .readWrite)
            try Schema.migrate(database, to: 1)
            try database.execute(
                """
                INSERT INTO blogs (key, source, address) VALUES (1, 'blog', 'http://a');
                INSERT INTO posts (key, blog, id, post_id, title, publish_date, author_name, revision, date_key, id_key,
                    title_key, author_key, month, letter)
                VALUES (7, 1, '1', '1001', 'Old', '2018-07-15T23:03:29Z', 'Kim', 3, 0, '1', 'old', 'kim', '2018-07', 'O'),
                    (8, 1, '2', '1002', 'Older', '2018-07-14T23:03:29Z', 'Kim', 3, 0, '2', 'older', 'kim', '2018-07', 'O');
                INSERT INTO bodies (post, revision, fetched_at, body) VALUES (7, 3, 5, 'the body'), (8, 2, 6, 'stale');
                """)
        }
        let store = try PostStore(path: path)
        #expect(try await store.body(id: "1", of: .one)?.text == "the body")
        #expect(try await store.body(id: "1", of: .one)?.isCurrent == true)
        #expect(try await store.body(id: "2", of: .one)?.isCurrent == false)
        #expect(try await store.ids(Query(words: "body")) == ["1"])
        #expect(try await store.ids(Query(filter: Filter(isUnread: true))) == ["1", "2"])
        #expect(try await store.check() == [])
    }
}

@Suite("A new store") struct NewStoreTests {
    @Test("has the tables that all migrations make of an old one")
    func sameTables() throws {
        let folder = try TemporaryFolder()
        try Schema.migrate(try Database(path: folder.path("migrated"), mode: .readWrite), to: 1)
        let (new, migrated) = try (facts(ofStore: folder.path("new")), facts(ofStore: folder.path("migrated")))
        #expect(migrated.count > 150)
        #expect(new == migrated)
    }

    /// Every column, index, reference, trigger, view and setting, in an order that doesn't tell how they were made.
    private func facts(ofStore path: String) throws -> [String] {
        _ = try PostStore(path: path)
        let database = try Database(path: path, mode: .readOnly)
        let sql = """
            WITH tables AS (SELECT name FROM sqlite_schema WHERE type = 'table')
            SELECT 'version ' || application_id || ' ' || user_version FROM pragma_application_id, pragma_user_version
            UNION ALL
            SELECT printf('column %s %s ', tables.name, columns.name)
                || printf('%s %s %s %s %s', columns.type, "notnull", dflt_value, pk, hidden)
            FROM tables, pragma_table_xinfo(tables.name) AS columns
            UNION ALL
            SELECT printf('index %s %s %s ', tables.name, indexes.name, columns.name)
                || printf('%s %s %s %s', "unique", origin, partial, desc)
            FROM tables, pragma_index_list(tables.name) AS indexes,
                pragma_index_xinfo(indexes.name) AS columns
            UNION ALL
            SELECT printf('reference %s %s %s %s %s', tables.name, "from", keys."table", "to", on_delete)
            FROM tables, pragma_foreign_key_list(tables.name) AS keys
            UNION ALL
            SELECT 'sql ' || sql FROM sqlite_schema
            WHERE type IN ('index', 'trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%'
            UNION ALL
            SELECT 'setting ' || k || ' ' || v FROM search_config
            UNION ALL
            SELECT 'indexed ' || last_post FROM search_progress
            """
        let rows = try database.cursor(sql, [])
        var facts: [String] = []
        while try rows.step() { facts.append(rows.text(0) ?? "") }
        return facts.sorted()
    }
}

@Suite("A store that version 5 made", .serialized) struct Version5Tests {
    private let store: PostStore
    private let folder: TemporaryFolder
    private let blog = SourceID(kind: "blog", address: "http://localhost:8106")
    private let news = SourceID(kind: "hackernews", address: "http://localhost:8106/v0")

    init() throws {
        folder = try TemporaryFolder()
        let fixture = Repository.root.appending(path: "Tests/BlogKitTests/Fixtures/store-version-5.sqlite3")
        try FileManager.default.copyItem(at: fixture, to: URL(filePath: folder.path("s")))
        store = try PostStore(path: folder.path("s"))
    }

    @Test("has all its posts, bodies and marks")
    func everything() async throws {
        let facts = try await store.facts()
        #expect(facts.schemaVersion == Int(Schema.version))
        #expect((facts.posts, facts.comments, facts.bodies) == (15, 12, 27))
        #expect(try await store.ids(of: blog).count == 14)
        #expect(try await store.ids(Query(arrangement: Arrangement(sorting: .rating)), of: blog) == store.ids(of: blog))
        #expect(try await Set(store.ids(Query(filter: Filter(isUnread: true)), of: blog)).isDisjoint(with: ["3", "4"]))
        #expect(try await store.ids(Query(filter: Filter(isUnread: true)), of: blog).count == 12)
        #expect(try await store.ids(Query(filter: Filter(isSaved: true)), of: blog) == ["11"])
        #expect(try await store.body(id: "11", of: blog)?.text.contains("back button") == true)
        #expect(try await store.source(blog)?.unread == 12)
        #expect(try await store.undoMarking()?.changed == 2)
        #expect(try await store.check() == [])
    }

    @Test("has its threads, in HTML whose tags are no words")
    func threads() async throws {
        let story = try #require(try await store.items(["8863"], of: news)["8863"])
        #expect(story.metadata.discussion?.replies == ["8870", "8875", "8877", "8880", "8881"])
        #expect(story.format == .html)
        let items = try await store.items(["8870", "8875", "8877", "8881"], of: news)
        #expect(items.values.allSatisfy { $0.metadata.discussion?.parent == "8863" && $0.state.isRead })
        #expect(try await store.ids(Query(words: "rsync"), of: news).contains("8877"))
        #expect(try await store.ids(Query(words: "href"), of: news).isEmpty)
        #expect(try await store.ranking(of: "top", news)?.ids.first == "8863")
    }

    @Test("keeps what was seen with --new")
    func cursors() async throws {
        #expect(try await store.ids(Query(newFor: "cron"), of: blog).isEmpty)
        #expect(try await store.ids(Query(newFor: "other"), of: blog).count == 14)
    }

    @Test("follows nothing, so its posts have plain ids")
    func sources() async throws {
        #expect(try await store.followedSources().isEmpty)
        #expect(try await store.namedSources().isEmpty)
    }
}
