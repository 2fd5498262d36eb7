import Synchronization

/// Posts and comments that couldn't be fetched.
public final class MissingItems: Sendable {
    private let state = Mutex(State())

    private struct State {
        var count = 0
        var outdated = 0
        var first: (any Error)?
        var removed = 0
    }

    /// How many there are so far of which nothing is stored.
    public var count: Int { state.withLock { $0.count } }

    /// How many there are so far of which a stored copy is used.
    public var outdated: Int { state.withLock { $0.outdated } }

    /// The first error; nil if there was none because the source has no such item, or it isn't stored and requests are
    /// off.
    public var firstError: (any Error)? { state.withLock { $0.first } }

    /// How many were left out because they were deleted or are dead, and have no replies.
    public var removed: Int { state.withLock { $0.removed } }

    func noteRemoved(_ count: Int) { state.withLock { $0.removed = count } }

    func note(_ arrival: ItemGathering.Arrival) {
        state.withLock { state in
            switch arrival {
            case .item: return
            case .outdated: state.outdated += 1
            case .missing: state.count += 1
            }
            state.first = state.first ?? arrival.error
        }
    }
}
