import BlogEssentials
import Synchronization

/// When a server last had something to say, for lists that stop waiting for servers.
///
/// It follows the requests for one source; the latest counts.
package final class ServerActivity: Sendable {
    private struct State {
        /// When the request under way was sent; nil for none.
        var began: Date?
        /// When it was sent, or when the last bytes of its response were read.
        var latest = Date.distantPast
        var hasResponded = false
    }

    private let state = Mutex(State())

    package init() {}

    func noteRequest(at now: Date) { state.withLock { $0 = State(began: now, latest: now) } }

    /// Records that the head or further bytes of the response have arrived.
    func noteResponse(at now: Date) { state.withLock { ($0.latest, $0.hasResponded) = (now, true) } }

    /// Records that a response is complete or has failed.
    func noteEnd() { state.withLock { $0.began = nil } }

    /// How a server lets a list wait; nil if it hasn't for ``Politeness/lateAfter``.
    package func delay(at now: Date) -> ServerDelay? {
        let state = state.withLock { $0 }
        guard let began = state.began, now.timeIntervalSince(began) >= Politeness.lateAfter else { return nil }
        if now.timeIntervalSince(state.latest) < Politeness.lateAfter { return .slow }
        return state.hasResponded ? .stalled : .silent
    }
}

/// How a server lets a list wait.
package enum ServerDelay: Sendable {
    /// Its response still comes.
    case slow
    /// Nothing more comes of its response.
    case stalled
    /// It has sent nothing.
    case silent
}
