/// A post that people discuss, on a card: after its rank where it has one, with its site, points and comments.
struct DiscussionCard {
    let record: Record
    let facts: DiscussionFacts
    let width: Int
    let isColored: Bool

    var lines: [String] {
        let rank = record.rank.map { "\($0)." } ?? ""
        let margin = record.rank == nil ? 0 : max(Self.rankWidth, rank.count + 1)
        let text = title(width - margin) + muted(width - margin) + snippet(width - margin)
        let first = rank.isEmpty ? "" : String(repeating: " ", count: max(margin - 1 - rank.count, 0)) + rank + " "
        return text.enumerated().map { ($0 == 0 ? first : String(repeating: " ", count: margin)) + $1 }
    }

    /// The title, and after it the site where there is room on its line.
    private func title(_ width: Int) -> [String] {
        let lines = CardTitle(record: record, isColored: isColored).lines(width: width)
        guard let site = facts.site.map({ "(\($0))" }) else { return lines }
        let shown = Style.muted(site, isColored: isColored)
        let plain = CardTitle(record: record, isColored: false).lines(width: width)
        let fits = plain.count == 1 && DisplayWidth.of(plain[0]) + DisplayWidth.of(site) + 1 <= width
        guard !fits else { return [lines[0] + " " + shown] }
        return lines + TextLayout.wrap(site, width: width).map { Style.muted($0, isColored: isColored) }
    }

    private func muted(_ width: Int) -> [String] {
        let story = record.story.map { story in
            let title = TextLayout.truncate(Sanitizer.line(story.title), width: Self.maxStoryWidth)
            return ["on \(Sanitizer.line(story.id)) “\(title)”"]
        }
        let id = "id \(Sanitizer.line(record.metadata.id))"
        return DiscussionFacts.lines(facts.parts + [id] + (story ?? []), width: width)
            .map { Style.muted($0, isColored: isColored) }
    }

    private func snippet(_ width: Int) -> [String] {
        guard let snippet = record.snippet else { return [] }
        return SnippetText.lines(snippet, width: width - 2, isColored: isColored).map { "  " + $0 }
    }

    /// Ranks have up to three digits, a dot and a space after it.
    private static let rankWidth = 5
    private static let maxStoryWidth = 60
}
