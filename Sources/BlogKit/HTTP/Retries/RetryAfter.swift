import Foundation

/// The header with which a server says when to come back (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// A host that says a year by mistake would be lost for a year; a day is heeded, in seconds.
    package static let maxSeconds: TimeInterval = 86_400

    /// Seconds from `now`, from 0 to ``maxSeconds``, for a number of seconds or an HTTP date; nil for anything else.
    package static func seconds(_ header: String, now: Date) -> TimeInterval? {
        let text = header.trimmingCharacters(in: .whitespaces)
        if let seconds = UInt32(text) { return min(TimeInterval(seconds), maxSeconds) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text).map { min(max(0, $0.timeIntervalSince(now).rounded(.up)), maxSeconds) }
    }
}

/// Where it is remembered until when hosts asked to be left alone (`Retry-After`, RFC 9110, section 10.2.3).
///
/// What it can't remember or recall is no reason to fail.
package protocol HostWaits: Sendable {
    /// Until when a host asked to be left alone; nil where it didn't.
    ///
    /// - Parameter host: the host with its port.
    func wait(of host: String) async -> Date?

    /// Remembers it.
    func remember(wait: Date, of host: String) async
}
