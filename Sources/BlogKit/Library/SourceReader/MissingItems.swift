import Synchronization

/// Posts and comments that couldn't be fetched.
public final class MissingItems: Sendable {
    private let state = Mutex<(count: Int, first: (any Error)?, removed: Int)>((0, nil, 0))

    /// How many there are so far.
    public var count: Int { state.withLock { $0.count } }

    /// The first error; nil if there was none because the source has no such item, or it isn't stored and requests are
    /// off.
    public var firstError: (any Error)? { state.withLock { $0.first } }

    /// How many were left out because they were deleted or are dead, and have no replies.
    public var removed: Int { state.withLock { $0.removed } }

    func noteRemoved(_ count: Int) { state.withLock { $0.removed = count } }

    func note(_ arrival: ItemGathering.Arrival) {
        guard case .missing(_, let error) = arrival else { return }
        state.withLock { state in
            state.count += 1
            if state.first == nil { state.first = error }
        }
    }
}
