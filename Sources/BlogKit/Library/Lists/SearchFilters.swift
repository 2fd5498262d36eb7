import BlogEssentials
import BlogModel
import BlogStore

extension Search {
    /// Adds the words, the conditions and the filters to a query.
    ///
    /// Throws ``LibraryError/badSearch(_:)``.
    package func narrow(_ query: inout Query, now: Date) throws {
        do { try add(to: &query, now: now) } catch let problem as SearchProblem {
            throw LibraryError.badSearch(problem)
        }
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
