extension PostStore {
    /// Marks posts by their ids, as one marking that ``undoMarking()`` can take back.
    package func mark(_ mark: Mark, ids: [String], of address: BlogAddress) async throws -> MarkingReport {
        try await writeToDisk { database in
            guard let blog = try BlogRow.find(address, in: database) else {
                return MarkingReport(mark: mark, known: 0, changed: 0, unknownIDs: ids)
            }
            var unknown: [String] = []
            let marking = try Marking(mark, in: database)
            for id in ids {
                let sql = "SELECT key FROM posts WHERE blog = ? AND id = ?"
                let post = try database.first(sql, [.integer(blog.key), .text(id)]) { $0.integer(0) }
                if let post { try marking.add("posts.key = ?", [.integer(post)]) } else { unknown.append(id) }
            }
            return MarkingReport(
                mark: mark, known: ids.count - unknown.count, changed: try marking.finish(), unknownIDs: unknown)
        }
    }

    /// Marks every post of a list.
    package func mark(_ mark: Mark, all query: Query, of address: BlogAddress) async throws -> MarkingReport {
        try await writeToDisk { database in
            guard let blog = try BlogRow.find(address, in: database) else {
                return MarkingReport(mark: mark, known: 0, changed: 0, unknownIDs: [])
            }
            let marking = try Marking(mark, in: database)
            let (condition, values) = ListStatement.conditions(query, blog.key)
            try marking.add(condition.joined(separator: " AND "), values)
            let changed = try marking.finish()
            return MarkingReport(mark: mark, known: changed, changed: changed, unknownIDs: [])
        }
    }

    /// Marks posts as read that were read just now, unless somebody else is writing or nothing is kept.
    package func noteReading(of ids: [String], _ address: BlogAddress) async throws {
        guard notice == nil, let blog = try blog(address) else { return }
        try await writeIfFree { database in
            let marking = try Marking(.read, in: database)
            for id in ids { try marking.add("posts.blog = ? AND posts.id = ?", [.integer(blog.key), .text(id)]) }
            _ = try marking.finish()
        }
    }

    /// Takes the last marking back that is still in force; nil where there is none.
    package func undoMarking() async throws -> MarkingReport? {
        try await writeToDisk { try Marking.undoLast(in: $0) }
    }

    /// Moves a cursor, so that only what comes later is new for it.
    package func moveCursor(_ name: String, of blog: BlogRecord, to lastPost: Int64) async throws {
        try await writeToDisk { database in
            try database.run(
                """
                INSERT INTO cursors (blog, name, last_post) VALUES (?, ?, ?)
                ON CONFLICT (blog, name) DO UPDATE SET last_post = max(last_post, excluded.last_post)
                """, [.integer(blog.key), .text(name), .integer(lastPost)])
        }
    }
}
