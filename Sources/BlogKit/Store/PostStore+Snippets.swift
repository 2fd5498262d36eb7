extension PostStore {
    /// The piece of a post that holds what was searched for.
    func snippet(ofPost post: Int64, _ search: SearchExpression) throws -> Snippet? {
        try read { database in
            let sql = """
                SELECT body FROM bodies JOIN posts ON posts.key = bodies.post WHERE post = ? AND replies IS NULL
                """
            let cutter = search.snippetCutter
            let quick = try cutter.flatMap { cutter in
                try database.first(sql, [.integer(post)]) { row in row.withText(0, cutter.cut) } ?? nil
            }
            return try quick ?? Self.snippet(ofPost: post, search, in: database)
        }
    }

    /// The piece as SQLite cuts it, each hit between two characters that no text for people has.
    private static func snippet(
        ofPost post: Int64, _ search: SearchExpression, in database: Database
    ) throws -> Snippet? {
        let sql = """
            SELECT snippet(search, -1, char(2), char(3), '…', 24) FROM search WHERE search MATCH ? AND rowid = ?
            """
        return try database.first(sql, [.text(search.text), .integer(post)]) { $0.text(0) }.flatMap {
            $0.map { Snippet(stored: Segmentation.joined($0)) }
        }
    }
}

extension Snippet {
    /// A snippet in which each hit is between U+0002 and U+0003.
    fileprivate init(stored text: String) {
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
