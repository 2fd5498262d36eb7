import BlogLibrary
import Foundation
import Testing

/// Tests of time limits that the machine may miss, busy as it is.
enum EnoughTime {
    /// Works with a limit of so many seconds, and with four times as many as long as that was too little for the machine.
    ///
    /// - Parameter work: takes the limit, and tells whether the machine kept within it: what depends on that comes after.
    static func from(_ seconds: TimeInterval, _ work: (TimeInterval) async throws -> Bool) async throws {
        for limit in [seconds, 4 * seconds, 16 * seconds] where try await work(limit) { return }
        #expect(try await work(64 * seconds))
    }
}

extension RefreshDeadline {
    /// Waits until everything is there.
    static let endless = RefreshDeadline(seconds: .infinity) {
        let (nothing, end) = AsyncStream<Void>.makeStream()
        // It ends when its task is cancelled.
        for await _ in nothing { end.finish() }
        return true
    }
}
