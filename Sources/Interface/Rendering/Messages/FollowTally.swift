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
        history.added += report.history?.added ?? 0
        history.marked += report.history?.marked ?? 0
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
        if history == HistoryReport() { return nil }
        let marked: Message =
            history.marked > 0 ? " Marked \(Counted.grouped(posts: history.marked)) that you had read or flagged." : ""
        return "Added \(Counted.grouped(posts: history.added)) from newsboat.\(marked)"
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
