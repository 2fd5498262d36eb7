import SQLite

extension PostStore {
    /// The piece of a post that holds what was searched for.
    ///
    /// - Parameter cut: the piece where SQLite has cut it already.
    func snippet(ofPost post: Int64, _ search: SearchExpression, cut: String?) throws -> Snippet? {
        try read { database in
            let texts = Self.searchedTexts + (search.isCutBySQLite ? " AND EXISTS (\(Self.parts))" : "")
            let others: Range<Int32> = search.hasColumns ? 0..<0 : 1..<4
            let quick = try search.snippetCutter.flatMap { cutter in
                try database.first(texts, [.integer(post)]) { row in
                    row.withText(0, cutter.cut)
                        ?? others.compactMap { row.withText($0, cutter.cut) }.max { $0.hits < $1.hits }
                } ?? nil
            }
            if let quick { return quick }
            if search.isCutBySQLite { return cut.map(Snippet.init(stored:)) }
            let late = try database.first(
                "SELECT \(ListStatement.snippet) FROM search WHERE search MATCH ? AND rowid = ?",
                [.text(search.text), .integer(post)]
            ) { $0.text(0) }
            return late?.map(Snippet.init(stored:))
        }
    }

    /// The texts of a post as the index knows them: the body, of a long one the beginning, and the others.
    ///
    /// To have SQLite look for the post once more costs 0.2 ms a hit.
    private static let searchedTexts = """
        SELECT CASE WHEN format = 'html' THEN html_text(search_sources.body) ELSE search_sources.body END,
            CASE WHEN is_comment THEN NULL ELSE title END, summary, author
        FROM search_sources WHERE post = ?
        """
    private static let parts =
        "SELECT 1 FROM bodies JOIN body_parts ON body_parts.body = bodies.key WHERE bodies.post = search_sources.post"
}

extension Snippet {
    fileprivate var hits: Int { pieces.count { $0.isHit } }

    /// A snippet as ``ListStatement/snippet`` has it: each hit between U+0002 and U+0003.
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
