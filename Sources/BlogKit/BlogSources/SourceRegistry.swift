import Foundation

/// The kinds of source there are, by the name that people type.
package enum SourceRegistry {
    /// A kind of source and how one is made.
    package struct Entry: Sendable {
        package let name: String
        /// Where it is asked when the user names no address.
        package let defaultAddress: String
        package let make: @Sendable (URL, HTTPClient) -> any BlogSource
    }

    /// Every kind; the first is the default.
    package static let entries = [
        Entry(name: BlogAPISource.name, defaultAddress: "http://localhost:8106") {
            BlogAPISource(address: $0, client: $1)
        }
    ]

    /// The kind of that name, or nil.
    package static func entry(named name: String) -> Entry? {
        entries.first { $0.name == name }
    }
}
