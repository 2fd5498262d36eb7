import Model
import SQLite

extension PostStore {
    /// How many posts are stored but not indexed yet.
    package func unindexedPosts() throws -> Int {
        try read { try SearchIndex(database: $0).pending() }
    }

    /// Indexes some more posts and returns how many there were; 0 when all are.
    ///
    /// Their texts are worked out for about `duration`, but at least one post's, while other processes can write.
    package func indexMore(for duration: Duration = .seconds(1)) async throws -> Int {
        for _ in 0..<Self.maxIndexing {
            guard let batch = try await nextSearchBatch(for: duration) else { return 0 }
            let count = try await write { try SearchIndex(database: $0).apply(batch) }
            if count > 0 { return count }
        }
        // Each time another process was faster.
        return try await write { try SearchIndex(database: $0).applyNext(for: duration) }
    }

    /// Indexes some more posts as ``indexMore(for:)`` does; none where another process is writing, or where the disk can't
    /// take it, as the next search does it anyway.
    ///
    /// - Parameter waitsForBodies: whether it goes no further than to the first post without a body.
    package func indexIfFree(for duration: Duration, waitsForBodies: Bool = false) async throws -> Int {
        guard notice == nil, let batch = try await nextSearchBatch(for: duration, waitsForBodies: waitsForBodies) else {
            return 0
        }
        database.setBusyTimeout(milliseconds: 100)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        do {
            return try await writeToDisk { try SearchIndex(database: $0).apply(batch) }
        } catch let error as StoreError {
            switch error.reason {
            case .busy, .notKept: return 0
            default: throw error
            }
        }
    }

    /// What is to be indexed next; nil for nothing.
    private func nextSearchBatch(for duration: Duration, waitsForBodies: Bool = false) async throws -> SearchBatch? {
        await waitForList()
        let batch = try read { try SearchIndex(database: $0, waitsForBodies: waitsForBodies).prepare(for: duration) }
        note(unreadable: batch.unreadable)
        return batch.changes.isEmpty ? nil : batch
    }

    /// How often what was to be indexed may turn out to have changed meanwhile.
    private static let maxIndexing = 3

    /// Sets the number of hits that a search with a limit ranks at most, for tests.
    package func setMaxRanked(_ count: Int) { maxRanked = count }

    /// The key of the first post that a search ranks; nil if it ranks all its hits.
    ///
    /// SQLite ranks every hit before it returns the first, which takes 2 µs each. Of a word that nearly every post has,
    /// those that were stored last are enough for a search with a limit. Filters may leave few of the hits, which to
    /// count would take longer than to rank all.
    func firstRanked(_ query: Query, _ expression: SearchExpression, in scope: SourceScope) throws -> Int64? {
        var others = query.filter
        others.kind = nil
        guard scope.posts > maxRanked, others.isEmpty, query.arrangement.sorting == .relevance,
            !query.arrangement.isReversed, let limit = query.limit, limit <= maxRanked,
            query.offset <= maxRanked - limit
        else { return nil }
        return try read { database in
            // To look up whose post a hit is takes longer than to rank it.
            let first = try lastHit(maxRanked, of: "search", expression, in: database)
            let sources = try database.first("SELECT count(*) FROM blogs") { $0.integer(0) } ?? 0
            let isEverything = query.filter.kind == nil && scope.sources.count == sources
            guard first != nil, !isEverything else { return first }
            let (conditions, values) = ListStatement.conditions(query, scope)
            return try lastHit(
                maxRanked, of: "search JOIN posts ON posts.key = search.rowid", expression,
                where: conditions, values, in: database)
        }
    }

    /// The key of a hit, by its number among those that were stored last; nil if there are fewer.
    private func lastHit(
        _ number: Int, of table: String, _ expression: SearchExpression, where conditions: [String] = [],
        _ values: [DatabaseValue] = [], in database: Database
    ) throws -> Int64? {
        let sql = """
            SELECT search.rowid FROM \(table)
            WHERE \((["search MATCH ?"] + conditions).joined(separator: " AND "))
            ORDER BY search.rowid DESC LIMIT 1 OFFSET ?
            """
        let all = [.text(expression.text)] + values + [.integer(Int64(number - 1))]
        return try database.first(sql, all) { $0.integer(0) }
    }

    /// How many listed posts are stored without their bodies.
    package func missingBodies(in scope: SourceScope) throws -> Int {
        // Bodies of posts that are no longer listed may make it too few.
        scope.sources.reduce(0) { $0 + $1.posts - $1.bodies }
    }
}
