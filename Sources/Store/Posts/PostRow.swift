import Foundation
import Model
import SQLite

/// A post's columns: how metadata becomes a row and a row metadata.
enum PostRow {
    /// The columns that hold metadata, in the order in which ``metadata(of:)`` reads them.
    static let columns = """
        id, title, publish_date, post_id, summary, author_name, author_image, author_title, link, score, comment_count, \
        parent, details
        """

    /// How many they are.
    static let columnCount: Int32 = 13

    /// The columns of a row in a list: the metadata, then what was noted.
    static let listColumns =
        columns.split(separator: ", ").map { "posts.\($0)" }.joined(separator: ", ")
        + ", posts.is_read, posts.is_saved, posts.words_changed_at"

    /// How many columns ``listColumns`` are.
    static let listColumnCount = columnCount + 3

    private static let keyColumns = "date_key, id_key, title_key, author_key, month, letter"

    static let insert = """
        INSERT INTO posts (blog, \(columns), \(keyColumns), changed_at, listed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (blog, id) DO NOTHING
        """

    static let update = """
        UPDATE posts SET (\(columns), \(keyColumns), changed_at)
            = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
            revision = revision + 1
        WHERE key = ?
        """

    /// Binds metadata and its sort key to `columns` and `keyColumns`, and returns the number of the next parameter.
    static func bind(
        _ metadata: PostMetadata, _ key: SortKey, to statement: Statement, from first: Int32
    ) throws -> Int32 {
        var index = first
        func bind(_ text: String?) throws {
            try statement.bind(text, at: index)
            index += 1
        }
        func bind(_ number: Int64?) throws {
            try statement.bind(number, at: index)
            index += 1
        }
        for text in [metadata.id, metadata.title, metadata.publishDate.text, metadata.postId] { try bind(text) }
        try bind(metadata.summary)
        try bind(metadata.author.name)
        try bind(metadata.author.image)
        try bind(metadata.author.title)
        try bind(metadata.link)
        try bind(metadata.score.map(Int64.init))
        try bind(metadata.commentCount.map(Int64.init))
        try bind(metadata.discussion?.parent)
        try bind(try metadata.details.map { try $0.json() })
        try bind(key.date)
        for text in [key.id, key.title, key.author, key.month, key.letter] { try bind(text) }
        return index
    }

    /// The metadata in a row whose first columns are ``columns``.
    ///
    /// Throws ``StoreError/damaged`` for a date that was never written by this program.
    static func metadata(of row: Statement) throws -> PostMetadata {
        guard let id = row.text(0), let title = row.text(1),
            let publishDate = row.text(2).flatMap({ Timestamp($0) }), let postId = row.text(3),
            let authorName = row.text(5)
        else { throw StoreError.Reason.damaged }
        return PostMetadata(
            id: id, title: title, publishDate: publishDate, postId: postId, summary: row.text(4),
            author: Author(name: authorName, image: row.text(6), title: row.text(7)), link: row.text(8),
            score: row.isNull(9) ? nil : Int(row.integer(9)), commentCount: row.isNull(10) ? nil : Int(row.integer(10)),
            details: try row.text(12).map(Self.details))
    }

    private static func details(_ json: String) throws -> Details {
        do {
            return try JSONDecoder().decode(Details.self, from: Data(json.utf8))
        } catch {
            throw StoreError.Reason.damaged
        }
    }

    /// What was recorded about the post of a row whose columns are ``listColumns``.
    static func state(of row: Statement) -> PostState {
        PostState(isRead: row.integer(columnCount) == 1, isSaved: row.integer(columnCount + 1) == 1)
    }

    /// When the words of the post of such a row last changed, in milliseconds since 1970; nil if never.
    static func changedAt(of row: Statement) -> Int64? {
        row.isNull(columnCount + 2) ? nil : row.integer(columnCount + 2)
    }
}
