import BlogMarkup
import BlogModel

/// Writes the comments of a thread as nested lists, each comment in an element that folds it with its replies.
///
/// A comment links to the next comment that isn't a reply to it, so it is written once that is known: each top-level
/// comment is written together with all of its replies.
struct CommentNest {
    private let options: PageOptions
    private let marked: MarkedWords
    /// The author of the post.
    private var submitter: String?
    /// The web page with the whole thread.
    private var page: String?
    /// The comments whose elements are open, with their IDs on the page and the indexes in ``buffer`` of their links to
    /// the next comment.
    private var open: [(name: String, link: Int)] = []
    /// How many lists are open.
    private var lists = 0
    private var buffer: [PageText] = []
    private var counts: [String: Int] = [:]
    private var isEmpty = true

    init(options: PageOptions, marked: MarkedWords) {
        self.options = options
        self.marked = marked
    }

    mutating func start(on record: Record) -> PageText {
        (submitter, page) = (record.metadata.author.name, record.discussionPage)
        (open, lists, isEmpty) = ([], 0, true)
        return "<section class=\"thread\">\n<h2>Comments</h2>\n"
    }

    mutating func add(_ comment: Comment) -> PageText {
        // Browsers fail with elements nested a few hundred deep, so deeper replies become siblings.
        let level = min(comment.depth, open.count, Self.maxDepth)
        let name = uniqueName(of: comment.id)
        close(to: level, next: name)
        let complete = level == 0 ? flush() : ""
        if isEmpty { buffer.append(PageScript.folding) }
        if lists == level { buffer.append("<ol class=\"replies\">\n") }
        buffer.append(text(comment, name, parent: open.last?.name))
        open.append((name, link: buffer.count))
        buffer.append("")
        buffer.append("</p>\n")
        lists = level + 1
        isEmpty = false
        return complete
    }

    mutating func end() -> PageText {
        close(to: 0)
        let rest = flush() + (lists > 0 ? "</ol>\n" : "")
        lists = 0
        let none: PageText = isEmpty ? "<p class=\"none\">No stored comments.</p>\n" : ""
        let more: PageText = page.map { "<p><a href=\"\($0)\">All comments on the original page</a></p>\n" } ?? ""
        return rest + none + more + "</section>\n"
    }

    /// Closes comments and their lists of replies down to a level.
    ///
    /// - Parameter next: the ID of the next comment on the page.
    private mutating func close(to level: Int, next: String? = nil) {
        while let last = open.last, open.count > level {
            let hasReplies = lists > open.count
            if hasReplies { buffer.append("</ol>\n") }
            // Without replies, the next comment follows directly.
            if hasReplies, let next { buffer[last.link] = " <a href=\"#\(next)\">next</a>" }
            lists = open.count
            buffer.append("</details></li>\n")
            open.removeLast()
        }
    }

    private mutating func flush() -> PageText {
        defer { buffer = [] }
        return buffer.joined()
    }

    /// An ID on the page, the same each time the page is made; all others don't begin with "comment-".
    private mutating func uniqueName(of comment: String) -> String {
        let slug = Slug.of(comment)
        let count = counts[slug, default: 0] + 1
        counts[slug] = count
        // Slugs don't contain two dashes in a row.
        return "comment-" + slug + (count == 1 ? "" : "--\(count)")
    }

    private func text(_ comment: Comment, _ name: String, parent: String?) -> PageText {
        var printer = PagePrinter(options.pictures, below: 3, marking: marked.html)
        let text = printer.text(BodyText.document(of: comment))
        let body: PageText = text.isEmpty ? "" : "<div class=\"body\" lang=\"und\">\n\(text)</div>\n"
        let up: PageText = parent.map { " <a href=\"#\($0)\">parent</a>" } ?? ""
        return """
            <li id="\(name)"><details open><summary>\(head(comment))</summary>
            \(body)<p class="links"><a class="id" href="#\(name)">\(comment.id)</a>\(up)
            """
    }

    private func head(_ comment: Comment) -> PageText {
        let name: PageText = comment.shownAuthor.map { "<span class=\"author\">\($0)</span>" } ?? ""
        let mark: PageText =
            comment.isShown(by: submitter) ? " <span class=\"op\" title=\"original poster\">OP</span>" : ""
        let removal = comment.removal.map { ["[\($0.rawValue)]" as PageText] } ?? []
        let level: [PageText] = comment.depth >= Self.numberedDepth ? ["level \(comment.depth + 1)"] : []
        let date = comment.publishDate.isKnown ? [options.time(comment.publishDate)] : []
        let replies = comment.replies.map { "\($0)" as PageText }
        let new: [PageText] = comment.isNew ? ["<span class=\"new\">new</span>"] : []
        let facts = PageFacts.line(removal + level + date + replies + new)
        return "\(name)\(mark) <span class=\"facts\">\(facts)</span>"
    }

    /// From this depth on, comments aren't indented any further but show their depth as a number.
    private static let numberedDepth = 8
    private static let maxDepth = 60
}
