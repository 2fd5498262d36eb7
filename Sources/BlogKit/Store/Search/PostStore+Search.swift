import BlogEssentials
import BlogModel

extension PostStore {
    /// The number of posts that are waiting to be indexed.
    package func unindexedPosts() throws -> Int {
        try read { try SearchIndex(database: $0).pending() }
    }

    /// Indexes more posts and returns how many; 0 once all are indexed.
    ///
    /// Preparing their texts takes about `duration`, at least one text; meanwhile other processes can write.
    package func indexMore(for duration: Duration = .seconds(1)) async throws -> Int {
        for _ in 0..<Self.maxIndexing {
            guard let batch = try await nextSearchBatch(for: duration) else { return 0 }
            let count = try await write { try SearchIndex(database: $0).apply(batch) }
            if count > 0 { return count }
        }
        // Other processes kept changing the posts, so this holds the lock while it prepares them.
        return try await write { try SearchIndex(database: $0).applyNext(for: duration) }
    }

    /// Like ``indexMore(for:)``, but gives up if another process is writing or the disk isn't writable: the next search
    /// will index the posts anyway.
    ///
    /// - Parameter waitsForBodies: whether to stop at the first post without a body.
    package func indexIfFree(for duration: Duration, waitsForBodies: Bool = false) async throws -> Int {
        guard notice == nil, let batch = try await nextSearchBatch(for: duration, waitsForBodies: waitsForBodies) else {
            return 0
        }
        database.setBusyTimeout(milliseconds: 100)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        do {
            return try await writeToDisk { try SearchIndex(database: $0).apply(batch) }
        } catch let error as StoreError {
            switch error.reason {
            case .busy, .notKept: return 0
            default: throw error
            }
        }
    }

    /// The next posts to index; nil if there are none.
    private func nextSearchBatch(for duration: Duration, waitsForBodies: Bool = false) async throws -> SearchBatch? {
        await waitForList()
        let batch = try read { try SearchIndex(database: $0, waitsForBodies: waitsForBodies).prepare(for: duration) }
        note(unreadable: batch.unreadable)
        return batch.changes.isEmpty ? nil : batch
    }

    /// How often to try again if the prepared posts have changed meanwhile.
    private static let maxIndexing = 3

    /// Sets the maximum number of matches that a search with a limit ranks, for tests.
    package func setMaxRanked(_ count: Int) { maxRanked = count }

    /// The lowest key of the posts that a search ranks; nil to rank all matches.
    ///
    /// SQLite ranks all matches before it returns the first one, at 2 µs each. If nearly every post matches, a search
    /// with a limit ranks only the most recently stored ones. A search with filters ranks all matches: counting those
    /// that pass would take longer.
    func firstRanked(_ query: Query, _ expression: SearchExpression, in scope: SourceScope) throws -> Int64? {
        var others = query.filter
        others.kind = nil
        guard scope.posts > maxRanked, others.isEmpty, query.arrangement.sorting == .relevance,
            !query.arrangement.isReversed, let limit = query.limit, limit <= maxRanked,
            query.offset <= maxRanked - limit
        else { return nil }
        return try read { database in
            // Looking up the source of a match takes longer than ranking it.
            let first = try lastHit(maxRanked, of: "search", expression, in: database)
            let sources = try database.integer("SELECT count(*) FROM sources") ?? 0
            let isEverything = query.filter.kind == nil && scope.sources.count == sources
            guard first != nil, !isEverything else { return first }
            let (conditions, values) = ListStatement.conditions(query, scope)
            return try lastHit(
                maxRanked, of: "search JOIN posts ON posts.key = search.rowid", expression,
                where: conditions, values, in: database)
        }
    }

    /// The key of the nth match from the most recently stored one; nil if there are fewer.
    private func lastHit(
        _ number: Int, of table: String, _ expression: SearchExpression, where conditions: [String] = [],
        _ values: [DatabaseValue] = [], in database: Database
    ) throws -> Int64? {
        let sql = """
            SELECT search.rowid FROM \(table)
            WHERE \((["search MATCH ?"] + conditions).joined(separator: " AND "))
            ORDER BY search.rowid DESC LIMIT 1 OFFSET ?
            """
        return try database.integer(sql, [.text(expression.text)] + values + [.integer(Int64(number - 1))])
    }

    /// How many listed posts are stored without their bodies.
    package func missingBodies(in scope: SourceScope) throws -> Int {
        scope.sources.reduce(0) { $0 + $1.posts - $1.bodies }
    }
}

