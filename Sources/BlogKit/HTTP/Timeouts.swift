import BlogEssentials
import BlogModel
import Synchronization

/// The time by which a response must be complete.
struct Deadline: Sendable {
    private let seconds: TimeInterval?
    private let end: Date?
    private let clock: WallClock

    /// A deadline in this many seconds; nil for none.
    init(in seconds: TimeInterval?, by clock: WallClock) {
        self.seconds = seconds
        self.clock = clock
        end = seconds.map { clock.now().addingTimeInterval($0) }
    }

    /// The seconds left, at least 0; no more than there were if the clock is set back.
    var remaining: TimeInterval {
        guard let seconds, let end else { return .infinity }
        return min(max(0, end.timeIntervalSince(clock.now())), seconds)
    }

    /// Runs some work, which is cancelled at the deadline.
    ///
    /// - Parameter error: the error to throw then, given the time limit in seconds.
    func run<Result: Sendable>(
        orThrow error: @escaping @Sendable (TimeInterval) -> HTTPError,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let seconds else { return try await work() }
        let (result, late) = await race(work) { try await clock.expire(remaining) }
        guard let late else { return try result.get() }
        try late.get()
        throw error(seconds)
    }
}

/// Detects a transfer that has stalled or is too slow.
struct ProgressWatch {
    /// The reason for aborting a transfer.
    enum Failure: Equatable {
        /// No bytes arrived for the whole timeout.
        case silent
        /// Fewer than ``HTTPLimits/minBytesPerWindow`` bytes arrived in a window.
        case slow
    }

    private let timeout: TimeInterval
    private var lastProgress: Date
    private var windowStart: Date
    private var windowBytes = 0

    init(timeout: TimeInterval, now: Date) {
        self.timeout = timeout
        lastProgress = now
        windowStart = now
    }

    /// Records the arrival of bytes.
    mutating func note(_ count: Int, at now: Date) {
        lastProgress = now
        windowBytes += count
        guard windowBytes >= HTTPLimits.minBytesPerWindow else { return }
        (windowStart, windowBytes) = (now, 0)
    }

    /// The next time to check the transfer.
    var deadline: Date { min(silentAt, slowAt) }

    /// The reason for aborting the transfer now; nil to continue.
    func failure(at now: Date) -> Failure? {
        if now >= silentAt { return .silent }
        return now >= slowAt ? .slow : nil
    }

    private var silentAt: Date { lastProgress.addingTimeInterval(timeout) }
    private var slowAt: Date { windowStart.addingTimeInterval(HTTPLimits.progressWindow(timeout: timeout)) }
}
