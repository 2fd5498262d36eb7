/// What the user typed to search for, put into the language of SQLite's full-text search.
///
/// | typed | finds posts |
/// | --- | --- |
/// | `swift server` | with both words, anywhere |
/// | `"swift server"` | with the words side by side |
/// | `concur*` | with a word that begins so |
/// | `author:kim`, `title:"part 2"` | with the word in that place |
/// | `-beta` | without the word |
///
/// Every word goes in quotes, so nothing that is typed is ever taken for an operator.
struct SearchExpression {
    /// The expression for `MATCH`, as https://www.sqlite.org/fts5.html has it.
    let text: String
    /// What cuts snippets of bodies; nil if only SQLite can.
    let snippetCutter: SnippetCutter?
    /// Whether SQLite cuts the snippets while it finds the posts.
    ///
    /// For a prefix search it would look up all words with that prefix again for each post.
    let isCutBySQLite: Bool
    /// Whether some words are looked for in one column only.
    let hasColumns: Bool

    /// An expression; nil if no word is to be found, because none was typed or each is to be left out.
    init?(_ typed: String) {
        var seen: Set<[UInt8]> = []
        let terms = Self.terms(typed).filter { $0.hasWord && seen.insert($0.key).inserted }.prefix(Self.most)
        let wanted = terms.filter { !$0.isExcluded }.map(\.expression)
        let unwanted = terms.filter(\.isExcluded).map(\.expression)
        guard !wanted.isEmpty else { return nil }
        let sought = wanted.joined(separator: " AND ")
        text = unwanted.isEmpty ? sought : "(\(sought)) NOT (\(unwanted.joined(separator: " OR ")))"
        hasColumns = terms.contains { !$0.isExcluded && $0.column != nil }
        let shown = terms.filter { !$0.isExcluded && ($0.column ?? "body") == "body" }
        let phrases = shown.compactMap { SnippetCutter.Phrase($0.text, isPrefix: $0.isPrefix) }
        snippetCutter = phrases.count == shown.count ? SnippetCutter(phrases) : nil
        isCutBySQLite = snippetCutter == nil || terms.contains(where: \.isPrefix)
    }

    /// Fewer than SQLite's limit.
    private static let most = 40

    private struct Term {
        var column: String?
        var text = ""
        var isPrefix = false
        var isExcluded = false

        var hasWord: Bool {
            text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }

        /// What makes two terms the same.
        var key: [UInt8] { Array(((isExcluded ? "-" : "") + expression.lowercased()).utf8) }

        var expression: String {
            // A NUL would end the expression.
            let quoted = Segmentation.segmented(text).replacing(scalar: "\0", with: " ")
                .replacing(scalar: "\"", with: "\"\"")
            return (column.map { "\($0) : " } ?? "") + "\"\(quoted)\"" + (isPrefix ? " *" : "")
        }
    }

    private typealias Scalars = Substring.UnicodeScalarView

    /// The terms of what was typed, found by its scalars as SQLite finds its own: a quote that a combining mark follows
    /// is a quote, though Swift takes the two for one character.
    private static func terms(_ typed: String) -> [Term] {
        var rest = typed[...].unicodeScalars
        var terms: [Term] = []
        while true {
            rest = rest.drop(while: isSpace)
            guard !rest.isEmpty else { return terms }
            terms.append(term(&rest))
        }
    }

    private static func term(_ rest: inout Scalars) -> Term {
        var term = Term()
        if rest.first == "-", rest.dropFirst().first.map({ !isSpace($0) }) == true {
            term.isExcluded = true
            rest.removeFirst()
        }
        term.column = takeColumn(&rest)
        if rest.first == quote {
            rest.removeFirst()
            term.text = take(&rest) { $0 != quote }
            rest = rest.dropFirst()
        } else {
            term.text = take(&rest) { !isSpace($0) && $0 != quote }
        }
        if rest.first == "*" {
            term.isPrefix = true
            rest.removeFirst()
        } else if term.text.unicodeScalars.last == "*" {
            term.isPrefix = true
        }
        return term
    }

    /// The column that a term names in front, or nil.
    private static func takeColumn(_ rest: inout Scalars) -> String? {
        let column = ["title", "summary", "author", "body"].first { column in
            let prefix = (column + ":").unicodeScalars
            return rest.prefix(prefix.count).elementsEqual(prefix) { $0.properties.lowercaseMapping == String($1) }
        }
        rest.removeFirst(column.map { $0.unicodeScalars.count + 1 } ?? 0)
        return column
    }

    private static func take(_ rest: inout Scalars, while isTaken: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    private static let quote: Unicode.Scalar = "\""
}
