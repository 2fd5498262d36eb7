import BlogEssentials

/// A search as it is typed: words and conditions, and filters that apply to all of it.
///
/// | typed | finds posts |
/// | --- | --- |
/// | `swift server` | with both words, anywhere |
/// | `swift OR rust` | with either word |
/// | `(swift OR rust) server` | with either of two words, and the third |
/// | `"swift server"` | with the phrase |
/// | `concur*` | with a word that has the prefix |
/// | `author:kim`, `title:"part 2"` | with the word or phrase in that field |
/// | `-beta`, `NOT beta` | without the word |
/// | `source:lwn`, `folder:news`, `label:later`, `tag:"open source"`, `is:unread`, `is:saved` | that meet the condition |
/// | `in:comments`, `since:2018`, `until:2020` | of the words and conditions in that place or time |
package struct Search: Sendable {
    /// All of it.
    package let text: String
    /// The field to search for words without one of their own; nil for all fields.
    package let field: SearchField?
    /// What it looks for; nil if there is nothing to find: nothing was typed, or only words to exclude.
    package let condition: SearchCondition?
    /// The words that aren't excluded.
    package let terms: [SearchTerm]
    /// The filters that apply to the whole search, as typed.
    package let filters: [SearchFilter]
    /// The text without these filters.
    package let words: String
    /// Its conditions, and where they are in ``text``.
    package let places: [(condition: SearchCondition, range: Range<String.Index>)]
    /// What is wrong with it; nil for nothing.
    package let problem: SearchProblem?
    /// What is wrong with keeping it: as it is typed, a quotation mark or bracket may not be closed yet.
    package let problemOfKeeping: SearchProblem?
    /// Names of words that look like conditions, such as `points:100`, but aren't.
    package let unknownNames: [String]

    /// - Parameter field: the one to search for words without one of their own; nil for all fields.
    package init(_ typed: String, in field: SearchField? = nil) {
        var parser = SearchParser(typed, in: field)
        (text, self.field) = (typed, field)
        let found = parser.search()
        condition = found?.isFindable == true ? found : nil
        terms = parser.terms.filter { !$0.isExcluded }
        (filters, places) = (parser.filters, parser.places)
        problem = parser.problem
        problemOfKeeping = parser.problem ?? parser.unclosed.map { SearchProblem(.unclosed, at: $0) }
        unknownNames = parser.unknownNames
        words = filters.isEmpty ? typed : parser.textWithoutFilters(of: typed)
    }

    /// The number of a character, from 1.
    package func place(of index: String.Index) -> Int { text.distance(from: text.startIndex, to: index) + 1 }

    /// The text with other names of sources or labels.
    ///
    /// - Parameter other: returns the condition to write in place of one; nil to keep it.
    package func renaming(_ other: (SearchCondition) -> SearchCondition?) -> String {
        places.reversed().reduce(text) { text, place in
            guard let other = other(place.condition), other != place.condition, let written = other.written else {
                return text
            }
            return text[..<place.range.lowerBound] + written + text[place.range.upperBound...]
        }
    }

    /// Whether there may be posts that it finds, and nothing is wrong with it.
    package var isValid: Bool { problem == nil && (condition != nil || isBlank && !filters.isEmpty) }

    /// Whether it is only white space and ``filters``.
    package var isBlank: Bool { words.allSatisfy(\.isWhitespace) }

    /// The names of conditions, in alphabetical order.
    package static let conditionNames = SearchParser.conditions.keys.sorted()

    /// The first word or sign that is ignored, and why; nil if there is none.
    package var ignored: (text: String, reason: String)? {
        // Between quotes, words are part of a phrase, which counts as one.
        let quoted = words.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        let parts = quoted.map { $0.offset % 2 == 0 ? $0.element : "x" }.joined().split(separator: " ")
        if parts.count > 1, parts.contains("AND") { return ("AND", "all words must match anyway") }
        if parts.count > 1, parts.first == "OR" || parts.last == "OR" { return ("OR", "write it between two words") }
        if parts.contains("-") { return ("-", "put no space after a dash") }
        return ignoredSymbols.map { ($0, "symbols can't be searched for") }
    }

    /// The first symbols that aren't part of a word.
    private var ignoredSymbols: String? {
        var rest = words[...]
        while let start = rest.firstIndex(where: Self.isSymbol) {
            let symbols = rest[start...].prefix(while: Self.isSymbol)
            var words = words
            let place = words.utf8.distance(from: words.startIndex, to: start)
            if words.withUTF8({ $0.endOfSigns(at: place) }) == nil { return String(symbols) }
            rest = rest[symbols.endIndex...]
        }
        return nil
    }

    private static func isSymbol(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.properties.generalCategory {
        // In `2^10`, a superscript.
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: character != "^"
        default: character == "#"
        }
    }
}

