/// A query put into SQL: which posts, in which order, in which groups.
struct ListStatement {
    /// Rows of ``PostRow/listColumns``, the group's name, the place in a ranking, the source, the post's key, and the
    /// snippet if it is SQLite that cuts it, in order.
    let posts: String
    /// One row a group, in the order of the groups: its name and how many posts of the list it has; nil for a list
    /// without groups.
    let groups: String?
    let values: [DatabaseValue]

    /// A statement for a list of some sources; for a search, `expression` says what to look for.
    ///
    /// - Parameters:
    ///   - firstHit: the key of the first post that is looked at in a search; nil for all.
    ///   - isSelective: whether the sources have so few of all posts that they are looked up by their source.
    init(
        _ query: Query, in scope: SourceScope, expression: SearchExpression? = nil, firstHit: Int64? = nil,
        isSelective: Bool = true
    ) {
        let (conditions, conditionValues) = Self.conditions(query, scope, isIndexed: isSelective)
        let isRanked = Self.isRanked(query)
        let order = Self.order(query.arrangement, scope, isSearch: expression != nil, isRanked: isRanked)
        let limit = query.limit == nil && query.offset == 0 ? "" : " LIMIT ? OFFSET ?"
        values =
            (expression.map { [.text($0.text)] } ?? []) + (firstHit.map { [.integer($0)] } ?? []) + conditionValues
            + (limit.isEmpty ? [] : [.integer(Int64(query.limit ?? -1)), .integer(Int64(query.offset))])
        let place = isRanked ? "place, posts.blog, posts.key" : "NULL, posts.blog, posts.key"
        let table =
            expression != nil
            ? "search JOIN posts ON posts.key = search.rowid"
            : isRanked ? "ranks JOIN posts ON posts.blog = ranks.blog AND posts.id = ranks.id" : "posts"
        let all =
            (expression == nil ? [] : ["search MATCH ?"]) + (firstHit == nil ? [] : ["search.rowid >= ?"]) + conditions
        let matching = "\(table) WHERE \(all.joined(separator: " AND "))"
        let hasSnippets = query.hasSnippets && expression?.isCutBySQLite == true
        let snippet = hasSnippets ? Self.snippet : "NULL"
        guard let grouping = query.arrangement.grouping else {
            posts =
                "SELECT \(PostRow.listColumns), NULL, \(place), \(snippet) FROM \(matching) ORDER BY \(order)\(limit)"
            groups = nil
            return
        }
        // The limit comes before the groups, so a limited list is a subquery; so is one whose groups are those of
        // another table.
        let group = Self.group(grouping)
        let isTable = !limit.isEmpty || group.isOfSource
        let relevance = expression == nil ? "" : ", rank"
        let limited =
            "SELECT posts.*, \(snippet) AS snippet\(relevance)\(isRanked ? ", place" : "") FROM \(matching)"
            + (limit.isEmpty ? "" : " ORDER BY \(order)\(limit)")
        let sources = group.isOfSource ? " JOIN blogs ON blogs.key = posts.blog" : ""
        let rows = isTable ? "(\(limited)) AS posts\(sources)" : matching
        let groupOrder = Self.directed([group.key], isReversed: query.arrangement.areGroupsReversed)
        posts = """
            SELECT \(PostRow.listColumns), \(group.name), \(place), \(isTable ? "posts.snippet" : snippet)
            FROM \(rows)
            ORDER BY \(groupOrder), \(order)
            """
        groups = """
            SELECT \(group.name), count(*) FROM \(rows) GROUP BY \(group.key.column) ORDER BY \(groupOrder)
            """
    }

    /// The piece of a post with most hits, each between two characters that no text for people has; of one with a long
    /// body the title.
    static let snippet = """
        CASE WHEN EXISTS (SELECT 1 FROM bodies JOIN body_parts ON body_parts.body = bodies.key WHERE post = search.rowid)
            THEN \(snippet(ofColumn: 1)) ELSE \(snippet(ofColumn: -1)) END
        """

    private static func snippet(ofColumn column: Int) -> String {
        "snippet(search, \(column), char(2), char(3), '…', 24)"
    }

    private struct Key {
        let column: String
        var isDescending = false
    }

    private static func group(_ grouping: Grouping) -> (key: Key, name: String, isOfSource: Bool) {
        switch grouping {
        case .author: (Key(column: "posts.author_key"), "posts.author_name", false)
        case .date: (Key(column: "posts.month", isDescending: true), "posts.month", false)
        case .title: (Key(column: "posts.letter"), "posts.letter", false)
        case .source: (Key(column: "ifnull(blogs.name, blogs.source)"), "ifnull(blogs.name, blogs.source)", true)
        case .folder: (Key(column: "blogs.folder"), "blogs.folder", true)
        }
    }

    private static func order(
        _ arrangement: Arrangement, _ scope: SourceScope, isSearch: Bool, isRanked: Bool
    ) -> String {
        // Two sources may have a post of the same id at the same moment.
        let ties =
            [Key(column: "posts.date_key", isDescending: true), Key(column: "posts.id_key")]
            + (scope.only == nil ? [Key(column: "posts.blog")] : [])
        let first: [Key]
        switch arrangement.sorting {
        case .relevance where isSearch:
            // Ordered by nothing else, SQLite ranks before it looks at posts.
            return directed([Key(column: "rank")], isReversed: arrangement.isReversed)
        case .rank where isRanked: first = [Key(column: "place")]
        case .date, .relevance, .rank: first = []
        case .score: first = [Key(column: "posts.score", isDescending: true)]
        case .comments: first = [Key(column: "posts.comment_count", isDescending: true)]
        case .title: first = [Key(column: "posts.title_key")]
        case .author: first = [Key(column: "posts.author_key")]
        }
        return directed(first + ties, isReversed: arrangement.isReversed)
    }

    private static func directed(_ keys: [Key], isReversed: Bool) -> String {
        keys.map { $0.column + ($0.isDescending != isReversed ? " DESC" : "") }.joined(separator: ", ")
    }

    /// Whether a query is for a list in its source's own order; what is saved or searched for is in none.
    static func isRanked(_ query: Query) -> Bool {
        query.section != nil && !query.filter.isSaved && query.words == nil
    }
}
