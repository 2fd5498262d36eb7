import Foundation

/// Finds the article in the tree of a page, which it changes on the way.
///
/// It follows the rules of Arc90's Readability, as browsers' reader views have refined them.
struct ArticleFinder {
    /// What makes it stricter; where too little text remains, it tries again without one after the other.
    struct Strictness: OptionSet {
        let rawValue: UInt8
        /// Leaves out elements whose class, ID or role is that of something else.
        static let leavesOutUnlikely = Strictness(rawValue: 1)
        /// Counts classes and IDs.
        static let weighsClasses = Strictness(rawValue: 2)
        /// Leaves out parts of the article that look like something else.
        static let cleansUp = Strictness(rawValue: 4)

        static let all: Strictness = [.leavesOutUnlikely, .weighsClasses, .cleansUp]
    }

    var tree: HTMLTree
    /// The facts about the elements of the page; those that were added have none.
    private let facts: [ElementFacts]
    private let metadata: PageMetadata
    let strictness: Strictness
    /// The author by the page's own line about it, if `metadata` has none.
    private(set) var author: String?
    /// The direction of the text: `rtl` or `ltr`.
    var direction: String?
    private var hasTitle = false

    init(tree: HTMLTree, facts: [ElementFacts], metadata: PageMetadata, strictness: Strictness) {
        self.tree = tree
        self.facts = facts
        self.metadata = metadata
        self.strictness = strictness
    }

    func facts(_ node: Int) -> ElementFacts { node < facts.count ? facts[node] : ElementFacts() }

    func weight(_ node: Int) -> Double { strictness.contains(.weighsClasses) ? facts(node).weight : 0 }

    // MARK: Leaving out

    /// Leaves out what isn't part of an article, makes paragraphs of loose text, and returns what may be its text.
    mutating func walk() -> [Int] {
        var texts: [Int] = []
        var node = tree.firstChild(HTMLTree.body)
        while let current = node {
            guard tree.isElement(current) else {
                node = tree.nextInOrder(current, within: HTMLTree.body)
                continue
            }
            if isForeign(current) {
                node = tree.nextOutside(current, within: HTMLTree.body)
                tree.remove(current)
                continue
            }
            var place = current
            switch tree.tag(current) {
            case .section, .h2, .h3, .h4, .h5, .h6, .p, .td, .pre: texts.append(current)
            case .div:
                makeParagraphs(in: current)
                if let paragraph = onlyParagraph(in: current) {
                    tree.replace(current, with: paragraph)
                    place = paragraph
                    texts.append(paragraph)
                } else if !hasBlock(in: current) {
                    tree.setTag(.p, of: current)
                    texts.append(current)
                }
            default: break
            }
            node = tree.nextInOrder(place, within: HTMLTree.body)
        }
        return texts
    }

    private mutating func isForeign(_ node: Int) -> Bool {
        let (tag, facts) = (tree.tag(node), facts(node))
        if facts.isHidden { return true }
        if author == nil, metadata.author == nil, facts.isByline, let name = byline(node) {
            author = name
            return true
        }
        if !hasTitle, tag == .h1 || tag == .h2, let title = metadata.title,
            PageTitle.similarity(of: tree.text(of: node), to: title) > 0.75
        {
            hasTitle = true
            return true
        }
        if strictness.contains(.leavesOutUnlikely), isUnlikely(node) { return true }
        switch tag {
        case .div, .section, .header, .h1, .h2, .h3, .h4, .h5, .h6: return isEmpty(node)
        default: return false
        }
    }

    private func isUnlikely(_ node: Int) -> Bool {
        let (tag, facts) = (tree.tag(node), facts(node))
        if facts.isUnlikely, tag != .a, tag != .body {
            return !tree.ancestors(of: node, atMost: 4).contains { [.table, .code].contains(tree.tag($0)) }
        }
        return facts.hasUnlikelyRole
    }

    /// The author whom an element names; nil if it is more than a name.
    private func byline(_ node: Int) -> String? {
        let text = tree.text(of: node).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf16.count < 100 else { return nil }
        let name = tree.all(in: node).dropFirst().first { facts($0).isName }
        return PageMetadata.line(name.map { tree.text(of: $0) } ?? text)
    }

    /// Whether an element has no text, and nothing in it but lines.
    private func isEmpty(_ node: Int) -> Bool {
        let children = tree.children(of: node).count { tree.isElement($0) }
        var lines = 0
        var inner = tree.firstChild(node)
        while let current = inner {
            switch tree.tag(current) {
            case .text: if !tree.isBlank(current) { return false }
            case .br, .hr: lines += 1
            default: break
            }
            inner = tree.nextInOrder(current, within: node)
        }
        return children == lines
    }

    // MARK: Paragraphs

    /// Makes a paragraph of each run of text and inline elements in a `div`.
    private mutating func makeParagraphs(in div: Int) {
        var paragraph: Int?
        for child in tree.children(of: div) {
            if tree.isInline(child) {
                if let paragraph {
                    tree.append(child, to: paragraph)
                } else if !tree.isSpace(child) {
                    let new = tree.makeElement(.p)
                    tree.replace(child, with: new)
                    tree.append(child, to: new)
                    paragraph = new
                }
            } else if let ended = paragraph {
                trim(ended)
                paragraph = nil
            }
        }
        if let paragraph { trim(paragraph) }
    }

    private mutating func trim(_ paragraph: Int) {
        while let last = tree.lastChild(paragraph), tree.isSpace(last) { tree.remove(last) }
    }

    /// The paragraph that is all there is in a `div`, unless it is full of links.
    private func onlyParagraph(in div: Int) -> Int? {
        guard let only = tree.onlyChild(of: div), tree.tag(only) == .p, linkDensity(of: only) < 0.25 else { return nil }
        return only
    }

    private func hasBlock(in node: Int) -> Bool {
        var inner = tree.firstChild(node)
        while let current = inner {
            switch tree.tag(current) {
            case .blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul: return true
            default: inner = tree.nextInOrder(current, within: node)
            }
        }
        return false
    }

    // MARK: Counting

    /// The part of an element's text that is in links.
    private func linkDensity(of node: Int) -> Double {
        let text = TextCounts(in: node, of: tree)
        let links = tree.all(in: node).filter { tree.tag($0) == .a }.reduce(0) { sum, link in
            sum + Double(TextCounts(in: link, of: tree).length) * (facts(link).isLocalLink ? 0.3 : 1)
        }
        return text.length == 0 ? 0 : links / Double(text.length)
    }
}
