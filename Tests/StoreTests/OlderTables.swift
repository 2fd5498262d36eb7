import Testing
@testable import BlogStore

extension PostStore {
    /// Gives the store the tables of an older version, with all posts in the index, and then changes it.
    func downgrade(to version: Int64, _ change: (Database) throws -> Void = { _ in }) throws {
        let database = connection.database
        let partSize = 1 << 17
        try database.transaction {
            try database.execute(
                """
                ALTER TABLE posts DROP COLUMN is_archived;
                ALTER TABLE posts DROP COLUMN letters_read;
                ALTER TABLE sources DROP COLUMN archive;
                """)
            if version < 16 { try database.execute("ALTER TABLE mark_queue DROP COLUMN changes") }
            guard version < 15 else {
                try change(database)
                return try database.execute("PRAGMA user_version = \(version)")
            }
            try database.execute(
                """
                INSERT INTO waits SELECT 'silent ' || host, until FROM silences;
                DROP TABLE silences;
                DROP TABLE service_deleted;
                DROP INDEX posts_twins;
                DROP TABLE changes;
                ALTER TABLE sources DROP COLUMN account;
                ALTER TABLE sources DROP COLUMN is_forgotten;
                ALTER TABLE service_items DROP COLUMN asked_at;
                ALTER TABLE mark_queue DROP COLUMN is_imported;
                """)
            guard version < 14 else {
                try change(database)
                return try database.execute("PRAGMA user_version = \(version)")
            }
            try database.execute(
                """
                CREATE TABLE body_parts (
                    key INTEGER PRIMARY KEY,
                    body INTEGER NOT NULL REFERENCES bodies (key),
                    place INTEGER NOT NULL,
                    text TEXT NOT NULL,
                    UNIQUE (body, place)
                );
                """)
            for (body, text) in try database.all(
                "SELECT key, body FROM bodies", [], { ($0.integer(0), $0.text(1) ?? "") })
            where text.utf8.count > partSize {
                var (rest, place) = (text[...], Int64(0))
                while !rest.isEmpty {
                    var end =
                        rest.utf8.index(rest.startIndex, offsetBy: partSize, limitedBy: rest.endIndex) ?? rest.endIndex
                    while end < rest.endIndex, UTF8.isContinuation(rest.utf8[end]) {
                        end = rest.utf8.index(before: end)
                    }
                    try database.run(
                        "INSERT INTO body_parts (body, place, text) VALUES (?, ?, ?)",
                        [.integer(body), .integer(place), .text(String(rest[..<end]))])
                    (rest, place) = (rest[end...], place + 1)
                }
                try database.run("UPDATE bodies SET body = '' WHERE key = ?", [.integer(body)])
            }
            let view = try #require(
                try database.texts("SELECT sql FROM sqlite_schema WHERE name = 'search_sources'").first)
            let joined = try #require(view.firstRange(of: "iif("))
            let end = try #require(view.firstRange(of: " AS body"))
            try database.execute(
                """
                DROP VIEW search_sources;
                \(view[..<joined.lowerBound]) CASE WHEN bodies.body = '' THEN (
                    SELECT ifnull(group_concat(text, ''), '') FROM (
                        SELECT text FROM body_parts WHERE body_parts.body = bodies.key ORDER BY place LIMIT 32
                    )
                ) ELSE bodies.body END \(view[end.lowerBound...]);
                INSERT INTO search (search) VALUES ('rebuild');
                UPDATE search_progress SET last_post = (SELECT ifnull(max(key), 0) FROM posts);
                """)
            if version < 13 {
                try database.execute("DROP TABLE typed_origins; ALTER TABLE sources DROP COLUMN validators_origin")
            }
            try change(database)
            try database.execute("PRAGMA user_version = \(version)")
        }
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
