import BlogEssentials
import BlogLibrary
import BlogMarkup

/// The reasons for many failures, such as posts in a sync.
package struct FailureReasons: Sendable {
    private var reasons: [String: Reason] = [:]
    package private(set) var count = 0

    private struct Reason {
        /// The position of the first failure.
        let position: Int
        let example: Message
        var count = 0
    }

    package init() {}

    package mutating func add(_ message: Message) {
        count += 1
        let words = Self.words(message)
        guard reasons[words] != nil || reasons.count < Self.maxReasons else { return }
        reasons[words, default: Reason(position: count, example: message)].count += 1
    }

    /// The number of failures for the most common reason, and its first message; nil if nothing failed.
    ///
    /// Of equally common reasons, the first one.
    package var mostCommon: (count: Int, example: Message)? {
        reasons.values.max { ($0.count, $1.position) < ($1.count, $0.position) }.map { ($0.count, $0.example) }
    }

    /// The words of a message without those that name a post or an address.
    private static func words(_ message: Message) -> String {
        message.text.split(separator: " ").filter { !$0.contains("://") && !$0.contains("“") }.joined(separator: " ")
    }

    private static let maxReasons = 100
}

/// A message about failed pictures.
package struct PictureFailures {
    private let failures: [(url: URL, error: any Error)]

    package init(_ failures: [(url: URL, error: any Error)]) {
        self.failures = failures
    }

    /// Their number and the most common reason; nil if there are none.
    package var message: Message? {
        guard let first = failures.first else { return nil }
        let errors = failures.map(\.error)
        if errors.allSatisfy({ if case PictureError.notStored = $0 { true } else { false } }) {
            return "\(Counted.pictures(failures.count)) not stored"
        }
        let what: Message = "Could not load \(Counted.pictures(failures.count))"
        guard failures.count > 1 else { return "\(what): \(Message(of: first.error))" }
        var reasons = FailureReasons()
        for failure in failures { reasons.add(Message(of: failure.error)) }
        guard let most = reasons.mostCommon else { return nil }
        let share: Message = most.count == failures.count ? "all" : "\(most.count) of them"
        return most.count == 1
            ? "\(what), for example: \(most.example)" : "\(what), \(share) for the same reason: \(most.example)"
    }
}
