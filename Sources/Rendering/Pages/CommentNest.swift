import Model

/// The comments of a thread, each in an element that folds away it and the replies to it.
struct CommentNest {
    private let options: PageOptions
    private let marked: MarkedWords
    /// Who started the thread.
    private var submitter: String?
    /// Where all of the thread is.
    private var page: String?
    /// How many comments are open, each inside the one before it, and how many lists of comments.
    private var (open, lists) = (0, 0)
    private var isEmpty = true

    init(options: PageOptions, marked: MarkedWords) {
        self.options = options
        self.marked = marked
    }

    /// Begins the thread of a post.
    mutating func start(on record: Record) -> PageText {
        (submitter, page) = (record.metadata.author.name, record.discussionPage)
        (open, lists, isEmpty) = (0, 0, true)
        return "<section class=\"thread\">\n<h2>Comments</h2>\n"
    }

    mutating func add(_ comment: Comment) -> PageText {
        isEmpty = false
        // A browser gives up on elements a few hundred deep: from some depth on, replies stand side by side.
        let level = min(comment.depth, open, Self.maxDepth)
        let list: PageText = close(to: level) + (lists == level ? "<ol class=\"replies\">\n" : "")
        (open, lists) = (level + 1, level + 1)
        return list + text(comment)
    }

    mutating func end() -> PageText {
        let rest = close(to: 0) + (lists > 0 ? "</ol>\n" : "")
        (open, lists) = (0, 0)
        let none: PageText = isEmpty ? "<p class=\"none\">No comments are stored.</p>\n" : ""
        let more: PageText = page.map { "<p><a href=\"\($0)\">All comments, where they were written</a></p>\n" } ?? ""
        return rest + none + more + "</section>\n"
    }

    /// Ends comments, and the lists of replies to them, until as many are left.
    private mutating func close(to level: Int) -> PageText {
        var text: PageText = ""
        while open > level {
            if lists > open { text += "</ol>\n" }
            lists = open
            text += "</details></li>\n"
            open -= 1
        }
        return text
    }

    private func text(_ comment: Comment) -> PageText {
        var printer = PagePrinter(options.pictures, marked: marked, below: 3)
        let text = printer.text(BodyText.document(of: comment))
        let body: PageText = text.isEmpty ? "" : "<div class=\"body\" lang=\"und\">\n\(text)</div>\n"
        return "<li><details open><summary>\(head(comment))</summary>\n\(body)"
    }

    private func head(_ comment: Comment) -> PageText {
        let hasName = comment.removal == nil || !comment.body.isEmpty
        let isSubmitter = hasName && comment.author.name == submitter
        let name: PageText = hasName ? "<span class=\"author\">\(comment.author.name)</span>" : ""
        let mark: PageText = isSubmitter ? " <span class=\"op\" title=\"who began it\">OP</span>" : ""
        let removal = comment.removal.map { ["[\($0.rawValue)]" as PageText] } ?? []
        let level: [PageText] = comment.depth >= Self.numberedDepth ? ["level \(comment.depth + 1)"] : []
        let date: PageText =
            "<time datetime=\"\(comment.publishDate.utc)\">\(options.dates.long(comment.publishDate))</time>"
        let count = comment.replyCount
        let replies: [PageText] = count == 0 ? [] : [count == 1 ? "1 reply" : "\(count) replies"]
        let new: [PageText] = comment.isNew ? ["<span class=\"new\">new</span>"] : []
        let facts =
            removal + level + (comment.publishDate.isKnown ? [date] : []) + replies + new + [
                "<span class=\"id\">\(comment.id)</span>"
            ]
        return "\(name)\(mark) <span class=\"facts\">\(PageFacts.line(facts))</span>"
    }

    /// From here on the page doesn't indent any further, so a number tells the depth.
    private static let numberedDepth = 8
    private static let maxDepth = 60
}
