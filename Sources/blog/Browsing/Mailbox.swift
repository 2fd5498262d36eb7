import Synchronization

/// Events that wait for the one who handles them.
///
/// What came while the last ones were handled comes together, so that a key that is held down costs one frame and not
/// one for each repetition.
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

    /// All events that are there, at least one.
    func take() async -> [Event] {
        while true {
            let events = contents.withLock { contents in
                defer { contents.events = [] }
                return contents.events
            }
            if !events.isEmpty { return events }
            await withCheckedContinuation { reader in
                let isThere = contents.withLock { contents in
                    if contents.events.isEmpty { contents.reader = reader }
                    return !contents.events.isEmpty
                }
                if isThere { reader.resume() }
            }
        }
    }
}
