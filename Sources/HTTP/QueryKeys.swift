import Foundation

/// Keys of people that servers want in the query of a request, by the names of the parameters.
///
/// A key is added just before a request is sent: neither an ``HTTPError`` nor an ``HTTPActivity`` ever holds one.
package struct QueryKeys: Sendable, CustomStringConvertible, CustomReflectable {
    private let keys: [String: String]

    package static let none = QueryKeys([:])

    /// Keys by the names of their parameters; one that is nil or blank is none.
    package init(_ keys: [String: String?]) {
        self.keys = keys.compactMapValues { $0?.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.value.isEmpty }
    }

    /// Whether there is a key for a parameter.
    package func has(_ name: String?) -> Bool { name.map { keys[$0] != nil } ?? false }

    /// The address with the key for a parameter in its query; the address itself where there is none.
    func adding(_ name: String?, to url: URL) -> URL {
        guard let name, let key = keys[name],
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        let item = URLQueryItem(name: name, value: URL.encoded(key))
        components.percentEncodedQueryItems = (components.percentEncodedQueryItems ?? []) + [item]
        return components.url ?? url
    }

    /// No key in it, whoever prints it.
    package var description: String { "\(keys.count) keys" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
