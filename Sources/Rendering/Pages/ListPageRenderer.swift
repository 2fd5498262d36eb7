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
