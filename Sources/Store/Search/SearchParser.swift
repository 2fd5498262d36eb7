import Markup
import Model

/// Search terms as the user typed them, translated into SQLite's full-text search syntax.
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
    /// What cuts snippets of posts; nil if the search is for nothing in their bodies.
    private let bodyCutter: SnippetCutter?
    /// What cuts snippets of articles; nil if the search is for nothing in them.
    private let articleCutter: SnippetCutter?
    /// Whether SQLite cuts the snippets of short posts while it finds them.
    ///
    /// For a prefix search it would look up all words with that prefix again for each post.
    let isCutBySQLite: Bool
    /// Whether some words are looked for in one column only.
    let hasColumns: Bool

    /// An expression; nil if no word is to be found, because none was typed or each is to be left out.
    ///
    /// - Parameter place: where words that name no place themselves are looked for; nil for everywhere.
    init?(_ typed: String, in place: SearchPlace? = nil) {
        var parser = SearchParser(typed, in: place)
        guard let expression = parser.expression() else { return nil }
        text = expression
        hasColumns = parser.terms.contains { !$0.isExcluded && $0.column != nil }
        bodyCutter = parser.snippetCutter(of: .body)
        articleCutter = parser.snippetCutter(of: .article)
        isCutBySQLite = bodyCutter?.isPlain != true || parser.terms.contains(where: \.isPrefix)
    }

    /// What cuts snippets in a place; nil if the search is for nothing there.
    func snippetCutter(of place: Snippet.Place) -> SnippetCutter? {
        switch place {
        case .post: bodyCutter
        case .article: articleCutter
        }
    }
}

extension Query {
    /// Whether there is something to search for in words that the user typed.
    public static func canSearch(_ words: String) -> Bool { SearchExpression(words) != nil }
}

/// Parses search terms.
///
/// It goes by scalars, as SQLite finds its own: a quote that a combining mark follows is a quote, though Swift takes
/// the two for one character.
struct SearchParser {
    /// The terms that were read.
    private(set) var terms: [Term] = []
    /// The keys of the terms in the current conjunction.
    private var seen: Set<[UInt8]> = []
    private var rest: Scalars
    /// How many brackets are open.
    private var depth = 0
    /// Whether the current term is excluded.
    private var isExcluding = false
    /// Where terms that name no place themselves are looked for; nil for everywhere.
    private let place: SearchPlace?

    private typealias Scalars = Substring.UnicodeScalarView

    init(_ typed: String, in place: SearchPlace? = nil) {
        rest = typed[...].unicodeScalars
        self.place = place
    }

