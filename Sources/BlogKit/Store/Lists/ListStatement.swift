import BlogEssentials
import BlogModel

/// The SQL of a list or a search.
struct ListStatement {
    /// Selects ``PostRow/listColumns``, the group's name, the post's place in a ranking, the source's key, and the
    /// post's key, in order.
    let posts: String
    /// Selects the name of each group and the number of its posts, in order; nil if they aren't wanted.
    let groups: String?
    let values: [DatabaseValue]

    /// - Parameters:
    ///   - expression: the search expression; nil for a list.
    ///   - firstHit: a search ignores posts with lower keys; nil to search all posts.
    init(
        _ query: Query, in scope: SourceScope, expression: SearchExpression? = nil, firstHit: Int64? = nil,
        settled: SettledRules
    ) {
        let hasPlaces = query.isRanked || query.ranked != nil && expression?.text == nil
        let isByIndex = Self.isReadByIndex(query, in: scope)
        let keys = Self.order(query, scope, hasRelevance: expression?.text != nil)
        let order = Self.orderTerms(keys)
        var (conditions, values) = Self.conditions(query, scope, expression, firstHit: firstHit, settled: settled)
        conditions.append(Self.isNotRemoved)
        if let last = query.after, keys.allSatisfy({ $0.column.hasPrefix("posts.") }) {
            conditions.append(Self.condition(after: last.post, keys))
        }
        let table = Self.table(query, expression, otherwise: isByIndex ? "posts" : "posts NOT INDEXED", &values)
        if expression?.text != nil {
            conditions = ["search MATCH ?"] + (firstHit.map { ["search.rowid >= \($0)"] } ?? []) + conditions
        }
        var limit = ""
        if query.limit != nil || query.offset != 0 {
            limit = " LIMIT ? OFFSET ?"
            values += [.integer(Int64(query.limit ?? -1)), .integer(Int64(query.offset))]
        }
        self.values = values
        let matching = "\(table) WHERE \(conditions.joined(separator: " AND "))"
        let position = "\(hasPlaces ? "place" : "NULL"), posts.source, posts.key"
        let columns = PostRow.listColumns(
            with: Self.hasDuplicates(query, scope) ? query.parts : query.parts.subtracting(.duplicates))
        guard let grouping = query.arrangement.grouping else {
            posts = """
                SELECT \(columns), NULL, \(position) FROM \(matching) ORDER BY \(order)\(limit)
                """
            groups = nil
            return
        }
        // The limit applies before grouping, which takes a subquery, as does grouping by columns of another table.
        let group = Self.group(grouping)
        let isSubquery = !limit.isEmpty || group.isOfSource
        let relevance = expression?.text == nil ? "" : ", rank"
        let limited =
            "SELECT posts.*\(relevance)\(hasPlaces ? ", place" : "") FROM \(matching)"
            + (limit.isEmpty ? "" : " ORDER BY \(order)\(limit)")
        let join = group.isOfSource ? " JOIN sources ON sources.key = posts.source" : ""
        let rows = isSubquery ? "(\(limited)) AS posts\(join)" : matching
        let isDescending = group.key.isDescending != query.arrangement.areGroupsReversed
        let groupOrder = Self.orderTerms([Key(column: group.key.column, isDescending: isDescending)])
        posts = """
            SELECT \(columns), \(group.name), \(position)
            FROM \(rows)
            ORDER BY \(groupOrder), \(order)
            """
        groups =
            query.parts.contains(.groups)
            ? "SELECT \(group.name), count(*) FROM \(rows) GROUP BY \(group.key.column) ORDER BY \(groupOrder)" : nil
    }

    /// Whether posts are read by an index: in its order, or by source and then sorted.
    ///
    /// Few posts match an author or words of a title: reading all posts as they are stored and sorting the few that
    /// match takes less time, unless something else leaves few posts.
    static func isReadByIndex(_ query: Query, in scope: SourceScope) -> Bool {
        let filter = query.filter
        let isNarrow =
            query.isOfKept || filter.hidden == .only || filter.isUnread || filter.since != nil
            || filter.before != nil || query.newFor != nil
        return scope.isReadBySource || isNarrow || query.limit != nil || filter.author == nil && filter.title == nil
    }

