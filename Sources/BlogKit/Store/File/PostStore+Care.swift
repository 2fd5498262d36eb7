import BlogEssentials
import BlogModel

extension PostStore {
    /// The size and contents of the store.
    package func facts() throws -> StoreFacts {
        try read { database in
            func number(_ sql: String) throws -> Int { Int(try database.integer(sql) ?? 0) }
            let files = ["", "-wal", "-shm"].compactMap { FileFacts(path: path + $0)?.size }
            return StoreFacts(
                bytes: files.reduce(0, +), schemaVersion: try number("PRAGMA user_version"),
                posts: try number("SELECT count(*) FROM posts WHERE parent IS NULL"),
                comments: try number("SELECT sum(comment_count) FROM sources"),
                bodies: try number("SELECT count(*) FROM bodies"),
                articles: try number("SELECT count(*) FROM articles WHERE body IS NOT NULL"))
        }
    }

    package static let unsoundCounts = "the post counts don't match the posts"
    package static let unsoundNumbers = "a post has a number or a time out of range"
    package static let unsoundIndex = "the search index doesn't match the posts"

    /// The problems of the store; empty if there are none.
    package func check() async throws -> [String] {
        // The other checks can't read a damaged file.
        let damage = try damage()
        guard damage.isEmpty else { return damage }
        var problems: [String] = []
        let orphaned = try read { try $0.first("PRAGMA foreign_key_check") { $0.text(0) ?? "" } }
        if let orphaned { problems.append("orphaned row in \(orphaned)") }
        problems += try unreadablePosts()
        if try await !isIndexConsistent() { problems.append(Self.unsoundIndex) }
        if try !areCountsCorrect() { problems.append(Self.unsoundCounts) }
        if try read({ try NumberCheck(database: $0).hasProblem() }) { problems.append(Self.unsoundNumbers) }
        return problems
    }

    /// The problems that SQLite finds in the file.
    private func damage() throws -> [String] {
        var problems: [String] = []
        do {
            try read { database in
                let rows = try database.statement("PRAGMA integrity_check")
                defer { rows.reset() }
                while try rows.step() {
                    if let text = rows.text(0), text != "ok" { problems.append(text) }
                }
            }
        } catch let error as StoreError where error.reason == .damaged {
            problems.append("it can't be read to the end")
        }
        return problems
    }

    /// Up to five posts whose metadata can't be read.
    private func unreadablePosts() throws -> [String] {
        try read { database in
            let rows = try database.cursor(
                "SELECT \(PostRow.listColumns), address FROM posts JOIN sources ON sources.key = posts.source", [])
            var problems: [String] = []
            while problems.count < 5, try rows.step() {
                guard (try? PostRow.metadata(of: rows)) == nil else { continue }
                problems.append(
                    "the post \(rows.text(0) ?? "") of \(rows.text(PostRow.listColumnCount) ?? "") can't be read")
            }
            return problems
        }
    }

    /// Frees unused space, and repairs an inconsistent search index, wrong counts and numbers out of range.
    package func vacuum() async throws {
        if try await !isIndexConsistent() {
            try await writeToDisk { database in
                try database.run("INSERT INTO search (search) VALUES ('delete-all')")
                try database.run("DELETE FROM search_outdated")
                try database.run("UPDATE search_progress SET last_post = 0")
            }
            while try await indexMore() > 0 {}
        }
        try await writeToDisk { database in
            try database.run("INSERT INTO search (search) VALUES ('optimize')")
            try database.run("UPDATE sources SET \(PostCounts.columns) = \(PostCounts.counted)")
            try NumberCheck(database: database).repair()
        }
        try await outsideTransaction { database in
            try database.execute("VACUUM")
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    private func areCountsCorrect() throws -> Bool {
        try read { try !$0.exists("SELECT 1 FROM sources WHERE \(PostCounts.columns) IS NOT \(PostCounts.counted)") }
    }

    private func isIndexConsistent() async throws -> Bool {
        do {
            while try await indexMore() > 0 {}
            try await write { database in
                // Another process may have changed a post just now.
                while try SearchIndex(database: database).applyNext(for: .seconds(1)) > 0 {}
                // 1 compares the index with the posts, not only with itself.
                try database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
            }
            return true
        } catch let error as StoreError where error.reason == .damaged {
            return false
        }
    }
}

/// The size and contents of a store.
public struct StoreFacts: Hashable, Sendable {
    /// The size of the database with SQLite's side files, in bytes.
    public let bytes: Int
    /// The version of its schema.
    public let schemaVersion: Int
    /// The number of posts in all sources, listed or not, without comments.
    public let posts: Int
    /// The number of comments.
    public let comments: Int
    /// The number of bodies, including those of comments.
    public let bodies: Int
    /// The number of linked articles.
    public let articles: Int
}

/// Finds and repairs numbers and times that are out of range, which older imports accepted.
struct NumberCheck {
    let database: Database

    private static let numbers = "BETWEEN \(EntryNumbers.range.lowerBound) AND \(EntryNumbers.range.upperBound)"
    private static let times = "BETWEEN 0 AND \(ExportedPost.plausibleTimes.upperBound - 1)"
    private static let badLast =
        "typeof(last_number) <> 'integer' OR last_number <> 0 AND last_number NOT \(numbers)"
    private static let badTime = "followed_at NOT \(times)"
    private static let badPost =
        "number IS NOT NULL AND (number NOT \(numbers) OR id <> CAST(number AS TEXT))"

    func hasProblem() throws -> Bool {
        try database.exists("SELECT 1 FROM sources WHERE \(Self.badLast) OR \(Self.badTime)")
            || database.exists("SELECT 1 FROM posts WHERE \(Self.badPost)")
    }

    /// Renumbers the posts and clamps the times.
    func repair() throws {
        try database.run(
            """
            UPDATE sources SET last_number = ifnull(
                (SELECT max(number) FROM posts WHERE source = sources.key AND number \(Self.numbers)), 0)
            WHERE \(Self.badLast)
            """)
        let greatest = ExportedPost.plausibleTimes.upperBound - 1
        try database.run("UPDATE sources SET followed_at = max(0, min(followed_at, \(greatest))) WHERE \(Self.badTime)")
        let posts = try database.all("SELECT key, source FROM posts WHERE \(Self.badPost) ORDER BY key") { row in
            (key: row.integer(0), sourceKey: row.integer(1))
        }
        for (key, sourceKey) in posts {
            let columns = "SELECT \(PostRow.columns) FROM posts WHERE key = ?"
            let found = try database.first(columns, [.integer(key)]) { row in Result { try PostRow.metadata(of: row) } }
            guard let metadata = try found?.get() else { continue }
            let number = try EntryNumbers(of: sourceKey, in: database, now: Date()).nextNumber()
            try database.run(
                "UPDATE posts SET (id, number, id_key) = (?, ?, ?) WHERE key = ?",
                [
                    .text(String(number)), .integer(number),
                    .text(SortKey(metadata.mappingIDs { _ in String(number) }).id), .integer(key),
                ])
        }
    }
}
