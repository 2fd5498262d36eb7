import BlogEssentials
import BlogMarkup
import BlogModel

/// The user's search terms translated to SQLite's full-text query syntax (https://www.sqlite.org/fts5.html).
///
/// | typed | matches posts |
/// | --- | --- |
/// | `swift server` | with both words, anywhere |
/// | `swift OR rust` | with either word |
/// | `(swift OR rust) server` | with either of two words, and the third |
/// | `"swift server"` | with the phrase |
/// | `concur*` | with a word that has the prefix |
/// | `author:kim`, `title:"part 2"` | with the word or phrase in that field |
/// | `-beta`, `NOT beta` | without the word |
///
/// Every word is quoted, so that no other input is taken for an operator.
package struct SearchExpression {
    /// The expression for `MATCH`.
    let text: String
    /// Extract snippets of the columns to which terms apply.
    private let snippetCutters: [SearchField: SnippetCutter]

    /// Nil if there is nothing to find: no words were typed, or all are excluded.
    ///
    /// - Parameter field: the one to search for words without one of their own; nil for all fields.
    package init?(_ typed: String, in field: SearchField? = nil) {
        var parser = SearchParser(typed, in: field)
        guard let expression = parser.expression() else { return nil }
        text = expression
        snippetCutters = SearchField.allCases.reduce(into: [:]) { $0[$1] = parser.snippetCutter(of: $1) }
    }

    /// Extracts snippets of a column; nil if no term applies to it.
    func snippetCutter(of column: SearchField) -> SnippetCutter? { snippetCutters[column] }
}

/// Parses search terms.
///
/// It works on scalars, like SQLite: to Swift, a quote followed by a combining mark is one character, but not a quote.
struct SearchParser {
    /// The terms that were parsed.
    private(set) var terms: [Term] = []
    /// The keys of the terms in the current conjunction.
    private var seen: Set<[UInt8]> = []
    private var rest: Scalars
    /// The number of open brackets.
    private var depth = 0
    /// Whether the current term is excluded.
    private var isExcluding = false
    /// The field to search for terms without one of their own; nil for all fields.
    private let field: SearchField?

    private typealias Scalars = Substring.UnicodeScalarView

    init(_ typed: String, in field: SearchField? = nil) {
        rest = typed[...].unicodeScalars
        self.field = field
    }

    /// The whole expression; nil if there is nothing to find.
    mutating func expression() -> String? {
        var parts: [String] = []
        // Unbalanced closing brackets are skipped.
        while !rest.isEmpty {
            if let part = anyOf() { parts.append(part.text) }
            if rest.first == ")" { rest.removeFirst() }
        }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    /// An expression, and whether it needs brackets inside another one.
    private typealias Part = (text: String, isCompound: Bool)

    private static func embedded(_ part: Part) -> String { part.isCompound ? "(\(part.text))" : part.text }

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
        let all: Part = wanted.count == 1 ? first : (wanted.map(Self.embedded).joined(separator: " AND "), true)
        guard !unwanted.isEmpty else { return all }
        return ("(\(all.text)) NOT (\(unwanted.map(Self.embedded).joined(separator: " OR ")))", true)
    }

    /// The next word or bracketed expression, and whether it is excluded; nil at the end of the conjunction.
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

    /// The next word; nil if it can't be searched for or is a duplicate.
    private mutating func word() -> Part? {
        var term = term()
        term.isExcluded = isExcluding
        guard term.hasWord, terms.count < Self.maxTerms, seen.insert(term.key).inserted else { return nil }
        terms.append(term)
        return (term.expression, false)
    }

    private mutating func term() -> Term {
        var term = Term()
        term.column = takeColumn() ?? field
        if rest.first == Self.quote {
            rest.removeFirst()
            term.text = take { $0 != Self.quote }
            rest = rest.dropFirst()
        } else {
            let isOpen = depth > 0
            term.text = take { !Self.isSpace($0) && $0 != Self.quote && !(isOpen && $0 == ")") }
            // Skip characters without a meaning, such as an extra bracket.
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

    /// Extracts snippets of a column; nil if no term applies to it.
    fileprivate func snippetCutter(of column: SearchField) -> SnippetCutter? {
        let shown = terms.filter { !$0.isExcluded && ($0.column ?? column) == column }
        return SnippetCutter(shown.compactMap { SnippetCutter.Phrase($0.text, isPrefix: $0.isPrefix) })
    }

    // MARK: Operators

    private mutating func takeMinus() -> Bool {
        guard rest.first == "-", rest.dropFirst().first.map({ !Self.isSpace($0) }) == true else { return false }
        rest.removeFirst()
        return true
    }

    /// Whether an operator comes next, as a word of its own; `OR` and `AND` also at the end, where they are ignored.
    private mutating func startsOperator(_ word: String) -> Bool {
        rest = rest.drop(while: Self.isSpace)
        let scalars = word.unicodeScalars
        guard rest.starts(with: scalars) else { return false }
        let next = rest.dropFirst(scalars.count).first
        if let next, Self.isSpace(next) || next == "(" { return true }
        return (next == nil || next == ")" && depth > 0) && word != "NOT" && !terms.isEmpty
    }

    private mutating func takeOperator(_ word: String) -> Bool {
        guard startsOperator(word) else { return false }
        rest = rest.dropFirst(word.unicodeScalars.count).drop(while: Self.isSpace)
        return true
    }

    /// The column prefix of a term; nil if it has none.
    private mutating func takeColumn() -> SearchField? {
        let column = SearchField.allCases.first { column in
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
    /// Stays below SQLite's limits.
    private static let maxTerms = 40
    private static let maxDepth = 20
}

extension SearchParser {
    struct Term {
        var column: SearchField?
        var text = ""
        var isPrefix = false
        var isExcluded = false

        var hasWord: Bool { !Folding.words(text).isEmpty }

        /// Equal for duplicates.
        var key: [UInt8] { Array(((isExcluded ? "-" : "") + expression.lowercased()).utf8) }

        var expression: String {
            // A NUL would end the expression.
            let quoted = Segmentation.segmented(text).replacing(scalar: "\0", with: " ")
                .replacing(scalar: "\"", with: "\"\"")
            return (column.map { "\($0.rawValue) : " } ?? "") + "\"\(quoted)\"" + (isPrefix ? " *" : "")
        }
    }
}
