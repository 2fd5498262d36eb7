import Foundation

/// The activity of a request, for progress and for `--verbose`.
public enum HTTPActivity: Sendable {
    /// A request is sent.
    case requesting(URL)
    /// `bytes` of the body have arrived; `total` is the announced length, if any.
    case receiving(URL, bytes: Int, total: Int?)
    /// The response is complete.
    case received(URL, status: Int, bytes: Int, seconds: TimeInterval)
    /// The request failed and is retried after this many seconds.
    case retrying(URL, HTTPError, seconds: TimeInterval)
    /// The host is rate limiting for this many more seconds.
    case waiting(URL, seconds: TimeInterval)
    /// No response came, or no complete one.
    case ended(URL)
}

/// Receives the activity of requests.
public typealias HTTPObserver = @Sendable (HTTPActivity) async -> Void
