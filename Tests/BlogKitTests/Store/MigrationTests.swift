import BlogKit
import Foundation
import Testing

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
