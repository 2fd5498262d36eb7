import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel

/// The result of following many sources: one line, and one for each failure.
package struct FollowTally {
    private var followed = 0
    private var posts = 0
    private var known = 0
    private var changed = 0
    private var repeated: [String] = []
    private var failures: [Message] = []
    private var history = HistoryReport()

    package init() {}

    package mutating func add(_ report: FollowReport) {
        switch report.outcome {
        case .followed: (followed, posts) = (followed + 1, posts + report.posts)
        case .changed: changed += 1
        case .unchanged: known += 1
        case .repeated: repeated.append(report.name)
        }
        if let kept = report.history { history += kept }
    }

    package mutating func add(failure: Message) { failures.append(failure) }

    /// The numbers of followed, updated, already followed and failed sources, in sentences.
    package var summary: Message {
        var parts: [Message] = []
        if followed > 0 {
            let sources: Message = "\(Counted.number(followed))\(known + changed > 0 ? " more" : "")"
            parts.append(
                "Following \(sources) \(followed == 1 ? "source" : "sources") (\(Counted.grouped(posts: posts))).")
        }
        if changed > 0 { parts.append("Updated \(Counted.sources(changed)).") }
        if known > 0 { parts.append("Already following \(Counted.number(known)).") }
        if !repeated.isEmpty { parts.append("Listed more than once: \(Counted.some(repeated)).") }
        if !failures.isEmpty { parts.append("\(Counted.sources(failures.count)) failed:") }
        return parts.dropFirst().reduce(parts.first ?? "") { "\($0) \($1)" }
    }

    /// What came from another reader; nil for nothing.
    package var historySummary: Message? {
        var parts: [Message] = []
        if history.added > 0 { parts.append("added \(Counted.grouped(posts: history.added))") }
        if history.read > 0 { parts.append("marked \(Counted.number(history.read)) as read") }
        if history.saved > 0 { parts.append("saved \(Counted.number(history.saved))") }
        if history.leftOut > 0 {
            let most = Counted.number(FollowReport.maxPosts)
            parts.append("left out \(Counted.number(history.leftOut)) (at most \(most) of a feed, flagged ones first)")
        }
        guard let first = parts.first else { return nil }
        return "From newsboat: \(parts.dropFirst().reduce(first) { "\($0), \($1)" })."
    }

    /// The failures, each hint once.
    package var failureLines: [Message] {
        var hints: Set<Message> = []
        return failures.map { failure in
            guard let hint = failure.hint, hints.count < Self.maxHints, hints.insert(hint).inserted else {
                return failure.sentence
            }
            return failure
        }
    }

    private static let maxHints = 3
}
