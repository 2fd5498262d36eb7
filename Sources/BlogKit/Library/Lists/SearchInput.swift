import BlogEssentials
import BlogModel
import BlogStore

/// A search as it is typed: words mixed with filters such as `in:comments`, `tag:swift` and `since:2018`.
package struct SearchInput {
    /// The words and filters.
    package let text: String
    /// The words for the full-text search.
    package let words: String
    /// The filters by name; the last of each name counts.
    private let filters: [String: String]
    /// The name of the first filter that is part of an expression, as in `-tag:swift`, which isn't supported.
    private let combinedFilter: String?
    /// Names of words that look like filters, such as `points:100`, but aren't.
    package let unknownConditions: [String]

    package init(_ typed: String) {
        var (words, filters): ([String], [String: String]) = ([], [:])
        var (before, openParentheses): (String, Int) = ("", 0)
        var combined: String?
        for word in Self.split(typed) {
            let (sign, name, value) = Self.parts(of: word)
            openParentheses += word.prefix { $0 == "(" }.count
            if let name {
                let isPart = !sign.isEmpty || openParentheses > 0 || before == "OR" || before == "NOT"
                if isPart { combined = combined ?? name }
                filters[name] = value.isQuoted ? String(value.dropFirst().dropLast()) : value
            } else {
                if word == "OR" { combined = combined ?? Self.parts(of: before).name }
                words.append(word)
            }
            openParentheses -= word.reversed().prefix { $0 == ")" }.count
            if !word.isEmpty { before = word }
        }
        text = typed
        combinedFilter = combined
        self.words = words.joined(separator: " ")
        self.filters = filters
        unknownConditions = words.compactMap { word in
            guard let colon = word.firstIndex(of: ":"), word[colon...].count > 1 else { return nil }
            let name = word[..<colon].drop { "-(".contains($0) }
            let isName = !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter }
            return isName && !word[colon...].hasPrefix("://") && SearchField(rawValue: String(name)) == nil
                ? String(name) + ":" : nil
        }
    }

    /// Whether it has anything to find posts by.
    package var isEmpty: Bool { !hasWords && filters.isEmpty }

    package var hasWords: Bool { !words.allSatisfy(\.isWhitespace) }

    /// The first word or sign that the search ignores, and why; nil if there is none.
    package var ignored: (text: String, reason: String)? {
        // Between quotes, words are part of a phrase.
        let unquoted = words.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        let parts = unquoted.filter { $0.offset % 2 == 0 }.flatMap { $0.element.split(separator: " ") }
        if parts.count > 1, parts.contains("AND") { return ("AND", "all words must match anyway") }
        if parts.count > 1, parts.first == "OR" || parts.last == "OR" { return ("OR", "write it between two words") }
        let symbols = words.drop { !Self.isSymbol($0) }.prefix(while: Self.isSymbol)
        return symbols.isEmpty ? nil : (String(symbols), "symbols can't be searched for")
    }

    private static func isSymbol(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.properties.generalCategory {
        // In `2^10`, a superscript.
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: character != "^"
        default: character == "#"
        }
    }

    /// Adds the words and filters to a query.
    ///
    /// Throws ``LibraryError/badFilter(_:value:expected:)`` or ``LibraryError/combinedFilter(_:)``.
    package func narrow(_ query: inout Query, now: Date) throws {
        if let combinedFilter { throw LibraryError.combinedFilter(combinedFilter) }
        query.words = hasWords ? words : nil
        if let tag = filters["tag"] {
            guard !tag.isEmpty else {
                throw LibraryError.badFilter("tag", value: "", expected: "a tag, without a space")
            }
            query.filter.tag = tag
        }
        if let value = filters["in"] {
            query.searchField = SearchField(rawValue: value)
            if query.searchField == nil { query.filter.kind = try Self.kind(value) }
        }
        query.filter.since = try days("since", now)?.lowerBound ?? query.filter.since
        query.filter.before = try days("until", now)?.upperBound ?? query.filter.before
    }

    private func days(_ name: String, _ now: Date) throws -> Range<Date>? {
        try filters[name].map { text in
            guard let days = DayRange.parse(text, now: now) else {
                throw LibraryError.badFilter(name, value: text, expected: DayRange.expected)
            }
            return days
        }
    }

    private static func kind(_ value: String) throws -> Filter.Kind {
        if let kind = Filter.Kind(rawValue: value) { return kind }
        let known = Counted.choices(Filter.Kind.allCases.map(\.rawValue) + SearchField.allCases.map(\.rawValue))
        throw LibraryError.badFilter("in", value: value, expected: known)
    }

    /// The words between spaces; a filter's value may be quoted, with spaces, as in `tag:"open source"`.
    private static func split(_ typed: String) -> [String] {
        let words = typed.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        let lastQuote = words.lastIndex { $0.hasSuffix("\"") } ?? 0
        var (joined, index): ([String], Int) = ([], 0)
        while index < words.count {
            let value = parts(of: words[index]).value
            let isOpen = value.hasPrefix("\"") && !value.isQuoted && index < lastQuote
            let end = isOpen ? words[(index + 1)...].firstIndex { $0.hasSuffix("\"") } ?? index : index
            joined.append(words[index...end].joined(separator: " "))
            index = end + 1
        }
        return joined
    }

    /// The signs before a filter, its name, nil for another word, and its value.
    private static func parts(of word: String) -> (sign: Substring, name: String?, value: String) {
        let sign = word.prefix { "-(".contains($0) }
        let parts = word.dropFirst(sign.count).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, names.contains(String(parts[0])) else { return (sign, nil, "") }
        return (sign, String(parts[0]), String(parts[1]))
    }

    /// The names of filters, for a message.
    package static let known = Counted.list((names.sorted() + SearchField.allCases.map(\.rawValue)).map { $0 + ":" })
    private static let names: Set<String> = ["in", "tag", "since", "until"]
}

extension String {
    fileprivate var isQuoted: Bool { count > 1 && hasPrefix("\"") && hasSuffix("\"") }
}

extension Query {
    /// Whether the user's search terms contain anything to search for.
    public static func canSearch(_ words: String) -> Bool { SearchExpression(words) != nil }
}
