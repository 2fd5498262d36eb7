import Foundation

/// When a failed request is worth another try.
package struct RetryPolicy: Sendable {
    /// How often a request is sent at most.
    package let tries: Int
    /// The longest wait before the second try, in seconds.
    ///
    /// It doubles with each further try.
    package let base: TimeInterval

    /// The policy of the house: tries after at most 0.2 s and 0.4 s.
    package static let standard = RetryPolicy(tries: 3, base: 0.2)

    package init(tries: Int, base: TimeInterval) {
        self.tries = tries
        self.base = base
    }

    /// Seconds to wait before the next try, or nil where another try is not worth it.
    ///
    /// | failure | wait |
    /// | --- | --- |
    /// | no connection, connection lost | half to all of base × 2ⁿ⁻¹, by chance |
    /// | 5xx | the same, or what the server asks for, if that is within the patience |
    /// | 429 | once, what the server asks for, if that is within the patience; none where it doesn't say |
    /// | silence, any other status, bad redirect, too large | none: it would be the same again |
    ///
    /// - Parameters:
    ///   - attempt: how many tries were made, from 1 on.
    ///   - patience: the longest wait that the user takes, in seconds.
    ///   - chance: a number from 0 to 1.
    package func wait(
        after error: HTTPError, attempt: Int, patience: TimeInterval, chance: Double
    ) -> TimeInterval? {
        guard attempt < tries else { return nil }
        let backoff = base * Double(1 << (attempt - 1)) * (0.5 + chance / 2)
        switch error {
        case .unreachable, .interrupted: return backoff
        case .status(_, let code, let retryAfter) where (500...599).contains(code):
            let wait = retryAfter ?? backoff
            return wait <= patience ? wait : nil
        case .status(_, 429, let retryAfter?) where attempt == 1: return retryAfter <= patience ? retryAfter : nil
        default: return nil
        }
    }
}
