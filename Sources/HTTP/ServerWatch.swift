import Synchronization

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
