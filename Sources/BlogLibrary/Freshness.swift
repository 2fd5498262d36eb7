import HTTP

/// When requests are sent.
public enum Freshness: Sendable {
    /// A list each time unless it is fresh, a body once.
    case normal
    /// Always, even if the stored copy is fresh.
    case refresh
    /// Never.
    case offline

    /// The same for pictures, which don't change.
    var pictureRequests: PictureCache.Requests {
        switch self {
        case .normal: .once
        case .refresh: .always
        case .offline: .never
        }
    }
}

/// How long a list waits for its sources.
package struct Patience: Sendable {
    /// How many seconds it is in all, for messages.
    package let seconds: Double
    /// Waits for half of it, and tells whether this process was awake and free to read what came.
    let half: @Sendable () async throws -> Bool

    package init(seconds: Double, half: @escaping @Sendable () async throws -> Bool) {
        self.seconds = seconds
        self.half = half
    }

    /// So many seconds by the clock.
    package init(seconds: Double) {
        self.init(seconds: seconds) {
            let half = Duration.seconds(seconds / 2)
            var lateness = Lateness()
            try await lateness.wait(until: .now + half, isFixed: true)
            return lateness.total < half / 5
        }
    }

    /// What people wait for a list at most.
    package static let list = Patience(seconds: 5)

    /// Waits for all of it, and has each server looked at in the middle; whether any that is late then is to blame.
    func wait(_ watches: [ServerWatch]) async throws -> Bool {
        let first = try await half()
        for watch in watches { watch.look() }
        let second = try await half()
        try Task.checkCancellation()
        return first && second
    }
}
