import Essentials
import Model
import Synchronization

/// The time at which a response must be complete.
struct Deadline: Sendable {
    private let seconds: TimeInterval?
    private let end: ContinuousClock.Instant?

    /// A deadline in `seconds`; nil for none.
    init(in seconds: TimeInterval?) {
        self.seconds = seconds
        end = seconds.map { .now + .seconds($0) }
    }

    /// Seconds until then, at least 0.
    var remaining: TimeInterval {
        end.map { max(0, (.now - $0) / .seconds(-1)) } ?? .infinity
    }

    /// The result of some work, which is cancelled at the deadline.
    ///
    /// - Parameter error: the error to throw then, given the seconds of the limit.
    func run<Result: Sendable>(
        orThrow error: @escaping @Sendable (TimeInterval) -> HTTPError,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        guard let end, let seconds else { return try await work() }
        let asked = ContinuousClock.now
        let (result, late) = await race(work) {
            // While we are too busy to read, the server isn't late.
            var lateness = Lateness()
            lateness.note(.zero, took: .now - asked)
            try await lateness.wait(until: end)
        }
        guard let late else { return try result.get() }
        try late.get()
        throw error(seconds)
    }
}

/// How much longer short waits took than intended: for that time this process was suspended or too busy, and no server
/// was late.
package struct Lateness {
    package private(set) var total = Duration.zero

    package init() {}

    /// Records a wait and its real length.
    mutating func note(_ wanted: Duration, took: Duration) {
        total += max(.zero, took - wanted - Self.usual)
    }

    /// Waits until a time, which is postponed by the lateness of this process.
    ///
    /// - Parameter isFixed: whether the time is never postponed.
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
    /// A delay that occurs now and then on any machine.
    private static let usual = Duration.milliseconds(100)
}

/// The progress of the requests of one refresh, recorded by the thread that reads from the network, to tell a late
/// server from a busy process.
package final class ServerWatch: Sendable {
    private struct State {
        /// Whether there was no response since a request was sent.
        var isWaiting = false
        /// Whether a response is incomplete.
        var isUnderWay = false
        var (wasWaiting, wasUnderWay) = (false, false)
    }

    private let state = Mutex(State())

    package init() {}

    /// A request was sent.
    func noteSent() { state.withLock { ($0.isWaiting, $0.isUnderWay) = (true, true) } }

    /// A response has begun.
    func noteHead() { state.withLock { ($0.isWaiting, $0.wasWaiting) = (false, false) } }

    /// A response is complete or has failed.
    func noteEnd() { state.withLock { $0 = State() } }

    /// Records the current state, to notice later whether it has changed.
    package func look() { state.withLock { ($0.wasWaiting, $0.wasUnderWay) = ($0.isWaiting, $0.isUnderWay) } }

    /// Whether there was no response since before the last ``look()``.
    package var isSilent: Bool { state.withLock { $0.isWaiting && $0.wasWaiting } }

    /// Whether a response has been incomplete since before the last ``look()``.
    package var isLate: Bool { state.withLock { $0.isUnderWay && $0.wasUnderWay } }
}

/// Detects a transfer that has stalled or is too slow.
struct ProgressWatch {
    /// The reason for giving up a transfer.
    enum Failure: Equatable {
        /// No bytes arrived for the whole timeout.
        case silent
        /// Fewer than ``HTTPLimits/minBytesPerWindow`` arrived in a window.
        case slow
    }

    private let timeout: TimeInterval
    private var lastProgress: Date
    private var windowStart: Date
    private var windowBytes = 0

    /// For a transfer that begins now.
    init(timeout: TimeInterval, now: Date) {
        self.timeout = timeout
        lastProgress = now
        windowStart = now
    }

    /// Records bytes that arrived.
    mutating func note(_ count: Int, at now: Date) {
        lastProgress = now
        windowBytes += count
        guard windowBytes >= HTTPLimits.minBytesPerWindow else { return }
        (windowStart, windowBytes) = (now, 0)
    }

    /// The next time to check the transfer.
    var deadline: Date { min(silentAt, slowAt) }

    /// The reason for giving up the transfer now; nil if it is fine.
    func failure(at now: Date) -> Failure? {
        if now >= silentAt { return .silent }
        return now >= slowAt ? .slow : nil
    }

    private var silentAt: Date { lastProgress.addingTimeInterval(timeout) }
    private var slowAt: Date { windowStart.addingTimeInterval(HTTPLimits.progressWindow(timeout: timeout)) }
}
