import BlogEssentials

/// The scheme, host and port of an address (RFC 6454); of one that isn't on the web, all of it.
package struct Origin: Hashable, Sendable {
    private let scheme: String
    private let host: String
    private let port: Int

    /// The origin of a URL.
    package init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.isWeb ? (url.host ?? "").lowercased() : String(url.absoluteString.dropFirst(scheme.utf8.count + 1))
        port = url.isWeb ? url.effectivePort : 0
    }

    /// Whether another origin is this one over https, both on their default ports.
    func isSecured(by other: Origin) -> Bool {
        host == other.host && (scheme, port) == ("http", 80) && (other.scheme, other.port) == ("https", 443)
    }

    /// Whether another origin is this one, or this one over https.
    package func covers(_ other: Origin) -> Bool { self == other || isSecured(by: other) }

    /// The origins that cover this one, as in `https://example.org` and `http://localhost:8106`.
    package var covering: [String] {
        if port == 0 { return ["\(scheme):\(host)"] }
        let isStandard = port == (scheme == "https" ? 443 : 80)
        // An IPv6 address is in brackets, as in the addresses of sources.
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let text = "\(scheme)://\(host)\(isStandard ? "" : ":\(port)")"
        return scheme == "https" && isStandard ? [text, "http://\(host)"] : [text]
    }

    /// Whether nobody on the way can read what is sent there: it is encrypted, or stays on this machine.
    package var isConfidential: Bool { isConfidential(through: .ofThisProcess) }

    /// The same with proxies, to one of which a request to this machine may go.
    func isConfidential(through proxies: ProxyRules) -> Bool {
        if scheme == "https" { return true }
        guard Self.isLoopback(host), let url = URL(address: "\(self)/") else { return false }
        return proxies.proxy(for: url).map { URL(address: $0)?.host.map(Self.isLoopback) == true } ?? true
    }

    /// Whether a host is this machine.
    package static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasPrefix("127.") && host.utf8.allSatisfy { (0x2E...0x39).contains($0) }
            || host == "[::1]" || host == "::1"
    }
}

extension Origin: CustomStringConvertible {
    /// `https://example.org`, `http://localhost:8106`.
    package var description: String { covering[0] }
}

extension URL {
    /// The address without user name and password, which must not be shown or sent.
    package var withoutLogin: URL {
        guard user != nil || password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        (parts.user, parts.password) = (nil, nil)
        return parts.url ?? self
    }

    /// Whether it is an address of http or https.
    package var isWeb: Bool { ["http", "https"].contains(scheme?.lowercased()) }

    /// The port, or else that of the scheme.
    var effectivePort: Int { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }

    /// The host in lower case with its port, which identifies a server.
    package var hostAndPort: String { (host ?? "").lowercased() + ":" + String(effectivePort) }

    /// This address with path segments appended, each percent-encoded as a whole: a slash, dot or `?` in one stays a
    /// character of that segment.
    ///
    /// - Parameter suffix: appended unchanged, such as `.json`.
    package func appending(encodedPath segments: [String], suffix: String = "") -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        var path = components.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        for segment in segments { path += "/" + Self.encoded(segment) }
        components.percentEncodedPath = path + suffix
        return components.url ?? self
    }

    /// This address with a query of percent-encoded values.
    package func appending(encodedQuery items: [(name: String, value: String)]) -> URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        components.percentEncodedQuery = items.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
        return components.url ?? self
    }

    /// A text percent-encoded for a path or a query.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16, uppercase: true)
                encoded += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        return encoded
    }
}
