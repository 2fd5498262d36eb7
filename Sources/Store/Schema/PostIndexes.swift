import Model
import SQLite

/// The indexes that long lists are read by.
///
/// Each is created when a list in its order is first requested: creating all of them would take longer than storing the
/// posts, and few people sort by title.
struct PostIndexes {
    let database: Database

    /// Creates the index that a long list is read by, unless it exists.
    ///
    /// - Parameter isSelective: whether posts are looked up by their source before they are put in order.
    func make(for query: Query, in scope: SourceScope, isSelective: Bool) throws {
        // The posts of a few sources among many are looked up, and put in order, by what there is for each source.
        guard scope.posts >= Self.minPostCount, scope.only != nil || !isSelective,
            let index = Self.index(for: query, isOfOneSource: scope.only != nil)
        else { return }
        let exists = try database.first("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(index.name)]) { _ in true }
        if exists == nil { try database.execute("CREATE INDEX IF NOT EXISTS \(index.name) ON \(index.definition)") }
    }

    /// Recounts the posts of a source.
    static let counts = "\(countColumns) = \(counted)"
    static let countColumns = "(post_count, unread_count, body_count, comment_count)"
    static let counted = """
        (
            SELECT ifnull(sum(listed), 0), ifnull(sum(listed AND NOT is_read), 0),
                ifnull(sum(listed AND body_revision IS NOT NULL), 0), count(parent)
            FROM posts WHERE blog = blogs.key
        )
        """

    private static func index(for query: Query, isOfOneSource: Bool) -> (name: String, definition: String)? {
        // What is saved is little, and has an index from the start; a search or a ranking has its own order.
        guard query.words == nil, !query.filter.isSaved, !ListStatement.isRanked(query) else { return nil }
        // Groups are made of what the limit has left.
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
        let listed = "WHERE listed = 1\(order.condition)"
        guard isOfOneSource else { return ("all_by_\(order.name)", "posts (\(keys), blog) \(listed)") }
        let name = order.name == "unread" ? "posts_unread" : "posts_by_\(order.name)"
        return (name, "posts (blog, \(keys)) \(listed)")
    }

    /// Fewer rows are sorted fast enough without an index.
    private static let minPostCount = 2000
}
