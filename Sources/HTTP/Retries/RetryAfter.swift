import Foundation

/// The `Retry-After` header (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The maximum delay that is respected, in seconds, so that a mistaken year doesn't block a host for a year.
    package static let maxSeconds: TimeInterval = 86_400

    /// Seconds from `now`, from 0 to ``maxSeconds``, for a number of seconds or an HTTP date; nil for anything else.
    package static func seconds(_ header: String, now: Date) -> TimeInterval? {
        let text = header.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt32(text) { return min(TimeInterval(seconds), maxSeconds) }
        return HTTPDate.date(text).map { min(max(0, $0.timeIntervalSince(now).rounded(.up)), maxSeconds) }
    }
}

/// Remembers until when hosts are rate limiting (`Retry-After`, RFC 9110, section 10.2.3).
///
/// A failure to read or write it is ignored.
package protocol HostWaits: Sendable {
    /// Until when a host is rate limiting; nil if it isn't.
    ///
    /// - Parameter host: the host with its port.
    func wait(of host: String) async -> Date?

    /// Remembers until when a host is rate limiting.
    func remember(wait: Date, of host: String) async
}
