import BlogEssentials

/// The time, and waiting for it to pass; tests have clocks of their own.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Date
    /// Waits some seconds before the next request.
    package let pause: @Sendable (TimeInterval) async throws -> Void
    /// Waits until a time limit of some seconds is over.
    package let expire: @Sendable (TimeInterval) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Date = { Date() },
        pause: @escaping @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(for: .seconds($0)) },
        expire: @escaping @Sendable (TimeInterval) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) {
        self.now = now
        self.pause = pause
        self.expire = expire
    }

    package static let system = WallClock()
}

extension Date {
    /// Whether it is in a period, without its end; after a clock was set back, the time now may be before the start.
    package func isBetween(_ start: Date, and end: Date) -> Bool { start <= self && self < end }
}
