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
        if let facts = DiscussionFacts(metadata, now: now) {
            defer { isFirst = false }
            let card = DiscussionCard(record: record, facts: facts, width: width, isColored: isColored)
            return (isFirst || record.rank != nil ? "" : "\n") + card.lines.joined(separator: "\n") + "\n"
        }
        let id = Sanitizer.line(metadata.id)
        var lines = CardTitle(record: record, isColored: isColored).lines(width: width)
        lines += TextLayout.wrap(Byline(metadata).text, width: width).map { Style.author($0, isColored: isColored) }
        let change = record.changed.map { " · changed \(Age.text($0, now: now))" } ?? ""
        let facts = "\(Byline(metadata).date)\(change) · id \(id)"
        lines += TextLayout.wrap(facts, width: width).map { Style.muted($0, isColored: isColored) }
        if let snippet = record.snippet {
            lines += SnippetText.lines(snippet, width: width - 2, isColored: isColored).map { "  " + $0 }
        } else if let summary = metadata.summary, !summary.isEmpty {
            lines += TextLayout.wrap(Sanitizer.line(summary), width: width - 2).map { "  " + $0 }
        }
        defer { isFirst = false }
        return (isFirst ? "" : "\n") + lines.joined(separator: "\n") + "\n"
    }
}
