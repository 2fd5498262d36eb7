import BlogModel

/// Counts what lists have, and names what their posts have in common.
package struct ListCounting {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// How many posts match a query, ignoring its limit; counted up to ``ListCounts/limit``.
    ///
    /// Nil for a search: SQLite would have to find all matches again.
    func counts(of query: Query, in scope: SourceScope, _ settled: SettledRules) throws -> ListCounts? {
        guard !query.hasTypedWords else { return nil }
        let expression = SearchExpression(query)
        if query.isSearch, expression == nil { return ListCounts(posts: 0, unread: 0) }
        if query.isRanked, query.filter.isEmpty, expression == nil { return try countsOfRanking(query, in: scope) }
        var (conditions, values) = ListStatement.conditions(query, scope, expression, settled: settled)
        let table = ListStatement.table(query, expression, otherwise: "posts", &values)
        if expression?.text != nil { conditions.insert("search MATCH ?", at: 0) }
        let matching = "\(table) WHERE \((conditions + [ListStatement.isNotRemoved]).joined(separator: " AND "))"
        let counts = try database.first(
            """
            SELECT count(*), count(*) FILTER (WHERE is_read = 0)
            FROM (SELECT posts.is_read FROM \(matching) LIMIT \(ListCounts.limit))
            """, values
        ) { ListCounts(posts: Int($0.integer(0)), unread: Int($0.integer(1))) }
        guard let counts, counts.unread < counts.posts, ListStatement.hasDuplicates(query, scope) else { return counts }
        // A post that was read may stand for one that wasn't, which a list of unread posts has.
        var unread = query
        unread.filter.isUnread = true
        return ListCounts(posts: counts.posts, unread: try self.counts(of: unread, in: scope, settled)?.posts ?? 0)
    }

    /// Counts ranked posts that were never fetched, too, as unread.
    private func countsOfRanking(_ query: Query, in scope: SourceScope) throws -> ListCounts? {
        try database.first(
            """
            SELECT count(*), count(*) FILTER (WHERE posts.is_read IS NOT 1)
            FROM ranks LEFT JOIN posts ON posts.source = ranks.source AND posts.id = ranks.id
            WHERE \(scope.condition(on: "ranks.source")) AND ranks.section = ? AND \(ListStatement.isNotRemoved)
                AND posts.is_hidden IS NOT 1
            """, [.text(query.section ?? "")]
        ) { ListCounts(posts: Int($0.integer(0)), unread: Int($0.integer(1))) }
    }

    /// The authors of the listed posts.
    package func authors(in scope: SourceScope, _: SettledRules) throws -> [String] {
        try database.texts(
            """
            SELECT DISTINCT author_name FROM posts \(scope.isReadBySource ? "" : "NOT INDEXED")
            WHERE \(scope.condition(on: "source", isIndexed: scope.isReadBySource)) AND listed = 1 AND is_hidden = 0
            """)
    }

    /// The tags of the newest listed posts.
    package func tags(in scope: SourceScope, _: SettledRules) throws -> [String] {
        let stored = try database.texts(
            """
            SELECT DISTINCT tags FROM (
                SELECT tags FROM posts
                WHERE \(scope.condition(on: "source")) AND listed = 1 AND is_hidden = 0 AND tags IS NOT NULL
                ORDER BY key DESC LIMIT \(Self.maxTaggedPosts)
            )
            """)
        return Set(stored.flatMap(TagLines.tags)).sorted()
    }

    private static let maxTaggedPosts = 10_000
}

extension PostStore {
    /// How many posts match a query once the rules have looked at them: ``ListCounting/counts(of:in:_:)``.
    package func counts(of query: Query, in scope: SourceScope) async throws -> ListCounts? {
        let settled = try await rules.settle()
        return try read { try ListCounting($0).counts(of: query, in: scope, settled) }
    }
}
