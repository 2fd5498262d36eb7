import BlogEssentials
import BlogMarkup
import BlogModel

/// The excerpts of posts around the terms of a search.
struct Snippets {
    let database: Database
    let search: SearchExpression

    /// The excerpt of a post around the search terms.
    ///
    /// It is the beginning of the post if they occur only late in a long text, or only in the author's name, which is
    /// shown next to the snippet anyway.
    func find(ofPost post: Int64) throws -> Snippet? {
        if let plain = try best(ofPost: post, isFolded: false) { return plain }
        if let folded = try best(ofPost: post, isFolded: true) { return folded }
        return try beginning(ofPost: post)
    }

    /// The snippet of the body, or of the article if that has more of the terms, or else of the column with the most
    /// matches.
    private func best(ofPost post: Int64, isFolded: Bool) throws -> Snippet? {
        let body = try cut(.post, of: post, isFolded: isFolded)
        if let body, body.words >= search.snippetCutter(of: .article)?.phraseCount ?? 0 { return body }
        if let article = try cut(.article, of: post, isFolded: isFolded),
            article.words > body?.words ?? 0
        {
            return article
        }
        guard body == nil else { return body }
        return try database.first(Self.ownLines, [.integer(post)]) { row in
            zip(Int32(0)..., [SearchField.title, .summary]).compactMap { column, field in
                search.snippetCutter(of: field).flatMap { cutter in
                    row.withText(column) { cutter.cut($0, isFolded: isFolded) }
                }
            }.max { $0.hits < $1.hits }
        } ?? nil
    }

    /// The snippet of a body or an article.
    private func cut(_ place: Snippet.Place, of post: Int64, isFolded: Bool) throws -> Snippet? {
        guard let cutter = search.snippetCutter(of: place.column), isFolded || cutter.isASCII else { return nil }
        var snippet =
            try database.first(place.text, [.integer(post)]) { row in
                let format = row.format(1)
                return row.withText(0) { cutter.cut(body: $0, format, isFolded: isFolded) }
            } ?? nil
        snippet?.place = place
        return snippet
    }

    /// The beginning of the body, or else of the summary or title.
    private func beginning(ofPost post: Int64) throws -> Snippet? {
        let body = try database.first(Snippet.Place.post.text, [.integer(post)]) { row in
            let format = row.format(1) ?? .markdown
            var text = row.withText(0) { BodyText.plainText(ofBeginning: Self.shownBytes, of: $0, format: format) }
            return text.withUTF8(SnippetCutter.beginning)
        }
        return try (body ?? nil)
            ?? database.first(Self.ownLines, [.integer(post)]) { row in
                [1, 0].lazy.compactMap { row.withText($0, SnippetCutter.beginning) }.first
            } ?? nil
    }

    /// The length of the beginning that is shown of a post without the terms, in bytes.
    private static let shownBytes = 2_000

    /// Selects the title, unless it is the one of a comment's story, and the summary, as indexed.
    ///
    /// Reading them from the index would take 0.2 ms per match.
    private static let ownLines = """
        SELECT CASE WHEN is_comment THEN NULL ELSE title END, \(SearchText.summary) FROM search_sources WHERE post = ?
        """
}

extension Snippet.Place {
    /// Selects the text of a post and its format.
    fileprivate var text: String {
        switch self {
        case .post: "SELECT body, format FROM search_sources WHERE post = ?"
        case .article: "SELECT body, format FROM articles WHERE post = ?"
        }
    }

    /// The column of the index with the text.
    fileprivate var column: SearchField { self == .post ? .body : .article }
}

extension SnippetCutter {
    fileprivate func cut(_ text: UnsafeBufferPointer<UInt8>, isFolded: Bool) -> Snippet? {
        isFolded ? cutFolded(text) : cut(text)
    }

    /// The snippet of a body; nil if it doesn't have the terms.
    ///
    /// Unless `isFolded`, terms that markup or character references interrupt aren't found.
    ///
    /// Beginnings are tried first: converting all of a long body to plain text can take 100 times as long as finding the
    /// post.
    fileprivate func cut(body: UnsafeBufferPointer<UInt8>, _ format: BodyFormat?, isFolded: Bool) -> Snippet? {
        if !isFolded {
            let places = firstWords(in: body)
            guard let last = places.max() else { return nil }
            var length = last + Self.sourceAfterTerms
            while places.count == phraseCount, length < body.count {
                var text = BodyText.plainText(ofBeginning: length, of: body, format: format ?? .markdown)
                if let snippet = text.withUTF8(cut(beginning:)) { return snippet }
                length *= 4
            }
        }
        var text = BodyText.plainText(of: body.text, format: format)
        return text.withUTF8 { cut($0, isFolded: isFolded) }
    }

    /// The source of the text that a snippet shows after the terms, with some markup, in bytes.
    private static let sourceAfterTerms = 300
}

extension Snippet {
    fileprivate var hits: Int { pieces.count { $0.isHit } }

    /// The number of different words or phrases that were found.
    fileprivate var words: Int { Set(pieces.filter(\.isHit).map { Folding.searchable($0.text) }).count }
}
