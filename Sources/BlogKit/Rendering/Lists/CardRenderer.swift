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
        guard record.rank == nil || record.metadata.discussion == nil else {
            return RankedCard(record: record, screen: screen).lines.lines
        }
        let lines = title(record) + [facts(record)].flatMap { $0.wrapped(to: room) } + text(record)
        let marks = PostMarks.text(record.state)
        let rest = StyledText(String(repeating: " ", count: margin))
        let card = lines.enumerated().map { ($0 == 0 ? marks + " " : rest) + $1 }
        return (isFirst ? card : [""] + card).lines
    }

    private let margin = PostMarks.width + 1
    /// The columns beside the marks.
    private var room: Int { screen.width - margin }

    private func title(_ record: Record) -> [StyledText] {
        let lines = CardTitle.text(record, screen).wrapped(to: room)
        guard record.metadata.discussion != nil, let site = CardTitle.site(record) else { return lines }
        let fits = lines.count == 1 && lines[0].width + site.width + 1 <= room
        return fits ? [lines[0] + " " + site] : lines + site.wrapped(to: room)
    }

    private func facts(_ record: Record) -> StyledText {
        let metadata = record.metadata
        let change = record.changed.map { ["changed \(screen.dates.short($0))"] } ?? []
        let facts = DiscussionFacts.counts(metadata) + [screen.dates.short(metadata.publishDate)] + change
        let story = record.story.map { story in
            let title = TextLayout.truncate(Sanitizer.line(story.title), width: Self.maxStoryWidth)
            return " · on \(Sanitizer.line(story.id)) “\(title)”"
        }
        let rest = " · \((facts + [Sanitizer.line(metadata.id)]).joined(separator: " · "))" + (story ?? "")
        // A name may be long, but an id that is broken can't be typed.
        let room = max(room - DisplayWidth.of(rest), Self.minNameWidth)
        let name = StyledText(Sanitizer.line(metadata.author.name), CardTitle.isRead(record) ? .muted : .author)
        return name.truncated(to: room) + StyledText(rest, .muted)
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
    private static let maxStoryWidth = 60
}
