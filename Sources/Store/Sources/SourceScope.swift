/// The sources in the store that a query is over.
package struct SourceScope: Sendable {
    package let sources: [StoredSource]
    private let byKey: [Int64: StoredSource]

    /// The list of each source that has several of which the front belongs to a list of several sources, by the source's
    /// key.
    package var frontPages: [Int64: String] = [:]

    package init(_ sources: [StoredSource]) {
        self.sources = sources
        byKey = Dictionary(sources.map { ($0.key, $0) }) { first, _ in first }
    }

    /// How many posts all of them list.
    package var posts: Int { sources.reduce(0) { $0 + $1.posts } }

    /// The key of the only source; nil if there are several, or none.
    var only: Int64? { sources.count == 1 ? sources[0].key : nil }

    subscript(key: Int64) -> StoredSource? { byKey[key] }

    /// The condition that a column with a source's key meets.
    ///
    /// - Parameter isIndexed: whether SQLite may look posts up by their source; otherwise it has to go through them in
    ///   the order of another index.
    func condition(on column: String, isIndexed: Bool = true) -> String {
        if let only { return "\(column) = \(only)" }
        let keys = sources.map { String($0.key) }.joined(separator: ",")
        return "\(isIndexed ? "" : "+")\(column) IN (\(keys))"
    }
}
