import BlogLibrary
import Terminal

/// What following many sources comes to, in one line and one for each failure.
struct FollowTally {
    private var followed = 0
    private var posts = 0
    private var known = 0
    private var changed = 0
    private var failures: [Message] = []

    mutating func add(_ report: FollowReport) {
        switch report.outcome {
        case .followed: (followed, posts) = (followed + 1, posts + report.posts)
        case .changed: changed += 1
        case .unchanged: known += 1
        }
    }

    mutating func add(failure: Message) { failures.append(failure) }

    /// What came of it, in sentences: how many are followed now, were updated, were followed before, and failed.
    var summary: Message {
        var parts: [Message] = []
        if followed > 0 {
            let sources: Message = "\(Counted.number(followed))\(known + changed > 0 ? " more" : "")"
            parts.append(
                "Following \(sources) \(followed == 1 ? "source" : "sources") (\(Counted.grouped(posts: posts))).")
        }
        if changed > 0 { parts.append("Updated \(Counted.sources(changed)).") }
        if known > 0 { parts.append("Already following \(Counted.number(known)).") }
        if !failures.isEmpty { parts.append("\(failures.count) failed:") }
        return parts.dropFirst().reduce(parts.first ?? "") { "\($0) \($1)" }
    }

    /// What failed, a line each, and below it what to do about it, said once.
    var failureLines: [Message] {
        var hints: [Message] = []
        for hint in failures.compactMap(\.hint) where !hints.contains(hint) && hints.count < Self.maxHints {
            hints.append(hint)
        }
        return failures.map(\.sentence) + hints
    }

    private static let maxHints = 3
}
