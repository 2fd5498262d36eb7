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
            return failures.count == 1 ? "1 picture is not stored." : "\(failures.count) pictures are not stored."
        }
        guard failures.count > 1 else { return "A picture is missing: \(Failure(first.error).message?.sentence ?? "")" }
        var reasons = FailureReasons()
        for failure in failures { reasons.add(Failure(failure.error).message?.sentence ?? "") }
        guard let most = reasons.commonest else { return nil }
        let how: Message =
            most.count == 1 ? "one of them" : most.count == failures.count ? "all" : "\(most.count) of them"
        return "\(failures.count) pictures are missing, \(how) for this reason: \(most.example)"
    }
}