    static let rankedPosts = "ranks JOIN posts ON posts.source = ranks.source AND posts.id = ranks.id"

    /// The table that a list or a search reads, whose values come before those of the conditions.
    ///
    /// - Parameter plain: the table of a list without an order of its own.
    static func table(
        _ query: Query, _ expression: SearchExpression?, otherwise plain: String, _ values: inout [DatabaseValue]
    ) -> String {
        if let match = expression?.text {
            values.insert(.text(match), at: 0)
            return "search JOIN posts ON posts.key = search.rowid"
        }
        guard let ranked = query.ranked else { return query.isRanked ? rankedPosts : plain }
        values.insert(.text(json(ranked.keys)), at: 0)
        // The order is that of the list, whatever SQLite would rather begin with.
        return """
            (SELECT key + 1 AS place, value AS post FROM json_each(?)) AS ranks CROSS JOIN posts ON posts.key = ranks.post
            """
    }

    private static func json(_ keys: [Int64]) -> String { "[\(keys.map(String.init).joined(separator: ","))]" }

    /// Leaves out deleted and dead posts, but not comments, whose replies may matter.
    static let isNotRemoved = "(posts.is_removed IS NOT 1 OR posts.parent IS NOT NULL)"

    /// Leaves out posts that a rule hides.
    static let isNotHidden = "posts.is_hidden = 0"

    private struct Key {
        let column: String
        var isDescending = false
    }

    private static func group(_ grouping: Grouping) -> (key: Key, name: String, isOfSource: Bool) {
        switch grouping {
        case .author: (Key(column: "posts.author_key"), "posts.author_name", false)
        case .date: (Key(column: "posts.month", isDescending: true), "posts.month", false)
        case .title: (Key(column: "posts.letter"), "posts.letter", false)
        case .source: (Key(column: "ifnull(sources.name, sources.kind)"), "ifnull(sources.name, sources.kind)", true)
        case .folder: (Key(column: "sources.folder"), "sources.folder", true)
        }
    }

    /// The columns to sort by, the most significant first.
    private static func order(_ query: Query, _ scope: SourceScope, hasRelevance: Bool) -> [Key] {
        // Posts of two sources may have the same id and date.
        let ties =
            [Key(column: "posts.date_key", isDescending: true), Key(column: "posts.id_key")]
            + (scope.only == nil ? [Key(column: "posts.source")] : [])
        var keys: [Key]
        switch query.arrangement.sorting {
        // With no further key, SQLite ranks matches without reading the posts.
        case .relevance where hasRelevance: keys = [Key(column: "rank")]
        case .rank where query.isRanked || query.ranked != nil && !hasRelevance: keys = [Key(column: "place")] + ties
        case .date, .relevance, .rank: keys = ties
        case .score: keys = [Key(column: "posts.score", isDescending: true)] + ties
        case .comments: keys = [Key(column: "posts.comment_count", isDescending: true)] + ties
        case .rating:
            let rating = [Key(column: "posts.rating", isDescending: true)]
            keys = rating + (query.isRanked ? [Key(column: "place")] : []) + ties
        case .title: keys = [Key(column: "posts.title_key")] + ties
        case .author: keys = [Key(column: "posts.author_key")] + ties
        }
        guard query.arrangement.isReversed else { return keys }
        return keys.map { Key(column: $0.column, isDescending: !$0.isDescending) }
    }

    /// The condition that a post sorts after another one.
    private static func condition(after post: Int64, _ keys: [Key]) -> String {
        func value(_ key: Key) -> String {
            "(SELECT \(key.column.replacing("posts.", with: "last.")) FROM posts AS last WHERE last.key = \(post))"
        }
        let isAfter = keys.reversed().reduce("0") { rest, key in
            let (column, value) = (key.column, value(key))
            // In SQLite, NULL sorts before every other value.
            let isColumnAfter =
                key.isDescending
                ? "\(column) < \(value) OR \(column) IS NULL AND \(value) IS NOT NULL"
                : "\(column) > \(value) OR \(column) IS NOT NULL AND \(value) IS NULL"
            return "(\(isColumnAfter) OR \(column) IS \(value) AND \(rest))"
        }
        // A condition on the first column alone lets SQLite search the index.
        let nullable = ["posts.score", "posts.comment_count", "posts.rating"]
        guard let first = keys.first, !nullable.contains(first.column) else { return isAfter }
        return "\(first.column) \(first.isDescending ? "<=" : ">=") \(value(first)) AND \(isAfter)"
    }

