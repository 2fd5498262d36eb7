import Essentials
import Model
import Synchronization

/// When and how often a failed request is retried.
package struct RetryPolicy: Sendable {
    /// The maximum number of attempts.
    package let maxAttempts: Int
    /// The maximum wait before the second attempt, in seconds.
    ///
    /// It doubles with each further attempt.
    package let base: TimeInterval

    /// Retries after at most 0.2 s and 0.4 s.
    package static let standard = RetryPolicy(maxAttempts: 3, base: 0.2)

    package init(maxAttempts: Int, base: TimeInterval) {
        self.maxAttempts = maxAttempts
        self.base = base
    }

    /// Seconds to wait before the next attempt; nil for none.
    ///
    /// | failure | wait |
    /// | --- | --- |
    /// | no connection, connection lost | base × 2ⁿ⁻¹ with a jitter of up to a half |
    /// | 5xx | the same, or `Retry-After` if that is at most `maxWait` |
    /// | 429 | once, `Retry-After` if that is at most `maxWait`; none without that header |
    /// | silence, a bad certificate, any other status, bad redirect, too large | none: it would be the same again |
    ///
    /// - Parameters:
    ///   - attempt: how many attempts were made, starting at 1.
    ///   - maxWait: the maximum wait, in seconds.
    ///   - jitter: a number from 0 to 1, so that clients that failed together don't retry together.
    package func wait(
        after error: HTTPError, attempt: Int, maxWait: TimeInterval, jitter: Double
    ) -> TimeInterval? {
        guard attempt < maxAttempts else { return nil }
        let backoff = base * Double(1 << (attempt - 1)) * (0.5 + jitter / 2)
        switch error {
        case .unreachable(_, reason: .timedOut), .unreachable(_, reason: .badAddress): return nil
        case .unreachable, .interrupted: return backoff
        case .status(_, let code, let retryAfter) where (500...599).contains(code):
            let wait = retryAfter ?? backoff
            return wait <= maxWait ? wait : nil
        case .status(_, 429, let retryAfter?) where attempt == 1: return retryAfter <= maxWait ? retryAfter : nil
        default: return nil
        }
    }
}

/// The `Retry-After` header (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The maximum delay that is respected, in seconds, so that a mistaken year doesn't block a host for a year.
    package static let maxSeconds: TimeInterval = 86_400

    /// Seconds from `now`, from 0 to ``maxSeconds``, for a number of seconds or an HTTP date; nil for anything else.
    package static func seconds(_ header: String, now: Date) -> TimeInterval? {
        let text = header.trimmed
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

/// Looks a host up at most once a second: a sync sends thousands of requests to the same.
final class RecentWaits: HostWaits {
    private struct Finding {
        let until: Date?
        let foundAt: ContinuousClock.Instant
    }

    private let waits: any HostWaits
    private let findings = Mutex<[String: Finding]>([:])

    /// The waits of another one.
    init(_ waits: any HostWaits) {
        self.waits = waits
    }

    func wait(of host: String) async -> Date? {
        let now = ContinuousClock.now
        if let recent = findings.withLock({ $0[host] }), now - recent.foundAt < .seconds(1) { return recent.until }
        let until = await waits.wait(of: host)
        findings.withLock { $0[host] = Finding(until: until, foundAt: now) }
        return until
    }

    func remember(wait until: Date, of host: String) async {
        await waits.remember(wait: until, of: host)
        findings.withLock { $0[host] = nil }
    }
}
