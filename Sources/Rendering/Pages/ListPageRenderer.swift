import Markup
import Model

/// A list of posts as a page: cards, and grids of adjacent photos; in groups with a table of contents.
package struct ListPageRenderer: Renderer {
    private let title: String
    private let options: PageOptions
    private let groups: [PostGroup]
    private var groupNumber = 0
    private var count = 0
    /// The list that is open.
    private var open: Shape?
    /// A photo that waits for the next post, which decides its shape.
    private var waiting: Record?
    /// Whether the section is empty so far.
    private var isSectionEmpty = true

    /// How posts are shown.
    private enum Shape {
        case cards, grid

        var start: PageText { self == .cards ? "<ol class=\"cards\">\n" : "<ul class=\"photos\">\n" }
        var end: PageText { self == .cards ? "</ol>\n" : "</ul>\n" }
    }

    /// - Parameters:
    ///   - title: the heading of the page.
    ///   - groups: all groups; empty for a list without groups.
    package init(title: String, groups: [PostGroup], _ options: PageOptions) {
        self.title = title
        self.options = options
        self.groups = groups
    }

    package mutating func start() -> StyledText {
        let header: PageText = "<header class=\"top\"><h1>\(title)</h1></header>\n"
        return styled(
            PageFrame(options: options).head(title: title, header: header + contents, name: "posts"))
    }

    package mutating func group(_ group: PostGroup) -> StyledText {
        let end = endSection()
        groupNumber += 1
        return styled(
            """
            \(end)<section>
            <h2 id="\(Self.anchor(groupNumber))"><span lang="und">\(group.name)</span> <span class="count">\(Counted.posts(group.count))</span></h2>

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
        return styled(endSection() + none + PageFrame(options: options).foot("<p>\(Counted.posts(count))</p>"))
    }

    /// The table of contents; "" for fewer than two groups.
    private var contents: PageText {
        guard groups.count > 1 else { return "" }
        let items = groups.enumerated().map { index, group -> PageText in
            """
            <li><a href="#\(Self.anchor(index + 1))"><span lang="und">\(group.name)</span></a> <span class="count">\(group.count)</span></li>

            """
        }
        let isOpen: PageText = groups.count <= Self.maxOpenContents ? " open" : ""
        return """
            <nav class="contents" aria-label="Contents"><details\(isOpen)><summary>Contents</summary>
            <ol>
            \(items.joined())</ol></details></nav>

            """
    }

    /// The name of a group's place on the page, counted from 1.
    private static func anchor(_ number: Int) -> PageText { "group-\(number)" }

    /// Longer tables of contents are folded, or the list would begin far below.
    private static let maxOpenContents = 24

    // MARK: Lists

    private mutating func card(_ record: Record) -> PageText {
        enter(.cards) + PageCard(record: record, options: options, level: groups.isEmpty ? 2 : 3).text
    }

    private mutating func cell(_ record: Record) -> PageText {
        enter(.grid) + PhotoCell(record: record, pictures: options.pictures).text
    }

    /// The waiting photo: a card between other posts, or a grid if it is alone.
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

/// A post in a list: the author's picture, the title and the facts.
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
        let name: PageText = "\(metadata.shownTitle)"
        return record.target.map { "<a href=\"\($0)\">\(name)</a>" } ?? name
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
            let pieces = snippet.pieces.map { piece -> PageText in
                piece.isHit ? "<mark>\(piece.text)</mark>" : "\(piece.text)"
            }
            return "<p class=\"summary\" lang=\"und\">\(snippet.label)\(pieces.joined())</p>\n"
        }
        guard let summary = metadata.summary, !summary.isEmpty else { return "" }
        return "<p class=\"summary\" lang=\"und\">\(summary)</p>\n"
    }

    /// The post's main picture.
    private var thumbnail: PageText {
        let address = metadata.photo?.pictures.first?.url ?? metadata.article?.image
        guard let source = address.flatMap({ options.pictures.source($0, base: record.server) }) else { return "" }
        return "<span class=\"thumbnail\"><img src=\"\(source)\" alt=\"\" loading=\"lazy\"></span>\n"
    }
}

extension Record {
    /// The address that it links to in a list: its page in the same folder, its link, or its discussion; nil for none.
    var target: String? {
        page ?? metadata.link.flatMap { LinkTarget.safe($0) } ?? discussionPage
    }
}

/// A photo in a grid: a square with the name at the bottom and the rating in the top right corner.
struct PhotoCell {
    let record: Record
    let pictures: PagePictures

    var text: PageText {
        guard let target = record.target ?? picture else { return "<li><div class=\"cell\">\(inner)</div></li>\n" }
        return "<li><a class=\"cell\" href=\"\(target)\">\(inner)</a></li>\n"
    }

    private var photo: Photo? { record.metadata.photo }

    private var inner: PageText {
        "\(image)\(rating)<span class=\"name\" lang=\"und\">\(record.metadata.shownTitle)</span>"
    }

    /// The address of the largest picture.
    private var picture: String? { photo?.pictures.last.flatMap { PagePictures.address($0.url, base: record.server) } }

    private var image: PageText {
        let source = photo?.pictures.first.flatMap { pictures.source($0.url, base: record.server) }
        guard let source else { return "" }
        // Screen readers read the name below it.
        let style: PageText = photo?.isAdult == true ? " class=\"adult\"" : ""
        return "<img\(style) src=\"\(source)\" alt=\"\" loading=\"lazy\">"
    }

    private var rating: PageText {
        guard let rating = PhotoFacts.text(rating: photo?.rating) else { return "" }
        return "<span class=\"rating\"><span class=\"unseen\">rated </span>\(rating)</span>"
    }
}
