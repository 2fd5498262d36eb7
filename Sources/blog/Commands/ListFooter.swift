import BlogLibrary
import Markup
import Model
import Rendering
import Store
import Terminal

/// The last line of a list on a terminal: how much of it was shown, and how to see more.
struct ListFooter {
    let query: Query
    let session: Session

    /// The line for some posts that were shown, after a blank one; nil where it would say nothing.
    func text(_ shown: RecordPrinter.Shown) async -> StyledText? {
        guard session.appearance.isTerminal, shown.posts > 0 else { return nil }
        let isAll = query.offset == 0 && query.limit.map { shown.posts < $0 } ?? true
        let counted = isAll ? nil : try? await session.library.counts(of: query, in: session.scope)
        let counts = counted ?? ListCounts(posts: query.offset + shown.posts, unread: shown.unread)
        let isCut = counts.posts > query.offset + shown.posts
        var parts = [Counted.posts(counts.posts)]
        if isCut || query.offset > 0 { parts = ["\(place(shown)) of \(counts.posts)\(Self.more(counts.posts))"] }
        if !query.filter.isUnread { parts.append("\(counts.unread)\(Self.more(counts.posts)) unread") }
        parts.append(Sanitizer.line(await session.title))
        if isCut, let limit = query.limit { parts.append("more with --page \(query.offset / limit + 2)") }
        let lines = DiscussionFacts.lines(parts, width: session.appearance.width)
        return ([""] + lines).map { StyledText($0, .muted) }.lines
    }

    /// "20", or "21 to 40" on another page than the first.
    private func place(_ shown: RecordPrinter.Shown) -> String {
        query.offset == 0 ? "\(shown.posts)" : "\(query.offset + 1) to \(query.offset + shown.posts)"
    }

    /// What stands after a number that may be larger.
    private static func more(_ count: Int) -> String { count == ListCounts.limit ? "+" : "" }
}
