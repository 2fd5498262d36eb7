import Foundation
import Model
import Synchronization

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
        let asked = ContinuousClock.now
        let (result, late) = await race(work) {
            // While we are too busy to read what has come, the server is not late.
            var lateness = Lateness()
            lateness.note(.zero, took: .now - asked)
            try await lateness.wait(until: end)
        }
        guard let late else { return try result.get() }
        try late.get()
        throw error(seconds)
    }
}

/// How much longer short waits took than they should have: for so long this process was suspended, or too busy to notice
/// what came, and nobody else was late.
package struct Lateness {
    package private(set) var total = Duration.zero

    package init() {}

    /// Takes note of a wait, and how long it took.
    mutating func note(_ wanted: Duration, took: Duration) {
        total += max(.zero, took - wanted - Self.usual)
    }

    /// Waits until a moment, which is later by as much as this process is.
    ///
    /// - Parameter isFixed: whether the moment stands whatever happens.
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
    /// Any machine takes so long now and then.
    private static let usual = Duration.milliseconds(100)
}

/// What has come of the requests of one refresh, as the thread notes it that reads from the network: so it is known who
/// is late, the server or we.
package final class ServerWatch: Sendable {
    private struct State {
        /// Whether nothing has come since a request was sent.
        var isWaiting = false
        /// Whether a response is not complete.
        var isUnderWay = false
        var (wasWaiting, wasUnderWay) = (false, false)
    }

    private let state = Mutex(State())

    package init() {}

    /// A request is sent.
    func noteSent() { state.withLock { ($0.isWaiting, $0.isUnderWay) = (true, true) } }

    /// A response has begun.
    func noteHead() { state.withLock { ($0.isWaiting, $0.wasWaiting) = (false, false) } }

    /// A response is complete, or there will be none.
    func noteEnd() { state.withLock { $0 = State() } }

    /// Takes note of how it stands, to tell later what has not changed.
    package func look() { state.withLock { ($0.wasWaiting, $0.wasUnderWay) = ($0.isWaiting, $0.isUnderWay) } }

    /// Whether nothing has come since before the last ``look()``.
    package var isSilent: Bool { state.withLock { $0.isWaiting && $0.wasWaiting } }

    /// Whether a response has been on its way since before the last ``look()``.
    package var isLate: Bool { state.withLock { $0.isUnderWay && $0.wasUnderWay } }
}

/// Detects a transfer that has stalled or is too slow.
struct ProgressWatch {
    /// Why a transfer is given up.
    enum Failure: Equatable {
        /// No bytes arrived for the whole timeout.
        case silent
        /// Something came, but less than ``HTTPLimits/minBytesPerWindow`` in a window.
        case slow
    }

    private let timeout: TimeInterval
    private var lastProgress: Date
    private var windowStart: Date
    private var windowBytes = 0

    /// A watch over a transfer that begins now.
    init(timeout: TimeInterval, now: Date) {
        self.timeout = timeout
        lastProgress = now
        windowStart = now
    }

    /// Records bytes that came.
    mutating func note(_ count: Int, at now: Date) {
        lastProgress = now
        windowBytes += count
        guard windowBytes >= HTTPLimits.minBytesPerWindow else { return }
        (windowStart, windowBytes) = (now, 0)
    }

    /// The next time at which it may have to be given up.
    var deadline: Date { min(silentAt, slowAt) }

    /// Why the transfer is given up now; nil if it isn't.
    func failure(at now: Date) -> Failure? {
        if now >= silentAt { return .silent }
        return now >= slowAt ? .slow : nil
    }

    private var silentAt: Date { lastProgress.addingTimeInterval(timeout) }
    private var slowAt: Date { windowStart.addingTimeInterval(HTTPLimits.progressWindow(timeout: timeout)) }
}
