import Foundation

/// Posts for people: title, author and role, date, id and the summary, wrapped to the width of the terminal.
package struct CardRenderer: Renderer {
    private let width: Int
    private let isColored: Bool
    private let now: Date
    private var isFirst = true

    package init(width: Int, isColored: Bool, now: Date = Date()) {
        self.now = now
        self.width = max(width, 20)
        self.isColored = isColored
    }

    package mutating func group(_ group: PostGroup) -> StyledText {
        let count = group.count == 1 ? "1 post" : "\(group.count) posts"
        let name = StyledText(Sanitizer.line(group.name), .groupTitle).wrapped(to: width)
        let fits = (name.last?.width ?? 0) + 3 + count.count <= width
        let heading = name.joined(separator: "\n") + (fits ? " · " : "\n") + StyledText(count, .muted)
        defer { isFirst = true }
        let rule = StyledText(String(repeating: "─", count: width), .muted)
        return (isFirst ? [heading, rule] : ["", heading, rule]).lines
    }

    package mutating func record(_ record: Record) -> StyledText {
        defer { isFirst = false }
        let facts = DiscussionFacts(record.metadata, now: now)
        let lines =
            facts.map { DiscussionCard(record: record, facts: $0, width: width, isColored: isColored).lines }
            ?? lines(record)
        let isDense = facts != nil && record.rank != nil
        return (isFirst || isDense ? lines : [""] + lines).lines
    }

    private func lines(_ record: Record) -> [StyledText] {
        let metadata = record.metadata
        let byline = Byline(metadata)
        let change = record.changed.map { " · changed \(Age.text($0, now: now))" } ?? ""
        let lines =
            CardTitle(record: record).text.wrapped(to: width)
            + StyledText(byline.text, .author).wrapped(to: width)
            + StyledText("\(byline.date)\(change) · id \(Sanitizer.line(metadata.id))", .muted).wrapped(to: width)
        return lines + text(record).map { "  " + $0 }
    }

    /// What the post is about: where the search terms stand, or the summary.
    private func text(_ record: Record) -> [StyledText] {
        if let snippet = record.snippet {
            return SnippetText.lines(snippet, width: width - 2, isColored: isColored)
        }
        guard let summary = record.metadata.summary, !summary.isEmpty else { return [] }
        return StyledText(Sanitizer.line(summary)).wrapped(to: width - 2)
    }
}
