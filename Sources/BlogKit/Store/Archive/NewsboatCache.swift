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
        try read { database in
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
        try read {
            Int(try $0.integer("SELECT count(*) FROM rss_item WHERE feedurl = ?", [.text(feed)]) ?? 0)
        }
    }

    /// The title of a feed; nil if it has none.
    ///
    /// Throws as ``items(of:limit:)``.
    package func title(of feed: String) throws -> String? {
        try read {
            try $0.first("SELECT title FROM rss_feed WHERE rssurl = ?", [.text(feed)]) { $0.text(0) ?? "" }
        }
    }

    /// How many articles it has of feeds besides some, and how many of these are flagged.
    package func others(than feeds: Set<String>) throws -> (articles: Int, flagged: Int, feeds: Int) {
        try read {
            let rows = try $0.all(
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

    /// Throws a ``StoreError`` that says what of the file can't be read.
    private func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try StoreError.mapped(path) {
            do {
                return try work(open())
            } catch let error as DatabaseError where error.kind == .tooLong {
                throw StoreError.Reason.unreadable("an article has more than \(Self.maxValueBytes >> 20) MiB")
            } catch let error as DatabaseError where error.kind == .tooSlow {
                throw StoreError.Reason.unreadable("it takes too long")
            }
        }
    }

    private func open() throws -> Database {
        try StoreFile(path: path).check()
        let database = try Database(path: path, mode: .readOnly)
        // newsboat may be running.
        database.setBusyTimeout(milliseconds: 5000)
        database.limit(valueBytes: Self.maxValueBytes, steps: Self.maxSteps)
        for table in ["rss_feed", "rss_item"] { try check(table, in: database) }
        return database
    }

    /// Throws a ``StoreError/Reason`` unless a table has only values that are in the file: views, virtual tables and
    /// generated columns can take any time and memory.
    private func check(_ table: String, in database: Database) throws {
        let definition = try database.first("SELECT sql FROM sqlite_schema WHERE name = ?", [.text(table)]) {
            $0.text(0) ?? ""
        }
        guard let definition else { throw StoreError.Reason.notADatabase }
        // SQLite begins each definition like this, and rejects one that doesn't agree with its table.
        let isTable = definition.hasPrefix("CREATE TABLE ")
        guard isTable, try !database.exists("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden", [.text(table)]) else {
            throw StoreError.Reason.unreadable("\(table) isn't an ordinary table")
        }
    }

    /// More than newsboat's largest articles have, and twice what a feed may have here.
    private static let maxValueBytes: Int32 = 32 << 20
    /// Enough for ten million articles.
    private static let maxSteps: Int32 = 250_000_000
}
