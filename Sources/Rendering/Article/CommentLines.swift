import Markup
import Model

/// The comments of a thread as lines: author and age, then the text, behind a bar for each level of depth.
package struct CommentLines: Sendable {
    let screen: Screen
    /// How many columns code may be wider than text; nil for any number.
    let codeRoom: Int?
    /// The name of the author of the post.
    private var submitter: String?
    /// The depth of the comment before; nil for none.
    private var depthBefore: Int?

    package init(screen: Screen, codeRoom: Int?) {
        self.screen = screen
        self.codeRoom = codeRoom
    }

    /// Begins a thread.
    package mutating func begin(on post: PostMetadata) {
        submitter = post.author.name
        depthBefore = nil
    }

    /// A line with only the bars of the branch, then the comment.
    package mutating func lines(_ comment: Comment) -> [StyledText] {
        let bars = min(comment.depth, barCount)
        defer { depthBefore = comment.depth }
        let space = Self.margin(min(bars, depthBefore ?? 0)).trimmed
        let margin = Self.margin(bars)
        let room = screen.width - 2 * bars
        let text = head(comment, hiddenBars: comment.depth - bars, width: room) + body(comment, width: room)
        return [space] + text.map { (margin + $0).trimmed }
    }

    /// A bar for each level, in the colour of its depth.
    private static func margin(_ bars: Int) -> StyledText {
        (0..<bars).map { StyledText("│", .branch(depth: $0)) + " " }.joined()
    }

    /// The maximum number of bars; deeper comments are not indented further but show their depth as a number.
    private var barCount: Int { max(min((screen.width - Self.minTextWidth) / 2, Self.maxBars), 0) }

    private func head(_ comment: Comment, hiddenBars: Int, width: Int) -> [StyledText] {
        let level = hiddenBars > 0 ? "↳\(comment.depth + 1) " : ""
        let name = Sanitizer.line(comment.shownAuthor ?? "")
        let removal = comment.removal.map { "[\($0.rawValue)]" } ?? ""
        let mark = comment.isShown(by: submitter) ? " (OP)" : ""
        let who =
            StyledText(level, .muted) + StyledText(name, .author) + StyledText(mark, .saved)
            + StyledText((name.isEmpty || removal.isEmpty ? "" : " ") + removal, .muted)
        let facts = screen.dates.known(comment.publishDate) + comment.replies + [Sanitizer.line(comment.id)]
        let text = who + StyledText(" · " + facts.joined(separator: " · "), .muted)
        return (comment.isNew ? text + " · " + StyledText("new", .unread) : text).wrapped(to: width)
    }

    private func body(_ comment: Comment, width: Int) -> [StyledText] {
        guard !comment.body.isEmpty else { return [] }
        var document = DocumentRenderer(screen, codeRoom: codeRoom, dimsQuotes: true)
        var lines: [StyledText] = []
        document.write(part: BodyText.document(of: comment), bytes: comment.body.utf8.count, width: width) {
            lines.append($0)
        }
        return lines + document.targetLines()
    }

    /// Narrower text is hard to read.
    private static let minTextWidth = 30
    /// More bars can't be told apart at a glance.
    private static let maxBars = 12
}

extension Comment {
    /// The author's name; nil for a comment that was removed with its text.
    var shownAuthor: String? { removal == nil || !body.isEmpty ? author.name : nil }

    /// Whether it is shown as written by this author.
    func isShown(by name: String?) -> Bool { shownAuthor != nil && shownAuthor == name }

    /// "1 reply" or "12 replies"; empty without replies.
    var replies: [String] { replyCount == 0 ? [] : [Counted.of(replyCount, "reply", "replies")] }
}
