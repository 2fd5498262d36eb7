import BlogEssentials
import BlogMarkup
import BlogModel

/// A search translated to SQLite's full-text query syntax (https://www.sqlite.org/fts5.html) and SQL.
///
/// Words are looked up in the index, and the posts that are found are ranked by it, as far as the search demands words;
/// the rest of it is a condition.
package struct SearchExpression {
    /// The expression for `MATCH` that ranks the posts; nil if the search demands no word.
    let text: String?
    /// What else the posts must meet; nil for nothing.
    var condition: (sql: String, values: [DatabaseValue])? { rest?.sql(among: nil) }
    private let rest: SearchCondition?
    /// Whether it has words at all: then it finds comments, and posts that their source no longer lists.
    let hasWords: Bool
    /// Extract snippets of the columns to which terms apply.
    private let snippetCutters: [SearchField: SnippetCutter]

    /// Nil if there is nothing to find: no words were typed, or all are excluded.
    ///
    /// - Parameter field: the one to search for words without one of their own; nil for all fields.
    package init?(_ typed: String, in field: SearchField? = nil) {
        self.init([Search(typed, in: field)])
    }

    /// The expression of a query and the saved search around it; nil if it has neither, or there is nothing to find.
    init?(_ query: Query) {
        self.init(query.searches)
    }

    /// The expression for what all of the searches find; snippets are for the first.
    private init?(_ searches: [Search]) {
        let conditions = searches.compactMap(\.condition)
        guard let first = searches.first, conditions.count == searches.count else { return nil }
        let parts = conditions.flatMap { if case .all(let parts) = $0 { parts } else { [$0] } }
        let matched = parts.filter(\.isMatched)
        text = matched.count == 1 ? matched[0].match : SearchCondition.all(matched).match
        let others = text == nil ? parts : parts.filter { !$0.isMatched }
        rest = others.isEmpty ? nil : SearchCondition.all(others)
        hasWords = parts.contains(where: \.hasWords)
        snippetCutters = SearchField.allCases.reduce(into: [:]) { cutters, field in
            let shown = first.terms.filter { ($0.field ?? field) == field }
            cutters[field] = SnippetCutter(shown.compactMap { SnippetCutter.Phrase($0.text, isPrefix: $0.isPrefix) })
        }
    }

    /// The condition that the index has the words; nil if the search demands none.
    var match: (sql: String, values: [DatabaseValue])? {
        text.map { SearchCondition.matched(by: $0, among: nil) }
    }

    /// All conditions on posts whose keys are in a range.
    func conditions(among keys: ClosedRange<Int64>) -> [(sql: String, values: [DatabaseValue])] {
        [text.map { SearchCondition.matched(by: $0, among: keys) }, rest?.sql(among: keys)].compactMap(\.self)
    }

    /// Extracts snippets of a column; nil if no term applies to it.
    func snippetCutter(of column: SearchField) -> SnippetCutter? { snippetCutters[column] }
}

extension ListStatement {
    /// The conditions of a query, with those of its search; nil if that finds nothing.
    static func allConditions(
        _ query: Query, _ scope: SourceScope, _ settled: SettledRules
    ) -> ([String], [DatabaseValue])? {
        guard let expression = SearchExpression(query) else {
            return query.isSearch ? nil : conditions(query, scope, settled: settled)
        }
        let (conditions, values) = conditions(query, scope, expression, settled: settled)
        guard let match = expression.match else { return (conditions, values) }
        return (conditions + [match.sql], values + match.values)
    }
}

extension SearchCondition {
    /// Whether it is words alone, perhaps excluded ones, so that one `MATCH` can have it beside others.
    fileprivate var isMatched: Bool { if case .not(let part) = self { part.match != nil } else { match != nil } }

    /// The expression for `MATCH`; nil if it demands no word, or not words alone.
    fileprivate var match: String? { part?.text }

