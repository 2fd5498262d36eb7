import BlogEssentials
import BlogModel

/// The articles that newsboat has stored, in the tables of its `cache.db`
/// (https://github.com/newsboat/newsboat/blob/master/src/cache.cpp).
package struct NewsboatCache: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// An article with its marks.
    package struct Item: Sendable {
        package let guid: String
        package let title: String
        package let author: String
        package let link: String
        /// In seconds since 1970, UTC.
        package let date: Int64
        package let text: String
        /// The media type of the text; "" for HTML.
        package let textType: String
        package let enclosure: String
        package let enclosureType: String
        package let isRead: Bool
        /// Whether it has a flag, which is a letter of the user's choice.
        package let isFlagged: Bool
        package let isDeleted: Bool
    }

    /// The articles of a feed, newest first; if there are more than the limit, the flagged ones and the newest others.
    ///
    /// Throws a ``StoreError`` if the file can't be read, or isn't newsboat's.
    ///
    /// - Parameter limit: how many to read at most.
    package func items(of feed: String, limit: Int) throws -> [Item] {
        try StoreError.mapped(path) {
            let database = try open()
            // Added in newsboat 2.24.
            let hasTypes = try database.texts("SELECT name FROM pragma_table_info('rss_item')").contains(
                "content_mime_type")
            let sql = """
                SELECT guid, title, author, url, pubDate, content, \(hasTypes ? "content_mime_type" : "''"),
                    enclosure_url, enclosure_type, unread, flags, deleted
                FROM rss_item WHERE id IN (
                    SELECT id FROM rss_item WHERE feedurl = ?
                    ORDER BY ifnull(flags, '') <> '' DESC, pubDate DESC, id DESC LIMIT ?
                ) ORDER BY pubDate DESC, id DESC
                """
            return try database.all(sql, [.text(feed), .integer(Int64(limit))]) { row in
                func text(_ column: Int32) -> String { row.text(column) ?? "" }
                return Item(
                    guid: text(0), title: text(1), author: text(2), link: text(3), date: row.integer(4),
                    text: text(5), textType: text(6), enclosure: text(7), enclosureType: text(8),
                    isRead: row.integer(9) == 0, isFlagged: !text(10).isEmpty, isDeleted: row.bool(11))
            }
        }
    }

    /// How many articles of a feed it has.
    ///
    /// Throws as ``items(of:limit:)``.
    package func count(of feed: String) throws -> Int {
        try StoreError.mapped(path) {
            Int(try open().integer("SELECT count(*) FROM rss_item WHERE feedurl = ?", [.text(feed)]) ?? 0)
        }
    }

    /// The title of a feed; nil if it has none.
    ///
    /// Throws as ``items(of:limit:)``.
    package func title(of feed: String) throws -> String? {
        try StoreError.mapped(path) {
            try open().first("SELECT title FROM rss_feed WHERE rssurl = ?", [.text(feed)]) { $0.text(0) ?? "" }
        }
    }

    /// How many articles it has of feeds besides some, and how many of these are flagged.
    package func others(than feeds: Set<String>) throws -> (articles: Int, flagged: Int, feeds: Int) {
        try StoreError.mapped(path) {
            let rows = try open().all(
                "SELECT feedurl, count(*), sum(ifnull(flags, '') <> '') FROM rss_item WHERE NOT deleted GROUP BY feedurl"
            ) { ($0.text(0) ?? "", Int($0.integer(1)), Int($0.integer(2))) }
            let others = rows.filter { !feeds.contains($0.0) }
            return (others.reduce(0) { $0 + $1.1 }, others.reduce(0) { $0 + $1.2 }, others.count)
        }
    }

    /// Throws a ``StoreError`` if it has other tables, or can't be read now.
    package func check() throws {
        _ = try items(of: "", limit: 1)
    }

    private func open() throws -> Database {
        let database = try Database(path: path, mode: .readOnly)
        // newsboat may be running.
        database.setBusyTimeout(milliseconds: 5000)
        // A view could take for ever.
        let tables = try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
        guard Set(["rss_feed", "rss_item"]).isSubset(of: tables) else { throw StoreError.Reason.notADatabase }
        return database
    }
}
