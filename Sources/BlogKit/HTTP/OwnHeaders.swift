import BlogEssentials

/// Header fields of the user's, each for one origin: a cookie, a token.
///
/// They are never printed: neither ``HTTPError`` nor ``HTTPActivity`` contains request headers.
package struct OwnHeaders: Sendable, CustomStringConvertible, CustomReflectable {
    private var fields: [Origin: [String: String]] = [:]

    package init() {}

    /// Adds the field in a text such as `Cookie: a=b` for the origin in another; false if either isn't valid.
    package mutating func add(_ field: String, for origin: String) -> Bool {
        let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
            String($0).trimmed
        }
        guard let url = URL(address: origin), url.isWeb, url.host != nil,
            ["", "/"].contains(url.path), url.query == nil, url.user == nil, parts.count == 2, Self.isName(parts[0]),
            !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 >= 0x80 })
        else { return false }
        fields[Origin(url), default: [:]][parts[0]] = parts[1]
        return true
    }

    /// The fields for an origin; not for another scheme or port of its host.
    func fields(for origin: Origin) -> [String: String] { fields[origin] ?? [:] }

    /// Whether a text is the name of a field (RFC 9110, section 5.1) that belongs to the user and not to the connection.
    private static func isName(_ text: String) -> Bool {
        let isToken =
            !text.isEmpty && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
        return isToken && !reserved.contains(text.lowercased())
    }

    private static let reserved: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "te", "upgrade", "accept-encoding",
    ]

    // Printing must not reveal them.
    package var description: String { "headers" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
