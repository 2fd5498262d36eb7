import Foundation

/// The kinds of source there are, by the name that people type.
package enum SourceRegistry {
    /// A kind of source and how one is made.
    package struct Entry: Sendable {
        package let name: String
        /// What else people may type for the name.
        package var shorthands: [String] = []
        /// The names of its lists, the usual one first; none where it has but one.
        package var sections: [String] = []
        /// Where it is asked when the user names no address.
        package let defaultAddress: String
        package let make: @Sendable (URL, HTTPClient) -> AnySource
    }

    /// Every kind; the first is the default.
    package static let entries = [
        Entry(name: BlogAPISource.name, defaultAddress: "http://localhost:8106") {
            .list(BlogAPISource(address: $0, client: $1))
        },
        Entry(
            name: HackerNewsSource.name, shorthands: ["hn"], sections: HackerNewsSource.sections,
            defaultAddress: "https://hacker-news.firebaseio.com/v0"
        ) { .items(HackerNewsSource(address: $0, client: $1)) },
    ]

    /// The kind of that name, or nil.
    package static func entry(named name: String) -> Entry? {
        entries.first { $0.name == name || $0.shorthands.contains(name) }
    }

    /// Whether a source can be fetched that is stored under a name and an address.
    package static func isKnown(_ name: String, at address: String) -> Bool {
        entries.contains { $0.name == name } && SourceAddress.url(address)?.absoluteString == address
    }

    /// The kind of source that an id like `hn:8863` names, and the id there; nil for an id without a source.
    package static func qualified(_ id: String) -> (entry: Entry, id: String)? {
        guard let colon = id.unicodeScalars.firstIndex(of: ":"), let entry = entry(named: String(id[..<colon])) else {
            return nil
        }
        return (entry, String(id[id.unicodeScalars.index(after: colon)...]))
    }

    /// An id as people have to type it: with its source in front where it would be taken for one of another source.
    package static func typed(_ id: String, of source: String) -> String {
        qualified(id) == nil ? id : "\(source):\(id)"
    }
}
