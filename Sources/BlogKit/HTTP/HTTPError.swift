import Foundation

/// Why a request got no usable answer.
///
/// The sentence for a person is made elsewhere.
public enum HTTPError: Error, Hashable, Sendable {
    /// No connection could be made.
    case unreachable(URL, reason: Unreachable)
    /// The server was silent for that many seconds.
    case timedOut(URL, seconds: TimeInterval)
    /// The connection ended before the answer was complete.
    case interrupted(URL)
    /// No encrypted connection could be made.
    case insecure(URL)
    /// What answered doesn't speak HTTP.
    case notHTTP(URL)
    /// The server answered with a status that is no success; `retryAfter` in seconds, where the server gave it.
    case status(URL, code: Int, retryAfter: TimeInterval?)
    /// The host has asked to be left alone until then, so it was not asked.
    case askedToWait(URL, until: Date)
    /// The answer is longer than `limit` bytes.
    case tooLarge(URL, limit: Int)
    /// What arrived faster than it was used found no room on the disk.
    case noRoom
    /// The server sent the request on to an address that isn't http or https, or isn't an address.
    case badRedirect(URL, location: String)
    /// The server sent the request on more often than is sensible.
    case tooManyRedirects(URL)

    /// Why a host was not reached.
    public enum Unreachable: Sendable {
        /// Nothing listens there.
        case refused
        /// The name has no address.
        case unknownHost
        /// The system can't ask an address of this form.
        case badAddress
        /// This machine has no network.
        case noNetwork
    }

    /// Whether the server could not be asked at all, so that a stored copy is the best there is.
    public var isUnreachable: Bool {
        switch self {
        case .unreachable, .timedOut, .interrupted: true
        default: false
        }
    }
}
