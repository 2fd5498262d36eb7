import Essentials
import Model
import Rendering
import Store

/// A search as it is typed: words mixed with filters such as `in:comments`, `tag:swift` and `since:2018`.
package struct SearchInput {
    /// The words for the full-text search.
    package let words: String
    /// The filters by name; the last of each name counts.
    private let filters: [String: String]
    /// Names of words that look like filters, such as `points:100`, but aren't.
    package let unknownConditions: [String]

    package init(_ typed: String) {
        var (words, filters): ([Substring], [String: String]) = ([], [:])
        for word in typed.split(separator: " ", omittingEmptySubsequences: false) {
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, Self.names.contains(String(parts[0])) {
                filters[String(parts[0])] = String(parts[1])
            } else {
                words.append(word)
            }
        }
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

    package var hasWords: Bool { !words.allSatisfy(\.isWhitespace) }

    /// The tag that posts must have.
    package var tag: String? { filters["tag"] }

    /// Adds the words and filters to a query.
    ///
    /// Throws ``LibraryError/badFilter(_:value:expected:)``.
    package func narrow(_ query: inout Query, now: Date) throws {
        query.words = hasWords ? words : nil
        if let tag {
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

    /// The names of filters, for a message.
    package static let known = Counted.list((names.sorted() + SearchField.allCases.map(\.rawValue)).map { $0 + ":" })
    private static let names: Set<String> = ["in", "tag", "since", "until"]
}
