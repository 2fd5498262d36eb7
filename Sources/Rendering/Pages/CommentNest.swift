import Markup
import Model

/// The comments of a thread as nested lists, each comment in an element that folds it and its replies away.
///
/// A comment links to the next one that is no reply to it, so it is given out once that one is known: all comments
/// below one direct reply to the post at a time.
struct CommentNest {
    private let options: PageOptions
    private let marked: MarkedWords
    /// The name of the author of the post.
    private var submitter: String?
    /// The page on the web with the whole thread.
    private var page: String?
    /// The comments whose elements are open.
    private var open: [OpenComment] = []
    /// How many lists are open.
    private var lists = 0
    /// The text that waits, and the places in it for links to comments that come later.
    private var waiting: [PageText] = []
    private var names = CommentNames()
    private var isEmpty = true

    private struct OpenComment {
        /// Its id on the page.
        let name: String
        /// The place for the link to the next comment, in ``CommentNest/waiting``.
        let place: Int
    }

    init(options: PageOptions, marked: MarkedWords) {
        self.options = options
        self.marked = marked
    }

    /// Begins the thread of a post.
    mutating func start(on record: Record) -> PageText {
        (submitter, page) = (record.metadata.author.name, record.discussionPage)
        (open, lists, isEmpty) = ([], 0, true)
        return "<section class=\"thread\">\n<h2>Comments</h2>\n"
    }

    mutating func add(_ comment: Comment) -> PageText {
        // Browsers give up on elements nested a few hundred deep, so deeper replies are siblings.
        let level = min(comment.depth, open.count, Self.maxDepth)
        let name = names.name(of: comment.id)
        close(to: level, next: name)
        let complete = level == 0 ? release() : ""
        if isEmpty { waiting.append(PageScript.folding) }
        if lists == level { waiting.append("<ol class=\"replies\">\n") }
        waiting.append(text(comment, name, parent: open.last?.name))
        open.append(OpenComment(name: name, place: waiting.count))
        waiting.append("")
        waiting.append("</p>\n")
        lists = level + 1
        isEmpty = false
        return complete
    }

    mutating func end() -> PageText {
        close(to: 0)
        let rest = release() + (lists > 0 ? "</ol>\n" : "")
        lists = 0
        let none: PageText = isEmpty ? "<p class=\"none\">No stored comments.</p>\n" : ""
        let more: PageText = page.map { "<p><a href=\"\($0)\">All comments on the original page</a></p>\n" } ?? ""
        return rest + none + more + "</section>\n"
    }

    /// Closes comments and their lists of replies down to a level.
    ///
    /// - Parameter next: the id of the comment that comes then.
    private mutating func close(to level: Int, next: String? = nil) {
        while let last = open.last, open.count > level {
            let hasReplies = lists > open.count
            if hasReplies { waiting.append("</ol>\n") }
            // Without replies it is the next below anyway.
            if hasReplies, let next { waiting[last.place] = " <a href=\"#\(next)\">next</a>" }
            lists = open.count
            waiting.append("</details></li>\n")
            open.removeLast()
        }
    }

    private mutating func release() -> PageText {
        defer { waiting = [] }
        return waiting.joined()
    }

    private func text(_ comment: Comment, _ name: String, parent: String?) -> PageText {
        var printer = PagePrinter(options.pictures, marked: marked, below: 3)
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

    /// Deeper comments aren't indented any further, so they show their depth as a number.
    private static let numberedDepth = 8
    private static let maxDepth = 60
}

/// The ids of comments on a page, which are the same each time the page is made.
private struct CommentNames {
    private var counts: [String: Int] = [:]

    /// A unique id: no other place on a page has one that begins with "comment-".
    mutating func name(of comment: String) -> String {
        let slug = Slug.of(comment)
        counts[slug, default: 0] += 1
        let count = counts[slug, default: 1]
        // No slug has two dashes side by side.
        return "comment-" + slug + (count == 1 ? "" : "--\(count)")
    }
}