extension Search: Hashable {
    package static func == (first: Search, second: Search) -> Bool {
        (first.text, first.field) == (second.text, second.field)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(field)
    }
}

extension Search {
    /// Adds the words, the conditions and the filters to a query.
    ///
    /// Throws a ``SearchProblem``.
    package func add(to query: inout Query, now: Date) throws {
        if let problem { throw problem }
        query.words = isBlank ? nil : words
        // The last of each name counts, beside `in:hidden`.
        for filter in filters {
            switch filter.name {
            case .in: try add(place: filter, to: &query)
            case .since: query.filter.since = try days(filter, now).lowerBound
            case .until: query.filter.before = try days(filter, now).upperBound
            }
        }
    }

    private func add(place filter: SearchFilter, to query: inout Query) throws {
        guard filter.value != Self.hidden else { return query.filter.hidden = .only }
        query.searchField = SearchField(rawValue: filter.value)
        query.filter.kind = Filter.Kind(rawValue: filter.value)
        guard query.searchField == nil, query.filter.kind == nil else { return }
        let known = Filter.Kind.allCases.map(\.rawValue) + [Self.hidden] + SearchField.allCases.map(\.rawValue)
        throw invalid(filter, expected: Counted.choices(known))
    }

    /// The value of `in:` for hidden posts.
    private static let hidden = "hidden"

    private func days(_ filter: SearchFilter, _ now: Date) throws -> Range<Date> {
        guard let days = DayRange.parse(filter.value, now: now) else {
            throw invalid(filter, expected: DayRange.expected)
        }
        return days
    }

    private func invalid(_ filter: SearchFilter, expected: String) -> SearchProblem {
        SearchProblem(
            .badValue(name: filter.name.rawValue, value: filter.value, expected: expected), at: filter.place)
    }
}

extension Query {
    /// Whether it is a search for words, rather than a list of posts that meet conditions.
    package var hasWords: Bool { searches.contains { $0.condition?.hasWords ?? true } }

    /// Whether it is a search, for words or conditions.
    package var isSearch: Bool { !searches.isEmpty }

    /// Whether the user searches for words, besides those of a saved search.
    package var hasTypedWords: Bool { search.map { $0.condition?.hasWords ?? true } ?? false }

    /// Whether it finds only posts that the user keeps: saved ones, or those with a label.
    package var isOfKept: Bool { filter.isOfKept || searches.contains { $0.condition?.isOfKept == true } }
}

