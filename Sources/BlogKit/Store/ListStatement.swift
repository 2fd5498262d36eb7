/// A query put into SQL: which posts, in which order, in which groups.
struct ListStatement {
    /// Rows of ``PostRow/columns`` and the group's name, in order.
    let posts: String
    /// One row a group, in the order of the groups: its name and how many posts of the list it has; nil for a list
    /// without groups.
    let groups: String?
    let values: [DatabaseValue]

    init(_ query: Query, blog: Int64) {
        let (conditions, conditionValues) = Self.conditions(query.filter)
        let order = Self.order(query.arrangement)
        values = [.integer(blog)] + conditionValues + (query.limit.map { [.integer(Int64($0))] } ?? [])
        let matching = (["posts WHERE blog = ? AND listed = 1"] + conditions).joined(separator: " AND ")
        let limit = query.limit == nil ? "" : " LIMIT ?"
        guard let grouping = query.arrangement.grouping else {
            posts = "SELECT \(PostRow.columns), NULL FROM \(matching) ORDER BY \(order)\(limit)"
            groups = nil
            return
        }
        let table = query.limit == nil ? matching : "(SELECT * FROM \(matching) ORDER BY \(order)\(limit))"
        let group = Self.group(grouping)
        let groupOrder = Self.directed([group.key], isReversed: query.arrangement.isReversed)
        posts = "SELECT \(PostRow.columns), \(group.name) FROM \(table) ORDER BY \(groupOrder), \(order)"
        groups = """
            SELECT \(group.name), count(*) FROM \(table) GROUP BY \(group.key.column) ORDER BY \(groupOrder)
            """
    }

    private struct Key {
        let column: String
        var isDescending = false
    }

    private static func group(_ grouping: Grouping) -> (key: Key, name: String) {
        switch grouping {
        case .author: (Key(column: "author_key"), "author_name")
        case .date: (Key(column: "month", isDescending: true), "month")
        case .title: (Key(column: "letter"), "letter")
        }
    }

    private static func order(_ arrangement: Arrangement) -> String {
        let ties = [Key(column: "date_key", isDescending: true), Key(column: "id_key")]
        let first: [Key] =
            switch arrangement.sorting {
            case .date: []
            case .title: [Key(column: "title_key")]
            case .author: [Key(column: "author_key")]
            }
        return directed(first + ties, isReversed: arrangement.isReversed)
    }

    private static func directed(_ keys: [Key], isReversed: Bool) -> String {
        keys.map { $0.column + ($0.isDescending != isReversed ? " DESC" : "") }.joined(separator: ", ")
    }

    private static func conditions(_ filter: Filter) -> ([String], [DatabaseValue]) {
        var conditions: [String] = []
        var values: [DatabaseValue] = []
        func add(_ condition: String, _ value: DatabaseValue) {
            conditions.append(condition)
            values.append(value)
        }
        if let author = filter.author {
            let words = Folding.words(author)
            // A name without a letter or digit is nobody's, though every text contains the empty one.
            add(words.isEmpty ? "? <> ''" : "instr(words(author_name), ?) > 0", .text(words))
        }
        if let title = filter.title { add("instr(folded(title), ?) > 0", .text(Folding.fold(title))) }
        if let since = filter.since { add("date_key >= ?", .integer(since.millisecondsSince1970)) }
        if let before = filter.before { add("date_key < ?", .integer(before.millisecondsSince1970)) }
        return (conditions, values)
    }
}
