import Foundation

/// The address of a source as users type it.
package enum SourceAddress {
    /// The URL that a text names, in the one spelling under which its posts are stored: scheme and host in lower
    /// case, no slash at the end, no default port.
    ///
    /// Nil for anything but http and https with a host; no user name, query or fragment is taken.
    package static func url(_ text: String) -> URL? {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard var components = URLComponents(string: trimmed), let scheme = components.scheme?.lowercased(),
            let defaultPort = ["http": 80, "https": 443][scheme], let host = components.host, !host.isEmpty,
            components.port.map({ (1...65_535).contains($0) }) ?? true, components.user == nil, components.query == nil,
            components.fragment == nil
        else { return nil }
        components.scheme = scheme
        components.host = host.lowercased()
        if components.port == defaultPort { components.port = nil }
        while components.percentEncodedPath.hasSuffix("/") { components.percentEncodedPath.removeLast() }
        return components.url
    }

    /// The same for a text without a scheme too: https, but http for a host on this machine.
    package static func completed(_ text: String) -> URL? {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard trimmed.firstRange(of: "://") == nil else { return url(trimmed) }
        guard let https = url("https://" + trimmed), let host = https.host() else { return nil }
        // A word alone is a name that was mistyped rather than a host.
        let isLocal = host == "localhost" || host.hasPrefix("127.") || host == "[::1]" || host == "::1"
        guard isLocal || host.contains(".") || host.contains(":") else { return nil }
        return isLocal ? url("http://" + trimmed) : https
    }
}
