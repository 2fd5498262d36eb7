import BlogEssentials
import BlogModel
import BlogStore

extension Search {
    /// Adds the words, the conditions and the filters to a query.
    ///
    /// Throws ``LibraryError/badSearch(_:)``.
    package func narrow(_ query: inout Query, now: Date) throws {
        if let problem { throw LibraryError.badSearch(problem) }
        query.words = isBlank ? nil : words
        // The last of each name counts.
        for filter in filters {
            switch filter.name {
            case .in:
                (query.searchField, query.filter.kind) = (SearchField(rawValue: filter.value), nil)
                if query.searchField == nil { query.filter.kind = try Self.kind(filter) }
            case .since: query.filter.since = try Self.days(filter, now).lowerBound
            case .until: query.filter.before = try Self.days(filter, now).upperBound
            }
        }
    }

    private static func days(_ filter: SearchFilter, _ now: Date) throws -> Range<Date> {
        guard let days = DayRange.parse(filter.value, now: now) else {
            throw problem(filter, expected: DayRange.expected)
        }
        return days
    }

    private static func kind(_ filter: SearchFilter) throws -> Filter.Kind {
        guard let kind = Filter.Kind(rawValue: filter.value) else {
            let known = Filter.Kind.allCases.map(\.rawValue) + SearchField.allCases.map(\.rawValue)
            throw problem(filter, expected: Counted.choices(known))
        }
        return kind
    }

    private static func problem(_ filter: SearchFilter, expected: String) -> LibraryError {
        .badSearch(
            SearchProblem(
                .badValue(name: filter.name.rawValue, value: filter.value, expected: expected), at: filter.place))
    }

    /// The names of conditions and filters, for a message.
    package static let known = Counted.list(
        (conditionNames + SearchFilter.Name.allCases.map(\.rawValue) + SearchField.allCases.map(\.rawValue)).map {
            $0 + ":"
        })
}

extension Query {
    /// Whether the user's search has anything to search for: not only words to exclude.
    public static func canSearch(_ words: String) -> Bool { Search(words).condition != nil }
}
