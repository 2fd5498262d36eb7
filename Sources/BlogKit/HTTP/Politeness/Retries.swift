import BlogEssentials
import BlogModel
import Synchronization

/// When and how often a failed request is retried.
package struct RetryPolicy: Sendable {
    /// The maximum number of attempts.
    package let maxAttempts: Int
    /// The maximum wait before the second attempt, in seconds; it doubles with each further attempt.
    package let base: TimeInterval

    package static let standard = RetryPolicy(
        maxAttempts: Politeness.maxAttempts, base: Politeness.retryWait)

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
    /// | anything else, such as a timeout, a bad certificate or another status | none: it would only fail again |
    ///
    /// - Parameters:
    ///   - attempt: the number of the failed attempt, starting at 1.
    ///   - jitter: a random number from 0 to 1, so that clients don't retry all at once.
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
    /// Parses a number of seconds or an HTTP date into seconds from `now`, at most ``Politeness/maxRetryAfter``; nil if
    /// invalid.
    package static func seconds(_ header: String, now: Date) -> TimeInterval? {
        let text = header.trimmed
        let limit = Politeness.maxRetryAfter
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(TimeInterval(text) ?? limit, limit)
        }
        return HTTPDate.date(text).map { min(max(0, $0.timeIntervalSince(now).rounded(.up)), limit) }
    }
}

extension [String: Date] {
    /// Until when an address must not be requested, because of itself or its host; nil if it may be.
    package func wait(of url: URL, at now: Date) -> Date? {
        guard let until = [self[url.hostAndPort], self[url.absoluteString]].compactMap({ $0 }).max(), until > now,
            // A longer wait means that the clock was set back.
            until.timeIntervalSince(now) <= Politeness.maxRetryAfter
        else { return nil }
        return until
    }
}

/// Reads the waits at most once a second, because a sync sends thousands of requests.
final class RecentWaits: Sendable {
    private let waits: any HostWaits
    private let cache = Mutex<(waits: [String: Date], readAt: ContinuousClock.Instant)?>(nil)

    init(_ waits: any HostWaits) {
        self.waits = waits
    }

    /// Until when an address must not be requested, because of itself or its host; nil if it may be.
    func wait(of url: URL, at now: Date) async -> Date? { await current().wait(of: url, at: now) }

    private func current() async -> [String: Date] {
        let now = ContinuousClock.now
        if let cached = cache.withLock({ $0 }), now - cached.readAt < .seconds(1) { return cached.waits }
        let waits = await waits.waits()
        cache.withLock { $0 = (waits, now) }
        return waits
    }

    /// - Parameter place: a host with its port, or an address.
    func remember(wait until: Date, of place: String) async {
        await waits.remember(wait: until, of: place)
        cache.withLock { $0 = nil }
    }
}
