/// Removes the headings of sections that aren't in the article, such as those of lists of links.
extension ArticleFinder {
    /// Removes each heading whose whole section was left out, and the headings above it if they have nothing else.
    ///
    /// A section ends before the next heading of its level, or with the element around it. A heading with an empty section
    /// in the page stays.
    mutating func removeHeadingsOfLostSections(in article: Int) {
        let nodes = tree.all(in: article)
        let start = nodes.firstIndex { tree.tag($0) == .text && !tree.isBlank($0) && !isBesideText($0) } ?? nodes.count
        for index in nodes.indices.reversed() where tree.tag(nodes[index]).isHeading {
            let heading = nodes[index]
            guard hasLostSection(heading, in: article, isBeforeText: index < start) else { continue }
            for anchor in source.visibleNeighbors(of: heading).filter(isAnchor) { tree.remove(anchor) }
            tree.remove(heading)
        }
    }

    /// Whether a node is a link to a heading that is beside it in the page.
    private func isAnchor(_ node: Int) -> Bool { node < source.nodes.count && source.isAnchor(node) }

    /// Whether a text is that of a heading or a picture.
    private func isBesideText(_ text: Int) -> Bool {
        tree.ancestors(of: text).contains { tree.tag($0).isHeading || tree.tag($0) == .figure }
    }

    /// Whether the section of a heading was left out.
    ///
    /// A heading above the author or the date is that of the article.
    ///
    /// - Parameter isBeforeText: whether the article has no text before it: then it may be a line below the title, and only
    ///   a table of contents counts.
    private func hasLostSection(_ heading: Int, in article: Int, isBeforeText: Bool) -> Bool {
        guard let section = source.elementWithSection(of: heading) else { return false }
        let around = tree.ancestors(of: heading).contains(section) ? section : article
        guard tree.content(after: heading, within: around, skipping: isAnchor) == nil,
            let lost = source.content(
                after: heading, within: section, skipping: { facts($0).isHidden || isAnchor($0) })
        else { return false }
        return isBeforeText ? isInTableOfContents(lost, within: section) : !isInByline(lost, within: section)
    }

    private func isInByline(_ text: Int, within section: Int) -> Bool {
        source.ancestors(of: text).prefix { $0 != section }.contains { element in
            guard facts(element).isByline || source.tag(element) == .time else { return false }
            let words = source.text(of: element, atLeast: 4 * PageByline.maxLength).split(
                whereSeparator: \.isWhitespace)
            return words.reduce(0) { $0 + $1.utf8.count } < PageByline.maxLength
        }
    }

    /// Whether a text of the page is in a list whose beginning has no text but links to parts of the page.
    private func isInTableOfContents(_ text: Int, within section: Int) -> Bool {
        let around = source.ancestors(of: text).prefix { $0 != section }
        guard let list = around.last(where: { [.ul, .ol, .nav].contains(source.tag($0)) }) else { return false }
        return source.beginning(of: list, Self.maxNodesOfList).allSatisfy { node in
            source.tag(node) != .text || source.isBlank(node)
                || source.ancestors(of: node, atMost: 8).contains { source.tag($0) == .a && facts($0).linkWeight < 1 }
        }
    }

    private static let maxNodesOfList = 64
}

extension HTMLTree {
    /// The element that holds the section of a heading: the one around it, or around a wrapper with nothing else.
    fileprivate func elementWithSection(of heading: Int) -> Int? {
        var inner = heading
        while inner != Self.body, visibleNeighbors(of: inner).allSatisfy(isAnchor), let around = parent(inner) {
            inner = around
        }
        return parent(inner)
    }

    /// The first text or embedded content, or the first heading of a lower level, in the section of a heading.
    fileprivate func content(after heading: Int, within section: Int, skipping isSkipped: (Int) -> Bool) -> Int? {
        var node = nextOutside(heading, within: section)
        while let current = node {
            let (tag, isSkipped) = (tag(current), isSkipped(current))
            if !isSkipped {
                if tag.isHeading { return tag.rawValue > self.tag(heading).rawValue ? current : nil }
                if tag.isEmbedded || tag == .text && !isBlank(current) { return current }
            }
            node = isSkipped ? nextOutside(current, within: section) : nextInOrder(current, within: section)
        }
        return nil
    }

    /// Whether a node is a link to a heading beside it.
    fileprivate func isAnchor(_ node: Int) -> Bool {
        tag(node) == .a && attribute("href", of: node)?.hasPrefix("#") == true
            && visibleNeighbors(of: node).contains { tag($0).isHeading }
    }
}
