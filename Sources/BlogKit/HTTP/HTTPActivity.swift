import Foundation

/// What a request is doing, for progress and for `--verbose`.
public enum HTTPActivity: Sendable {
    /// A request leaves.
    case asking(URL)
    /// So many bytes of the body have come; `total` where the server said how many there will be.
    case receiving(URL, bytes: Int, total: Int?)
    /// The answer is complete.
    case answered(URL, status: Int, bytes: Int, seconds: TimeInterval)
    /// The request failed and is sent again in so many seconds.
    case retrying(URL, HTTPError, seconds: TimeInterval)
    /// The host asked to be left alone, which is over in so many seconds.
    case waiting(URL, seconds: TimeInterval)
    /// No answer came, or no complete one.
    case ended(URL)
}

/// Whoever wants to know what requests are doing.
public typealias HTTPObserver = @Sendable (HTTPActivity) async -> Void
