import Foundation

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

    /// Seconds to wait before the next attempt, or nil if there is none.
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
