import Synchronization

/// A queue of events for a single reader.
///
/// Events that arrive while the reader is busy are delivered together, so that a key held down doesn't cost a frame for
/// each repetition.
final class Mailbox<Event: Sendable>: Sendable {
    private struct Contents {
        var events: [Event] = []
        var reader: CheckedContinuation<Void, Never>?
    }

    private let contents = Mutex(Contents())

    func put(_ events: [Event]) {
        let reader = contents.withLock { contents in
            contents.events += events
            defer { contents.reader = nil }
            return contents.reader
        }
        reader?.resume()
    }

    /// Removes and returns all events; waits until there is one.
    func take() async -> [Event] {
        while true {
            let events = contents.withLock { contents in
                defer { contents.events = [] }
                return contents.events
            }
            if !events.isEmpty { return events }
            await withCheckedContinuation { reader in
                let isReady = contents.withLock { contents in
                    if contents.events.isEmpty { contents.reader = reader }
                    return !contents.events.isEmpty
                }
                if isReady { reader.resume() }
            }
        }
    }
}
