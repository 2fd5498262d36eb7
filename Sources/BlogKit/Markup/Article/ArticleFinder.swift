import BlogEssentials

/// Finds the article in the tree of a page, which it modifies in the process.
///
/// The heuristics are those of Arc90's Readability, as refined by the reader views of browsers.
struct ArticleFinder {
    /// Heuristics that may remove too much; if too little text remains, they are disabled one by one.
    struct Strictness: OptionSet {
        let rawValue: UInt8
        /// Removes elements whose class, ID or role suggests something other than an article.
        static let removesUnlikely = Strictness(rawValue: 1)
        /// Weighs elements by their class and ID.
        static let weighsClasses = Strictness(rawValue: 2)
        /// Removes parts of the article that look like something else.
        static let cleansUp = Strictness(rawValue: 4)
        /// Removes small elements that are part of a site rather than of an article.
        static let removesFurniture = Strictness(rawValue: 8)

        static let all: Strictness = [.removesUnlikely, .weighsClasses, .cleansUp, .removesFurniture]
    }

    var tree: HTMLTree
    /// The tree of the page, unchanged.
    let source: HTMLTree
    private let page: PageFacts
    private let metadata: PageMetadata
    /// Where the page says that its text is; nil if it doesn't.
    let place: TextPlace?
    /// That place with the elements around it.
    private let aroundText: Set<Int>
    let strictness: Strictness
    /// The author in the page's byline, if `metadata` has none.
    private(set) var author: String?
    /// The element after the byline; nil for none.
    private var afterByline: Int?
    /// The direction of the text: `rtl` or `ltr`.
    var direction: String?
    private(set) var hasTitle = false
    /// The element after the page's title; nil for none.
    private(set) var afterTitle: Int?
    /// The elements that belong to the text although their tags, classes or IDs say otherwise.
    private(set) var partsOfText: Set<Int> = []
    /// The sections of the text that are much shorter than others beside them.
    private(set) var shortSections: Set<Int> = []
    /// The elements of the chosen article beside which there is another one with the same tag and a link.
    var linkedInRows: Set<Int> = []
    /// The blocks of the chosen article that are the text of items of a list.
    var textsOfItems: Set<Int> = []

    init(tree: HTMLTree, page: PageFacts, metadata: PageMetadata, place: TextPlace?, strictness: Strictness) {
        self.tree = tree
        source = tree
        self.page = page
        self.metadata = metadata
        self.place = place
        aroundText = Set(place.map { [$0.innermost] + tree.ancestors(of: $0.innermost) } ?? [])
        self.strictness = strictness
    }

    func facts(_ node: Int) -> ElementFacts { node < page.elements.count ? page.elements[node] : ElementFacts() }

    /// Whether an element is around the place where the page says that its text is, whatever its tag and name.
    func isAroundText(_ node: Int) -> Bool { aroundText.contains(node) }

    func text(_ node: Int) -> TextCounts { node < page.texts.count ? page.texts[node] : TextCounts() }

    /// The statistics of an element and all in it, as they are now.
    func contents(of root: Int) -> ContentTable {
        var finder = self
        return ContentTable(counting: root, in: &finder)
    }

    func weight(_ node: Int) -> Double { strictness.contains(.weighsClasses) ? facts(node).weight : 0 }

    // MARK: Unlikely elements

    /// Removes elements that can't be part of an article, turns loose text into paragraphs, and returns the elements that
    /// may hold its text.
    mutating func collectTexts() -> [Int] {
        var texts: [Int] = []
        // An element's content hasn't changed yet when it is looked at.
        let counts = contents(of: HTMLTree.body)
        partsOfText = partsOfText(counts)
        shortSections = shortSections(counts)
        var node = tree.firstChild(HTMLTree.body)
        while let current = node {
            guard tree.isElement(current) else {
                node = tree.nextInOrder(current, within: HTMLTree.body)
                continue
            }
            if isForeign(current, counts) {
                removeLinks(under: current, counts)
                node = tree.nextOutside(current, within: HTMLTree.body)
                tree.remove(current)
                continue
            }
            var last = current
            switch tree.tag(current) {
            case .section, .h2, .h3, .h4, .h5, .h6, .p, .td, .pre: texts.append(current)
            case .div:
                makeParagraphs(in: current)
                if let paragraph = onlyParagraph(in: current, counts) {
                    // Its lines are those of a poem.
                    if tree.attributes(of: current).keptSpace != nil { tree.copyAttributes(of: current, to: paragraph) }
                    tree.replace(current, with: paragraph)
                    if afterTitle == current { afterTitle = paragraph }
                    last = paragraph
                    texts.append(paragraph)
                } else if !hasBlock(in: current) {
                    tree.setTag(.p, of: current)
                    texts.append(current)
                }
            default: break
            }
            node = tree.nextInOrder(last, within: HTMLTree.body)
        }
        return texts
    }

    /// Removes the links to other articles under a label such as "You may like", which go with it.
    private mutating func removeLinks(under label: Int, _ counts: ContentTable) {
        guard leadsAway(label, counts), let list = tree.nextVisible(after: label), [.ul, .ol].contains(tree.tag(list)),
            linkDensity(of: list, counts) > 0.5
        else { return }
        tree.remove(list)
    }

