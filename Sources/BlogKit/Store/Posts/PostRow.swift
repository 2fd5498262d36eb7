import BlogEssentials
import BlogModel

/// Converts between metadata and rows of the `posts` table.
enum PostRow {
    static func key(of id: String, _ sourceKey: Int64, in database: Database) throws -> Int64? {
        try database.integer("SELECT key FROM posts WHERE source = ? AND id = ?", [.integer(sourceKey), .text(id)])
    }

    static func key(of post: PostID, in database: Database) throws -> Int64? {
        let sql = """
            SELECT posts.key FROM posts JOIN sources ON sources.key = posts.source
            WHERE kind = ? AND address = ? AND posts.id = ?
            """
        return try database.integer(sql, post.source.values + [.text(post.local)])
    }

    /// A stored post; nil if there is none.
    ///
    /// Throws ``StoreError/Reason/damaged`` if its metadata can't be read.
    static func find(
        _ id: String, _ sourceKey: Int64, in database: Database
    ) throws -> (key: Int64, metadata: PostMetadata)? {
        let sql = "SELECT \(columns), key FROM posts WHERE source = ? AND id = ?"
        return try database.first(sql, [.integer(sourceKey), .text(id)]) { row in
            Result { (row.integer(columnCount), try metadata(of: row)) }
        }?.get()
    }

    /// The columns that hold metadata, in the order in which ``metadata(of:)`` reads them.
    static let columns = """
        id, title, publish_date, post_id, summary, author_name, author_image, author_title, link, score, \
        comment_count, parent, details
        """

    static let columnCount: Int32 = 13

    /// The columns of a row in a list: the metadata, the marks, the last change, and the date by which it is sorted.
    static let listColumns = listColumns(with: .all)

    /// ``listColumns`` with NULL for other parts.
    static func listColumns(with parts: Query.Parts) -> String {
        let part: [Substring: Query.Parts] = [
            "title": .headings, "publish_date": .headings, "author_name": .headings, "post_id": .facts,
            "summary": .summaries, "author_image": .facts, "author_title": .facts, "link": .facts, "score": .facts,
            "comment_count": .facts, "details": .details,
        ]
        let labels = parts.isSuperset(of: .facts) ? "posts.labels" : "NULL"
        let twin = parts.isSuperset(of: .duplicates) ? "posts.twin" : "0"
        return columns.split(separator: ", ").map { name in
            part[name].map { parts.isSuperset(of: $0) } ?? true ? "posts.\(name)" : "NULL"
        }.joined(separator: ", ")
            + ", posts.is_read, posts.is_saved, posts.words_changed_at, \(labels), \(twin), posts.date_key"
    }

    static let listColumnCount = columnCount + 6

    /// The columns that lists sort and filter by.
    private static let keyColumns =
        "date_key, id_key, title_key, author_key, month, letter, rating, is_removed, tags"

    static let insert = """
        INSERT INTO posts (
            source, \(columns), \(keyColumns), changed_at, listed, story, twin, number, digest, body_revision
        )
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (source, id) DO NOTHING
        """

    static let update = """
        UPDATE posts SET (\(columns), \(keyColumns), changed_at)
            = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?),
            revision = revision + 1
        WHERE key = ?
        """

