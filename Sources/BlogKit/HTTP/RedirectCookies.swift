import BlogEssentials

/// The cookies of one chain of redirects (RFC 6265, https://www.rfc-editor.org/rfc/rfc6265), forgotten after it.
///
/// Some sites redirect a client without their cookie to themselves until it has one.
struct RedirectCookies {
    private struct Cookie {
        let name: String
        let value: String
        let site: String
        let isSecure: Bool
    }

    private var cookies: [Cookie] = []

    /// Keeps the cookies of a response.
    mutating func add(_ head: HTTPHead, from url: URL) {
        let site = Self.site(of: url)
        for field in head.values(of: "Set-Cookie") where field.utf8.count <= Self.maxBytes {
            guard cookies.count < Self.maxCookies, let cookie = Self.cookie(field, site) else { continue }
            cookies.removeAll { $0.name == cookie.name && $0.site == site }
            cookies.append(cookie)
        }
    }

    private static func cookie(_ field: String, _ site: String) -> Cookie? {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed }
        guard let pair = parts.first, let equals = pair.firstIndex(of: "="), equals > pair.startIndex,
            pair.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return nil }
        return Cookie(
            name: pair[..<equals].trimmed, value: pair[pair.index(after: equals)...].trimmed, site: site,
            isSecure: parts.dropFirst().contains { $0.lowercased() == "secure" })
    }

    /// The host and port, without "www.": which other hosts belong to a site, only a list of all domains tells.
    private static func site(of url: URL) -> String {
        url.hostAndPort.withoutWWW
    }

    /// The `Cookie` header of a request; nil for none.
    func header(for url: URL) -> String? {
        let isSecure = url.scheme?.lowercased() == "https"
        let sent = cookies.filter { $0.site == Self.site(of: url) && (isSecure || !$0.isSecure) }
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private static let maxBytes = 4096
    private static let maxCookies = 50
}
