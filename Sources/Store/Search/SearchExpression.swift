import Model

/// What the user typed to search for, put into the language of SQLite's full-text search.
///
/// | typed | finds posts |
/// | --- | --- |
/// | `swift server` | with both words, anywhere |
/// | `swift OR rust` | with one of them |
/// | `(swift OR rust) server` | with one of them, and the other word |
/// | `"swift server"` | with the words side by side |
/// | `concur*` | with a word that begins so |
/// | `author:kim`, `title:"part 2"` | with the word in that place |
/// | `-beta`, `NOT beta` | without the word |
///
/// Every word goes in quotes, so nothing else that is typed is ever taken for an operator.
struct SearchExpression {
    /// The expression for `MATCH`, as https://www.sqlite.org/fts5.html has it.
    let text: String
    /// What cuts snippets of bodies; nil if the search is for nothing in them.
    let snippetCutter: SnippetCutter?
    /// Whether SQLite cuts the snippets of short posts while it finds them.
    ///
    /// For a prefix search it would look up all words with that prefix again for each post.
    let isCutBySQLite: Bool
    /// Whether some words are looked for in one column only.
    let hasColumns: Bool

    /// An expression; nil if no word is to be found, because none was typed or each is to be left out.
    init?(_ typed: String) {
        var parser = SearchParser(typed)
        guard let expression = parser.expression() else { return nil }
        text = expression
        hasColumns = parser.terms.contains { !$0.isExcluded && $0.column != nil }
        let shown = parser.terms.filter { !$0.isExcluded && ($0.column ?? "body") == "body" }
        let phrases = shown.compactMap { SnippetCutter.Phrase($0.text, isPrefix: $0.isPrefix) }
        snippetCutter = SnippetCutter(phrases)
        isCutBySQLite = snippetCutter?.isPlain != true || parser.terms.contains(where: \.isPrefix)
    }
}

extension Query {
    /// Whether there is something to search for in words that the user typed.
    public static func canSearch(_ words: String) -> Bool { SearchExpression(words) != nil }

    /// The places of a post that words to search for may name, as in `author:kim`.
    package static let searchPlaces = SearchParser.places
}
