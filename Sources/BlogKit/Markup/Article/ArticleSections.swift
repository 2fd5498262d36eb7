import BlogEssentials

/// Tells the sections of a text from the boxes beside it that have the same classes and IDs: "comments", "menus", "sponsors".
extension HTMLTree {
    /// Whether an element is a section of a text that begins with a heading from which its ID is made.
    func beginsWithHeading(_ element: Int, named id: String?) -> Bool {
        guard [.section, .div].contains(tag(element)), let id,
            let first = children(of: element).first(where: isElement), tag(first).isHeading
        else { return false }
        func words(_ text: String) -> [Substring.UnicodeScalarView] {
            Substring(text.lowercased()).unicodeScalars.split {
                !$0.properties.isAlphabetic && $0.properties.numericType == nil
            }
        }
        let heading = text(of: first, atLeast: 4 * id.utf8.count + 100)
        guard words(heading).elementsEqual(words(id), by: { $0.elementsEqual($1) }) else { return false }
        return beginsWithProse(element)
    }

    /// Whether an element is one of several sections of a text, which all begin with a heading of the same level.
    func isInSeries(_ element: Int) -> Bool {
        guard [.section, .div].contains(tag(element)), let heading = leadingHeading(of: element) else { return false }
        let plain = sections(beside: element, heading).count { !ArticleWords(of: $0, in: self).isForeign }
        return plain > 1 && beginsWithProse(element)
    }

    /// The elements near another one that have the same tag and begin with a heading of the same level, or none.
    func sections(beside element: Int, _ heading: HTMLTag?) -> [Int] {
        var sections: [Int] = []
        for step in [next, previous] {
            var (node, left) = (step(element), Self.neighbors)
            while let current = node, left > 0 {
                if tag(current) == tag(element), leadingHeading(of: current) == heading { sections.append(current) }
                (node, left) = (step(current), left - 1)
            }
        }
        return sections
    }

    /// The number of nodes to look at before and after a section.
    static let neighbors = 16

    /// The level of the heading before all text of an element.
    func leadingHeading(of element: Int) -> HTMLTag? {
        for node in beginning(of: element, 8) {
            if tag(node).isHeading { return tag(node) }
            if tag(node) == .text, !isBlank(node) { return nil }
        }
        return nil
    }

    /// Whether the beginning of an element is text with few links that nobody else has written or is to write.
    private func beginsWithProse(_ element: Int) -> Bool {
        var (length, linked) = (0, 0)
        var node = firstChild(element)
        var (isInLink, endOfLink): (Bool, Int?) = (false, nil)
        var steps = 0
        while let current = node, length < 4096, steps < 1024 {
            if isInLink, current == endOfLink { isInLink = false }
            switch tag(current) {
            case .a where !isInLink: (isInLink, endOfLink) = (true, nextOutside(current, within: element))
            case .article, .time, .form, .textarea: return false
            case .div, .ol, .ul, .li, .dl:
                if ArticleWords(of: current, in: self).contains(.unlikely), leadingHeading(of: current) == nil {
                    return false
                }
            case .text:
                let bytes = withSource(of: current) { $0.count }
                length += bytes
                if isInLink { linked += bytes }
            default: break
            }
            node = nextInOrder(current, within: element)
            steps += 1
        }
        return length > 80 && linked * 3 < length
    }
}

/// Tells the short sections of a text, such as its last one, from the boxes of a site.
extension ArticleFinder {
    /// These sections of a page, given the statistics of its body.
    func shortSections(_ counts: ContentTable) -> Set<Int> {
        Set(tree.all(in: HTMLTree.body).filter { isShortSection($0, counts) })
    }

    /// Whether an element has a line or two, and the shape of at least two longer blocks of text beside it.
    private func isShortSection(_ node: Int, _ counts: ContentTable) -> Bool {
        guard tree.tag(node) == .section || tree.tag(node) == .div else { return false }
        let all = counts[node]
        guard (1...Self.maxShortSection).contains(all.text.length), all.headings < all.text.length, all.inputs == 0,
            all.embeds == 0, all.linkDensity < 0.5,
            !facts(node).words.isForeign
        else { return false }
        let (heading, name) = (tree.leadingHeading(of: node), tree.attribute("class", of: node))
        guard heading != nil || name != nil && isOfSentences(node), isByAuthor(node, counts) else { return false }
        let needsName = heading == nil || all.linkDensity > 0.25
        return tree.sections(beside: node, heading).count { other in
            isBlockOfText(other, counts) && (!needsName || tree.attribute("class", of: other) == name)
        } > 1
    }

    /// Whether an element has only paragraphs, the last of which ends like a sentence.
    private func isOfSentences(_ node: Int) -> Bool {
        tree.children(of: node).allSatisfy { tree.tag($0) == .p || tree.isSpace($0) }
            && tree.text(of: node).trimmed.last.map(Self.sentenceEnds.contains) == true
    }

    /// Whether an element has nothing of a site, nothing to press, and no heading that leads to something else.
    private func isByAuthor(_ node: Int, _ counts: ContentTable) -> Bool {
        let parts = tree.beginning(of: node, Self.maxNodesOfShortSection)
        return parts.count < Self.maxNodesOfShortSection
            && parts.allSatisfy { part in
                switch tree.tag(part) {
                case .article, .time, .form, .textarea, .button, .nav: false
                case .text: true
                case let tag where tag.isHeading:
                    counts[part].linkDensity < 0.5 && !(counts[node].links > 0 && leadsAway(part, counts))
                default: !facts(part).words.isOfSite
                }
            }
    }

    /// The most characters and nodes of a short section.
    private static let (maxShortSection, maxNodesOfShortSection): (Int32, Int) = (200, 64)
}
