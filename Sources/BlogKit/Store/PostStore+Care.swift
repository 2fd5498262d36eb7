import Foundation

extension PostStore {
    /// What is stored of every blog.
    func sources() throws -> [SourceState] {
        try read { database in
            let rows = try database.statement(
                """
                SELECT source, address,
                    (SELECT count(*) FROM posts WHERE blog = blogs.key AND listed = 1),
                    (SELECT count(*) FROM posts WHERE blog = blogs.key AND body_revision IS NOT NULL),
                    (SELECT count(*) FROM posts WHERE blog = blogs.key AND listed = 1 AND is_read = 0),
                    refreshed_at, problem, asked_at
                FROM blogs
                """)
            defer { rows.reset() }
            func date(_ column: Int32) -> Date? {
                rows.isNull(column) ? nil : Date(millisecondsSince1970: rows.integer(column))
            }
            var states: [SourceState] = []
            while try rows.step() {
                var state = SourceState(name: rows.text(0) ?? "", address: rows.text(1) ?? "")
                state.posts = Int(rows.integer(2))
                state.bodies = Int(rows.integer(3))
                state.unread = Int(rows.integer(4))
                state.refreshedAt = date(5)
                state.problem = rows.text(6).flatMap { RefreshProblem(rawValue: $0) }
                state.failedAt = date(7)
                states.append(state)
            }
            return states
        }
    }

    /// What the store's file is like.
    func facts() throws -> StoreFacts {
        try read { database in
            func number(_ sql: String) throws -> Int { Int(try database.first(sql) { $0.integer(0) } ?? 0) }
            let files = ["", "-wal", "-shm"].compactMap { suffix in
                try? FileManager.default.attributesOfItem(atPath: path + suffix)[.size] as? Int
            }
            return StoreFacts(
                bytes: files.reduce(0, +), schemaVersion: try number("PRAGMA user_version"),
                posts: try number("SELECT count(*) FROM posts"), bodies: try number("SELECT count(*) FROM bodies"))
        }
    }

    static let unsoundIndex = "the index of words does not fit the posts"

    /// What is wrong with the store; empty where it is sound.
    package func check() throws -> [String] {
        while try indexMore() > 0 {}
        var problems: [String] = []
        try read { database in
            let rows = try database.statement("PRAGMA integrity_check")
            defer { rows.reset() }
            while try rows.step() {
                if let text = rows.text(0), text != "ok" { problems.append(text) }
            }
            let foreign = try database.first("PRAGMA foreign_key_check") { $0.text(0) ?? "" }
            if let foreign { problems.append("a row of \(foreign) belongs to nothing") }
        }
        if try !isIndexSound() { problems.append(Self.unsoundIndex) }
        return problems
    }

    /// Gives unused space back to the disk, and makes the index of words anew where it is unsound.
    func vacuum() throws {
        if try !isIndexSound() {
            try writeToDisk { database in
                try database.run("INSERT INTO search (search) VALUES ('rebuild')")
                try database.run("UPDATE search_progress SET last_post = (SELECT ifnull(max(key), 0) FROM posts)")
            }
        }
        try writeToDisk { try $0.run("INSERT INTO search (search) VALUES ('optimize')") }
        try outsideTransaction { database in
            try database.execute("VACUUM")
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    private func isIndexSound() throws -> Bool {
        while try indexMore() > 0 {}
        return try read { database in
            do {
                // 1 compares the index with the posts, not only with itself.
                try database.run("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
                return true
            } catch let error as DatabaseError where error.kind == .damaged {
                return false
            }
        }
    }
}
