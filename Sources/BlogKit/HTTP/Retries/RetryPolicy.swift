import Foundation

/// When a failed request is worth another attempt.
package struct RetryPolicy: Sendable {
    /// How often a request is sent at most.
    package let maxAttempts: Int
    /// The longest wait before the second attempt, in seconds.
    ///
    /// It doubles with each further attempt.
    package let base: TimeInterval

    /// Retries after at most 0.2 s and 0.4 s.
    package static let standard = RetryPolicy(maxAttempts: 3, base: 0.2)

    package init(maxAttempts: Int, base: TimeInterval) {
        self.maxAttempts = maxAttempts
        self.base = base
    }

    /// Seconds to wait before the next attempt, or nil where another attempt is not worth it.
    ///
    /// | failure | wait |
    /// | --- | --- |
    /// | no connection, connection lost | half to all of base × 2ⁿ⁻¹, by chance |
    /// | 5xx | the same, or what the server asks for, if that is at most `maxWait` |
    /// | 429 | once, what the server asks for, if that is at most `maxWait`; none where it doesn't say |
    /// | silence, a bad certificate, any other status, bad redirect, too large | none: it would be the same again |
    ///
    /// - Parameters:
    ///   - attempt: how many attempts were made, from 1 on.
    ///   - maxWait: the longest wait that a user takes, in seconds.
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
