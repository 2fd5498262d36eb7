import Model
import SQLite

extension PostStore {
    /// How many posts match a query, whatever its limit; counted up to ``ListCounts/limit``.
    ///
    /// Nothing is counted of a search: SQLite would have to find all hits again.
    package func counts(of query: Query, in scope: SourceScope) throws -> ListCounts? {
        guard query.words == nil else { return nil }
        let (conditions, values) = ListStatement.conditions(query, scope, isIndexed: try isSelective(scope))
        let table =
            ListStatement.isRanked(query)
            ? "ranks JOIN posts ON posts.blog = ranks.blog AND posts.id = ranks.id" : "posts"
        let matching = "\(table) WHERE \((conditions + [ListStatement.isShown]).joined(separator: " AND "))"
        if ListStatement.isRanked(query), query.filter.isEmpty { return try countsOfRanking(query, in: scope) }
        return try read { database in
            try database.first(
                """
                SELECT count(*), count(*) FILTER (WHERE is_read = 0)
                FROM (SELECT posts.is_read FROM \(matching) LIMIT \(ListCounts.limit))
                """, values
            ) { ListCounts(posts: Int($0.integer(0)), unread: Int($0.integer(1))) }
        }
    }

    /// Of a ranking, posts that were never fetched count too, as unread.
    private func countsOfRanking(_ query: Query, in scope: SourceScope) throws -> ListCounts? {
        try read { database in
            try database.first(
                """
                SELECT count(*), count(*) FILTER (WHERE posts.is_read IS NOT 1)
                FROM ranks LEFT JOIN posts ON posts.blog = ranks.blog AND posts.id = ranks.id
                WHERE \(scope.condition(on: "ranks.blog")) AND ranks.section = ? AND \(ListStatement.isShown)
                """, [.text(query.section ?? "")]
            ) { ListCounts(posts: Int($0.integer(0)), unread: Int($0.integer(1))) }
        }
    }
}
