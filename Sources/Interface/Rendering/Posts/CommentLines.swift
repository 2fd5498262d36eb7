import BlogEssentials
import BlogMarkup
import BlogModel

/// Lays out the comments of a thread: author and age, then the text, to the right of a bar for each level of depth.
package struct CommentLines: Sendable {
    let screen: Screen
    /// How many columns code may be wider than text; nil for any number.
    let codeRoom: Int?
    /// The author of the post.
    private var submitter: String?
    /// The depth of the previous comment.
    private var depthBefore: Int?

    package init(screen: Screen, codeRoom: Int?) {
        self.screen = screen
        self.codeRoom = codeRoom
    }

    package mutating func begin(on post: PostMetadata) {
        submitter = post.author.name
        depthBefore = nil
    }

    /// The comment, after a line with only bars.
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

    /// The maximum number of bars; deeper comments aren't indented any further but show their depth as a number.
    private var barCount: Int { max(min((screen.width - Self.minTextWidth) / 2, Self.maxBars), 0) }

    private func head(_ comment: Comment, hiddenBars: Int, width: Int) -> [StyledText] {
        let level = hiddenBars > 0 ? "↳\(comment.depth + 1) " : ""
        let name = Sanitizer.line(comment.shownAuthor ?? "")
        let removal = comment.removal.map { "[\($0.rawValue)]" } ?? ""
        let mark = comment.isShown(by: submitter) ? " (OP)" : ""
        let who =
            StyledText(level, .muted) + StyledText(name, .author) + StyledText(mark, .saved)
            + StyledText((name.isEmpty || removal.isEmpty ? "" : " ") + removal, .muted)
        let facts = screen.dates.shortIfKnown(comment.publishDate) + comment.replies + [Sanitizer.line(comment.id)]
        let text = who + StyledText(" · " + facts.joined(separator: " · "), .muted)
        return (comment.isNew ? text + " · " + StyledText("new", .unread) : text).wrapped(to: width)
    }

    private func body(_ comment: Comment, width: Int) -> [StyledText] {
        guard !comment.body.isEmpty else { return [] }
        var document = DocumentRenderer(screen, codeRoom: codeRoom, dimsQuotes: true)
        let body = BodyText.document(of: comment)
        return document.lines(part: body, bytes: comment.body.utf8.count, width: width) + document.targetLines()
    }

    /// Narrower text is hard to read.
    private static let minTextWidth = 30
    /// More bars can't be told apart at a glance.
    private static let maxBars = 12
}

extension Comment {
    /// The author's name; nil if the comment was removed with its text.
    var shownAuthor: String? { removal == nil || !body.isEmpty ? author.name : nil }

    /// Whether it is shown under this author's name.
    func isShown(by name: String?) -> Bool { shownAuthor != nil && shownAuthor == name }

    /// "1 reply", "12 replies"; empty without replies.
    var replies: [String] { replyCount == 0 ? [] : [Counted.of(replyCount, "reply", "replies")] }
}