    private mutating func isForeign(_ node: Int, _ counts: ContentTable) -> Bool {
        let (tag, facts) = (tree.tag(node), facts(node))
        if facts.isHidden { return true }
        if isAroundText(node) { return false }
        if metadata.dateLines.contains(node) || facts.isOfComments && !strictness.isEmpty { return true }
        let length = counts[node].text.length
        if author == nil, metadata.author == nil, facts.isByline, !facts.isUnlikely, length < Self.maxByline,
            !isInText(node, counts), let name = byline(node)
        {
            (author, afterByline) = (name, nextElement(node))
            return true
        }
        // Other authors follow the first one, after a comma or "and".
        if let first = author, afterByline == node, facts.isByline, tree.tag(node) != .p, length < Self.maxByline,
            first.utf16.count < Self.maxByline, let name = byline(node), !first.contains(name)
        {
            (author, afterByline) = (first + ", " + name, nextElement(node))
            if let comma = tree.previous(node), tree.tag(comma) == .text, text(comma).length < 6 { tree.remove(comma) }
            return true
        }
        // A longer text isn't similar.
        if !hasTitle, [.h1, .h2, .h3].contains(tag), let title = metadata.title, length <= 4 * title.utf16.count,
            isTitle(node, title)
        {
            hasTitle = true
            afterTitle = nextElement(node) ?? tree.parent(node).flatMap(nextElement)
            return true
        }
        // A menu is never text, even if a page has little else.
        let mayBeMenu = tag == .nav || (tag == .td || !strictness.contains(.removesUnlikely)) && facts.isUnlikely
        if mayBeMenu, !tag.isHeading, counts[node].linkDensity > 0.5,
            author != nil || !tree.beginning(of: node, 64).contains(where: { self.facts($0).isByline })
        {
            return true
        }
        let isPart = partsOfText.contains(node)
        if strictness.contains(.removesUnlikely), !isPart, isUnlikely(node, counts) { return true }
        if strictness.contains(.removesFurniture), !tag.isHeading, !isPart,
            facts.words.contains(.share) || facts.words.contains(.furniture), !isProse(node, counts),
            length < PageArticle.enoughText
        {
            if author == nil { author = tree.all(in: node).first { self.facts($0).isByline }.flatMap(byline) }
            return true
        }
        switch tag {
        case .div, .section, .header, .h1, .h2, .h3, .h4, .h5, .h6: return isEmpty(node)
        default: return false
        }
    }

    /// Whether a heading has the title of the page; a lower one must have nearly all of it, and none only the site's name.
    private func isTitle(_ heading: Int, _ title: String) -> Bool {
        let text = tree.text(of: heading)
        return PageTitle.similarity(of: text, to: title) > 0.75
            && PageTitle.similarity(of: title, to: text) > (tree.tag(heading) == .h3 ? 0.75 : 0.25)
    }

    private func nextElement(_ node: Int) -> Int? {
        var next = tree.next(node)
        while let current = next, !tree.isElement(current) { next = tree.next(current) }
        return next
    }

    private func isUnlikely(_ node: Int, _ counts: ContentTable) -> Bool {
        let (tag, facts) = (tree.tag(node), facts(node))
        if facts.isUnlikely, tag != .body,
            !(tag == .p ? isProse(node, counts) || isSentenceInText(node, counts) : tag.isPartOfText),
            !(tag == .header && isInArticle(node))
        {
            return !tree.ancestors(of: node, atMost: 4).contains { [.table, .code].contains(tree.tag($0)) }
        }
        return facts.hasUnlikelyRole
    }

    /// Whether a paragraph is a sentence without links between paragraphs of text, and so is part of it whatever its name.
    private func isSentenceInText(_ paragraph: Int, _ counts: ContentTable) -> Bool {
        guard counts[paragraph].links == 0,
            tree.text(of: paragraph, atLeast: 400).trimmed.last.map(Self.sentenceEnds.contains) == true
        else { return false }
        let neighbors = tree.visibleNeighbors(of: paragraph)
        return neighbors.count == 2 && neighbors.allSatisfy { tree.tag($0) == .p && isProse($0, counts) }
    }

    /// Whether an element is a paragraph or sentence with few links.
    func isProse(_ node: Int, _ counts: ContentTable) -> Bool {
        tree.tag(node).isPartOfText && counts[node].text.length > 80 && linkDensity(of: node, counts) < 0.25
    }

    private func isInArticle(_ node: Int) -> Bool {
        tree.ancestors(of: node).contains { tree.tag($0) == .article || tree.tag($0) == .main }
    }

