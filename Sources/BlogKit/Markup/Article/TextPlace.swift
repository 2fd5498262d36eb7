import BlogEssentials

/// Where a page says that its text is.
struct TextPlace {
    /// The only `article`, the only element named as an article's text, or the innermost element that has the heading with the page's title and some text.
    let innermost: Int
    /// The `article` or `main` around that; nil if there is none.
    let declared: Int?
    /// The number of bytes of text in each element that aren't in links or headings.
    let unlinkedBytes: [Int]

    /// Whether the tag of the innermost element says that it is the text.
    var isDeclared: Bool { declared == innermost }

    /// Nil if the page doesn't say it.
    init?(of tree: HTMLTree, title: String?) {
        let counts = tree.unlinkedBytes()
        unlinkedBytes = counts
        let elements = tree.all(in: HTMLTree.body)
        func isText(_ node: Int) -> Bool { counts[node] >= Self.enough }
        let articles = elements.filter { node in
            tree.tag(node) == .article && tree.parent(node).map { PageMetadata.isOfOthers($0, in: tree) } == false
        }
        if articles.count == 1, isText(articles[0]) {
            (innermost, declared) = (articles[0], articles[0])
            return
        }
        if let marked = tree.textByName(among: elements), isText(marked) {
            (innermost, declared) = (marked, marked)
            return
        }
        guard let title else { return nil }
        let heading = elements.first { node in
            [.h1, .h2].contains(tree.tag(node))
                && PageTitle.similarity(of: tree.text(of: node, atLeast: 1000), to: title) > 0.75
        }
        guard let heading else { return nil }
        let around = tree.ancestors(of: heading).prefix { $0 != HTMLTree.body }.filter(isText)
        innermost = around.first ?? heading
        declared = around.first { tree.tag($0) == .article || tree.tag($0) == .main }
    }

    /// Fewer characters are a line about the post.
    private static let enough = 40
}

extension HTMLTree {
    /// The only element that microdata or a microformat names as the text; nil if there is none, or are several.
    fileprivate func textByName(among elements: [Int]) -> Int? {
        let named = elements.filter { node in
            guard [.div, .section].contains(tag(node)) else { return false }
            let attributes = attributes(of: node)
            return (attributes["itemprop"] ?? "").split(separator: " ").contains("articleBody")
                || attributes.hasClass { $0 == "entry-content" }
        }
        return named.count == 1 ? named[0] : nil
    }

    fileprivate func unlinkedBytes() -> [Int] {
        var counts = [Int](repeating: 0, count: nodes.count)
        for node in all(in: Self.body).reversed() {
            switch tag(node) {
            case .text: counts[node] = withSource(of: node) { $0.trimmed.count }
            case .a, .nav, .button, .h1, .h2, .h3, .h4, .h5, .h6: counts[node] = 0
            default: break
            }
            if let parent = parent(node) { counts[parent] += counts[node] }
        }
        return counts
    }
}