extension PostStore {
    /// The excerpt of a post around the search terms.
    ///
    /// It is the beginning of the post if they occur only late in a long text, or only in the author's name, which is
    /// shown next to the snippet anyway.
    ///
    /// - Parameter cut: the excerpt if SQLite has extracted it already.
    static func snippet(
        ofPost post: Int64, by author: String, _ search: SearchExpression, cut: String?, in database: Database
    ) throws -> Snippet? {
        if let snippet = cut.map({ Snippet(stored: $0) }), snippet.text != author { return snippet }
        if let plain = try snippet(ofPost: post, search, isFolded: false, in: database) { return plain }
        if !search.isCutBySQLite, cut == nil {
            let late =
                try database.first(
                    "SELECT \(ListStatement.snippet) FROM search WHERE search MATCH ? AND rowid = ?",
                    [.text(search.text), .integer(post)]
                ) { $0.text(0).map { Snippet(stored: $0) } } ?? nil
            if let late, late.text != author { return late }
        }
        if let folded = try snippet(ofPost: post, search, isFolded: true, in: database) { return folded }
        return try database.first(ownTexts, [.integer(post)]) { row in
            [0, 2, 1].lazy.compactMap { row.withText($0, SnippetCutter.beginning) }.first
        } ?? nil
    }

    /// The snippet of the body, or of the article if that has more of the terms, or else of the column with the most
    /// matches.
    private static func snippet(
        ofPost post: Int64, _ search: SearchExpression, isFolded: Bool, in database: Database
    ) throws -> Snippet? {
        let body = try snippet(of: .post, post, search, isFolded: isFolded, in: database)
        if let body, body.words >= search.snippetCutter(of: .article)?.phraseCount ?? 0 { return body }
        if let article = try snippet(of: .article, post, search, isFolded: isFolded, in: database),
            article.words > body?.words ?? 0
        {
            return article
        }
        guard body == nil, !search.hasColumns, let cutter = search.snippetCutter(of: .post) else { return body }
        return try database.first(ownTexts, [.integer(post)]) { row in
            (1..<3).compactMap { row.withText($0) { cutter.cut($0, isFolded: isFolded) } }.max { $0.hits < $1.hits }
        } ?? nil
    }

    /// The snippet of a body or an article.
    ///
    /// The beginning of a long text is tried first: converting all of it to plain text can take 100 times as long as
    /// finding the post.
    private static func snippet(
        of place: Snippet.Place, _ post: Int64, _ search: SearchExpression, isFolded: Bool, in database: Database
    ) throws -> Snippet? {
        guard let cutter = search.snippetCutter(of: place), isFolded || cutter.isASCII else { return nil }
        var snippet: Snippet?
        if !isFolded {
            let length = "iif(format = 'html', \(beginning), \(markdownBeginning))"
            let sql = """
                SELECT shown_text(substr(body, 1, \(length)), ifnull(format, 'markdown'))
                FROM \(place.table) WHERE post = ? AND length(body) > \(length)
                """
            snippet = try database.first(sql, [.integer(post)]) { $0.withText(0, cutter.cut(beginning:)) } ?? nil
        }
        if snippet == nil {
            let sql = "SELECT shown_text(body, format) FROM \(place.table) WHERE post = ?"
            snippet =
                try database.first(sql, [.integer(post)]) { row in
                    row.withText(0) { cutter.cut($0, isFolded: isFolded) }
                } ?? nil
        }
        snippet?.place = place
        return snippet
    }

    /// In characters.
    ///
    /// SQLite extracts the snippets of shorter posts.
    private static let beginning = 4000
    /// In characters.
    ///
    /// Longer, because Markdown may define the targets of its links at the end.
    private static let markdownBeginning = 1 << 16

    /// The indexed texts of a post itself: the body, or the beginning of a long one, the title and the summary.
    ///
    /// Reading them from the index would take 0.2 ms per match.
    private static let ownTexts = """
        SELECT shown_text(body, format), CASE WHEN is_comment THEN NULL ELSE title END, summary
        FROM search_sources WHERE post = ?
        """
}

extension Snippet.Place {
    /// The table with the text and its format, as `body` and `format`, by post.
    fileprivate var table: String {
        switch self {
        case .post: "search_sources"
        case .article: "articles"
        }
    }
}

extension SnippetCutter {
    fileprivate func cut(_ text: UnsafeBufferPointer<UInt8>, isFolded: Bool) -> Snippet? {
        isFolded ? cutFolded(text) : cut(text)
    }
}

extension Snippet {
    fileprivate var hits: Int { pieces.count { $0.isHit } }

    /// The number of different words or phrases that were found.
    fileprivate var words: Int { Set(pieces.filter(\.isHit).map { Folding.fold($0.text) }).count }

    fileprivate var text: String { pieces.map(\.text).joined() }

    /// Parses the result of ``ListStatement/snippet``, with each match between U+0002 and U+0003.
    fileprivate init(stored: String) {
        let text = Segmentation.joined(stored)
        var pieces: [Piece] = []
        var rest = text.drop(while: \.isWhitespace)
        while let start = rest.firstIndex(of: "\u{2}") {
            if start > rest.startIndex { pieces.append(Piece(text: String(rest[..<start]), isHit: false)) }
            rest = rest[rest.index(after: start)...]
            let end = rest.firstIndex(of: "\u{3}") ?? rest.endIndex
            pieces.append(Piece(text: String(rest[..<end]), isHit: true))
            rest = rest[end...].dropFirst()
        }
        if !rest.isEmpty { pieces.append(Piece(text: String(rest), isHit: false)) }
        self.init(pieces: pieces)
    }
}
