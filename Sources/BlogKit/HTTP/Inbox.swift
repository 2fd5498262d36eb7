import Foundation
import Synchronization

/// What has arrived of an answer and was not taken yet.
///
/// A reader may be slower than the network, and URLSession on Linux can't be told to wait: what doesn't fit in memory
/// waits on the disk.
final class Inbox: Sendable {
    private struct State {
        var events: [TransportEvent] = []
        /// How many bytes are in `events`.
        var bytes = 0
        /// What came when `events` were many, and up to where it was taken.
        var overflow: (file: SpoolFile, taken: Int)?
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<TransportEvent?, any Error>?
    }

    private let state = Mutex(State())

    func put(_ event: TransportEvent) {
        let reader = state.withLock { state -> CheckedContinuation<TransportEvent?, any Error>? in
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            Self.keep(event, in: &state)
            return nil
        }
        reader?.resume(returning: event)
    }

    /// Nothing more comes; what has come can still be taken, unless an error ended it.
    func end(_ result: Result<Void, any Error>) {
        let reader = state.withLock { state -> CheckedContinuation<TransportEvent?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = result
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(with: result.map { nil })
    }

    /// The next event, or nil at the end; throws what ended it.
    func next() async throws -> TransportEvent? {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                let event = state.withLock { state -> Result<TransportEvent?, any Error>? in
                    let event = Result { try Self.take(from: &state) }
                    if case .success(nil) = event, state.end == nil {
                        state.reader = reader
                        return nil
                    }
                    return event
                }
                if let event { reader.resume(with: event) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    private static func keep(_ event: TransportEvent, in state: inout State) {
        guard case .bytes(let data) = event, state.overflow != nil || state.bytes + data.count > mostInMemory else {
            if case .bytes(let data) = event { state.bytes += data.count }
            return state.events.append(event)
        }
        do {
            if state.overflow == nil { state.overflow = (try SpoolFile(), 0) }
            try state.overflow?.file.append(data)
        } catch {
            state.end = .failure(error)
        }
    }

    /// The next event that is there; throws the error that ended the answer, once all before it was taken.
    private static func take(from state: inout State) throws -> TransportEvent? {
        if !state.events.isEmpty { return takeFirst(from: &state.events, &state.bytes) }
        if let (file, taken) = state.overflow, case let data = try file.bytes(from: taken, atMost: piece), !data.isEmpty
        {
            state.overflow?.taken += data.count
            return .bytes(data)
        }
        state.overflow = nil
        try state.end?.get()
        return nil
    }

    /// The first event, bytes together with those right behind them: every crossing to the reader costs.
    private static func takeFirst(from events: inout [TransportEvent], _ count: inout Int) -> TransportEvent {
        guard case .bytes(var data) = events[0] else { return events.removeFirst() }
        var taken = 1
        while data.count < piece, taken < events.count, case .bytes(let more) = events[taken] {
            data += more
            taken += 1
        }
        events.removeFirst(taken)
        count -= data.count
        return .bytes(data)
    }

    private static let mostInMemory = 1 << 20
    private static let piece = 1 << 17
}
