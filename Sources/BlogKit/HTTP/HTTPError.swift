import BlogEssentials

/// Why a request failed.
///
/// The command turns it into a message for the user (`Failure`).
public enum HTTPError: Error, Hashable, Sendable {
    /// The server could not be reached.
    case unreachable(URL, reason: Unreachable)
    /// No response arrived within this many seconds.
    case timedOut(URL, seconds: TimeInterval)
    /// The response began and then stopped for this many seconds.
    case stalled(URL, seconds: TimeInterval)
    /// The response was too slow to be useful.
    case tooSlow(URL)
    /// The connection closed before the response was complete.
    case interrupted(URL)
    /// No secure connection could be made.
    case insecure(URL, reason: Insecure)
    /// The server doesn't speak HTTP.
    case notHTTP(URL)
    /// The response isn't valid HTTP.
    case malformed(URL, problem: Malformed)
    /// The response has an error status; `retryAfter` is in seconds, if the server sent it.
    case status(URL, code: Int, retryAfter: TimeInterval?)
    /// Cloudflare, before the server, asks for a browser that solves a challenge.
    case challenged(URL, code: Int)
    /// The server requires a login (401).
    case unauthorized(URL, Unauthorized)
    /// The host is rate limiting until then, so no request was sent.
    case rateLimited(URL, until: Date)
    /// The response is longer than `limit` bytes.
    case tooLarge(URL, limit: Int)
    /// The server redirects to an address that isn't http or https, or is invalid.
    case badRedirect(URL, location: String)
    /// The address is in a private network to which this request must not go.
    case privateAddress(URL)
    /// The server redirects too often.
    case tooManyRedirects(URL)
    /// libcurl can't be loaded.
    case noTransport

    /// Why a request had no valid login.
    public enum Unauthorized: Hashable, Sendable {
        /// `~/.netrc` has none for the host.
        case missing
        /// `~/.netrc` is ignored because other users may read or change it.
        case unsafeFile
        /// The server rejected it.
        case refused
        /// A redirect led to this host, which must not be sent the source's login.
        case redirected(to: String)
        /// Addresses in pages and posts are never sent a login.
        case withheld
        /// Nobody typed the address: it comes from a list, an archive or a page.
        case unconfirmed
        /// It would be sent without encryption.
        case unencrypted
        /// It is the password of a sync server on the host, which isn't for other pages and feeds.
        case forService
    }

    /// Why a server could not be reached.
    public enum Unreachable: Sendable {
        /// The connection was refused.
        case refused
        /// The host could not be resolved.
        case unknownHost
        /// The proxy could not be resolved, or refused the connection.
        case proxy
        /// The system doesn't support addresses of this form.
        case badAddress
        /// The network is unreachable.
        case noNetwork
        /// Connecting timed out.
        case timedOut
    }

    /// Why a connection isn't secure.
    public enum Insecure: Sendable {
        /// The certificate has expired.
        case expired
        /// The certificate isn't valid yet.
        case notYetValid
        /// The certificate is self-signed.
        case selfSigned
        /// The certificate is for another host.
        case wrongHost
        /// The certificate was issued by an unknown authority.
        case unknownAuthority
        /// The TLS handshake failed.
        case handshake
        /// The user's file of certificate authorities can't be read.
        case badAuthorities
        /// The system has no certificate authorities.
        case noAuthorities
    }

    /// The rule that a response breaks.
    public enum Malformed: Sendable {
        /// Its compression is unknown or broken.
        case encoding
        /// Its length or chunks are wrong.
        case framing
        /// It has too many headers.
        case headers
    }

    /// Whether the server could not be reached at all.
    public var isUnreachable: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }

    /// The error status of a response; nil for other errors.
    package var statusCode: Int? {
        switch self {
        case .status(_, let code, _), .challenged(_, let code): code
        case .unauthorized: 401
        default: nil
        }
    }

    /// Whether the server refuses the request, or has nothing at the address: a status from 400 to 499 that isn't about its
    /// load.
    package var refusesRequest: Bool {
        guard let statusCode else { return false }
        return (400..<500).contains(statusCode) && ![408, 425, 429].contains(statusCode)
    }

    /// Until when the host wants to be left alone (429, `Retry-After`); nil for any other error.
    package func wait(at now: Date) -> Date? {
        switch self {
        case .rateLimited(_, let until): until
        case .status(_, 429, let seconds): now.addingTimeInterval(seconds ?? Politeness.pauseAfterLimit)
        case .status(_, 503, let seconds?): now.addingTimeInterval(seconds)
        default: nil
        }
    }

    /// Whether a login was rejected, or withheld after a redirect, so that it should not be sent again.
    package var hasLoginFailed: Bool {
        switch self {
        case .unauthorized(_, .refused), .unauthorized(_, .redirected): true
        default: false
        }
    }

    /// Whether the next request to the server is likely to fail too.
    package var isConnectionFailure: Bool {
        switch self {
        case .interrupted, .stalled, .tooSlow: true
        default: isUnreachable
        }
    }

    /// Whether the server may well respond soon: it is overloaded, rate limiting, or down for the moment.
    package var isTemporary: Bool {
        switch self {
        case .status(_, let code, _), .challenged(_, let code): code == 429 || code >= 500
        case .rateLimited: true
        case .unreachable(_, reason: .unknownHost), .unreachable(_, reason: .badAddress): false
        default: isConnectionFailure
        }
    }

    /// The same error for another address.
    package func about(_ url: URL) -> HTTPError {
        switch self {
        case .unreachable(_, let reason): .unreachable(url, reason: reason)
        case .timedOut(_, let seconds): .timedOut(url, seconds: seconds)
        case .stalled(_, let seconds): .stalled(url, seconds: seconds)
        case .tooSlow: .tooSlow(url)
        case .interrupted: .interrupted(url)
        case .insecure(_, let reason): .insecure(url, reason: reason)
        case .notHTTP: .notHTTP(url)
        case .malformed(_, let problem): .malformed(url, problem: problem)
        case .status(_, let code, let retryAfter): .status(url, code: code, retryAfter: retryAfter)
        case .challenged(_, let code): .challenged(url, code: code)
        case .unauthorized(_, let reason): .unauthorized(url, reason)
        case .rateLimited(_, let until): .rateLimited(url, until: until)
        case .tooLarge(_, let limit): .tooLarge(url, limit: limit)
        case .privateAddress: .privateAddress(url)
        case .badRedirect(_, let location): .badRedirect(url, location: location)
        case .tooManyRedirects: .tooManyRedirects(url)
        case .noTransport: self
        }
    }
}
