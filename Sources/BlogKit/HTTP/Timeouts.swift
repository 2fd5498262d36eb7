import BlogEssentials
import BlogModel
import Synchronization

/// The time by which a response must be complete.
struct Deadline: Sendable {
    private let seconds: TimeInterval?
    private let end: ContinuousClock.Instant?

    /// A deadline in this many seconds; nil for none.
    init(in seconds: TimeInterval?) {
        self.seconds = seconds
        end = seconds.map { .now + .seconds($0) }
    }

    /// The seconds left, at least 0.
    var remaining: TimeInterval {
        end.map { max(0, (.now - $0) / .seconds(-1)) } ?? .infinity
    }

    /// Runs some work, which is cancelled at the deadline.
    ///
    /// - Parameter error: the error to throw then, given the time limit in seconds.
    func run<Result: Sendable>(
        orThrow error: @escaping @Sendable (TimeInterval) -> HTTPError,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let end, let seconds else { return try await work() }
        let start = ContinuousClock.now
        let (result, late) = await race(work) {
            // The server isn't late while this process is too busy to read.
            var lateness = Lateness()
            lateness.note(.zero, took: .now - start)
            try await lateness.wait(until: end)
        }
        guard let late else { return try result.get() }
        try late.get()
        throw error(seconds)
    }
}

/// The time by which short waits took longer than intended: this process was suspended or too busy, and the server isn't
/// to blame.
package struct Lateness {
    package private(set) var total = Duration.zero

    package init() {}

    /// Records a wait and its actual length.
    mutating func note(_ wanted: Duration, took: Duration) {
        total += max(.zero, took - wanted - Self.usual)
    }

    /// Waits until a time, postponed by the lateness of this process unless it is fixed.
    package mutating func wait(until end: ContinuousClock.Instant, isFixed: Bool = false) async throws {
        while case let start = ContinuousClock.now, case let left = end + (isFixed ? .zero : total) - start,
            left > .zero
        {
            let wanted = min(left, Self.step)
            try await Task.sleep(for: wanted)
            note(wanted, took: .now - start)
        }
    }

    private static let step = Duration.milliseconds(250)
    /// A delay that is normal on any machine.
    private static let usual = Duration.milliseconds(100)
}

/// The progress of a refresh's requests, recorded by the network thread to distinguish a late server from a busy process.
package final class ServerWatch: Sendable {
    private struct State {
        /// Whether a request was sent and no response has begun.
        var isWaiting = false
        /// Whether a response is incomplete.
        var isUnderWay = false
        /// The state at the last ``look()``.
        var (wasWaiting, wasUnderWay) = (false, false)
    }

    private let state = Mutex(State())

    package init() {}

    func noteSent() { state.withLock { ($0.isWaiting, $0.isUnderWay) = (true, true) } }

    func noteHead() { state.withLock { ($0.isWaiting, $0.wasWaiting) = (false, false) } }

    /// Records that a response is complete or has failed.
    func noteEnd() { state.withLock { $0 = State() } }

    /// Records the current state, for comparison later.
    package func look() { state.withLock { ($0.wasWaiting, $0.wasUnderWay) = ($0.isWaiting, $0.isUnderWay) } }

    /// Whether no response has begun since before the last ``look()``.
    package var isSilent: Bool { state.withLock { $0.isWaiting && $0.wasWaiting } }

    /// Whether a response has been incomplete since before the last ``look()``.
    package var isLate: Bool { state.withLock { $0.isUnderWay && $0.wasUnderWay } }
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
