import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// The last line of a list or a search on a terminal: how much of it was shown, and how to see more.
struct ListFooter {
    let query: Query
    let session: Session

    /// Prints the line below some posts, if their format is for people.
    func print(below printed: ListPrinter.Printed, as format: Format?) async throws {
        guard session.appearance.isTerminal, printed.posts > 0, [nil, .table, .text].contains(format) else { return }
        let counts = try await counts(printed)
        let lastShown = query.offset + printed.posts
        let more = counts.posts == ListCounts.limit ? "+" : ""
        var parts = [Counted.posts(counts.posts)]
        if counts.posts > lastShown || query.offset > 0 {
            let place = query.offset == 0 ? "\(lastShown)" : "\(query.offset + 1) to \(lastShown)"
            parts = ["\(place) of \(counts.posts)\(more)"]
        }
        if !query.filter.isUnread, query.words == nil { parts.append("\(counts.unread)\(more) unread") }
        parts.append(Sanitizer.line(session.title))
        if counts.posts > lastShown, let limit = query.limit {
            parts.append("more with --page \(query.offset / limit + 2)")
        }
        let lines = TextLayout.wrap(facts: parts, width: session.appearance.width)
        try await session.console.print(([""] + lines).map { StyledText($0, .muted) }.lines)
    }

    /// How many posts there are; they are counted only if not all of them were printed.
    private func counts(_ printed: ListPrinter.Printed) async throws -> ListCounts {
        let known = ListCounts(posts: query.offset + printed.posts, unread: printed.unread)
        if query.offset == 0, query.limit.map({ printed.posts < $0 }) ?? true { return known }
        if query.words != nil {
            return ListCounts(
                posts: try await session.library.emptyLists.hits(of: query, in: session.sources), unread: 0)
        }
        return try await session.library.listing.counts(of: query, in: session.sources) ?? known
    }
}
