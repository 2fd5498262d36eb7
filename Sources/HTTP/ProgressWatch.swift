import Foundation

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
