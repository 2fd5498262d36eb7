import Model
import SQLite

extension PostStore {
    /// Marks posts by their ids, as one marking that ``undoMarking()`` can undo.
    package func mark(_ mark: Mark, ids: [PostID]) async throws -> MarkingReport {
        try await writeToDisk { database in
            var unknown: [PostID] = []
            let marking = try Marking(mark, in: database)
            for id in ids {
                let post = try database.first(Self.keyOfPost, Self.values(id)) { $0.integer(0) }
                if let post { try marking.add("posts.key = ?", [.integer(post)]) } else { unknown.append(id) }
            }
            return MarkingReport(
                mark: mark, known: ids.count - unknown.count, changed: try marking.finish(), unknownIDs: unknown)
        }
    }

    /// Marks every post of a list.
    package func mark(_ mark: Mark, all query: Query, in scope: SourceScope) async throws -> MarkingReport {
        try await writeToDisk { database in
            let marking = try Marking(mark, in: database)
            let (conditions, values) = ListStatement.conditions(query, scope)
            try marking.add(conditions.joined(separator: " AND "), values)
            let changed = try marking.finish()
            return MarkingReport(mark: mark, known: changed, changed: changed, unknownIDs: [])
        }
    }

    /// Marks posts as read that were read just now, unless another process is writing or nothing is kept.
    package func noteReading(of ids: [PostID]) async throws {
        guard notice == nil, !ids.isEmpty else { return }
        try await writeIfFree { database in
            let marking = try Marking(.read, in: database)
            for id in ids { try marking.add("posts.key = (\(Self.keyOfPost))", Self.values(id)) }
            _ = try marking.finish()
        }
    }

    private static let keyOfPost =
        "SELECT post.key FROM posts AS post JOIN blogs ON blogs.key = post.blog WHERE source = ? AND address = ? AND post.id = ?"

    private static func values(_ id: PostID) -> [DatabaseValue] {
        [.text(id.source.kind), .text(id.source.address), .text(id.local)]
    }

    /// Undoes the last marking; nil if there is none.
    package func undoMarking() async throws -> MarkingReport? {
        try await writeToDisk { try Marking.undoLast(in: $0) }
    }

    /// The last markings that can be undone, the last one first.
    package func lastMarkings(_ limit: Int) throws -> [MarkingReport] {
        try read { try Marking.last(limit, in: $0) }
    }

    /// Whether a hint has yet to be given, and from now on is; where nothing is kept, or another process is writing, it isn't.
    package func takeHint(_ name: String) async throws -> Bool {
        guard notice == nil else { return false }
        var isFirst = false
        try await writeIfFree { database in
            try database.run("INSERT OR IGNORE INTO hints (name) VALUES (?)", [.text(name)])
            isFirst = database.changes > 0
        }
        return isFirst
    }

    /// Moves a cursor, so that only what comes or changes later is new for it.
    package func moveCursor(_ name: String, in scope: SourceScope, to lastSeen: LastSeen) async throws {
        try await writeToDisk { database in
            for source in scope.sources {
                try database.run(
                    """
                    INSERT INTO cursors (blog, name, last_post, last_change)
                    VALUES (?, ?, min(?, (SELECT ifnull(max(key), 0) FROM posts)), ?)
                    ON CONFLICT (blog, name) DO UPDATE SET (last_post, last_change)
                        = (max(last_post, excluded.last_post), max(last_change, excluded.last_change))
                    """,
                    [.integer(source.key), .text(name), .integer(lastSeen.post), .integer(lastSeen.change)])
            }
        }
    }
}
