import Essentials

/// Why a request got no usable response.
///
/// The message for the user is written elsewhere (`Failure` in the command).
public enum HTTPError: Error, Hashable, Sendable {
    /// The server could not be reached.
    case unreachable(URL, reason: Unreachable)
    /// There was no response for that many seconds after the request.
    case timedOut(URL, seconds: TimeInterval)
    /// The response began and then stopped for that many seconds.
    case stalled(URL, seconds: TimeInterval)
    /// The response came too slowly to ever be useful.
    case tooSlow(URL)
    /// The connection ended before the response was complete.
    case interrupted(URL)
    /// No encrypted connection could be made.
    case insecure(URL, reason: Insecure)
    /// The server doesn't speak HTTP.
    case notHTTP(URL)
    /// The response breaks the rules of HTTP.
    case malformed(URL, problem: Malformed)
    /// The server responded with an error status; `retryAfter` is in seconds, if the server gave it.
    case status(URL, code: Int, retryAfter: TimeInterval?)
    /// The server responded with 401, as it wants a login.
    case unauthorized(URL, Unauthorized)
    /// The host is rate limiting until then, so it was not requested.
    case rateLimited(URL, until: Date)
    /// The response is longer than `limit` bytes.
    case tooLarge(URL, limit: Int)
    /// The server redirects to an address that isn't http or https, or isn't an address.
    case badRedirect(URL, location: String)
    /// The address is in a private network that isn't allowed for the request.
    case privateAddress(URL)
    /// The server redirects more often than is sensible.
    case tooManyRedirects(URL)
    /// The library that carries requests can't be loaded.
    case noTransport

    /// Why a request that needs a login had none that the server takes.
    public enum Unauthorized: Hashable, Sendable {
        /// `~/.netrc` has none for the host.
        case missing
        /// `~/.netrc` is ignored, as others than its owner may read or change it.
        case unsafeFile
        /// The server refused the one that was sent.
        case refused
        /// A redirect led to this host, which is not sent the login of the source's own.
        case redirected(to: String)
        /// No login is sent to addresses in pages and posts.
        case withheld
    }

    /// Why a server was not reached.
    public enum Unreachable: Sendable {
        /// The connection was refused.
        case refused
        /// The host could not be resolved.
        case unknownHost
        /// The proxy could not be resolved, or it refused the connection.
        case proxy
        /// The system can't connect to an address of this form.
        case badAddress
        /// This machine has no network.
        case noNetwork
        /// No connection was made in time.
        case timedOut
    }

    /// The problem with a server's certificate or its encrypted connection.
    public enum Insecure: Sendable {
        /// It has expired.
        case expired
        /// It isn't valid yet.
        case notYetValid
        /// It is self-signed.
        case selfSigned
        /// It is for another host.
        case wrongHost
        /// It was signed by an unknown authority.
        case unknownAuthority
        /// The TLS handshake failed.
        case handshake
        /// The user's file of known authorities can't be read.
        case badAuthorities
        /// The system has no certificates of known authorities.
        case noAuthorities
    }

    /// How a response breaks the rules.
    public enum Malformed: Sendable {
        /// It is compressed in a way that is unknown, or broken.
        case encoding
        /// Its length or its chunks are wrong.
        case framing
        /// It has more headers than any response needs.
        case headers
    }

    /// Whether the server could not be reached at all, so that a stored copy is the best there is.
    public var isUnreachable: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }

    /// The error status of a response; nil for any other problem.
    package var statusCode: Int? {
        switch self {
        case .status(_, let code, _): code
        case .unauthorized: 401
        default: nil
        }
    }

    /// Whether a server refused a login, or led to another one, so that it is not to be sent again.
    package var hasLoginFailed: Bool {
        switch self {
        case .unauthorized(_, .refused), .unauthorized(_, .redirected): true
        default: false
        }
    }

    /// Whether the next request to the server will probably fail too.
    package var isConnectionFailure: Bool {
        switch self {
        case .interrupted, .stalled, .tooSlow: true
        default: isUnreachable
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
