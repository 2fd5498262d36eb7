import Foundation

/// The scheme, host and port of an address (RFC 6454): a server, as logins are for one.
package struct Origin: Hashable, Sendable {
    private let scheme: String
    private let host: String
    private let port: Int

    /// The origin of an http or https address.
    package init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = (url.host ?? "").lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether another origin is this one over https, each at its usual port.
    func isSecured(by other: Origin) -> Bool {
        host == other.host && (scheme, port) == ("http", 80) && (other.scheme, other.port) == ("https", 443)
    }
}

extension URL {
    /// The address without a user name and a password, which nobody is to see and no server is to get.
    package var withoutLogin: URL {
        guard user != nil || password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        (parts.user, parts.password) = (nil, nil)
        return parts.url ?? self
    }
}

extension String {
    /// The text with no user name and no password in any address in it.
    package var withoutLogins: String {
        guard utf8.contains(UInt8(ascii: "@")) else { return self }
        var (text, rest) = ("", self[...])
        while let slashes = rest.firstRange(of: "://") {
            text += rest[..<slashes.upperBound]
            rest = rest[slashes.upperBound...]
            let server = rest.prefix { !$0.isWhitespace && !"/?#\"“”<>".contains($0) }
            if let at = server.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        }
        return text + rest
    }
}
