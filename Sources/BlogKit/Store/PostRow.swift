/// A post's columns: how metadata becomes a row and a row metadata.
enum PostRow {
    /// The columns that hold metadata, in the order in which ``metadata(of:)`` reads them.
    static let columns = "id, title, publish_date, post_id, summary, author_name, author_image, author_title"

    /// How many they are.
    static let columnCount: Int32 = 8

    private static let keyColumns = "date_key, id_key, title_key, author_key, month, letter"

    static let insert = """
        INSERT INTO posts (blog, \(columns), \(keyColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    static let update = """
        UPDATE posts SET (\(columns), \(keyColumns)) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
            revision = revision + 1, listed = 1
        WHERE key = ?
        """

    /// The values of `columns` and `keyColumns`.
    static func values(_ metadata: PostMetadata) -> [DatabaseValue] {
        let key = SortKey(metadata)
        return [
            .text(metadata.id), .text(metadata.title), .text(metadata.publishDate.text), .text(metadata.postId),
            DatabaseValue(metadata.summary), .text(metadata.author.name), DatabaseValue(metadata.author.image),
            DatabaseValue(metadata.author.title), .integer(key.date), .text(key.id), .text(key.title),
            .text(key.author), .text(key.month), .text(key.letter),
        ]
    }

    /// The metadata in a row whose columns from `first` on are ``columns``.
    ///
    /// Throws ``StoreError/damaged`` for a date that was never written by this program.
    static func metadata(of row: Statement, from first: Int32 = 0) throws -> PostMetadata {
        guard let id = row.text(first), let title = row.text(first + 1),
            let publishDate = row.text(first + 2).flatMap({ Timestamp($0) }), let postId = row.text(first + 3),
            let authorName = row.text(first + 5)
        else { throw StoreError.Reason.damaged }
        return PostMetadata(
            id: id, title: title, publishDate: publishDate, postId: postId, summary: row.text(first + 4),
            author: Author(name: authorName, image: row.text(first + 6), title: row.text(first + 7)))
    }
}
