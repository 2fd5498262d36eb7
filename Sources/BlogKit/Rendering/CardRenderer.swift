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

    package mutating func group(_ group: PostGroup) -> String {
        let count = group.count == 1 ? "1 post" : "\(group.count) posts"
        let name = TextLayout.wrap(Sanitizer.line(group.name), width: width)
        let title = name.map { Style.groupTitle($0, isColored: isColored) }.joined(separator: "\n")
        let rule = String(repeating: "─", count: width)
        let fits = DisplayWidth.of(name.last ?? "") + 3 + count.count <= width
        let heading = title + (fits ? " · " : "\n") + Style.muted(count, isColored: isColored)
        defer { isFirst = true }
        return (isFirst ? "" : "\n") + heading + "\n" + Style.muted(rule, isColored: isColored) + "\n"
    }

    package mutating func record(_ record: Record) -> String {
        let metadata = record.metadata
        if let facts = DiscussionFacts(metadata, now: now) { return discussed(record, facts) }
        let id = Sanitizer.line(metadata.id)
        var lines = title(record)
        lines += TextLayout.wrap(Byline(metadata).text, width: width).map { Style.author($0, isColored: isColored) }
        let facts = "\(Byline(metadata).date) · id \(id)"
        lines += TextLayout.wrap(facts, width: width).map { Style.muted($0, isColored: isColored) }
        if let snippet = record.snippet {
            lines += SnippetText.lines(snippet, width: width - 2, isColored: isColored).map { "  " + $0 }
        } else if let summary = metadata.summary, !summary.isEmpty {
            lines += TextLayout.wrap(Sanitizer.line(summary), width: width - 2).map { "  " + $0 }
        }
        defer { isFirst = false }
        return (isFirst ? "" : "\n") + lines.joined(separator: "\n") + "\n"
    }

    /// A post that people discuss, after its rank where it has one.
    private mutating func discussed(_ record: Record, _ facts: DiscussionFacts) -> String {
        let rank = record.rank.map { String($0) + "." } ?? ""
        let margin = rank.isEmpty ? 0 : 5
        var narrow = CardRenderer(width: width - margin, isColored: isColored, now: now)
        narrow.isFirst = true
        let site = facts.site.map { Style.muted("(\($0))", isColored: isColored) }
        var lines = narrow.title(record)
        if let site, let name = facts.site {
            let last = DisplayWidth.of(lines.count == 1 ? plainTitle(record) : "")
            let fits = lines.count == 1 && last + name.count + 3 <= width - margin
            if fits { lines[0] += " " + site } else { lines.append(site) }
        }
        let story =
            record.story.map { ["on \($0.id) “\(TextLayout.truncate(Sanitizer.line($0.title), width: 60))”"] } ?? []
        let text = DiscussionFacts.lines(
            facts.parts + ["id \(Sanitizer.line(record.metadata.id))"] + story, width: width - margin)
        lines += text.map { Style.muted($0, isColored: isColored) }
        if let snippet = record.snippet {
            lines += SnippetText.lines(snippet, width: width - margin - 2, isColored: isColored).map { "  " + $0 }
        }
        let first = String(repeating: " ", count: max(margin - 1 - rank.count, 0)) + rank + (margin == 0 ? "" : " ")
        defer { isFirst = false }
        let gap = isFirst || record.rank != nil ? "" : "\n"
        return gap
            + lines.enumerated().map { index, line in
                (index == 0 ? first : String(repeating: " ", count: margin)) + line
            }.joined(separator: "\n") + "\n"
    }

    private func plainTitle(_ record: Record) -> String {
        let state = record.state
        return (state?.isRead == false ? "● " : "") + Sanitizer.line(record.metadata.title)
            + (state?.isSaved == true ? " ★" : "")
    }

    /// The title: bold and after a dot while the post is unread, before a star when it is saved.
    private func title(_ record: Record) -> [String] {
        let title = Sanitizer.line(record.metadata.title)
        guard let state = record.state else {
            return TextLayout.wrap(title, width: width).map { Style.title($0, isColored: isColored) }
        }
        var lines = TextLayout.wrap((state.isRead ? "" : "● ") + title + (state.isSaved ? " ★" : ""), width: width)
        var star = ""
        if state.isSaved, let last = lines.last {
            let gap = last.hasSuffix(" ★") ? " " : ""
            lines[lines.count - 1] = String(last.dropLast(1 + gap.count))
            star = gap + Style.saved("★", isColored: isColored)
        }
        guard !state.isRead else { return lines.dropLast() + [(lines.last ?? "") + star] }
        let first = lines[0].dropFirst(2)
        var styled = lines.map { Style.title($0, isColored: isColored) }
        styled[0] = Style.unread("●", isColored: isColored) + " " + Style.title(String(first), isColored: isColored)
        styled[styled.count - 1] += star
        return styled
    }
}
