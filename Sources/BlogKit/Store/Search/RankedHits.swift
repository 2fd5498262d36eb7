import BlogModel

/// Limits which matches a search ranks.
///
/// SQLite ranks all matches before it returns the first one, at 2 µs each. If nearly every post matches, a search with
/// a limit ranks only the most recently stored ones. A search with filters ranks all matches: counting those that pass
/// would take longer.
struct RankedHits {
    let database: Database
    /// The maximum number of matches that a search with a limit ranks.
    let maxCount: Int

    /// The lowest key of the posts that a search ranks; nil to rank all matches.
    func first(
        _ query: Query, _ expression: SearchExpression, in scope: SourceScope, _ settled: SettledRules
    ) throws -> Int64? {
        var others = query.filter
        others.kind = nil
        guard scope.posts > maxCount, others.isEmpty, expression.condition == nil, query.ranked == nil,
            query.arrangement.sorting == .relevance,
            !query.arrangement.isReversed, let limit = query.limit, limit <= maxCount,
            query.offset <= maxCount - limit
        else { return nil }
        // Looking up the source of a match takes longer than ranking it.
        let first = try last(of: "search", expression)
        let sources =
            try database.integer(
                "SELECT count(*) FROM sources WHERE kind NOT IN (\(SourceID.kindsListingOthers))") ?? 0
        let isEverything = query.filter.kind == nil && scope.sources.count == sources
        guard first != nil, !isEverything else { return first }
        let (conditions, values) = ListStatement.conditions(query, scope, expression, settled: settled)
        return try last(
            of: "search JOIN posts ON posts.key = search.rowid", expression, where: conditions, values)
    }

    /// The key of the last match to rank, counted from the most recently stored one; nil if there are fewer.
    private func last(
        of table: String, _ expression: SearchExpression, where conditions: [String] = [],
        _ values: [DatabaseValue] = []
    ) throws -> Int64? {
        let sql = """
            SELECT search.rowid FROM \(table)
            WHERE \((["search MATCH ?"] + conditions).joined(separator: " AND "))
            ORDER BY search.rowid DESC LIMIT 1 OFFSET ?
            """
        return try database.integer(sql, [DatabaseValue(expression.text)] + values + [.integer(Int64(maxCount - 1))])
    }
}
