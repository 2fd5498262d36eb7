/// A post that people discuss, on a card: after its rank where it has one, with its site, points and comments.
struct DiscussionCard {
    let record: Record
    let facts: DiscussionFacts
    let width: Int
    let isColored: Bool

    var lines: [StyledText] {
        let rank = record.rank.map { "\($0)." } ?? ""
        let margin = record.rank == nil ? 0 : max(Self.rankWidth, rank.count + 1)
        let text = title(width - margin) + muted(width - margin) + snippet(width - margin)
        let first = rank.isEmpty ? "" : StyledText(rank).padded(to: margin - 1, isRightAligned: true) + " "
        let rest = StyledText(String(repeating: " ", count: margin))
        return text.enumerated().map { ($0 == 0 ? first : rest) + $1 }
    }

    /// The title, and after it the site where there is room on its line.
    private func title(_ width: Int) -> [StyledText] {
        let lines = CardTitle(record: record).text.wrapped(to: width)
        guard let site = facts.site.map({ StyledText("(\($0))", .muted) }) else { return lines }
        let fits = lines.count == 1 && lines[0].width + site.width + 1 <= width
        return fits ? [lines[0] + " " + site] : lines + site.wrapped(to: width)
    }

    private func muted(_ width: Int) -> [StyledText] {
        let story = record.story.map { story in
            let title = TextLayout.truncate(Sanitizer.line(story.title), width: Self.maxStoryWidth)
            return ["on \(Sanitizer.line(story.id)) “\(title)”"]
        }
        let id = "id \(Sanitizer.line(record.metadata.id))"
        return DiscussionFacts.lines(facts.parts + [id] + (story ?? []), width: width)
            .map { StyledText($0, .muted) }
    }

    private func snippet(_ width: Int) -> [StyledText] {
        guard let snippet = record.snippet else { return [] }
        return SnippetText.lines(snippet, width: width - 2, isColored: isColored).map { "  " + $0 }
    }

    /// Ranks have up to three digits, a dot and a space after it.
    private static let rankWidth = 5
    private static let maxStoryWidth = 60
}
