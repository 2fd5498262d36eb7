import Essentials
import Model

/// The redirects of a response; ``HTTPClient`` follows at most ``HTTPLimits/redirects`` of them.
package enum Redirect {
    /// Whether a response redirects permanently.
    static func isPermanent(_ head: HTTPHead) -> Bool { [301, 308].contains(head.status) }

    /// The address to request next; nil if the response isn't a redirect.
    ///
    /// Credentials in it are dropped: a redirect must not choose them.
    ///
    /// Throws ``HTTPError/badRedirect(_:location:)`` for a target that is not http or https, or that leaves https.
    package static func target(of head: HTTPHead, from url: URL) throws(HTTPError) -> URL? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"] else { return nil }
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
