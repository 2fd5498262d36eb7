import Foundation
import Synchronization
@testable import BlogHTTP
@testable import BlogModel

extension WallClock {
    /// A clock with which pauses take no time and time limits never end, however busy the machine is.
    package static func patient(now: @escaping @Sendable () -> Date = { Date() }) -> WallClock {
        WallClock(now: now, pause: { _ in }, expire: { _ in try await Task.sleep(for: .seconds(86_400)) })
    }
}

/// A clock that stands still until a test moves it.
package final class TestClock: Sendable {
    private let time: Mutex<Date>

    package init(_ start: Date) {
        time = Mutex(start)
    }

    package var now: Date { time.withLock { $0 } }

    package func pass(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }

    /// The clock for a client; its time limits don't end.
    package var wall: WallClock { .patient(now: { self.now }) }

    /// The clock for a client whose lists stop waiting when something has happened; the time has passed then.
    package func wall(endingListsAfter event: @escaping @Sendable () async -> Void) -> WallClock {
        WallClock(now: { self.now }, pause: { _ in }) { seconds in
            guard seconds == Politeness.listDeadline else { return try await self.wall.expire(seconds) }
            await event()
            try Task.checkCancellation()
            self.pass(seconds)
        }
    }
}