/// What a search looks for.
package indirect enum SearchCondition: Hashable, Sendable {
    case word(SearchTerm)
    /// The name of a source.
    case source(String)
    /// A folder, with its subfolders.
    case folder(String)
    /// A label of the user's.
    case label(String)
    /// A tag of the feed.
    case tag(String)
    case isUnread
    case isSaved
    case all([SearchCondition])
    case any([SearchCondition])
    case not(SearchCondition)

    /// A source or a label as it is typed; nil for other conditions.
    fileprivate var written: String? {
        switch self {
        case .source(let name): "source:\(name)"
        case .label(let label): "label:\"\(label)\""
        default: nil
        }
    }

    /// Whether it has a word.
    package var hasWords: Bool {
        switch self {
        case .word: true
        case .all(let parts), .any(let parts): parts.contains(where: \.hasWords)
        case .not(let part): part.hasWords
        case .source, .folder, .label, .tag, .isUnread, .isSaved: false
        }
    }

    /// Whether it is met only by posts that the user keeps.
    fileprivate var isOfKept: Bool {
        switch self {
        case .isSaved, .label: true
        case .all(let parts): parts.contains(where: \.isOfKept)
        case .any(let parts): parts.allSatisfy(\.isOfKept)
        case .not, .word, .source, .folder, .tag, .isUnread: false
        }
    }

    /// Whether it is more than words to exclude.
    fileprivate var isFindable: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains(where: \.isFindable)
        case .not(let part): !part.isOfWords
        case .word, .source, .folder, .label, .tag, .isUnread, .isSaved: true
        }
    }

    private var isOfWords: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.allSatisfy(\.isOfWords)
        case .not(let part): part.isOfWords
        case .word: true
        case .source, .folder, .label, .tag, .isUnread, .isSaved: false
        }
    }
}

/// A word or phrase of a search.
package struct SearchTerm: Hashable, Sendable {
    /// The field in which it is searched; nil for all.
    package fileprivate(set) var field: SearchField?
    package fileprivate(set) var text = ""
    /// Whether its last word may be the beginning of one.
    package fileprivate(set) var isPrefix = false
    /// Whether it is in a part that is excluded.
    package fileprivate(set) var isExcluded = false

    /// Its words as they are compared; "" for none.
    fileprivate var folded: String { SearchedWords.Phrase(text, isPrefix: isPrefix)?.folded ?? "" }
}

/// A filter of a whole search, such as `since:2018`.
package struct SearchFilter: Hashable, Sendable {
    package let name: Name
    package let value: String
    /// The number of its first character, from 1.
    package let place: Int

    package enum Name: String, CaseIterable, Sendable {
        case `in`, since, until
    }
}

/// What is wrong with a search.
public struct SearchProblem: Error, Hashable, Sendable {
    /// The kind of mistake.
    public let kind: Kind
    /// The number of the first character that it is about, from 1.
    public let place: Int

    package init(_ kind: Kind, at place: Int) {
        (self.kind, self.place) = (kind, place)
    }

    /// The kinds of mistakes.
    public enum Kind: Hashable, Sendable {
        /// A condition has an invalid value; `expected` describes the valid ones.
        case badValue(name: String, value: String, expected: String)
        /// A filter of the whole search is part of an expression: with `OR` or `NOT`, after a dash, or in parentheses.
        case combined(name: String)
        /// There are more than so many conditions.
        case tooMany(limit: Int)
        /// It has no words to search for, or only words to exclude.
        case empty
        /// A quotation mark or bracket isn't closed, in a search that is kept.
        case unclosed
        /// It has more than so many bytes.
        case tooLong(limit: Int)
        /// A condition that depends on marks or hidden posts, in a rule.
        case notInRules(name: String)
        /// A date that isn't the same every day, in a rule.
        case relativeInRule(name: String)
    }
}

/// Parses a search.
///
/// It works on scalars, like SQLite: to Swift, a quote followed by a combining mark is one character, but not a quote.
private struct SearchParser {
    private(set) var terms: [SearchTerm] = []
    private(set) var filters: [SearchFilter] = []
    private(set) var places: [(condition: SearchCondition, range: Range<String.Index>)] = []
    private(set) var problem: SearchProblem?
    /// The number of the first quotation mark or bracket that isn't closed; nil if all are.
    private(set) var unclosed: Int?
    private(set) var unknownNames: [String] = []
    private let typed: String
    private var rest: Scalars
    private var filterRanges: [Range<String.Index>] = []
    /// The words in the current conjunction.
    private var seen: Set<SearchTerm> = []
    private var conditionCount = 0
    /// The number of open brackets.
    private var depth = 0
    /// Whether the current part is excluded.
    private var isExcluding = false
    /// Whether an `OR` came last.
    private var isAfterOr = false
    /// The field to search for words without one of their own; nil for all fields.
    private let field: SearchField?

