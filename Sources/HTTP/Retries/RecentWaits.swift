import Foundation
import Synchronization

/// Looks a host up at most once a second: a sync sends thousands of requests to the same.
final class RecentWaits: HostWaits {
    private struct Finding {
        let until: Date?
        let foundAt: ContinuousClock.Instant
    }

    private let waits: any HostWaits
    private let findings = Mutex<[String: Finding]>([:])

    /// The waits that another one remembers.
    init(_ waits: any HostWaits) {
        self.waits = waits
    }

    func wait(of host: String) async -> Date? {
        let now = ContinuousClock.now
        if let recent = findings.withLock({ $0[host] }), now - recent.foundAt < .seconds(1) { return recent.until }
        let until = await waits.wait(of: host)
        findings.withLock { $0[host] = Finding(until: until, foundAt: now) }
        return until
    }

    func remember(wait until: Date, of host: String) async {
        await waits.remember(wait: until, of: host)
        findings.withLock { $0[host] = nil }
    }
}
