import Foundation

/// A comment as lines: author and age, then the text, indented by a bar for each level of depth.
struct CommentLines {
    let width: Int
    /// How many columns code may be wider than text; nil for any number.
    let codeRoom: Int?
    let isColored: Bool
    let links: LinkMode
    let now: Date

    func lines(_ comment: Comment) -> [StyledText] {
        let bars = min(comment.depth, barCount)
        let margin = StyledText(String(repeating: "│ ", count: bars), .muted)
        let room = width - 2 * bars
        return (head(comment, hiddenBars: comment.depth - bars, width: room) + body(comment, width: room)).map {
            margin + $0
        }
    }

    /// The maximum number of bars; deeper comments are not indented further but show their depth as a number.
    private var barCount: Int { max(min((width - Self.minTextWidth) / 2, Self.maxBars), 0) }

    private func head(_ comment: Comment, hiddenBars: Int, width: Int) -> [StyledText] {
        let level = hiddenBars > 0 ? "↳\(comment.depth + 1) " : ""
        let name = comment.removal == nil || !comment.body.isEmpty ? Sanitizer.line(comment.author.name) : ""
        let facts = [
            name, comment.removal.map { "[\($0.rawValue)]" } ?? "", Age.text(comment.publishDate, now: now),
            "id " + Sanitizer.line(comment.id), comment.isNew ? "new" : "",
        ].filter { !$0.isEmpty }
        return DiscussionFacts.lines([level + facts[0]] + facts.dropFirst(), width: width).map {
            StyledText($0, comment.isNew ? .unread : .author)
        }
    }

    private func body(_ comment: Comment, width: Int) -> [StyledText] {
        guard !comment.body.isEmpty else { return [] }
        var document = DocumentRenderer(isColored: isColored, mode: links, codeRoom: codeRoom)
        return document.lines(HTML.document(comment.body), width: width)
    }

    /// The fewest columns that text is read well in.
    private static let minTextWidth = 30
    /// More bars can't be told apart at a glance.
    private static let maxBars = 12
}