    private typealias Scalars = Substring.UnicodeScalarView

    init(_ typed: String, in field: SearchField?) {
        (self.typed, self.field) = (typed, field)
        rest = typed[...].unicodeScalars
    }

    /// The whole search; nil if there is nothing to find.
    mutating func search() -> SearchCondition? {
        var parts: [SearchCondition] = []
        // Unbalanced closing brackets are skipped.
        while !rest.isEmpty {
            if let part = anyOf() { parts.append(part) }
            if rest.first == ")" { rest.removeFirst() }
        }
        return Self.all(parts)
    }

    func textWithoutFilters(of typed: String) -> String {
        var (text, end) = ("", typed.startIndex)
        for range in filterRanges {
            text += typed[end..<range.lowerBound]
            end = range.upperBound
        }
        text += typed[end...]
        return text.split(separator: " ").joined(separator: " ")
    }

    private static func all(_ parts: [SearchCondition]) -> SearchCondition? {
        parts.count > 1 ? .all(parts) : parts.first
    }

    private mutating func anyOf() -> SearchCondition? {
        var parts: [SearchCondition] = []
        repeat {
            if let part = allOf() { parts.append(part) }
            isAfterOr = takeOperator("OR")
        } while isAfterOr
        return parts.count > 1 ? .any(parts) : parts.first
    }

    /// A conjunction, up to an `OR`, a closing bracket or the end.
    private mutating func allOf() -> SearchCondition? {
        var (wanted, unwanted): ([SearchCondition], [SearchCondition]) = ([], [])
        let seenOutside = seen
        seen = []
        defer { seen = seenOutside }
        while let (part, isExcluded) = item() {
            isAfterOr = false
            guard let part else { continue }
            if isExcluded { unwanted.append(.not(part)) } else { wanted.append(part) }
        }
        return Self.all(wanted + unwanted)
    }

    /// The next word, condition or bracketed expression, and whether it is excluded; nil at the end of the conjunction.
    private mutating func item() -> (SearchCondition?, isExcluded: Bool)? {
        while takeOperator("AND") {}
        guard let next = rest.first, next != ")" || depth == 0, !startsOperator("OR") else { return nil }
        let isExcluded = takeMinus() || takeOperator("NOT")
        let wasExcluding = isExcluding
        isExcluding = isExcluding != isExcluded
        defer { isExcluding = wasExcluding }
        guard rest.first == "(", depth < Self.maxDepth else { return (leaf(isExcluded: isExcluded), isExcluded) }
        let start = rest.startIndex
        rest.removeFirst()
        depth += 1
        defer { depth -= 1 }
        let inner = anyOf()
        if rest.first == ")" { rest.removeFirst() } else { unclosed = unclosed ?? place(of: start) }
        return (inner, isExcluded)
    }

    /// The next word or condition; nil for a filter, or if it can't be searched for or is a duplicate.
    private mutating func leaf(isExcluded: Bool) -> SearchCondition? {
        let start = rest.startIndex
        guard let name = name() else { return word(in: nil) }
        if let field = SearchField(rawValue: name) {
            take(name)
            return word(in: field)
        }
        if let filter = SearchFilter.Name(rawValue: name) {
            take(name)
            add(filter, from: start, isExcluded: isExcluded)
            return nil
        }
        if let make = Self.conditions[name] {
            take(name)
            return condition(name, make, from: start)
        }
        if isUnknown(name) { unknownNames.append(name + ":") }
        return word(in: nil)
    }

    // MARK: Words