    /// Binds `columns` and `keyColumns`, and returns the index of the next parameter.
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
        // Not in a loop, which would copy each text.
        try bind(metadata.id)
        try bind(metadata.title)
        try bind(metadata.publishDate.text)
        try bind(metadata.postId)
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
        try bind(key.id)
        try bind(key.title)
        try bind(key.author)
        try bind(key.month)
        try bind(key.letter)
        try statement.bind(real: metadata.photo?.rating, at: index)
        index += 1
        try bind(metadata.discussion?.removal == nil ? 0 : 1)
        try bind(TagLines(metadata.entry?.tags ?? [])?.text)
        return index
    }

    /// The metadata of a row that starts with ``columns``.
    ///
    /// Throws ``StoreError/Reason/damaged`` if it isn't valid.
    ///
    static func metadata(of row: Statement) throws -> PostMetadata {
        var author = ""
        return try metadata(of: row, .all, &author)
    }

    /// The metadata of a row in a list.
    ///
    /// Throws as ``metadata(of:)``.
    ///
    /// - Parameters:
    ///   - parts: what the row has.
    ///   - author: the author of the last row, and then of this one.
    static func metadata(of row: Statement, _ parts: Query.Parts, _ author: inout String) throws -> PostMetadata {
        let (hasHeading, hasFacts) = (parts.contains(.headings), parts.contains(.facts))
        // Asking SQLite for a column takes time even if that is NULL.
        func fact(_ column: Int32) -> String? { hasFacts ? row.text(column) : nil }
        func number(_ column: Int32) -> Int? { hasFacts ? row.optionalInteger(column).map { Int($0) } : nil }
        guard let id = row.text(0), let title = hasHeading ? row.text(1) : "",
            let publishDate = hasHeading ? row.text(2).flatMap({ Timestamp($0) }) : noDate,
            let postId = hasFacts ? row.text(3) : "", let authorName = hasHeading ? row.text(5, last: &author) : ""
        else { throw StoreError.Reason.damaged }
        return PostMetadata(
            id: id, title: title, publishDate: publishDate, postId: postId,
            summary: parts.contains(.summaries) ? row.text(4) : nil,
            author: Author(name: authorName, image: fact(6), title: fact(7)), link: fact(8), score: number(9),
            commentCount: number(10), details: parts.contains(.details) ? try row.text(12).map(Self.details) : nil)
    }

    private static let noDate = Timestamp(secondsSince1970: 0)

    /// The ID of the post that a row's comment replies to; nil if it isn't a comment.
    static func parent(of row: Statement) -> String? { row.text(11) }

    static func details(_ json: String) throws -> Details {
        do {
            return try Details(json: json)
        } catch {
            throw StoreError.Reason.damaged
        }
    }

    /// The marks of a row that starts with ``listColumns``.
    static func state(of row: Statement) -> PostState {
        PostState(
            isRead: row.bool(columnCount), isSaved: row.bool(columnCount + 1),
            labels: row.text(columnCount + 3).map(TagLines.tags) ?? [])
    }

    /// Whether another source has a post of the same story.
    static func hasTwin(of row: Statement) -> Bool { row.integer(columnCount + 4) & Stories.hasTwin != 0 }

    /// When the words of such a row last changed, in milliseconds since 1970; nil if never.
    static func changedAt(of row: Statement) -> Int64? {
        row.optionalInteger(columnCount + 2)
    }

    /// When such a row's post arrived, if that is before its date, to the second; nil for others.
    static func arrival(of row: Statement, dated date: Timestamp) -> Timestamp? {
        let seconds = Int(row.integer(columnCount + 5) / 1000)
        return date.isKnown && seconds < date.milliseconds / 1000 ? Timestamp(secondsSince1970: seconds) : nil
    }
}

/// Tags or labels as they are stored: each on a line of its own, with a line break before and after it.
struct TagLines {
    let text: String

    /// Nil if there are no tags.
    init?(_ tags: [String]) {
        if tags.isEmpty { return nil }
        // A tag is one line, but an import may have brought others.
        text = "\n" + tags.map { $0.replacing("\n", with: " ") + "\n" }.joined()
    }

    /// The tags in a stored text.
    static func tags(_ stored: String) -> [String] { stored.split(separator: "\n").map(String.init) }

    /// The condition that a column has a tag, ignoring case and accents; it is never NULL.
    static func condition(_ column: String, have tag: String) -> (String, [DatabaseValue]) {
        let line = Folding.searchable(TagLines([tag])?.text ?? "")
        return ("(\(column) IS NOT NULL AND instr(folded(\(column)), ?) > 0)", [.text(line)])
    }
}
