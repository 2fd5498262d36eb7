import BlogEssentials

/// The cookies of one chain of redirects (RFC 6265, https://www.rfc-editor.org/rfc/rfc6265), forgotten after it.
///
/// Some sites redirect a client without their cookie to themselves until it has one.
struct RedirectCookies {
    private struct Cookie {
        let name: String
        let value: String
        /// The host that set it, or its domain.
        let host: String
        let port: Int?
        let isForSubdomains: Bool
        let isSecure: Bool
    }

    private var cookies: [Cookie] = []

    /// Keeps the cookies of a response.
    mutating func add(_ head: HTTPHead, from url: URL) {
        guard let host = url.host?.lowercased() else { return }
        for field in head.values(of: "Set-Cookie") where field.utf8.count <= Self.maxBytes {
            guard cookies.count < Self.maxCookies, let cookie = Self.cookie(field, host, url.port) else { continue }
            cookies.removeAll { $0.name == cookie.name && $0.host == cookie.host }
            cookies.append(cookie)
        }
    }

    private static func cookie(_ field: String, _ host: String, _ port: Int?) -> Cookie? {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { pair($0) }
        guard let (name, value) = parts.first, !name.isEmpty, (name + value).utf8.allSatisfy({ 0x20..<0x7F ~= $0 })
        else {
            return nil
        }
        var domain: String?
        for (key, value) in parts.dropFirst() where key.lowercased() == "domain" && !value.isEmpty {
            domain = (value.first == "." ? String(value.dropFirst()) : value).lowercased()
        }
        if let domain, !belongs(host, to: domain) || !domain.contains(".") { return nil }
        return Cookie(
            name: name, value: value, host: domain ?? host, port: port, isForSubdomains: domain != nil,
            isSecure: parts.dropFirst().contains { $0.name.lowercased() == "secure" })
    }

    private static func pair(_ text: Substring) -> (name: String, value: String) {
        guard let equals = text.firstIndex(of: "=") else { return (String(text).trimmed, "") }
        return (String(text[..<equals]).trimmed, String(text[text.index(after: equals)...]).trimmed)
    }

    private static func belongs(_ host: String, to domain: String) -> Bool {
        host == domain || host.hasSuffix("." + domain)
    }

    /// The `Cookie` header of a request; nil for none.
    func header(for url: URL) -> String? {
        guard let host = url.host?.lowercased() else { return nil }
        let sent = cookies.filter { cookie in
            (host == cookie.host || cookie.isForSubdomains && Self.belongs(host, to: cookie.host))
                // On one machine, ports tell sites apart.
                && cookie.port == url.port && (!cookie.isSecure || url.scheme?.lowercased() == "https")
        }
        return sent.isEmpty ? nil : sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private static let maxBytes = 4096
    private static let maxCookies = 50
}
