import BlogEssentials
import BlogMarkup
import BlogModel

/// Renders posts as cards: marks and title, then author, date and ID, then the summary.
package struct CardRenderer: ListRenderer {
    private let screen: Screen
    private var isFirst = true

    package init(_ screen: Screen) {
        self.screen = screen
    }

    package var form: ListForm { .cards }

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
            CardTitle.lines(record, screen, width: width) + facts(record)
            + PostMarks.labels(record.state, width: width) + duplicates(record) + story(record) + text(record)
        let card = lines.hanging(from: PostMarks.text(record.state) + " ", indent: Self.margin)
        return (isFirst ? card : [""] + card).lines
    }

    /// The width without the marks.
    private var width: Int { screen.width - Self.margin }

    private func facts(_ record: Record) -> [StyledText] {
        let metadata = record.metadata
        let change = record.changed.map { ["changed \(screen.dates.short($0))"] } ?? []
        let facts =
            (record.shownTitle.map { [TextLayout.truncate($0, width: Self.maxSourceWidth)] } ?? [])
            + DiscussionFacts.counts(metadata) + screen.dates.shortIfKnown(record.listDate) + change
            + [Sanitizer.line(metadata.id)]
        let name = StyledText(Sanitizer.line(metadata.author.name), CardTitle.isRead(record) ? .muted : .author)
        let rest = " · \(facts.joined(separator: " · "))"
        // The name is cut rather than the ID, which must be complete to be typed.
        let room = width - DisplayWidth.of(rest)
        if room >= min(name.width, Self.minNameWidth) {
            return [name.truncated(to: room) + StyledText(rest, .muted)]
        }
        return [name.truncated(to: width)] + TextLayout.wrap(facts: facts, width: width).map { StyledText($0, .muted) }
    }

    private func duplicates(_ record: Record) -> [StyledText] {
        record.alsoIn.map { StyledText($0, .muted).wrapped(to: width) } ?? []
    }

    /// The post that a comment belongs to.
    private func story(_ record: Record) -> [StyledText] {
        record.story.map { story in
            let text = "on \(Sanitizer.line(story.id)) “\(Sanitizer.line(story.title))”"
            return [StyledText(text, .muted).truncated(to: width)]
        } ?? []
    }

    /// The search snippet, or the summary.
    private func text(_ record: Record) -> [StyledText] {
        if let snippet = record.snippet {
            return SnippetText.lines(snippet, width: width, isColored: screen.isColored)
        }
        let summary = StyledText(Sanitizer.line(record.metadata.summary ?? ""), .muted)
        return summary.isEmpty ? [] : summary.wrapped(to: width, atMost: Self.maxSummaryLines)
    }

    private static let margin = PostMarks.width + 1
    private static let maxSummaryLines = 2
    private static let minNameWidth = 8
    private static let maxSourceWidth = 30
}

/// The title of a post in a list.
enum CardTitle {
    /// The title, bold while the post is unread; a link on terminals with hyperlinks.
    static func text(_ record: Record, _ screen: Screen) -> StyledText {
        let title = StyledText(Sanitizer.line(record.metadata.title), isRead(record) ? .muted : .title)
        guard screen.links == .hyperlinks, let link = record.metadata.safeLink else { return title }
        return title.linked(to: link)
    }

    /// The lines of the title, followed by the site if it fits on the last line.
    static func lines(_ record: Record, _ screen: Screen, width: Int) -> [StyledText] {
        let lines = text(record, screen).wrapped(to: width)
        guard let site = site(record), let last = lines.last else { return lines }
        let room = width - last.width - 1
        guard room >= min(site.width, minSiteWidth) else { return lines }
        return lines.dropLast() + [last + " " + site.truncated(to: room)]
    }

    private static let minSiteWidth = 8

    /// "(example.org)" for the link of a discussion.
    static func site(_ record: Record) -> StyledText? {
        guard record.metadata.discussion != nil else { return nil }
        return DiscussionFacts.site(record.metadata).map { StyledText("(\($0))", .muted) }
    }

    static func isRead(_ record: Record) -> Bool { record.state?.isRead == true }
}

enum ListHeading {
    static func text(_ group: PostGroup, isFirst: Bool, width: Int) -> StyledText {
        let count = Counted.posts(group.count)
        let name = StyledText(Sanitizer.line(group.name), .groupTitle).wrapped(to: width)
        let fits = (name.last?.width ?? 0) + 3 + count.count <= width
        let heading = name.joined(separator: "\n") + (fits ? " · " : "\n") + StyledText(count, .muted)
        let rule = StyledText(String(repeating: "─", count: width), .muted)
        return (isFirst ? [heading, rule] : ["", heading, rule]).lines
    }
}

/// The marks of a post, of constant width so that titles are aligned.
enum PostMarks {
    static let width = 2

    /// A dot for unread, a star for saved.
    static func text(_ state: PostState?) -> StyledText {
        guard let state else { return StyledText(String(repeating: " ", count: width)) }
        return (state.isRead ? " " : StyledText("●", .unread)) + (state.isSaved ? StyledText("★", .saved) : " ")
    }

    /// The lines that name its labels; none without labels.
    static func labels(_ state: PostState?, width: Int) -> [StyledText] {
        guard let labels = state?.labels, !labels.isEmpty else { return [] }
        return StyledText("labels: \(Sanitizer.line(labels.joined(separator: ", ")))", .saved).wrapped(to: width)
    }
}

/// A search snippet with its matches in colour, or without colours between `**`.
enum SnippetText {
    static func lines(_ snippet: Snippet, width: Int, isColored: Bool) -> [StyledText] {
        let mark = isColored ? "" : "**"
        let text = snippet.pieces.map { part -> StyledText in
            let text = Sanitizer.line(part.text)
            return part.isHit ? StyledText(mark + text + mark, .hit) : StyledText(text)
        }.joined()
        return (StyledText(snippet.label, .muted) + text).wrapped(to: width)
    }
}

extension Snippet {
    /// The source of the snippet, to precede it; "" for the post itself.
    var label: String { place == .post ? "" : "article: " }
}
