import Foundation
import Testing

/// Tests of time limits that a busy machine may miss.
package enum EnoughTime {
    /// A limit in seconds for what must happen: longer than all tests together take on a busy machine, as any of them
    /// may have to wait for the others.
    package static let ample: TimeInterval = 3600

    /// Works with a limit of `seconds`, and with longer ones as long as the machine was too slow.
    ///
    /// - Parameter work: takes the limit, and returns whether the machine was fast enough for it.
    package static func from(_ seconds: TimeInterval, _ work: (TimeInterval) async throws -> Bool) async throws {
        for limit in [seconds, 4 * seconds, 16 * seconds] where try await work(limit) { return }
        #expect(try await work(64 * seconds))
    }
}
