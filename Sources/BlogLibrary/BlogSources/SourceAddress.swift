import Essentials
import Model

/// The address of a source as users type it.
package enum SourceAddress {
    /// The URL of an API that a text names, in the one spelling under which its posts are stored: scheme and host in
    /// lower case, no slash at the end, no default port.
    ///
    /// Nil for anything but http and https with a host; no user name, query or fragment is taken.
    package static func url(_ text: String) -> URL? {
        guard var components = components(text), components.query == nil, components.fragment == nil else { return nil }
        while components.percentEncodedPath.hasSuffix("/") { components.percentEncodedPath.removeLast() }
        return components.url
    }

    /// The URL of a page or a feed that a text names: path and query as they stand, no fragment.
    ///
    /// Nil for anything but http and https with a host, or with a user name.
    package static func page(_ text: String) -> URL? {
        guard var components = components(text) else { return nil }
        components.fragment = nil
        if components.percentEncodedPath.isEmpty { components.percentEncodedPath = "/" }
        return components.url
    }

    /// Whether an address has a user name or a password in it, which isn't supported.
    package static func hasLogin(_ text: String) -> Bool {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        return rest.prefix { !"/?#".contains($0) }.contains("@")
    }

    /// A text that isn't the address of a source, without a part that may be a password.
    package static func withoutLogin(_ text: String) -> String {
        guard url(text) == nil, page(text) == nil, let at = text.lastIndex(of: "@") else { return text }
        return "…" + text[at...]
    }

    /// The address with a scheme: https if it has none, or http for a host on this machine; nil for any other text.
    package static func completed(_ text: String) -> String? {
        let trimmed = text.trimmed
        guard trimmed.firstRange(of: "://") == nil else { return components(trimmed) == nil ? nil : trimmed }
        guard let host = components("https://" + trimmed)?.host else { return nil }
        // A word alone is a name that was mistyped rather than a host.
        let isLocal = host == "localhost" || host.hasPrefix("127.") || host == "[::1]" || host == "::1"
        guard isLocal || host.contains(".") || host.contains(":") else { return nil }
        return (isLocal ? "http://" : "https://") + trimmed
    }

    /// The addresses under which the source that a text names may be stored.
    package static func spellings(_ text: String) -> [String] {
        let (url, page) = (url(text)?.absoluteString, page(text)?.absoluteString)
        return [url, url == page ? nil : page].compactMap { $0 }
    }

    private static func components(_ text: String) -> URLComponents? {
        let trimmed = text.trimmed
        guard let url = URL(address: trimmed),
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = components.scheme?.lowercased(),
            let defaultPort = ["http": 80, "https": 443][scheme], let host = components.host, !host.isEmpty,
            components.port.map({ (1...65_535).contains($0) }) ?? true, components.user == nil,
            components.password == nil
        else { return nil }
        components.scheme = scheme
        components.host = host.lowercased()
        if components.port == defaultPort { components.port = nil }
        return components
    }
}
