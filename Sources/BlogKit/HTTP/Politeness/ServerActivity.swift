import BlogEssentials
import Synchronization

/// When a server last had something to say, for lists that stop waiting for servers.
///
/// It follows the requests for one source; the latest counts.
package final class ServerActivity: Sendable {
    /// When a request was sent or its response began; nil without a request under way.
    private let state = Mutex<(since: Date?, hasResponded: Bool)>((nil, false))

    package init() {}

    func noteRequest(at now: Date) { state.withLock { $0 = (now, false) } }

    /// Records that a first byte has arrived.
    func noteResponse(at now: Date) { state.withLock { $0 = (now, true) } }

    /// Records that a response is complete or has failed.
    func noteEnd() { state.withLock { $0.since = nil } }

    /// Whether a request is under way, and nothing new has arrived for ``Politeness/lateAfter``.
    package func isLate(at now: Date) -> Bool { state.withLock { Self.isLate($0.since, now) } }

    /// Whether the server is late and has sent nothing.
    package func isSilent(at now: Date) -> Bool {
        state.withLock { !$0.hasResponded && Self.isLate($0.since, now) }
    }

    private static func isLate(_ since: Date?, _ now: Date) -> Bool {
        since.map { now.timeIntervalSince($0) >= Politeness.lateAfter } ?? false
    }
}
