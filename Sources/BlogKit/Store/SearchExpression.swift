/// What a person typed to search for, put into the language of SQLite's full-text search.
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
    /// What cuts snippets of bodies; nil where only SQLite can.
    let snippetCutter: SnippetCutter?
    /// Whether SQLite cuts the snippets while it finds the posts.
    ///
    /// Where a word is only begun, it would look for all words that begin so once more for each post it is asked about.
    let isCutBySQLite: Bool

    /// An expression; nil where no word is to be found, because none was typed or each is to be left out.
    init?(_ typed: String) {
        var seen: Set<String> = []
        let terms = Self.terms(typed).filter { $0.hasWord && seen.insert($0.key).inserted }.prefix(Self.most)
        let wanted = terms.filter { !$0.isExcluded }.map(\.expression)
        let unwanted = terms.filter(\.isExcluded).map(\.expression)
        guard !wanted.isEmpty else { return nil }
        let sought = wanted.joined(separator: " AND ")
        text = unwanted.isEmpty ? sought : "(\(sought)) NOT (\(unwanted.joined(separator: " OR ")))"
        let shown = terms.filter { !$0.isExcluded && ($0.column ?? "body") == "body" }
        let phrases = shown.compactMap { SnippetCutter.Phrase($0.text, isPrefix: $0.isPrefix) }
        snippetCutter = phrases.count == shown.count ? SnippetCutter(phrases) : nil
        isCutBySQLite = snippetCutter == nil || terms.contains(where: \.isPrefix)
    }

    /// More than anybody types, and fewer than SQLite takes.
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
        var key: String { (isExcluded ? "-" : "") + expression.lowercased() }

        var expression: String {
            // A NUL would end the expression.
            let quoted = Segmentation.segmented(text).replacing("\0", with: " ").replacing("\"", with: "\"\"")
            return (column.map { "\($0) : " } ?? "") + "\"\(quoted)\"" + (isPrefix ? " *" : "")
        }
    }

    private static func terms(_ typed: String) -> [Term] {
        var rest = typed[...]
        var terms: [Term] = []
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard !rest.isEmpty else { return terms }
            terms.append(term(&rest))
        }
    }

    private static func term(_ rest: inout Substring) -> Term {
        var term = Term()
        if rest.first == "-", rest.dropFirst().first.map({ !$0.isWhitespace }) == true {
            term.isExcluded = true
            rest.removeFirst()
        }
        for column in ["title", "summary", "author", "body"] {
            let prefix = column + ":"
            guard rest.prefix(prefix.count).lowercased() == prefix else { continue }
            term.column = column
            rest.removeFirst(prefix.count)
            break
        }
        if rest.first == "\"" {
            rest.removeFirst()
            term.text = String(rest.prefix { $0 != "\"" })
            rest = rest.dropFirst(term.text.count + 1)
        } else {
            term.text = String(rest.prefix { !$0.isWhitespace && $0 != "\"" })
            rest = rest.dropFirst(term.text.count)
        }
        if rest.first == "*" {
            term.isPrefix = true
            rest.removeFirst()
        } else if term.text.last == "*" {
            term.isPrefix = true
        }
        return term
    }
}