    /// The whole expression; nil if no word is to be found.
    mutating func expression() -> String? {
        var parts: [String] = []
        // A bracket too many ends nothing.
        while !rest.isEmpty {
            if let part = anyOf() { parts.append(part.text) }
            if rest.first == ")" { rest.removeFirst() }
        }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    /// An expression, and whether it must be put in brackets to be a part of another.
    private typealias Part = (text: String, isCompound: Bool)

    private static func embedded(_ part: Part) -> String { part.isCompound ? "(\(part.text))" : part.text }

    /// Alternatives, separated by `OR`.
    private mutating func anyOf() -> Part? {
        var parts: [Part] = []
        repeat {
            if let part = allOf() { parts.append(part) }
        } while takeOperator("OR")
        guard parts.count > 1 else { return parts.first }
        return (parts.map(Self.embedded).joined(separator: " OR "), true)
    }

    /// A conjunction, up to an `OR`, a closing bracket or the end.
    private mutating func allOf() -> Part? {
        var (wanted, unwanted): ([Part], [Part]) = ([], [])
        let seenOutside = seen
        seen = []
        defer { seen = seenOutside }
        while let (part, isExcluded) = item() {
            guard let part else { continue }
            if isExcluded { unwanted.append(part) } else { wanted.append(part) }
        }
        guard let first = wanted.first else { return nil }
        let sought: Part =
            wanted.count == 1 ? first : (wanted.map(Self.embedded).joined(separator: " AND "), true)
        guard !unwanted.isEmpty else { return sought }
        return ("(\(sought.text)) NOT (\(unwanted.map(Self.embedded).joined(separator: " OR ")))", true)
    }

    /// The next word or bracket, and whether it is excluded; nil at the end of the conjunction.
    private mutating func item() -> (Part?, isExcluded: Bool)? {
        while takeOperator("AND") {}
        guard let next = rest.first, next != ")" || depth == 0, !startsOperator("OR") else { return nil }
        let isExcluded = takeMinus() || takeOperator("NOT")
        let wasExcluding = isExcluding
        isExcluding = isExcluding != isExcluded
        defer { isExcluding = wasExcluding }
        guard rest.first == "(", depth < Self.maxDepth else { return (word(), isExcluded) }
        rest.removeFirst()
        depth += 1
        defer { depth -= 1 }
        let inner = anyOf()
        if rest.first == ")" { rest.removeFirst() }
        return (inner, isExcluded)
    }

    /// The next word; nil for one that can't be searched for, or that was there before.
    private mutating func word() -> Part? {
        var term = term()
        term.isExcluded = isExcluding
        guard term.hasWord, terms.count < Self.maxTerms, seen.insert(term.key).inserted else { return nil }
        terms.append(term)
        return (term.expression, false)
    }

    private mutating func term() -> Term {
        var term = Term()
        term.column = takeColumn() ?? place
        if rest.first == Self.quote {
            rest.removeFirst()
            term.text = take { $0 != Self.quote }
            rest = rest.dropFirst()
        } else {
            let isOpen = depth > 0
            term.text = take { !Self.isSpace($0) && $0 != Self.quote && !(isOpen && $0 == ")") }
            // A character without a meaning, such as an extra bracket, is skipped.
            if term.text.isEmpty { rest = rest.dropFirst() }
        }
        if rest.first == "*" {
            term.isPrefix = true
            rest.removeFirst()
        } else if term.text.unicodeScalars.last == "*" {
            term.isPrefix = true
        }
        return term
    }

    /// What cuts snippets of a column; nil if no term is looked for in it.
    fileprivate func snippetCutter(of column: SearchPlace) -> SnippetCutter? {
        let shown = terms.filter { !$0.isExcluded && ($0.column ?? column) == column }
        return SnippetCutter(shown.compactMap { SnippetCutter.Phrase($0.text, isPrefix: $0.isPrefix) })
    }

    // MARK: Operators

    private mutating func takeMinus() -> Bool {
        guard rest.first == "-", rest.dropFirst().first.map({ !Self.isSpace($0) }) == true else { return false }
        rest.removeFirst()
        return true
    }

    /// Whether a word in capitals that stands for itself comes next.
    private mutating func startsOperator(_ word: String) -> Bool {
        rest = rest.drop(while: Self.isSpace)
        let scalars = word.unicodeScalars
        guard rest.starts(with: scalars) else { return false }
        return rest.dropFirst(scalars.count).first.map { Self.isSpace($0) || $0 == "(" } ?? false
    }

    private mutating func takeOperator(_ word: String) -> Bool {
        guard startsOperator(word) else { return false }
        rest = rest.dropFirst(word.unicodeScalars.count).drop(while: Self.isSpace)
        return true
    }

    /// The column that a term names in front, or nil.
    private mutating func takeColumn() -> SearchPlace? {
        let column = SearchPlace.allCases.first { column in
            let prefix = (column.rawValue + ":").unicodeScalars
            return rest.prefix(prefix.count).elementsEqual(prefix) { $0.properties.lowercaseMapping == String($1) }
        }
        rest.removeFirst(column.map { $0.rawValue.unicodeScalars.count + 1 } ?? 0)
        return column
    }

    private mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    private static let quote: Unicode.Scalar = "\""
    /// Fewer than SQLite's limit.
    private static let maxTerms = 40
    private static let maxDepth = 20
}

extension SearchParser {
    /// A word or a phrase.
    struct Term {
        var column: SearchPlace?
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
            return (column.map { "\($0.rawValue) : " } ?? "") + "\"\(quoted)\"" + (isPrefix ? " *" : "")
        }
    }
}
