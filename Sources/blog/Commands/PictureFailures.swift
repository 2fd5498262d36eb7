import BlogCore
import Foundation

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
        guard failures.count > 1 else { return "A picture is missing: \(Failure(first.error).message ?? "")" }
        let reasons = failures.map { failure in (Failure(failure.error).message ?? "", Self.reason(failure)) }
        let counts = reasons.reduce(into: [String: Int]()) { $0[$1.1, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        // The first of those that are as common.
        let example = reasons.first { counts[$0.1] == most }?.0 ?? ""
        let how: Message = most == 1 ? "one of them" : most == failures.count ? "all" : "\(most) of them"
        return "\(failures.count) pictures are missing, \(how) for this reason: \(example)"
    }

    /// What is the same of pictures that failed alike.
    private static func reason(_ failure: (url: URL, error: any Error)) -> String {
        let text = (Failure(failure.error).message ?? "").text
        return text.split(separator: " ").filter { !$0.contains("://") }.joined(separator: " ")
    }
}
