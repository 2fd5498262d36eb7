import BlogEssentials
import BlogModel

/// The articles that posts link to: the `articles` table.
package struct Articles {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The stored article that a post links to, or why there is none; nil if it was never requested.
    package func find(of post: PostID) throws -> StoredArticle? {
        try PostRow.key(of: post, in: database).flatMap { try find($0) }
    }

    /// Stores the article of a stored post.
    package func save(_ article: Article, _ validators: CacheValidators, of post: PostID) throws {
        guard let key = try PostRow.key(of: post, in: database) else { return }
        try save(article, validators, of: key)
    }

    /// Records that the page of an article hasn't changed.
    package func confirm(of post: PostID, at date: Date) throws {
        guard let key = try PostRow.key(of: post, in: database) else { return }
        try database.run(
            """
            UPDATE articles SET (fetched_at, problem, failed_at, failures) = (?, NULL, NULL, 0)
            WHERE post = ? AND body IS NOT NULL
            """, [DatabaseValue(date), .integer(key)])
    }

    /// Records a failed request for an article; a stored article is kept.
    package func note(_ problem: ArticleProblem, of post: PostID, at date: Date) throws {
        guard let key = try PostRow.key(of: post, in: database) else { return }
        try database.run(
            """
            INSERT INTO articles (post, problem, failed_at, failures) VALUES (?, ?, ?, 1)
            ON CONFLICT (post) DO UPDATE SET
                (problem, failed_at, failures) = (excluded.problem, excluded.failed_at, failures + 1)
            """, [.integer(key), .text(problem.rawValue), DatabaseValue(date)])
    }

    /// The listed posts of a source whose articles a sync fetches, newest first: those that are unread or saved and
    /// link to a page.
    ///
    /// - Parameter limit: the number of newest listed posts to consider; nil for all.
    package func plan(of source: SourceID, limit: Int?) throws -> [PlannedArticle] {
        guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return [] }
        let sql = """
            SELECT id, link, body IS NOT NULL, problem, failed_at, is_saved
            FROM (
                SELECT key, id, link, is_read, is_saved, date_key, id_key FROM posts
                WHERE source = ? AND listed = 1 ORDER BY date_key DESC, id_key LIMIT ?
            ) AS newest LEFT JOIN articles ON articles.post = newest.key
            WHERE (is_read = 0 OR is_saved = 1) AND (link LIKE 'http://_%' OR link LIKE 'https://_%')
            ORDER BY date_key DESC, id_key
            """
        return try database.all(sql, [.integer(sourceKey), .integer(Int64(limit ?? -1))]) { row in
            PlannedArticle(
                post: PostID(source: source, local: row.text(0) ?? ""), link: row.text(1) ?? "",
                hasArticle: row.bool(2), problem: row.text(3).flatMap { ArticleProblem(rawValue: $0) },
                failedAt: row.date(4), isSaved: row.bool(5))
        }
    }

    /// Sets when the posts of a source are read with their articles, and how to extract these.
    ///
    /// - Parameters:
    ///   - choice: nil for the global setting.
    ///   - body: a selector for the article in its page; nil to detect it.
    ///   - drop: a selector for elements to remove from it; nil for none.
    package func choose(_ choice: ArticleChoice?, body: String?, drop: String?, of source: SourceID) throws {
        guard let known = try SourceRow.find(source, in: database) else { return }
        try database.run(
            "UPDATE sources SET (article, article_body, article_drop) = (?, ?, ?) WHERE key = ?",
            [DatabaseValue(choice?.rawValue), DatabaseValue(body), DatabaseValue(drop), .integer(known.key)])
        guard (body, drop) != (known.articleBody, known.articleDrop) else { return }
        // With other selectors, an unchanged page yields another article.
        try database.run(
            """
            UPDATE articles SET (etag, last_modified) = (NULL, NULL)
            WHERE post IN (SELECT key FROM posts WHERE source = ?)
            """, [.integer(known.key)])
    }

    // MARK: Rows, at most one per post

    /// The columns of an article, in the order in which ``article(of:)`` reads them.
    private static let columns =
        "address, title, author, site, publish_date, language, body, format, is_complete, fetched_at"

    func find(_ post: Int64) throws -> StoredArticle? {
        let sql = """
            SELECT \(Self.columns), etag, last_modified, problem, failed_at, failures FROM articles WHERE post = ?
            """
        return try database.first(sql, [.integer(post)]) { row in
            StoredArticle(
                article: Self.article(of: row),
                validators: CacheValidators(etag: row.text(10), lastModified: row.text(11)),
                problem: row.text(12).flatMap { ArticleProblem(rawValue: $0) },
                failedAt: row.date(13), failures: Int(row.integer(14)))
        }
    }

    /// The article in a row that starts with ``columns``; nil if it has no text.
    private static func article(of row: Statement) -> Article? {
        guard let body = row.text(6) else { return nil }
        return Article(
            address: row.text(0) ?? "", title: row.text(1), author: row.text(2), site: row.text(3),
            publishDate: row.text(4).flatMap { Timestamp($0) }, language: row.text(5), body: body,
            format: row.format(7) ?? .plain, isComplete: row.bool(8),
            fetchedAt: Date(millisecondsSince1970: row.integer(9)))
    }

    /// Forgets validators and failures, but not the text, because the post now links to another page.
    func forgetRequest(of post: Int64) throws {
        try database.run(
            """
            UPDATE articles SET (etag, last_modified, problem, failed_at, failures) = (NULL, NULL, NULL, NULL, 0)
            WHERE post = ?
            """, [.integer(post)])
    }

    /// Stores or replaces the article of a post, and forgets failures.
    func save(_ article: Article, _ validators: CacheValidators, of post: Int64) throws {
        let validators = validators.ofRequestedOrigin
        let isSame = try database.exists(
            "SELECT 1 FROM articles WHERE body IS ? AND format IS ? AND post = ?",
            [.text(article.body), .text(article.format.rawValue), .integer(post)])
        if !isSame { try SearchIndex(database).noteChange(of: post) }
        try database.run(
            """
            INSERT OR REPLACE INTO articles (\(Self.columns), etag, last_modified, post)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(article.address), DatabaseValue(article.title), DatabaseValue(article.author),
                DatabaseValue(article.site), DatabaseValue(article.publishDate?.text),
                DatabaseValue(article.language), .text(article.body), .text(article.format.rawValue),
                .bool(article.isComplete), DatabaseValue(article.fetchedAt),
                DatabaseValue(validators.etag), DatabaseValue(validators.lastModified), .integer(post),
            ])
    }
}

package struct StoredArticle: Sendable {
    /// Nil if none was ever fetched.
    package let article: Article?
    package let validators: CacheValidators
    /// How and when the last request failed; nil if it succeeded.
    package let problem: ArticleProblem?
    package let failedAt: Date?
    /// The number of consecutive failed requests.
    package let failures: Int
}

/// A post with a link to a page, in a sync plan for articles.
package struct PlannedArticle: Sendable {
    package let post: PostID
    package let link: String
    package let hasArticle: Bool
    /// How and when the last request failed; nil if it succeeded or there was none.
    package let problem: ArticleProblem?
    package let failedAt: Date?
    package let isSaved: Bool
}
