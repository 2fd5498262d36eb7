import Markup
import Model

/// A list of posts as a page: cards, or where photos follow each other a grid of them, in groups with a table of contents.
package struct ListPageRenderer: Renderer {
    private let title: String
    private let options: PageOptions
    private let groups: [PostGroup]
    private var groupNumber = 0
    private var count = 0
    /// The list that is open.
    private var open: Shape?
    /// A photo of which it is not known yet whether another one follows.
    private var waiting: Record?
    /// Whether nothing of the section was written.
    private var isSectionEmpty = true

    /// How posts are shown.
    private enum Shape {
        case cards, grid

        var start: PageText { self == .cards ? "<ol class=\"cards\">\n" : "<ul class=\"photos\">\n" }
        var end: PageText { self == .cards ? "</ol>\n" : "</ul>\n" }
    }

    /// - Parameters:
    ///   - title: what the list is of.
    ///   - groups: all groups of the list; none for a list without.
    package init(title: String, groups: [PostGroup], _ options: PageOptions) {
        self.title = title
        self.options = options
        self.groups = groups
    }

    package mutating func start() -> StyledText {
        let header: PageText = "<header class=\"top\"><h1>\(title)</h1></header>\n"
        return styled(
            PageFrame(options: options).head(title: title, header: header + PageContents(groups).text, name: "posts"))
    }

    package mutating func group(_ group: PostGroup) -> StyledText {
        let end = endSection()
        groupNumber += 1
        let count: PageText = group.count == 1 ? "1 post" : "\(group.count) posts"
        return styled(
            """
            \(end)<section>
            <h2 id="\(PageContents.anchor(groupNumber))"><span lang="und">\(group.name)</span> <span class="count">\(count)</span></h2>

            """)
    }

    package mutating func record(_ record: Record) -> StyledText {
        count += 1
        guard record.metadata.photo != nil else { return styled(release() + card(record)) }
        if open == .grid { return styled(cell(record)) }
        guard let first = waiting else {
            waiting = record
            return ""
        }
        waiting = nil
        return styled(cell(first) + cell(record))
    }

    package mutating func end() -> StyledText {
        let none: PageText = count == 0 ? "<p class=\"none\">No posts.</p>\n" : ""
        let counted: PageText = count == 1 ? "1 post" : "\(count) posts"
        return styled(endSection() + none + PageFrame(options: options).foot("<p>\(counted)</p>"))
    }

    // MARK: Lists

    private mutating func card(_ record: Record) -> PageText {
        enter(.cards) + PageCard(record: record, options: options, level: groups.isEmpty ? 2 : 3).text
    }

    private mutating func cell(_ record: Record) -> PageText {
        enter(.grid) + PhotoCell(record: record, pictures: options.pictures).text
    }

    /// What a photo between other posts is: a card; alone it is a grid of one.
    private mutating func release(isLast: Bool = false) -> PageText {
        guard let record = waiting else { return "" }
        waiting = nil
        return isLast && isSectionEmpty ? cell(record) : card(record)
    }

    private mutating func enter(_ shape: Shape) -> PageText {
        isSectionEmpty = false
        guard open != shape else { return "" }
        defer { open = shape }
        return (open?.end ?? "") + shape.start
    }

    private mutating func endSection() -> PageText {
        let last = release(isLast: true)
        let end = last + (open?.end ?? "") + (groupNumber > 0 ? "</section>\n" : "")
        (open, isSectionEmpty) = (nil, true)
        return end
    }

    private func styled(_ text: PageText) -> StyledText { StyledText(text.html) }
}

/// A post in a list: its author's picture, its title, and what is known of it.
struct PageCard {
    let record: Record
    let options: PageOptions
    /// The level of its title's heading.
    let level: Int

    private var metadata: PostMetadata { record.metadata }

    var text: PageText {
        """
        <li class="card\(isRead ? " read" : "")">
        \(PageAvatar.text(record, options.pictures))
        <div class="about">
        <h\(level) lang="und">\(rank)\(title)\(site)\(marks)</h\(level)>
        <p class="facts">\(PageFacts(record: record, options: options).ofCard)</p>
        \(story)\(summary)</div>
        \(thumbnail)</li>

        """
    }

    private var isRead: Bool { record.state?.isRead == true }

    private var rank: PageText { record.rank.map { "<span class=\"rank\">\($0).</span> " } ?? "" }

    private var title: PageText {
        let name: PageText = metadata.title.isEmpty ? "Untitled" : "\(metadata.title)"
        return record.target.map { "<a href=\"\($0)\">\(name)</a>" } ?? name
    }

    /// The site of what is discussed.
    private var site: PageText {
        guard metadata.discussion != nil else { return "" }
        return DiscussionFacts.site(metadata).map { " <span class=\"site\">(\($0))</span>" } ?? ""
    }

    private var marks: PageText {
        guard let state = record.state else { return "" }
        let unread: PageText = state.isRead ? "" : " <span class=\"unread\" role=\"img\" aria-label=\"unread\">●</span>"
        return unread + (state.isSaved ? " <span class=\"saved\" role=\"img\" aria-label=\"saved\">★</span>" : "")
    }

    /// The post that a comment is on.
    private var story: PageText { record.story.map { "<p class=\"story\">on “\($0.title)”</p>\n" } ?? "" }

    /// What the post is about: where the search terms stand, or the summary.
    private var summary: PageText {
        if let snippet = record.snippet {
            let pieces = snippet.pieces.map { piece -> PageText in
                piece.isHit ? "<mark>\(piece.text)</mark>" : "\(piece.text)"
            }
            return "<p class=\"summary\" lang=\"und\">\(pieces.joined())</p>\n"
        }
        guard let summary = metadata.summary, !summary.isEmpty else { return "" }
        return "<p class=\"summary\" lang=\"und\">\(summary)</p>\n"
    }

    /// A picture that stands for the post.
    private var thumbnail: PageText {
        let address = metadata.photo?.pictures.first?.url ?? metadata.article?.image
        guard let source = address.flatMap({ options.pictures.source($0, base: record.server) }) else { return "" }
        return "<span class=\"thumbnail\"><img src=\"\(source)\" alt=\"\" loading=\"lazy\"></span>\n"
    }
}

extension Record {
    /// Where a click on it in a list leads: to its page in the same folder, else to what it is about, else to where it is
    /// discussed; nil if nowhere.
    var target: String? {
        page ?? metadata.link.flatMap { LinkTarget.safe($0) } ?? discussionPage
    }
}

/// The table of contents of a list in groups.
struct PageContents {
    private let groups: [PostGroup]

    init(_ groups: [PostGroup]) {
        self.groups = groups
    }

    /// "" for fewer than two groups.
    var text: PageText {
        guard groups.count > 1 else { return "" }
        let items = groups.enumerated().map { index, group -> PageText in
            """
            <li><a href="#\(Self.anchor(index + 1))"><span lang="und">\(group.name)</span></a> <span class="count">\(group.count)</span></li>

            """
        }
        let isOpen: PageText = groups.count <= Self.maxShown ? " open" : ""
        return """
            <nav class="contents" aria-label="Contents"><details\(isOpen)><summary>Contents</summary>
            <ol>
            \(items.joined())</ol></details></nav>

            """
    }

    /// The name of the place of a group, counted from 1.
    static func anchor(_ number: Int) -> PageText { "group-\(number)" }

    /// A longer table is folded, as the list would be far below it.
    private static let maxShown = 24
}
