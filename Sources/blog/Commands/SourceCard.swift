import BlogLibrary
import Markup
import Model
import Rendering
import Store
import Terminal

/// A source as people see it on a terminal.
enum SourceCard {
    static func text(_ source: SourceState, _ appearance: Appearance) -> StyledText {
        let comments = source.comments == 0 ? "" : " · \(Counted.comments(source.comments))"
        let missing = source.posts - source.bodies
        let bodies = missing == 0 ? "" : " · \(Counted.bodies(missing)) missing"
        let counts = "\(Counted.posts(source.posts)) · \(source.unread) unread\(bodies)\(comments)"
        let refreshed = source.refreshedAt.map { "refreshed \(CopyDate.text($0))" } ?? "never refreshed"
        let failed = source.failedAt.map { " · \(status(source)) \(CopyDate.text($0))" } ?? ""
        func lines(_ text: String) -> [StyledText] {
            StyledText(text).wrapped(to: max(appearance.width - 2, 20)).map { "  " + $0 }
        }
        let folder = source.folder.isEmpty ? "" : " · \(Sanitizer.line(source.folder))"
        let name = source.title.map { "\(Sanitizer.line($0)) (\(source.name))" } ?? source.name
        let title = StyledText("\(name) · \(Sanitizer.line(source.id.address))\(folder)", .title)
        return (title.wrapped(to: appearance.width) + lines(counts) + lines(refreshed + failed)).lines
    }

    /// How the last refresh ended, in a word.
    static func status(_ source: SourceState) -> String {
        source.problem?.rawValue ?? (source.refreshedAt == nil ? "never" : "ok")
    }
}