    /// The same, and whether it needs brackets inside another one.
    private var part: (text: String, isCompound: Bool)? {
        switch self {
        case .word(let term): return (term.expression, false)
        case .any(let parts):
            let all = parts.compactMap(\.embedded)
            return all.count == parts.count ? (all.joined(separator: " OR "), true) : nil
        case .all(let parts):
            var (wanted, unwanted): ([String], [String]) = ([], [])
            for case let part in parts {
                let (isExcluded, inner) = if case .not(let inner) = part { (true, inner) } else { (false, part) }
                guard let text = inner.embedded else { return nil }
                if isExcluded { unwanted.append(text) } else { wanted.append(text) }
            }
            if wanted.isEmpty { return nil }
            let all = wanted.joined(separator: " AND ")
            if unwanted.isEmpty { return (all, wanted.count > 1) }
            return ("(\(all)) NOT (\(unwanted.joined(separator: " OR ")))", true)
        case .not, .source, .folder, .label, .tag, .isUnread, .isSaved: return nil
        }
    }

    private var embedded: String? { part.map { $0.isCompound ? "(\($0.text))" : $0.text } }

    /// A condition on `posts`, which is never NULL.
    ///
    /// - Parameter keys: those of posts in question, so that the index isn't searched for others; nil for all.
    fileprivate func sql(among keys: ClosedRange<Int64>?) -> (String, [DatabaseValue]) {
        if let match { return Self.matched(by: match, among: keys) }
        return switch self {
        case .source(let name):
            (
                """
                posts.source IN (
                    SELECT key FROM sources WHERE name = ? OR service = (SELECT key FROM sources WHERE name = ?)
                )
                """, [.text(name), .text(name)]
            )
        case .folder(let folder): Self.sql(ofFolder: FolderPath(folder).text)
        case .label(let label): TagLines.condition("posts.labels", have: label)
        case .tag(let tag): TagLines.condition("posts.tags", have: tag)
        case .isUnread: ("posts.is_read = 0", [])
        case .isSaved: ("posts.is_saved = 1", [])
        case .not(let part): Self.negated(part.sql(among: keys))
        case .all(let parts): Self.joined(parts.map { $0.sql(among: keys) }, by: " AND ")
        case .any(let parts): Self.joined(parts.map { $0.sql(among: keys) }, by: " OR ")
        // Words alone have an expression.
        case .word: ("0", [])
        }
    }

    fileprivate static func matched(by match: String, among keys: ClosedRange<Int64>?) -> (String, [DatabaseValue]) {
        let range = keys == nil ? "" : " AND rowid BETWEEN ? AND ?"
        let bounds = keys.map { [DatabaseValue.integer($0.lowerBound), .integer($0.upperBound)] } ?? []
        return ("posts.key IN (SELECT rowid FROM search WHERE search MATCH ?\(range))", [.text(match)] + bounds)
    }

    private static func sql(ofFolder folder: String) -> (String, [DatabaseValue]) {
        let (condition, values) = Sources.isFollowed(in: folder)
        return ("posts.source IN (SELECT key FROM sources WHERE \(condition))", values)
    }

    private static func negated(_ part: (sql: String, values: [DatabaseValue])) -> (String, [DatabaseValue]) {
        ("NOT (\(part.sql))", part.values)
    }

    private static func joined(_ parts: [(String, [DatabaseValue])], by sign: String) -> (String, [DatabaseValue]) {
        ("(\(parts.map(\.0).joined(separator: sign)))", parts.flatMap(\.1))
    }
}

extension SearchTerm {
    fileprivate var expression: String {
        // A NUL would end the expression.
        let quoted = Segmentation.segmented(text).replacing(scalar: "\0", with: " ")
            .replacing(scalar: "\"", with: "\"\"")
        return (field.map { "\($0.rawValue) : " } ?? "") + "\"\(quoted)\"" + (isPrefix ? " *" : "")
    }
}
