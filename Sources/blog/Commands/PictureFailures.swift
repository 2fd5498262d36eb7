import BlogLibrary
import Foundation
import Terminal

/// Pictures that could not be had, as one message.
struct PictureFailures {
    let failures: [(url: URL, error: any Error)]

    /// How many are missing, and why most of them are; nil if none is.
    var message: Message? {
        guard let first = failures.first else { return nil }
        let errors = failures.map(\.error)
        if errors.allSatisfy({ if case PictureError.notKept = $0 { true } else { false } }) {
            return "\(Counted.pictures(failures.count)) not stored"
        }
        let what: Message = "Could not load \(Counted.pictures(failures.count))"
        guard failures.count > 1 else { return "\(what): \(Failure(first.error).message?.sentence ?? "")" }
        var reasons = FailureReasons()
        for failure in failures { reasons.add(Failure(failure.error).message?.sentence ?? "") }
        guard let most = reasons.commonest else { return nil }
        let share: Message = most.count == failures.count ? "all" : "\(most.count) of them"
        return most.count == 1
            ? "\(what), the first: \(most.example)" : "\(what), \(share) for the same reason: \(most.example)"
    }
}
