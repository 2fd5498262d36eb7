import Foundation

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
