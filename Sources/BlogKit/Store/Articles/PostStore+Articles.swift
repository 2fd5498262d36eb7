import BlogEssentials
import BlogModel

/// The articles that posts link to.
extension PostStore {
    /// The stored article that a post links to, or why there is none; nil if it was never requested.
    package func article(of post: PostID) throws -> StoredArticle? {
        try read { database in
            try PostRow.key(of: post, in: database).flatMap { try ArticleRow.find($0, in: database) }
        }
    }

    /// Stores the article of a stored post; continues in memory if the disk is full or not writable.
    package func store(_ article: LinkedArticle, validators: CacheValidators, of post: PostID) async throws {
        try await write { database in
            guard let key = try PostRow.key(of: post, in: database) else { return }
            try ArticleRow.save(article, validators, of: key, in: database)
        }
    }

    /// Records that the page of an article hasn't changed.
    package func confirmArticle(of post: PostID, at date: Date) async throws {
        try await writeIfFree { database in
            guard let key = try PostRow.key(of: post, in: database) else { return }
            try database.run(
                """
                UPDATE articles SET (fetched_at, problem, failed_at, failures) = (?, NULL, NULL, 0)
                WHERE post = ? AND body IS NOT NULL
                """, [DatabaseValue(date), .integer(key)])
        }
    }

    /// Records a failed request for an article; a stored article is kept.
    package func note(_ problem: ArticleProblem, ofArticleOf post: PostID, at date: Date) async throws {
        try await writeIfFree { database in
            guard let key = try PostRow.key(of: post, in: database) else { return }
            try database.run(
                """
                INSERT INTO articles (post, problem, failed_at, failures) VALUES (?, ?, ?, 1)
                ON CONFLICT (post) DO UPDATE SET
                    (problem, failed_at, failures) = (excluded.problem, excluded.failed_at, failures + 1)
                """, [.integer(key), .text(problem.rawValue), DatabaseValue(date)])
        }
    }

    /// The listed posts of a source whose articles a sync fetches, newest first: those that are unread or saved and
    /// link to a page.
    ///
    /// - Parameter limit: the number of newest listed posts to consider; nil for all.
    package func articlePlan(of source: SourceID, limit: Int?) throws -> [PlannedArticle] {
        try read(source) { database, sourceKey in
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
        } ?? []
    }

    /// Sets when the posts of a source are read with their articles, and how to extract these.
    ///
    /// - Parameters:
    ///   - choice: nil for the global setting.
    ///   - body: a selector for the article in its page; nil to detect it.
    ///   - drop: a selector for elements to remove from it; nil for none.
    package func setArticles(
        _ choice: ArticleChoice?, body: String?, drop: String?, of source: SourceID
    ) async throws {
        try await writeToDisk { database in
            guard let known = try SourceRow.find(source, in: database) else { return }
            try database.run(
                "UPDATE sources SET (article, article_body, article_drop) = (?, ?, ?) WHERE key = ?",
                [
                    DatabaseValue(choice?.rawValue), DatabaseValue(body), DatabaseValue(drop), .integer(known.key),
                ])
            guard (body, drop) != (known.articleBody, known.articleDrop) else { return }
            // With other selectors, an unchanged page yields another article.
            try database.run(
                """
                UPDATE articles SET (etag, last_modified) = (NULL, NULL)
                WHERE post IN (SELECT key FROM posts WHERE source = ?)
                """, [.integer(known.key)])
        }
    }

    // MARK: Pages that are read by address

    /// Stores a single post as listed and returns its id, which is a number.
    ///
    /// A stored post with the same ``PostMetadata/postId`` is updated and keeps its number.
    package func addNumbered(_ entry: Entry, to source: SourceID, at now: Date) async throws -> PostID {
        try await write { database in
            let sourceKey = try SourceRow.key(of: source, in: database)
            let numbers = EntryNumbers(of: sourceKey, in: database, now: now)
            let writer = try PostWriter(database: database, sourceKey: sourceKey, now: now)
            let (id, key, _) = try numbers.save(entry, with: writer)
            try Self.save(entry.content, ofPost: key, at: now, in: database)
            return PostID(source: source, local: id)
        }
    }

    /// The numbered post of a source with a GUID; nil if none is stored.
    package func post(withGUID guid: String, of source: SourceID) throws -> PostID? {
        try read(source) { database, sourceKey in
            let sql = "SELECT id FROM posts WHERE source = ? AND post_id = ? AND number IS NOT NULL"
            return try database.first(sql, [.integer(sourceKey), .text(guid)]) { row in
                PostID(source: source, local: row.text(0) ?? "")
            }
        }
    }
}

package struct StoredArticle: Sendable {
    /// Nil if none was ever fetched.
    package let article: LinkedArticle?
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

/// The `articles` table: at most one row per post.
enum ArticleRow {
    /// The columns of an article, in the order in which ``article(of:from:)`` reads them.
    static let columns =
        "address, title, author, site, publish_date, language, body, format, is_complete, fetched_at"

    static func find(_ post: Int64, in database: Database) throws -> StoredArticle? {
        let sql = "SELECT \(columns), etag, last_modified, problem, failed_at, failures FROM articles WHERE post = ?"
        return try database.first(sql, [.integer(post)]) { row in
            StoredArticle(
                article: article(of: row, from: 0),
                validators: CacheValidators(etag: row.text(10), lastModified: row.text(11)),
                problem: row.text(12).flatMap { ArticleProblem(rawValue: $0) },
                failedAt: row.date(13), failures: Int(row.integer(14)))
        }
    }

    /// The article in a row that has ``columns`` from `first` on; nil if it has no text.
    static func article(of row: Statement, from first: Int32) -> LinkedArticle? {
        guard let body = row.text(first + 6) else { return nil }
        return LinkedArticle(
            address: row.text(first) ?? "", title: row.text(first + 1), author: row.text(first + 2),
            site: row.text(first + 3), publishDate: row.text(first + 4).flatMap { Timestamp($0) },
            language: row.text(first + 5), body: body,
            format: row.format(first + 7) ?? .plain, isComplete: row.bool(first + 8),
            fetchedAt: Date(millisecondsSince1970: row.integer(first + 9)))
    }

    /// Forgets validators and failures, but not the text, because the post now links to another page.
    static func forgetRequest(of post: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE articles SET (etag, last_modified, problem, failed_at, failures) = (NULL, NULL, NULL, NULL, 0)
            WHERE post = ?
            """, [.integer(post)])
    }

    /// Stores or replaces the article of a post, and forgets failures.
    static func save(
        _ article: LinkedArticle, _ validators: CacheValidators, of post: Int64, in database: Database
    ) throws {
        let isSame = try database.exists(
            "SELECT 1 FROM articles WHERE body IS ? AND format IS ? AND post = ?",
            [.text(article.body), .text(article.format.rawValue), .integer(post)])
        if !isSame { try SearchIndex(database: database).noteChange(of: post) }
        try database.run(
            """
            INSERT OR REPLACE INTO articles (\(columns), etag, last_modified, post)
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
