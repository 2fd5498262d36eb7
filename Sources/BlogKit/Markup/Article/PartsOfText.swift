import BlogEssentials

/// Tells the asides, footers and elements with names of other things that belong to the text around them: a box with facts,
/// the source of a quotation, a recipe for cookies.
extension ArticleFinder {
    /// These elements of a page, given the statistics of its body.
    func partsOfText(_ counts: ContentTable) -> Set<Int> {
        Set(
            tree.all(in: HTMLTree.body).filter { node in
                let tag = tree.tag(node)
                guard tag == .aside || tag == .footer || tree.isElement(node) && facts(node).words.isForeign else {
                    return false
                }
                return isSourceOfQuotation(node, counts) || isWithinText(node, counts) && isPlain(node, counts)
            })
    }

    private func isSourceOfQuotation(_ node: Int, _ counts: ContentTable) -> Bool {
        counts[node].inputs == 0 && !facts(node).words.contains(.share)
            && tree.ancestors(of: node, atMost: 4).contains {
                tree.tag($0) == .blockquote || tree.tag($0) == .figure && tree.tag(node) == .footer
            }
    }

    /// Whether an element has text, and nothing to follow, to fill in or to press.
    private func isPlain(_ node: Int, _ counts: ContentTable) -> Bool {
        let all = counts[node]
        guard (1...Self.maxBox).contains(all.text.length), all.links == 0, all.inputs == 0, all.embeds == 0 else {
            return false
        }
        let parts = tree.beginning(of: node, Self.maxNodesOfBox)
        guard parts.count < Self.maxNodesOfBox,
            !parts.contains(where: { [.form, .nav, .button, .textarea].contains(tree.tag($0)) }),
            !([node] + parts).contains(where: { mayBeLabel($0) && isLabel($0, counts) })
        else { return false }
        if tree.tag(node) == .aside || tree.tag(node) == .footer { return true }
        return all.text.length > 25 && tree.text(of: node).trimmed.last.map(Self.sentenceEnds.contains) == true
    }

    private func mayBeLabel(_ node: Int) -> Bool {
        tree.tag(node).isHeading || tree.tag(node) == .p || tree.tag(node) == .aside
    }

    /// The most characters and nodes of a box in a text.
    private static let (maxBox, maxNodesOfBox): (Int32, Int) = (4000, 256)

    /// Whether there is text before and after an element.
    private func isWithinText(_ node: Int, _ counts: ContentTable) -> Bool {
        let isNamed = tree.tag(node) != .aside && tree.tag(node) != .footer
        let around =
            tree.tag(node) == .footer ? tree.parent(node).flatMap { tree.tag($0) == .section ? $0 : nil } : node
        guard let around else { return false }
        return [tree.previous, tree.next].allSatisfy { neighbor in
            let meetsText = meets(neighbor, of: around, most: 8) {
                // Other boxes of a site, such as comments, are blocks of text, too.
                isProse(content(of: $0), counts) || !isNamed && isBlockOfText($0, counts)
            } passing: {
                tree.isSpace($0) || tree.tag(content(of: $0)).isPartOfText || tree.tag($0) == .aside
            }
            return meetsText || isSectionBesideText(around, neighbor, counts)
        }
    }

    /// Whether an element begins or ends a section of a text, and another section follows in that direction.
    private func isSectionBesideText(_ node: Int, _ neighbor: (Int) -> Int?, _ counts: ContentTable) -> Bool {
        guard let section = tree.parent(node), tree.tag(section) == .section, isBlockOfText(section, counts),
            !meets(neighbor, of: node, most: 8, { !tree.isSpace($0) }, passing: tree.isSpace)
        else { return false }
        return meets(neighbor, of: section, most: 4) {
            tree.tag($0) == .section && isBlockOfText($0, counts)
        } passing: {
            tree.isSpace($0)
        }
    }

    /// Whether a block has paragraphs with few links, and no name of something else.
    func isBlockOfText(_ node: Int, _ counts: ContentTable) -> Bool {
        let all = counts[node]
        return [.div, .section].contains(tree.tag(node)) && all.paragraphs > 0 && all.text.length > 80
            && all.linkDensity < 0.25 && !facts(node).words.isForeign
    }
}
