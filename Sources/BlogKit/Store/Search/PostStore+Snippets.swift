import SQLite

extension PostStore {
    /// The piece of a post that holds what was searched for; of a long one, where the words are beyond its beginning, the
    /// beginning.
    ///
    /// - Parameter cut: the piece where SQLite has cut it already.
    static func snippet(
        ofPost post: Int64, _ search: SearchExpression, cut: String?, in database: Database
    ) throws -> Snippet? {
        if let cut { return Snippet(stored: cut) }
        if let quick = try snippet(ofPost: post, search, in: database, { $0.cut($1) }) { return quick }
        if !search.isCutBySQLite {
            let late = try database.first(
                "SELECT \(ListStatement.snippet) FROM search WHERE search MATCH ? AND rowid = ?",
                [.text(search.text), .integer(post)]
            ) { $0.text(0) }
            if let late = late ?? nil { return Snippet(stored: late) }
        }
        if let folded = try snippet(ofPost: post, search, in: database, { $0.cutFolded($1) }) { return folded }
        return try database.first(searchedTexts, [.integer(post)]) { row in
            row.withText(0, SnippetCutter.beginning) ?? row.withText(1, SnippetCutter.beginning)
        } ?? nil
    }

    /// What a way to cut finds in the body, or else in the column with most hits.
    private static func snippet(
        ofPost post: Int64, _ search: SearchExpression, in database: Database,
        _ cut: (SnippetCutter, UnsafeBufferPointer<UInt8>) -> Snippet?
    ) throws -> Snippet? {
        guard let cutter = search.snippetCutter else { return nil }
        let others: Range<Int32> = search.hasColumns ? 0..<0 : 1..<4
        return try database.first(searchedTexts, [.integer(post)]) { row in
            row.withText(0) { cut(cutter, $0) }
                ?? others.compactMap { row.withText($0) { cut(cutter, $0) } }.max { $0.hits < $1.hits }
        } ?? nil
    }

    /// The texts of a post as the index knows them: the body, of a long one the beginning, and the others.
    ///
    /// To have SQLite look for the post once more costs 0.2 ms a hit.
    private static let searchedTexts = """
        SELECT CASE WHEN format = 'html' THEN html_text(search_sources.body) ELSE search_sources.body END,
            CASE WHEN is_comment THEN NULL ELSE title END, summary, author
        FROM search_sources WHERE post = ?
        """
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
