import BlogEssentials
import BlogHTTP
import BlogModel

/// The address of a source as users type it.
package enum SourceAddress {
    /// The URL of an API in a text, in the canonical form under which its posts are stored: scheme and host in lower
    /// case, without a trailing slash or the default port.
    ///
    /// Nil unless it is http or https with a host, without a user name, query or fragment.
    package static func url(_ text: String) -> URL? {
        guard var components = components(text), components.query == nil, components.fragment == nil else { return nil }
        while components.percentEncodedPath.hasSuffix("/") { components.percentEncodedPath.removeLast() }
        return components.url
    }

    /// The URL of a page or feed in a text, without its fragment.
    ///
    /// Nil unless it is http or https with a host, without a user name.
    package static func page(_ text: String) -> URL? {
        guard var components = components(text) else { return nil }
        components.fragment = nil
        if components.percentEncodedPath.isEmpty { components.percentEncodedPath = "/" }
        return components.url
    }

    /// The URL of an account on a server: that of an API, which may have the name of a user; nil for any other text.
    package static func account(_ text: String) -> URL? {
        guard let (user, address) = user(in: text) else { return url(text) }
        return account(address, of: user)
    }

    /// The URL of an account on a server, given the address of an API without a user.
    package static func account(_ address: String, of user: String) -> URL? {
        guard var components = url(address).flatMap({ URLComponents(url: $0, resolvingAgainstBaseURL: true) }) else {
            return nil
        }
        components.user = user
        return components.url
    }

    /// The name of a user in an address, as in `bob@example.org`, and the address without it; nil for none, or one with a
    /// password.
    package static func user(in text: String) -> (user: String, address: String)? {
        let trimmed = text.trimmed
        let start = trimmed.firstRange(of: "://")?.upperBound ?? trimmed.startIndex
        let authority = trimmed[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return nil }
        let user = authority[..<at]
        guard !user.isEmpty, !user.contains(":"), let name = user.percentDecoded else { return nil }
        return (name, String(trimmed[..<start]) + String(trimmed[trimmed.index(after: at)...]))
    }

    /// Whether an address contains a user name or password, which isn't supported.
    package static func hasLogin(_ text: String) -> Bool {
        let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        return rest.prefix { !"/?#".contains($0) }.contains("@")
    }

    /// A text that isn't a valid address, without the part that may be a password.
    package static func withoutLogin(_ text: String) -> String {
        guard url(text) == nil, page(text) == nil, let at = text.lastIndex(of: "@") else { return text }
        return "…" + text[at...]
    }

    /// The address with a scheme: by default https, or http for a loopback host; nil for any other text.
    package static func completed(_ text: String) -> String? {
        let trimmed = withoutFeedScheme(text.trimmed)
        guard trimmed.firstRange(of: "://") == nil else { return components(trimmed) == nil ? nil : trimmed }
        guard let host = components("https://" + trimmed)?.host else { return nil }
        // A single word is a mistyped name rather than a host.
        let isLocal = Origin.isLoopback(host)
        guard isLocal || host.contains(".") || host.contains(":") else { return nil }
        return (isLocal ? "http://" : "https://") + trimmed
    }

    /// An address with http in place of the scheme `feed`, which some lists of subscriptions have, as in
    /// `feed://a.example/` and `feed:https://a.example/`.
    private static func withoutFeedScheme(_ text: String) -> String {
        guard text.lowercased().hasPrefix("feed:") else { return text }
        let rest = text.dropFirst("feed:".count)
        return rest.hasPrefix("//") ? "http:" + rest : String(rest)
    }

    /// The addresses under which the source named by a text may be stored.
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
