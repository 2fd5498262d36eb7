import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel

/// A source as people see it on a terminal.
package enum SourceCard {
    package static func text(_ source: SourceState, width: Int) -> StyledText {
        let comments = source.comments == 0 ? "" : " · \(Counted.comments(source.comments))"
        let missing = source.posts - source.bodies
        let bodies = missing == 0 ? "" : " · \(Counted.bodies(missing)) missing"
        let counts = "\(Counted.posts(source.posts)) · \(source.unread) unread\(bodies)\(comments)"
        let refreshed = source.refreshedAt.map { "refreshed \($0.minuteText)" } ?? "never refreshed"
        let reason = source.reason.map { ": \(Sanitizer.line($0))" } ?? ""
        let failed = source.failedAt.map { " · \(status(source)) \($0.minuteText)\(reason)" } ?? ""
        func lines(_ text: String) -> [StyledText] {
            StyledText(text).wrapped(to: max(width - 2, 20)).map { "  " + $0 }
        }
        let folder = source.folder.isEmpty ? "" : " · \(Sanitizer.line(source.folder))"
        let name = source.title.map { "\(Sanitizer.line($0)) (\(source.name))" } ?? source.name
        let title = StyledText("\(name) · \(Sanitizer.line(source.id.address))\(folder)", .title)
        return (title.wrapped(to: width) + lines(counts) + lines(refreshed + failed)).lines
    }

    /// The result of the last refresh, in a word.
    package static func status(_ source: SourceState) -> String {
        source.problem?.rawValue ?? (source.refreshedAt == nil ? "never" : "ok")
    }
}
