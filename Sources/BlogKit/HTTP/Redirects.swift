import BlogEssentials

/// The redirects that a request follows, at most ``HTTPLimits/redirects``.
package struct Redirects {
    private let url: URL
    /// The address to request next.
    private(set) var target: URL
    private(set) var allowedHosts: AllowedHosts
    /// Whether all redirects so far are permanent.
    private(set) var arePermanent = true
    /// Whether the text of a page was one of them.
    private(set) var includePages = false
    private(set) var cookies = RedirectCookies()
    private var left = HTTPLimits.redirects

    init(from url: URL, within allowedHosts: AllowedHosts) {
        (self.url, target) = (url, url)
        self.allowedHosts = allowedHosts
    }

    /// Moves on to the target of the redirect in a response, which `HTTPClient` then requests; false if it has none.
    ///
    /// Throws ``HTTPError/badRedirect(_:location:)`` or ``HTTPError/tooManyRedirects(_:)``.
    mutating func advance(after head: HTTPHead, from peer: HTTPResponse.Peer?) throws(HTTPError) -> Bool {
        guard let next = try Self.address(in: head, from: target) else { return false }
        guard left > 0 else { throw .tooManyRedirects(url) }
        cookies.add(head, from: target)
        move(to: next, from: peer)
        arePermanent = arePermanent && [301, 308].contains(head.status)
        return true
    }

    /// Moves on to the address that a page names in its text; false if it may not redirect there, or if there were too
    /// many redirects: the page itself can be read.
    mutating func advance(to location: String, of head: HTTPHead, from peer: HTTPResponse.Peer?) -> Bool {
        guard let next = try? Self.address(of: location, from: target), next != target, left > 0 else { return false }
        cookies.add(head, from: target)
        move(to: next, from: peer)
        (arePermanent, includePages) = (false, true)
        return true
    }

    private mutating func move(to next: URL, from peer: HTTPResponse.Peer?) {
        // A public server must not redirect into a private network.
        if peer?.isPublic(host: target.host) == true, !allowedHosts.isLimited { allowedHosts = .publicInternetOnly }
        left -= 1
        target = next
    }

    /// The address that a redirect leads to, without credentials, which a redirect must not choose; nil for other responses.
    ///
    /// Throws ``HTTPError/badRedirect(_:location:)`` for a target that isn't http or https, or that leaves https.
    package static func address(in head: HTTPHead, from url: URL) throws(HTTPError) -> URL? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"] else { return nil }
        return try address(of: location, from: url)
    }

    private static func address(of location: String, from url: URL) throws(HTTPError) -> URL {
        guard let resolved = URL(address: location, relativeTo: url)?.absoluteURL,
            var target = URLComponents(url: resolved, resolvingAgainstBaseURL: true),
            let scheme = target.scheme?.lowercased(), target.host?.isEmpty == false,
            scheme == "https" || scheme == "http" && url.scheme?.lowercased() == "http"
        else { throw .badRedirect(url, location: location) }
        target.scheme = scheme
        (target.user, target.password) = (nil, nil)
        guard let address = target.url else { throw .badRedirect(url, location: location) }
        return address
    }
}