    /// The next word; nil if it can't be searched for or is a duplicate.
    private mutating func word(in column: SearchField?) -> SearchCondition? {
        var term = SearchTerm(field: column ?? field)
        if rest.first == Self.quote {
            term.text = quoted()
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
        term.isExcluded = isExcluding
        var key = term
        key.text = term.folded
        guard !key.text.isEmpty, terms.count < Self.maxTerms, seen.insert(key).inserted else { return nil }
        terms.append(term)
        return .word(term)
    }

    // MARK: Conditions

    /// The conditions, each made of a value; nil if that is invalid.
    static let conditions: [String: @Sendable (String) -> SearchCondition?] = [
        "source": { $0.isEmpty ? nil : .source($0.lowercased()) },
        "folder": { $0.isEmpty ? nil : .folder($0) },
        "label": { $0.isEmpty ? nil : .label($0) },
        "tag": { $0.isEmpty ? nil : .tag($0) },
        "is": { ["unread": .isUnread, "saved": .isSaved][$0.lowercased()] },
    ]

    private static let expected = [
        "source": "the name of a source", "folder": "a folder", "label": "a label", "tag": "a tag",
        "is": "unread or saved",
    ]

    private mutating func condition(_ name: String, _ make: (String) -> SearchCondition?, from start: String.Index)
        -> SearchCondition?
    {
        let value = value()
        guard conditionCount < Self.maxTerms else {
            report(.tooMany(limit: Self.maxTerms), at: start)
            return nil
        }
        guard let condition = make(value) else {
            report(.badValue(name: name, value: value, expected: Self.expected[name] ?? ""), at: start)
            return nil
        }
        conditionCount += 1
        places.append((condition, start..<rest.startIndex))
        return condition
    }

    private mutating func add(_ name: SearchFilter.Name, from start: String.Index, isExcluded: Bool) {
        let value = value()
        let end = rest.startIndex
        guard filters.count < Self.maxTerms else { return report(.tooMany(limit: Self.maxTerms), at: start) }
        if isExcluded || depth > 0 || isAfterOr || startsOperator("OR") {
            return report(.combined(name: name.rawValue), at: start)
        }
        filters.append(SearchFilter(name: name, value: value, place: place(of: start)))
        filterRanges.append(start..<end)
    }

    private mutating func report(_ kind: SearchProblem.Kind, at start: String.Index) {
        problem = problem ?? SearchProblem(kind, at: place(of: start))
    }

    private func place(of index: String.Index) -> Int { typed.distance(from: typed.startIndex, to: index) + 1 }

    /// The value of a condition: up to a space, or in quotes.
    private mutating func value() -> String {
        guard rest.first == Self.quote else {
            let isOpen = depth > 0
            return take { !Self.isSpace($0) && !(isOpen && $0 == ")") }
        }
        return quoted()
    }

    /// The text up to the next quotation mark, after one.
    private mutating func quoted() -> String {
        let start = rest.startIndex
        rest.removeFirst()
        let text = take { $0 != Self.quote }
        if rest.isEmpty { unclosed = unclosed ?? place(of: start) }
        rest = rest.dropFirst()
        return text
    }

    /// The lowercased letters before a colon; nil if there are none.
    private func name() -> String? {
        let name = rest.prefix { ("a"..."z").contains($0) || ("A"..."Z").contains($0) }
        guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == ":" else { return nil }
        return String(name).lowercased()
    }

    private mutating func take(_ name: String) { rest = rest.dropFirst(name.unicodeScalars.count + 1) }

    /// Whether a word looks like a condition, unlike an address.
    private func isUnknown(_ name: String) -> Bool {
        let value = rest.dropFirst(name.unicodeScalars.count + 1)
        return value.first.map { !Self.isSpace($0) } == true && !value.starts(with: "//".unicodeScalars)
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
        return (next == nil || next == ")" && depth > 0) && word != "NOT"
            && (!terms.isEmpty || conditionCount > 0)
    }

    private mutating func takeOperator(_ word: String) -> Bool {
        guard startsOperator(word) else { return false }
        rest = rest.dropFirst(word.unicodeScalars.count).drop(while: Self.isSpace)
        return true
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