    private static func orderTerms(_ keys: [Key]) -> String {
        keys.map { $0.column + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
    }

}

extension ListStatement {
    /// The conditions of a query in SQL, and the values to bind.
    ///
    /// - Parameter expression: the search expression, of which `MATCH` is left out; nil for a list.
    static func conditions(
        _ query: Query, _ scope: SourceScope, _ expression: SearchExpression? = nil, firstHit: Int64? = nil,
        settled _: SettledRules
    ) -> ([String], [DatabaseValue]) {
        let filter = query.filter
        var conditions = [scope.condition(onPosts: "posts", isIndexed: scope.isReadBySource)]
        var values: [DatabaseValue] = []
        func add(_ condition: String, _ added: DatabaseValue...) {
            conditions.append(condition)
            values += added
        }
        /// A list of several sources has only the front page of each ranking.
        func addFrontPages() {
            for (key, section) in scope.frontPages.sorted(by: { $0.key < $1.key }) {
                add(
                    """
                    (posts.source <> \(key) OR posts.id IN (
                        SELECT id FROM ranks WHERE source = \(key) AND section = ? AND place <= \(Ranking.frontPageCount)))
                    """, .text(section))
            }
        }
        // Saved posts are included even if their source no longer lists them, and so are posts with a label; a search for
        // words covers all posts; and comments are in no list.
        let areListed =
            !query.isOfKept && expression?.hasWords != true && filter.kind != .comments && query.ranked == nil
        if let ranked = query.ranked {
            add("posts.key IN (SELECT value FROM json_each(?))", .text(json(ranked.keys)))
        }
        if query.isRanked, let section = query.section {
            add(scope.condition(on: "ranks.source"))
            add("ranks.section = ?", .text(section))
        } else if areListed {
            add("posts.listed = 1")
        }
        if scope.only == nil, areListed { addFrontPages() }
        switch filter.hidden {
        case .excluded: add(Self.isNotHidden)
        case .only: add("posts.is_hidden = 1")
        case .included: break
        }
        if filter.isSaved { add("posts.is_saved = 1") }
        switch filter.kind {
        case .posts: add("posts.parent IS NULL")
        case .comments: add("posts.parent IS NOT NULL")
        case nil: break
        }
        if let least = filter.minScore { add("posts.score >= ?", .integer(Int64(least))) }
        if filter.isUnread { add("posts.is_read = 0") }
        if let author = filter.author {
            let words = Folding.pattern(author)
            // A name without letters and digits matches no author, although every text contains the empty string.
            add(words.isEmpty ? "? <> ''" : "instr(words(posts.author_name), ?) > 0", .text(words))
        }
        if let title = filter.title {
            let words = Folding.pattern(title)
            // A title without letters, such as an emoji, is matched anywhere in the text, if it has visible characters.
            add(
                words.isEmpty ? "instr(folded(posts.title), nullif(?, '')) > 0" : "instr(words(posts.title), ?) > 0",
                .text(words.isEmpty ? Folding.searchable(title) : words))
        }
        for (column, value) in [("posts.tags", filter.tag), ("posts.labels", filter.label)] {
            guard let (condition, lines) = value.map({ TagLines.condition(column, have: $0) }) else { continue }
            conditions.append(condition)
            values += lines
        }
        if let (sql, searched) = expression?.condition {
            conditions.append(sql)
            values += searched
        }
        if let since = filter.since { add("posts.date_key >= ?", .integer(since.millisecondsSince1970)) }
        if let before = filter.before { add("posts.date_key < ?", .integer(before.millisecondsSince1970)) }
        // The other post needn't be new itself: a story isn't listed again.
        if hasDuplicates(query, scope), areListed || expression?.hasWords == true, filter.kind != .comments {
            let (condition, added) = isNotOutranked(conditions, values, expression, in: scope, firstHit: firstHit)
            conditions.append(condition)
            values += added
        }
        // What is new in an order of its own is known by those who made it.
        if let cursor = query.newFor, query.ranked == nil {
            for condition in Cursors.conditions(scope) { add(condition, .text(cursor), .text(cursor)) }
        }
        return (conditions, values)
    }

