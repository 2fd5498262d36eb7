import Foundation

/// What a request is doing, for progress and for `--verbose`.
public enum HTTPActivity: Sendable {
    /// A request is sent.
    case requesting(URL)
    /// So many bytes of the body have come; `total` where the server said how many there will be.
    case receiving(URL, bytes: Int, total: Int?)
    /// The response is complete.
    case received(URL, status: Int, bytes: Int, seconds: TimeInterval)
    /// The request failed and is sent again in so many seconds.
    case retrying(URL, HTTPError, seconds: TimeInterval)
    /// The host is rate limiting, which is over in so many seconds.
    case waiting(URL, seconds: TimeInterval)
    /// No response came, or no complete one.
    case ended(URL)
}

/// Takes what requests are doing.
public typealias HTTPObserver = @Sendable (HTTPActivity) async -> Void
