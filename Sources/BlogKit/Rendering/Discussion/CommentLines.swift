import Foundation

/// A comment as lines: who wrote it and when, then what it says, behind a bar for each comment that it answers.
struct CommentLines {
    let width: Int
    /// How many columns code may be wider than text; nil for any number.
    let codeRoom: Int?
    let isColored: Bool
    let links: LinkMode
    let now: Date

    func lines(_ comment: Comment) -> [String] {
        let bars = min(comment.depth, mostBars)
        let margin = Style.muted(String(repeating: "│ ", count: bars), isColored: isColored)
        let room = width - 2 * bars
        return (head(comment, hiddenBars: comment.depth - bars, width: room) + body(comment, width: room)).map { line in
            line.isEmpty ? String(margin) : margin + line
        }
    }

    /// Deeper comments are no more indented, or nothing would be left of the line; a number tells their depth.
    private var mostBars: Int { max(min((width - Self.leastText) / 2, Self.mostReadable), 0) }

    private func head(_ comment: Comment, hiddenBars: Int, width: Int) -> [String] {
        let level = hiddenBars > 0 ? "↳\(comment.depth + 1) " : ""
        let name = comment.withheld == nil || !comment.body.isEmpty ? Sanitizer.line(comment.author.name) : ""
        let facts = [
            name, comment.withheld.map { "[\($0.rawValue)]" } ?? "", Age.text(comment.publishDate, now: now),
            "id " + Sanitizer.line(comment.id), comment.isNew ? "new" : "",
        ].filter { !$0.isEmpty }
        return DiscussionFacts.lines([level + facts[0]] + facts.dropFirst(), width: width).map { line in
            comment.isNew ? Style.unread(line, isColored: isColored) : Style.author(line, isColored: isColored)
        }
    }

    private func body(_ comment: Comment, width: Int) -> [String] {
        guard !comment.body.isEmpty else { return [] }
        var document = DocumentRenderer(isColored: isColored, mode: links, codeRoom: codeRoom)
        return document.lines(HTML.document(comment.body), width: width)
    }

    /// The fewest columns that text is read well in.
    private static let leastText = 30
    /// More bars can't be told apart at a glance.
    private static let mostReadable = 12
}
