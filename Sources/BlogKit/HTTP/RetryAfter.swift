import Foundation

/// The header with which a server says when to come back (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// A host that says a year by mistake would be lost for a year; a day is heeded, in seconds.
    package static let maxSeconds: TimeInterval = 86_400

    /// Seconds from `now`, from 0 to ``maxSeconds``, for a number of seconds or an HTTP date; nil for anything else.
    package static func seconds(_ header: String, now: Date) -> TimeInterval? {
        let text = header.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt32(text) { return min(TimeInterval(seconds), maxSeconds) }
        return HTTPDate.date(text).map { min(max(0, $0.timeIntervalSince(now).rounded(.up)), maxSeconds) }
    }
}
