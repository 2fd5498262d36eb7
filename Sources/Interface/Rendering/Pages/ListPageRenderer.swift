import BlogEssentials
import BlogMarkup
import BlogModel

/// Renders a list of posts as a page: cards, and grids of adjacent photos; in groups with a table of contents.
package struct ListPageRenderer: ListRenderer {
    private let title: String
    private let options: PageOptions
    /// The groups; empty for a list without groups.
    private let groups: [PostGroup]
    /// The number of groups that have begun.
    private var groupNumber = 0
    private var hasSection = false
    private var count = 0
    /// The list whose element is open.
    private var open: Layout?
    /// A photo whose layout depends on the next post.
    private var pending: Record?
    private var isSectionEmpty = true

    private enum Layout {
        case cards, grid

        var start: PageText { self == .cards ? "<ol class=\"cards\">\n" : "<ul class=\"photos\">\n" }
        var end: PageText { self == .cards ? "</ol>\n" : "</ul>\n" }
    }

    /// - Parameters:
    ///   - title: the heading of the page.
    ///   - groups: the groups with the headings that are shown.
    package init(title: String, groups: [PostGroup] = [], _ options: PageOptions) {
        self.title = title
        self.options = options
        self.groups = groups
    }

    package var form: ListForm { .page }

    package mutating func start() -> StyledText {
        let header: PageText = "<header class=\"top\"><h1>\(title)</h1></header>\n"
        return styled(
            PageFrame(options: options).head(title: options.title(title), header: header, contents: contents))
    }

    package mutating func group(_ group: PostGroup) -> StyledText {
        let end = endSection()
        groupNumber += 1
        hasSection = true
        return styled(
            """
            \(end)<section>
            <h2 id="\(Self.anchor(groupNumber))"><span lang="und">\(group.name)</span> <span class="count">\(Counted.posts(group.count))</span></h2>

            """)
    }

    package mutating func record(_ record: Record) -> StyledText {
        count += 1
        guard record.metadata.photo != nil else { return styled(flush() + card(record)) }
        if open == .grid { return styled(cell(record)) }
        guard let first = pending else {
            pending = record
            return ""
        }
        pending = nil
        return styled(cell(first) + cell(record))
    }

    package mutating func end() -> StyledText {
        let none: PageText = count == 0 ? "<p class=\"none\">No posts.</p>\n" : ""
        return styled(endSection() + none + PageFrame(options: options).foot("<p>\(Counted.posts(count))</p>"))
    }

    /// The table of contents; "" for fewer than two groups.
    private var contents: PageText {
        guard groups.count > 1 else { return "" }
        let items = groups.enumerated().map { offset, group -> PageText in
            """
            <li><a href="#\(Self.anchor(offset + 1))"><span lang="und">\(group.name)</span></a> <span class="count">\(group.count)</span></li>

            """
        }
        let isOpen: PageText = groups.count <= Self.maxOpenContents ? " open" : ""
        return """
            <nav class="contents" aria-label="Contents"><details\(isOpen)><summary>Contents</summary>
            <ol>
            \(items.joined())</ol></details></nav>

            """
    }

    /// The ID of a group, counted from 1.
    private static func anchor(_ number: Int) -> PageText { "group-\(number)" }

    /// Longer tables of contents are folded, so that the list isn't far below.
    private static let maxOpenContents = 24

    // MARK: Lists

    private mutating func card(_ record: Record) -> PageText {
        enter(.cards) + PageCard(record: record, options: options, level: groups.isEmpty ? 2 : 3).text
    }

    private mutating func cell(_ record: Record) -> PageText {
        enter(.grid) + PhotoCell(record: record, pictures: options.pictures).text
    }

    /// The pending photo: a card between other posts, or a grid if it is alone.
    private mutating func flush(isLast: Bool = false) -> PageText {
        guard let record = pending else { return "" }
        pending = nil
        return isLast && isSectionEmpty ? cell(record) : card(record)
    }

    private mutating func enter(_ layout: Layout) -> PageText {
        isSectionEmpty = false
        guard open != layout else { return "" }
        defer { open = layout }
        return (open?.end ?? "") + layout.start
    }

    private mutating func endSection() -> PageText {
        let last = flush(isLast: true)
        let end = last + (open?.end ?? "") + (hasSection ? "</section>\n" : "")
        (open, isSectionEmpty) = (nil, true)
        return end
    }

    private func styled(_ text: PageText) -> StyledText { StyledText(text.html) }
}

