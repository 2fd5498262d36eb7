import Model

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
