import BlogEssentials
import BlogModel

/// Describes, checks and repairs a store.
struct Maintenance {
    let connection: StoreConnection

    func facts() throws -> StoreFacts {
        try connection.read { database in
            func number(_ sql: String) throws -> Int { Int(try database.integer(sql) ?? 0) }
            let files = ["", "-wal", "-shm"].compactMap {
                FileFacts(path: connection.path + $0, followsLinks: true)?.size
            }
            return StoreFacts(
                bytes: files.reduce(0, +), schemaVersion: try number("PRAGMA user_version"),
                posts: try number("SELECT count(*) FROM posts WHERE parent IS NULL"),
                comments: try number("SELECT sum(comment_count) FROM sources"),
                bodies: try number("SELECT count(*) FROM bodies"),
                articles: try number("SELECT count(*) FROM articles WHERE body IS NOT NULL"))
        }
    }

    /// The problems of the store; empty if there are none.
    func check() async throws -> [String] {
        // The other checks can't read a damaged file.
        let damage = try damage()
        guard damage.isEmpty else { return damage }
        var problems: [String] = []
        let orphaned = try connection.read { try $0.first("PRAGMA foreign_key_check") { $0.text(0) ?? "" } }
        if let orphaned { problems.append("orphaned row in \(orphaned)") }
        problems += try unreadablePosts()
        if try await !isIndexConsistent() { problems.append(PostStore.unsoundIndex) }
        if try !areCountsCorrect() { problems.append(PostStore.unsoundCounts) }
        return problems
    }

    /// Frees unused space, and repairs an inconsistent search index and wrong counts.
    func vacuum() async throws {
        if try await !isIndexConsistent() {
            try await connection.writeToDisk { database in
                try database.run("INSERT INTO search (search) VALUES ('delete-all')")
                try database.run("DELETE FROM search_outdated")
                try database.run("UPDATE search_progress SET last_post = 0")
            }
            try await indexAll()
        }
        try await connection.writeToDisk { database in
            try database.run("INSERT INTO search (search) VALUES ('optimize')")
            try database.run("UPDATE sources SET \(PostCounts.columns) = \(PostCounts.counted)")
        }
        try await connection.outsideTransaction { database in
            try database.execute("VACUUM")
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// The problems that SQLite finds in the file.
    private func damage() throws -> [String] {
        var problems: [String] = []
        do {
            try connection.read { database in
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
        try connection.read { database in
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

    private func areCountsCorrect() throws -> Bool {
        try connection.read { database in
            try !database.exists("SELECT 1 FROM sources WHERE \(PostCounts.columns) IS NOT \(PostCounts.counted)")
        }
    }

    private func isIndexConsistent() async throws -> Bool {
        do {
            try await indexAll()
            try await connection.write { database in
                // Another process may have changed a post just now.
                while try SearchIndex(database).applyNext(SearchBatch.size) > 0 {}
                // 1 compares the index with the posts, not only with itself.
                try database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
            }
            return true
        } catch let error as StoreError where error.reason == .damaged {
            return false
        }
    }

    private func indexAll() async throws {
        while try await Indexing(connection: connection).more() > 0 {}
    }
}

extension PostStore {
    /// Problems that ``vacuum()`` repairs, as ``check()`` names them.
    package static let unsoundCounts = "the post counts don't match the posts"
    package static let unsoundIndex = "the search index doesn't match the posts"

    /// The numbers of the store.
    package func facts() throws -> StoreFacts { try Maintenance(connection: connection).facts() }

    /// The problems of the store; empty if there are none.
    package func check() async throws -> [String] { try await Maintenance(connection: connection).check() }

    /// Frees unused space, and repairs an inconsistent search index and wrong counts.
    package func vacuum() async throws { try await Maintenance(connection: connection).vacuum() }
}
