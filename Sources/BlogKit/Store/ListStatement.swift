/// A query put into SQL: which posts, in which order, in which groups.
struct ListStatement {
    /// Rows of ``PostRow/listColumns``, the group's name, the place in a ranking, the blog, the post's key, and the
    /// snippet if it is SQLite that cuts it, in order.
    let posts: String
    /// One row a group, in the order of the groups: its name and how many posts of the list it has; nil for a list
    /// without groups.
    let groups: String?
    let values: [DatabaseValue]

    /// A statement for a list of a blog; for a search, `expression` says what to look for.
    ///
    /// - Parameter firstHit: the key of the first post that is looked at in a search; nil for all.
    init(_ query: Query, blog: Int64, expression: SearchExpression? = nil, firstHit: Int64? = nil) {
        let (conditions, conditionValues) = Self.conditions(query, blog)
        let order = Self.order(query.arrangement, isSearch: expression != nil, isRanked: Self.isRanked(query))
        let limit = query.limit == nil ? "" : " LIMIT ?"
        values =
            (expression.map { [.text($0.text)] } ?? []) + (firstHit.map { [.integer($0)] } ?? []) + conditionValues
            + (query.limit.map { [.integer(Int64($0))] } ?? [])
        let isRanked = Self.isRanked(query)
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
        // The limit comes before the groups, so a limited list is a table of its own.
        let isLimited = query.limit != nil
        let relevance = expression == nil ? "" : ", rank"
        let limited =
            "SELECT posts.*, \(snippet) AS snippet\(relevance)\(isRanked ? ", place" : "") FROM \(matching) ORDER BY \(order)\(limit)"
        let rows = isLimited ? "(\(limited)) AS posts" : matching
        let group = Self.group(grouping)
        let groupOrder = Self.directed([group.key], isReversed: query.arrangement.isReversed)
        posts = """
            SELECT \(PostRow.listColumns), \(group.name), \(place), \(isLimited ? "posts.snippet" : snippet)
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

    private static func group(_ grouping: Grouping) -> (key: Key, name: String) {
        switch grouping {
        case .author: (Key(column: "posts.author_key"), "posts.author_name")
        case .date: (Key(column: "posts.month", isDescending: true), "posts.month")
        case .title: (Key(column: "posts.letter"), "posts.letter")
        }
    }

    private static func order(_ arrangement: Arrangement, isSearch: Bool, isRanked: Bool) -> String {
        let ties = [Key(column: "posts.date_key", isDescending: true), Key(column: "posts.id_key")]
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

    /// The conditions that posts of a query meet, and the values in them.
    static func conditions(_ query: Query, _ blog: Int64) -> ([String], [DatabaseValue]) {
        let filter = query.filter
        var conditions = ["posts.blog = ?"]
        var values: [DatabaseValue] = [.integer(blog)]
        func add(_ condition: String, _ added: DatabaseValue...) {
            conditions.append(condition)
            values += added
        }
        // What was saved is wanted even when its blog lists it no more; a search is over everything.
        if isRanked(query), let section = query.section {
            add("ranks.blog = ? AND ranks.section = ?", .integer(blog), .text(section))
        } else if !filter.isSaved && query.words == nil {
            add("posts.listed = 1")
        }
        if filter.isSaved { add("posts.is_saved = 1") }
        switch filter.kind {
        case .posts: add("posts.parent IS NULL")
        case .comments: add("posts.parent IS NOT NULL")
        case nil: break
        }
        if filter.isUnread { add("posts.is_read = 0") }
        if let author = filter.author {
            let words = Folding.words(author)
            // A name without a letter or digit is nobody's, though every text contains the empty one.
            add(words.isEmpty ? "? <> ''" : "instr(words(posts.author_name), ?) > 0", .text(words))
        }
        if let title = filter.title { add("instr(folded(posts.title), ?) > 0", .text(Folding.fold(title))) }
        if let since = filter.since { add("posts.date_key >= ?", .integer(since.millisecondsSince1970)) }
        if let before = filter.before { add("posts.date_key < ?", .integer(before.millisecondsSince1970)) }
        if let cursor = query.newFor {
            add(
                "posts.key > ifnull((SELECT last_post FROM cursors WHERE cursors.blog = ? AND name = ?), 0)",
                .integer(blog), .text(cursor))
        }
        return (conditions, values)
    }
}
