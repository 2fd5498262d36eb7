import Markup
import Model

/// Posts for people, some lines each: the title after its marks, then who, when and which, then what it is about.
package struct CardRenderer: Renderer {
    private let screen: Screen
    private var isFirst = true

    package init(_ screen: Screen) {
        self.screen = screen
    }

    package mutating func group(_ group: PostGroup) -> StyledText {
        defer { isFirst = true }
        return ListHeading.text(group, isFirst: isFirst, width: screen.width)
    }

    package mutating func record(_ record: Record) -> StyledText {
        defer { isFirst = false }
        guard record.rank == nil || !record.metadata.isDiscussed else {
            return RankedCard(record: record, screen: screen).lines.lines
        }
        let lines =
            CardTitle.lines(record, screen, width: room) + facts(record) + story(record)
            + text(record)
        let marks = PostMarks.text(record.state)
        let rest = StyledText(String(repeating: " ", count: margin))
        let card = lines.enumerated().map { ($0 == 0 ? marks + " " : rest) + $1 }
        return (isFirst ? card : [""] + card).lines
    }

    private let margin = PostMarks.width + 1
    /// The columns beside the marks.
    private var room: Int { screen.width - margin }

    private func facts(_ record: Record) -> [StyledText] {
        let metadata = record.metadata
        let change = record.changed.map { ["changed \(screen.dates.short($0))"] } ?? []
        let facts =
            (record.shownTitle.map { [TextLayout.truncate($0, width: Self.maxSourceWidth)] } ?? [])
            + DiscussionFacts.counts(metadata) + screen.dates.known(metadata.publishDate) + change
            + [Sanitizer.line(metadata.id)]
        let name = StyledText(Sanitizer.line(metadata.author.name), CardTitle.isRead(record) ? .muted : .author)
        let rest = " · \(facts.joined(separator: " · "))"
        // A name may be long, but an id that is broken can't be typed.
        let space = room - DisplayWidth.of(rest)
        if space >= min(name.width, Self.minNameWidth) {
            return [name.truncated(to: space) + StyledText(rest, .muted)]
        }
        return [name.truncated(to: room)] + DiscussionFacts.lines(facts, width: room).map { StyledText($0, .muted) }
    }

    /// The post that a comment is on, cut to a line.
    private func story(_ record: Record) -> [StyledText] {
        record.story.map { story in
            let text = "on \(Sanitizer.line(story.id)) “\(Sanitizer.line(story.title))”"
            return [StyledText(text, .muted).truncated(to: room)]
        } ?? []
    }

    /// What the post is about: where the search terms stand, or the summary.
    private func text(_ record: Record) -> [StyledText] {
        if let snippet = record.snippet {
            return SnippetText.lines(snippet, width: room, isColored: screen.isColored)
        }
        let summary = StyledText(Sanitizer.line(record.metadata.summary ?? ""), .muted)
        return summary.isEmpty ? [] : summary.wrapped(to: room, atMost: Self.maxSummaryLines)
    }

    private static let maxSummaryLines = 2
    private static let minNameWidth = 8
    private static let maxSourceWidth = 30
}
