import Foundation

/// Where an answer sends a request on to.
package enum Redirect {
    /// The most redirects that one request follows.
    package static let most = 10

    /// The address to ask next, or nil where the answer is no redirect.
    ///
    /// Throws ``HTTPError/badRedirect(_:location:)`` for a target that is not http or https, or that leaves https.
    package static func target(of head: HTTPHead, from url: URL) throws(HTTPError) -> URL? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"] else { return nil }
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased(),
            target.host?.isEmpty == false, scheme == "https" || scheme == "http" && url.scheme?.lowercased() == "http"
        else { throw .badRedirect(url, location: location) }
        return target
    }
}