    /// Whether an element stands in a quotation, a list or table of works, or a sentence: a name there is that of somebody
    /// else.
    private func isInText(_ byline: Int, _ counts: ContentTable) -> Bool {
        for around in [byline] + tree.ancestors(of: byline, atMost: 8) {
            switch tree.tag(around) {
            case .blockquote, .q, .figure: return true
            case _ where facts(around).words.contains(.quotation): return true
            case .li, .td, .dd:
                if tree.visibleNeighbors(of: around).contains(where: isCellOrNamed),
                    counts[around].text.length < Self.maxLine
                {
                    return true
                }
            case .p: if around != byline, isSentence(around, with: byline, counts) { return true }
            case .article, .main, .body: return false
            default: break
            }
        }
        return false
    }

    /// Whether a node is the cell of a table, or an item of a list that begins with a name.
    private func isCellOrNamed(_ node: Int) -> Bool {
        tree.tag(node) == .td
            || ([node] + tree.beginning(of: node, 7)).contains { tree.isElement($0) && facts($0).isByline }
    }

    /// Whether a paragraph is a sentence about the author that it names, rather than a line with the author.
    private func isSentence(_ paragraph: Int, with byline: Int, _ counts: ContentTable) -> Bool {
        let length = counts[paragraph].text.length
        guard length > counts[byline].text.length + 10 else { return false }
        if length > Self.maxLine { return true }
        let words = tree.text(of: paragraph).split(whereSeparator: \.isWhitespace)
        return words.count > 4
            && words.last.map { $0.last.map(Self.sentenceEnds.contains) == true && $0.last != ")" } == true
            && !PageMetadata.isBy(words[0])
    }

    /// The author that an element names; nil if it is too long for a name, or a sentence.
    private func byline(_ node: Int) -> String? {
        let text = tree.line(of: node).trimmed
        guard !text.isEmpty, text.utf16.count < Self.maxByline else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count <= 4 || words.last?.hasSuffix(".") == false else { return nil }
        let inner = tree.all(in: node).dropFirst()
        let named = inner.first { facts($0).isName } ?? inner.first { facts($0).isByline }
        let name = PageMetadata.name(named.map { tree.line(of: $0) } ?? text)
        // "Sunday, Feb 1, 2015" names nobody.
        return name.flatMap { PageByline.isDay($0) ? nil : $0 }
    }

    private static let maxByline = 100
    /// The most characters of a line with an author and other facts.
    private static let maxLine: Int32 = 400

    /// Whether an element has no text, and only breaks and rules in it.
    private func isEmpty(_ node: Int) -> Bool {
        tree.children(of: node).allSatisfy { tree.tag($0) == .hr || tree.isSpace($0) }
    }

    // MARK: Paragraphs

    /// Wraps each run of text and inline elements in a `div` in a paragraph.
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
                tree.trimEnd(of: ended)
                paragraph = nil
            }
        }
        if let paragraph { tree.trimEnd(of: paragraph) }
    }

    /// The paragraph that is the only content of a `div`, unless it is full of links and not among paragraphs of text.
    private func onlyParagraph(in div: Int, _ counts: ContentTable) -> Int? {
        guard let only = tree.onlyChild(of: div), tree.tag(only) == .p else { return nil }
        // A paragraph that was added isn't counted, but what was moved into it is.
        let isAdded = only >= page.elements.count
        let density = isAdded ? counts.sum(of: tree.children(of: only), in: self).linkDensity : counts[only].linkDensity
        if density < 0.25 { return only }
        return (density < 0.75 || isSentence(only)) && isBesideText(div, counts) ? only : nil
    }

    /// Whether an element is near a paragraph of text, and only paragraphs are between; each may be in a `div` of its own.
    private func isBesideText(_ node: Int, _ counts: ContentTable) -> Bool {
        [tree.previous, tree.next].contains { neighbor in
            meets(neighbor, of: node, most: 16) {
                isProse(content(of: $0), counts)
            } passing: {
                tree.isSpace($0) || tree.tag(content(of: $0)) == .p
            }
        }
    }

    /// The only element in a `div`, or else the element itself.
    func content(of node: Int) -> Int { tree.tag(node) == .div ? tree.onlyChild(of: node) ?? node : node }

    /// Whether one of a node's neighbors in a direction is of some kind, and only others that may be between come before it.
    func meets(
        _ neighbor: (Int) -> Int?, of node: Int, most count: Int, _ isFound: (Int) -> Bool,
        passing mayPass: (Int) -> Bool
    ) -> Bool {
        var (beside, left) = (neighbor(node), count)
        while let current = beside, left > 0 {
            if isFound(current) { return true }
            guard mayPass(current) else { return false }
            (beside, left) = (neighbor(current), left - 1)
        }
        return false
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

    /// The fraction of an element's text that is in links.
    func linkDensity(of node: Int, _ counts: ContentTable) -> Double {
        tree.tag(node) == .a ? facts(node).linkWeight : counts[node].linkDensity
    }
}

/// What doesn't change while the article of a page is looked for, by node.
struct PageFacts {
    /// Empty for texts.
    let elements: [ElementFacts]
    /// Empty for elements.
    let texts: [TextCounts]

    init(of tree: HTMLTree) {
        elements = tree.nodes.indices.map { ElementFacts(of: $0, in: tree) }
        texts = tree.nodes.indices.map { tree.tag($0) == .text ? TextCounts(of: $0, in: tree) : TextCounts() }
    }
}
