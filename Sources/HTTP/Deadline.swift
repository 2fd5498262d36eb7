import Foundation

/// The moment at which a response must be complete.
struct Deadline: Sendable {
    private let seconds: TimeInterval?
    private let end: ContinuousClock.Instant?

    /// A deadline in so many seconds; nil for none.
    init(in seconds: TimeInterval?) {
        self.seconds = seconds
        end = seconds.map { .now + .seconds($0) }
    }

    /// Seconds until then, not below 0.
    var remaining: TimeInterval {
        end.map { max(0, (.now - $0) / .seconds(-1)) } ?? .infinity
    }

    /// What some work gives, which is cancelled at the deadline.
    ///
    /// - Parameter error: what is thrown then, made of the seconds that there were.
    func run<Result: Sendable>(
        orThrow error: @escaping @Sendable (TimeInterval) -> HTTPError,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let end, let seconds else { return try await work() }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask(operation: work)
            let asked = ContinuousClock.now
            group.addTask {
                // While we are too busy to read what has come, the server is not late.
                var lateness = Lateness()
                lateness.note(.zero, took: .now - asked)
                try await lateness.wait(until: end)
                throw error(seconds)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw error(seconds) }
            return first
        }
    }
}
