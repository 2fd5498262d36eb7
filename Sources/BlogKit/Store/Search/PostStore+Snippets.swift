import SQLite

extension PostStore {
    /// The piece of a post that holds what was searched for.
    ///
    /// - Parameter cut: the piece where SQLite has cut it already.
    func snippet(ofPost post: Int64, _ search: SearchExpression, cut: String?) throws -> Snippet? {
        try read { database in
            let body = Self.searchedBody + (search.isCutBySQLite ? " AND EXISTS (SELECT 1 \(Self.parts))" : "")
            let quick = try search.snippetCutter.flatMap { cutter in
                try database.first(body, [.integer(post)]) { row in row.withText(0, cutter.cut) } ?? nil
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

    /// A body as the index knows it, of a long one the beginning.
    private static let searchedBody = """
        SELECT ifnull((SELECT group_concat(text, '') FROM (SELECT text \(parts) ORDER BY place LIMIT 32)), body)
        FROM bodies JOIN posts ON posts.key = bodies.post WHERE post = ? AND format IS NOT 'html'
        """
    private static let parts = "FROM body_parts WHERE body_parts.body = bodies.key"
}

extension Snippet {
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
