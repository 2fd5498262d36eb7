import Foundation
import HTTP
import Model

/// A kind of source, and how one of it is made.
package struct SourceKind: Sendable {
    /// The name under which its posts are stored, and that users may type.
    package let name: String
    /// What else users may type for the name; ids of a source that is not followed begin with the first.
    package var shorthands: [String] = []
    /// Where it is requested when the user names no address; nil if there is no such place.
    package let usualAddress: String?
    /// What an address of this kind is, as the end of the sentence "that is …".
    package let description: String
    package let capabilities: Capabilities
    /// What to do where nothing is at ``usualAddress``; nil where nothing is to be said.
    package var hint: String?
    /// Whether an address may have a query, and a slash at its end means something.
    package var isPage = false
    package let make: @Sendable (URL, HTTPClient) -> any Source

    /// Whether a word is one of its names.
    package func isNamed(_ word: String) -> Bool { name == word || shorthands.contains(word) }

    /// What the ids of an address that is not followed begin with.
    package var idPrefix: String { shorthands.first ?? name }

    /// The source of this kind at its usual address, or another.
    package func source(at address: String?) -> SourceID? {
        (address ?? usualAddress).flatMap { url($0) }.map { SourceID(kind: name, address: $0.absoluteString) }
    }

    /// The URL that a text names, in the one spelling for this kind; nil for none.
    package func url(_ text: String) -> URL? { isPage ? SourceAddress.page(text) : SourceAddress.url(text) }
}

/// The kinds of source there are.
package enum SourceRegistry {
    /// Every kind; the first is the default.
    package static let kinds = [BlogAPISource.kind, HackerNewsSource.kind, FeedSource.kind, PhotoSource.kind]

    /// The kind with a name; nil if there is none.
    package static func kind(named name: String) -> SourceKind? { kinds.first { $0.isNamed(name) } }

    /// Whether a source can be fetched that is stored under a kind and an address.
    package static func isKnown(_ source: SourceID) -> Bool {
        kinds.first { $0.name == source.kind }?.url(source.address)?.absoluteString == source.address
    }

    /// What to do where the server of a request can't be reached, as it is at the usual address of a kind; nil for another.
    package static func hint(for url: URL) -> String? {
        kinds.first { kind in
            kind.hint != nil && kind.usualAddress.map { url.absoluteString.hasPrefix($0 + "/") } ?? false
        }?.hint
    }

    /// The source of an id, ready for requests; nil if only another version knows its kind.
    package static func make(_ id: SourceID, _ client: HTTPClient) -> (any Source)? {
        guard let kind = kinds.first(where: { $0.name == id.kind }), let url = kind.url(id.address) else { return nil }
        return kind.make(url, client.of(sourceAt: url))
    }
}
