import Model
import SQLite

extension ListStatement {
    /// The conditions that posts of a query meet, and the values in them.
    static func conditions(
        _ query: Query, _ scope: SourceScope, isIndexed: Bool = true
    ) -> ([String], [DatabaseValue]) {
        let filter = query.filter
        var conditions = [scope.condition(on: "posts.blog", isIndexed: isIndexed)]
        var values: [DatabaseValue] = []
        func add(_ condition: String, _ added: DatabaseValue...) {
            conditions.append(condition)
            values += added
        }
        /// Of a ranking of hundreds, what was stored on some other occasion is not for a list of several sources.
        func addFrontPages() {
            for (key, section) in scope.frontPages.sorted(by: { $0.key < $1.key }) {
                add(
                    """
                    (posts.blog <> \(key) OR posts.id IN (
                        SELECT id FROM ranks WHERE blog = \(key) AND section = ? AND place <= \(frontPageCount)))
                    """, .text(section))
            }
        }
        // What was saved is wanted even when its source lists it no more; a search is over everything.
        if isRanked(query), let section = query.section {
            add(scope.condition(on: "ranks.blog"))
            add("ranks.section = ?", .text(section))
        } else if !filter.isSaved && query.words == nil {
            add("posts.listed = 1")
        }
        if scope.only == nil, !filter.isSaved, query.words == nil { addFrontPages() }
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
            // A name without a letter or digit matches no author, although every text contains the empty string.
            add(words.isEmpty ? "? <> ''" : "instr(words(posts.author_name), ?) > 0", .text(words))
        }
        if let title = filter.title {
            let words = Folding.pattern(title)
            // What has no letter, such as an emoji, can only be looked for as it is.
            add(
                words.isEmpty ? "instr(folded(posts.title), ?) > 0" : "instr(words(posts.title), ?) > 0",
                .text(words.isEmpty ? Folding.fold(title) : words))
        }
        if let tag = filter.tag {
            add(
                "EXISTS (SELECT 1 FROM json_each(posts.details, '$.article.tags') WHERE folded(value) = ?)",
                .text(Folding.fold(tag)))
        }
        if let since = filter.since { add("posts.date_key >= ?", .integer(since.millisecondsSince1970)) }
        if let before = filter.before { add("posts.date_key < ?", .integer(before.millisecondsSince1970)) }
        if let cursor = query.newFor {
            for condition in newConditions(scope) { add(condition, .text(cursor), .text(cursor)) }
        }
        return (conditions, values)
    }

    /// The conditions that posts meet that came or changed after a cursor was moved, each with its name twice.
    private static func newConditions(_ scope: SourceScope) -> [String] {
        func least(_ column: String) -> String {
            """
            (SELECT ifnull(min(ifnull(\(column), 0)), 0) FROM blogs
            LEFT JOIN cursors ON cursors.blog = blogs.key AND cursors.name = ?
            WHERE \(scope.condition(on: "blogs.key")))
            """
        }
        func own(_ column: String) -> String {
            "ifnull((SELECT \(column) FROM cursors WHERE cursors.blog = posts.blog AND cursors.name = ?), 0)"
        }
        return [
            // The first condition, on the post's own columns alone, is one that SQLite can look up.
            "(posts.key > \(least("last_post")) OR posts.change_number > \(least("last_change")))",
            "(posts.key > \(own("last_post")) OR posts.change_number > \(own("last_change")))",
        ]
    }

    /// How many posts at the front of a ranking belong to a list of several sources.
    package static let frontPageCount = 30
}