/// A post in a list: the title, the facts and the summary.
struct PageCard {
    let record: Record
    let options: PageOptions
    /// The level of the heading.
    let level: Int

    private var metadata: PostMetadata { record.metadata }
    private var language: PageText { Language(tag: metadata.entry?.language).attributesOfLine }

    var text: PageText {
        """
        <li class="card\(isRead ? " read" : "")">
        <div class="about">
        <h\(level)\(language)>\(rank)\(title)\(site)\(marks)</h\(level)>
        <p class="facts">\(PageFacts(record: record, options: options).ofCard)</p>
        \(story)\(summary)\(command)</div>
        \(thumbnail)</li>

        """
    }

    private var isRead: Bool { record.state?.isRead == true }

    private var rank: PageText { record.rank.map { "<span class=\"rank\">\($0).</span> " } ?? "" }

    private var title: PageText {
        let name: PageText = "\(record.pageTitle)"
        return record.target.map { "<a href=\"\($0)\">\(name)</a>" } ?? name
    }

    /// How to read a post without a link.
    private var command: PageText {
        guard record.target == nil else { return "" }
        return "<p class=\"story\">To read the post: <code>\(options.command(metadata.id))</code></p>\n"
    }

    /// The site of the discussed page.
    private var site: PageText {
        guard metadata.discussion != nil else { return "" }
        return DiscussionFacts.site(metadata).map { " <span class=\"site\">(\($0))</span>" } ?? ""
    }

    private var marks: PageText {
        guard let state = record.state else { return "" }
        let unread: PageText = state.isRead ? "" : " <span class=\"unread\" role=\"img\" aria-label=\"unread\">●</span>"
        return unread + (state.isSaved ? " <span class=\"saved\" role=\"img\" aria-label=\"saved\">★</span>" : "")
    }

    /// The post that a comment belongs to.
    private var story: PageText { record.story.map { "<p class=\"story\">on “\($0.title)”</p>\n" } ?? "" }

    /// The search snippet, or the summary.
    private var summary: PageText {
        if let snippet = record.snippet {
            let parts = snippet.pieces.map { part -> PageText in
                part.isHit ? "<mark>\(part.text)</mark>" : "\(part.text)"
            }
            return "<p class=\"summary\"\(language)>\(snippet.label)\(parts.joined())</p>\n"
        }
        guard let summary = metadata.summary, !summary.isEmpty else { return "" }
        return "<p class=\"summary\"\(language)>\(summary)</p>\n"
    }

    /// The post's main picture.
    private var thumbnail: PageText {
        guard let source = options.pictures.source(record.thumbnail) else { return "" }
        return "<span class=\"thumbnail\"><img src=\"\(source)\" alt=\"\" loading=\"lazy\"></span>\n"
    }
}

extension Record {
    /// The target of its title in a list: its link, or its discussion.
    var target: String? { metadata.safeLink ?? discussionPage }
}

/// A photo in a grid: a square with its name at the bottom and its rating in the top right corner.
struct PhotoCell {
    let record: Record
    let pictures: PagePictures

    var text: PageText {
        guard let target = record.target ?? record.largestPicture else {
            return "<li><div class=\"cell\">\(inner)</div></li>\n"
        }
        return "<li><a class=\"cell\" href=\"\(target)\">\(inner)</a></li>\n"
    }

    private var photo: Photo? { record.metadata.photo }

    private var inner: PageText {
        "\(image)\(rating)<span class=\"name\" lang=\"und\" dir=\"auto\">\(record.pageTitle)</span>"
    }

    private var image: PageText {
        guard let source = pictures.source(record.thumbnail) else { return "" }
        // Screen readers read the name below it.
        let style: PageText = photo?.isAdult == true ? " class=\"adult\"" : ""
        return "<img\(style) src=\"\(source)\" alt=\"\" loading=\"lazy\">"
    }

    private var rating: PageText {
        guard let rating = PhotoFacts.text(rating: photo?.rating) else { return "" }
        return "<span class=\"rating\"><span class=\"unseen\">rated </span>\(rating)</span>"
    }
}