    /// Whether a list leaves out posts for others of the same story.
    static func hasDuplicates(_ query: Query, _ scope: SourceScope) -> Bool {
        query.hidesDuplicates && scope.only == nil && !query.isOfKept && query.filter.hidden == .excluded
            && query.ranked == nil
    }

    /// The condition that no other post of the same story, of another source, is listed in place of a post.
    ///
    /// - Parameters:
    ///   - conditions: those of the list, which the other post must meet, too; the first is that of the sources, in
    ///     whose place a faster one is used.
    ///   - firstHit: as in ``init(_:in:expression:firstHit:)``.
    private static func isNotOutranked(
        _ conditions: [String], _ values: [DatabaseValue], _ expression: SearchExpression?, in scope: SourceScope,
        firstHit: Int64?
    ) -> (String, [DatabaseValue]) {
        var (others, bound) = (Array(conditions.dropFirst()) + [isNotRemoved], values)
        if let firstHit { others.append("posts.key >= \(firstHit)") }
        if let (match, searched) = expression?.match {
            others.append(match)
            bound += searched
        }
        // All columns are named with their table, and nothing that a user or a server wrote is in the text. With a plus,
        // SQLite uses no index but that of stories.
        let meets = others.map { $0.replacing("posts.", with: "+twin.") }
        let other = """
            SELECT 1 FROM posts AS twin WHERE twin.story = posts.story AND twin.source <> posts.source
            AND twin.twin & 1 AND (twin.twin, twin.key) < (posts.twin, posts.key)
            AND \(scope.condition(onPosts: "twin", isIndexed: false))
            AND \(meets.joined(separator: " AND "))
            """
        return ("(NOT posts.twin & 1 OR NOT EXISTS (\(other)))", bound)
    }
}

/// The indexes for long lists, each created when a list in its order is first requested.
///
/// The plain way is to create all fourteen with the store: of 100,000 posts, each takes 7 % of the time of their first
/// list, and few people sort by title. Without one, a list of 20 of them takes 45 to 75 ms longer, which is seen in
/// `blog browse`. `PostIndexesTests` tests which ones are created.
struct PostIndexes {
    let database: Database

    /// Creates the index for a long list, unless it exists.
    func make(for query: Query, in scope: SourceScope) throws {
        guard scope.posts >= SourceScope.many, ListStatement.isReadByIndex(query, in: scope),
            let index = Self.index(for: query, isOfOneSource: scope.only != nil)
        else { return }
        try database.execute("CREATE INDEX IF NOT EXISTS \(index.name) ON \(index.definition)")
    }

    private static func index(for query: Query, isOfOneSource: Bool) -> (name: String, definition: String)? {
        // Saved, labelled and hidden posts have indexes already; searches and rankings have their own order.
        guard query.words == nil, !query.isOfKept, query.filter.hidden == .excluded,
            !query.isRanked, query.ranked == nil
        else { return nil }
        // The limit applies before grouping.
        let grouping = query.limit == nil ? query.arrangement.grouping : nil
        let order: (name: String, first: String, condition: String)
        switch (grouping, query.arrangement.sorting) {
        case (.author, .date), (nil, .author): order = ("author", "author_key, ", "")
        case (nil, .title): order = ("title", "title_key, ", "")
        case (nil, .score): order = ("score", "score DESC, ", "")
        case (nil, .comments): order = ("comments", "comment_count DESC, ", "")
        case (nil, .rating): order = ("rating", "rating DESC, ", "")
        case (nil, .date) where query.filter.isUnread: order = ("unread", "", " AND is_read = 0")
        case (nil, .date), (nil, .relevance), (nil, .rank): order = ("date", "", "")
        case (_, _): return nil
        }
        let keys = "\(order.first)date_key DESC, id_key"
        let listed = "WHERE listed = 1 AND is_hidden = 0\(order.condition)"
        guard isOfOneSource else { return ("all_by_\(order.name)", "posts (\(keys), source) \(listed)") }
        let name = order.name == "unread" ? "posts_unread" : "posts_by_\(order.name)"
        return (name, "posts (source, \(keys)) \(listed)")
    }
}
