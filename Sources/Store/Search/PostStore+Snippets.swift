import Markup
import Model
import SQLite

extension PostStore {
    /// The piece of a post that holds what was searched for, without Markdown's marks; the beginning of one that has it
    /// far behind its beginning, or only in its author's name, which stands beside the snippet anyway.
    ///
    /// - Parameter cut: the piece where SQLite has cut it already.
    static func snippet(
        ofPost post: Int64, by author: String, _ search: SearchExpression, cut: String?, in database: Database
    ) throws -> Snippet? {
        var snippet = cut.map { Snippet(stored: $0) }
        if snippet?.text ?? author == author {
            snippet = try uncut(ofPost: post, by: author, search, isTried: snippet != nil, in: database)
        }
        guard let snippet, snippet.mayHaveMarkdown else { return snippet }
        let format = try database.first("SELECT format FROM bodies WHERE post = ?", [.integer(post)]) { $0.text(0) }
        // Of HTML the text was searched, in which a star is a star.
        return format ?? nil == BodyFormat.html.rawValue ? snippet : snippet.withoutMarkdown
    }

    private static func uncut(
        ofPost post: Int64, by author: String, _ search: SearchExpression, isTried: Bool, in database: Database
    ) throws -> Snippet? {
        if let early = try early(ofPost: post, search, in: database) { return early }
        if let quick = try snippet(ofPost: post, search, in: database, { $0.cut($1) }) { return quick }
        if !search.isCutBySQLite, !isTried {
            let late = try database.first(
                "SELECT \(ListStatement.snippet) FROM search WHERE search MATCH ? AND rowid = ?",
                [.text(search.text), .integer(post)]
            ) { $0.text(0) }
            if let late = (late ?? nil).map({ Snippet(stored: $0) }), late.text != author { return late }
        }
        if let folded = try snippet(ofPost: post, search, in: database, { $0.cutFolded($1) }) { return folded }
        return try database.first(searchedTexts, [.integer(post)]) { row in
            [0, 2, 1].lazy.compactMap { row.withText($0, SnippetCutter.beginning) }.first
        } ?? nil
    }

    /// The piece in the beginning of a long body: to make text of the whole can take 100 times as long as to find the post.
    private static func early(ofPost post: Int64, _ search: SearchExpression, in database: Database) throws -> Snippet?
    {
        guard let cutter = search.snippetCutter, cutter.isPlain else { return nil }
        return try database.first(beginnings, [.integer(post)]) { row in row.withText(0, cutter.cut(beginning:)) }
            ?? nil
    }

    /// What a way to cut finds in the body, or else in the column with most hits.
    private static func snippet(
        ofPost post: Int64, _ search: SearchExpression, in database: Database,
        _ cut: (SnippetCutter, UnsafeBufferPointer<UInt8>) -> Snippet?
    ) throws -> Snippet? {
        guard let cutter = search.snippetCutter else { return nil }
        let others: Range<Int32> = search.hasColumns ? 0..<0 : 1..<3
        return try database.first(searchedTexts, [.integer(post)]) { row in
            row.withText(0) { cut(cutter, $0) }
                ?? others.compactMap { row.withText($0) { cut(cutter, $0) } }.max { $0.hits < $1.hits }
        } ?? nil
    }

    private static let beginnings = """
        SELECT CASE WHEN format = 'html' THEN html_text(substr(body, 1, \(beginning))) ELSE substr(body, 1, \(beginning)) END
        FROM search_sources WHERE post = ? AND length(body) > \(beginning)
        """
    /// In characters; snippets of posts up to this length are cut by SQLite.
    private static let beginning = 4000

    /// The texts of a post as the index knows them: the body, of a long one the beginning, and the others.
    ///
    /// To have SQLite look for the post once more costs 0.2 ms a hit.
    private static let searchedTexts = """
        SELECT CASE WHEN format = 'html' THEN html_text(search_sources.body) ELSE search_sources.body END,
            CASE WHEN is_comment THEN NULL ELSE title END, summary
        FROM search_sources WHERE post = ?
        """
}

extension Snippet {
    fileprivate var hits: Int { pieces.count { $0.isHit } }

    fileprivate var text: String { pieces.map(\.text).joined() }

    fileprivate var mayHaveMarkdown: Bool {
        pieces.contains { $0.text.utf8.contains { Self.markdownMarks.contains($0) } }
    }

    private static let markdownMarks = Set("*_`[]#>|~\\".utf8)

    /// The snippet as it reads when its Markdown is shown; a link that was cut keeps its text.
    fileprivate var withoutMarkdown: Snippet {
        var text = marked("\u{2}", "\u{3}")
        if text.hasPrefix("…"), let end = text.firstIndex(where: { "( ".contains($0) || $0 == ")" }), text[end] == ")" {
            text = "…" + text[text.index(after: end)...]
        }
        if let target = text.ranges(of: "](").last, !text[target.upperBound...].contains(")") {
            var label = text[..<target.lowerBound]
            if let start = label.lastIndex(of: "[") { label.remove(at: start) }
            text = label + "…"
        }
        return Snippet(stored: Markdown.document(text).blocks.plainText)
    }

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
