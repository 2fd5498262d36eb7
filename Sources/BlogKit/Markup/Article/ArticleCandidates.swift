import BlogEssentials

/// Chooses the element that holds the article by the scores of its paragraphs.
extension ArticleFinder {
    /// Moves the article into a new element.
    mutating func choose(from texts: [Int]) -> Int {
        let counts = ContentTable(counting: HTMLTree.body, in: &self)
        var scores = CandidateScores(scoring: textsInPlace(texts, counts), in: self, counts: counts)
        let best = scores.best(5)
        let top: Int
        if let first = best.first, first != HTMLTree.body, !isHeadingBesideText(first, counts) {
            top = climb(from: sharedAncestor(of: best), &scores)
        } else {
            top = tree.makeElement(.div)
            for child in tree.children(of: HTMLTree.body) { tree.append(child, to: top) }
            tree.append(top, to: HTMLTree.body)
            scores[top] = scores.start(top, in: self)
        }
        direction = ([top] + tree.ancestors(of: top)).lazy.compactMap { [tree] in tree.attribute("dir", of: $0) }.first
        let (row, others) = row(around: top, counts)
        if scores[row] == nil { scores[row] = scores[top] }
        return collect(around: row, others, scores, counts)
    }

    /// Whether an element has only headings, and much more text is elsewhere, in elements that don't count as paragraphs.
    private func isHeadingBesideText(_ element: Int, _ counts: ContentTable) -> Bool {
        let (own, all) = (counts[element], counts[HTMLTree.body])
        return own.headingDensity > 0.9 && own.text.length * 4 < all.text.length && all.linkDensity < 0.25
    }

    /// Those of some texts that are where the page says that its text is, or all if there is much more elsewhere.
    private func textsInPlace(_ all: [Int], _ counts: ContentTable) -> [Int] {
        guard let place = place?.declared else { return all }
        var isInside = [Bool](repeating: false, count: tree.nodes.count)
        for node in tree.all(in: place) { isInside[node] = true }
        func length(_ texts: [Int]) -> Double {
            texts.reduce(0) { sum, text in
                let counts = counts[text]
                return counts.text.length < 25 ? sum : sum + Double(counts.text.length) * (1 - counts.linkDensity)
            }
        }
        let texts = (inside: all.filter { isInside[$0] }, outside: all.filter { !isInside[$0] })
        return length(texts.inside) * 4 < length(texts.outside) ? all : texts.inside
    }

    /// The highest element around the best one beside which others of the same kind have text, and these others: the rows
    /// of a layout, the sections of a page builder.
    private func row(around top: Int, _ counts: ContentTable) -> (row: Int, others: Set<Int>) {
        var found = (row: top, others: Set<Int>())
        for element in [top] + tree.ancestors(of: top, atMost: 8) {
            let tag = tree.tag(element)
            guard tag == .div || tag == .section, let around = tree.parent(element) else { break }
            let name = tree.attribute("class", of: element)
            let others = tree.children(of: around).filter {
                $0 != element && tree.tag($0) == tag && tree.attribute("class", of: $0) == name && isRow($0, counts)
            }
            if !others.isEmpty { found = (element, Set(others)) }
        }
        return found
    }

    /// Whether a block has paragraphs of text, and no heading that leads to another article.
    private func isRow(_ block: Int, _ counts: ContentTable) -> Bool {
        guard isBlockOfText(block, counts), counts[block].inputs == 0 else { return false }
        let nodes = tree.all(in: block)
        return !nodes.contains { tree.tag($0).isHeading && counts[$0].linkDensity > 0.5 || tree.tag($0) == .time }
            && nodes.contains { node in
                tree.tag(node) == .p && counts[node].text.length > 80 && counts[node].linkDensity < 0.25
                    && !tree.ancestors(of: node, atMost: 8).prefix { $0 != block }.contains {
                        facts($0).words.isOfSite
                    }
            }
    }

    /// The closest common ancestor of the best candidate and at least three others nearly as good, or else the best.
    private func sharedAncestor(of best: [Int]) -> Int {
        let others = best.dropFirst().map { Set(tree.ancestors(of: $0)) }
        guard others.count >= 3 else { return best[0] }
        return tree.ancestors(of: best[0]).prefix { $0 != HTMLTree.body }
            .first { element in others.count { $0.contains(element) } >= 3 } ?? best[0]
    }

    /// Climbs to an ancestor with a better score, and on while the element is an only child.
    private func climb(from candidate: Int, _ scores: inout CandidateScores) -> Int {
        var top = candidate
        var last = scores[top] ?? scores.start(top, in: self)
        scores[top] = last
        let minimum = last / 3
        for element in tree.ancestors(of: top).prefix(while: { $0 != HTMLTree.body }) {
            guard let score = scores[element] else { continue }
            if score < minimum { break }
            if score > last {
                top = element
                break
            }
            last = score
        }
        while let parent = tree.parent(top), parent != HTMLTree.body,
            tree.children(of: parent).count(where: { tree.isElement($0) && tree.tag($0) != .aside }) == 1
        {
            top = parent
        }
        if scores[top] == nil { scores[top] = scores.start(top, in: self) }
        return top
    }

    /// Moves the chosen element and its related siblings into a new element.
    private mutating func collect(
        around top: Int, _ rows: Set<Int>, _ scores: CandidateScores, _ counts: ContentTable
    ) -> Int {
        let article = tree.makeElement(.div)
        for lead in leads(before: top, counts) { tree.append(lead, to: article) }
        let score = scores[top] ?? 0
        let minimum = max(10, score * 0.2)
        let topClass = tree.attribute("class", of: top) ?? ""
        let hasParts = tree.tag(top) != .article && tree.parent(top) != HTMLTree.body
        let siblings = (tree.parent(top).map(tree.children) ?? []).filter { tree.isElement($0) }
        var isAfterTop = false
        var isTaken = siblings.map { sibling in
            if sibling == top {
                isAfterTop = true
                return true
            }
            // Another article than the one that the page says it is about.
            if tree.tag(sibling) == .article, top == place?.declared { return false }
            let isAlike = !topClass.isEmpty && tree.attribute("class", of: sibling) == topClass
            let isScored = scores[sibling].map { $0 + (isAlike ? score * 0.2 : 0) >= minimum } ?? false
            return isScored || rows.contains(sibling) || tree.tag(sibling) == .p && isText(sibling, counts[sibling])
                || isListOfSentences(sibling, counts[sibling]) && isPart(sibling, counts)
                || hasParts && (isPart(sibling, counts) || !isAfterTop && isLeadPicture(sibling, counts))
        }
        for index in siblings.indices where !isTaken[index] && shortSections.contains(siblings[index]) {
            let near = max(0, index - HTMLTree.neighbors)..<index
            isTaken[index] = near.contains { isTaken[$0] && isOfOneShape(siblings[$0], siblings[index]) }
        }
        if let first = isTaken.firstIndex(of: true), let last = isTaken.lastIndex(of: true) {
            for index in first...last where !isTaken[index] { isTaken[index] = isBetween(siblings[index], counts) }
            // The heading of the first part, if other parts have such headings or the page has no other.
            if first > 0, tree.tag(siblings[first - 1]).isHeading, isBetween(siblings[first - 1], counts) {
                let tag = tree.tag(siblings[first - 1])
                isTaken[first - 1] =
                    !hasTitle && !tree.all(in: HTMLTree.body).contains { tree.tag($0) == .h1 }
                    || (first...last).contains { isTaken[$0] && tree.tag(siblings[$0]) == tag }
            }
        }
        for (sibling, isTaken) in zip(siblings, isTaken) where isTaken {
            switch tree.tag(sibling) {
            case .div, .article, .section, .p, .ol, .ul, .dl, .blockquote, .pre, .figure, .h2, .h3, .h4, .h5, .h6: break
            // A table that holds paragraphs of the article is one of its layout.
            case .table where sibling != top && scores[sibling] == nil: break
            case .table, .tbody, .tr: dissolveTable(sibling)
            default: tree.setTag(.div, of: sibling)
            }
            tree.append(sibling, to: article)
        }
        return article
    }

    private func isOfOneShape(_ block: Int, _ other: Int) -> Bool {
        tree.tag(block) == tree.tag(other) && tree.leadingHeading(of: block) == tree.leadingHeading(of: other)
    }

    /// Whether a block between two parts of the article belongs to it, too: a heading, code, a list, a quotation, a table
    /// or a picture.
    private func isBetween(_ block: Int, _ counts: ContentTable) -> Bool {
        let (all, facts) = (counts[block], facts(block))
        guard facts.weight >= 0, !facts.words.isOfSite, all.inputs == 0,
            all.linkDensity < 0.25
        else { return false }
        switch tree.tag(block) {
        case .h2, .h3, .h4, .h5, .h6, .p, .pre, .ul, .ol, .dl, .blockquote, .table, .figure: return true
        case .div, .section:
            return tree.all(in: block).contains { part in
                switch tree.tag(part) {
                case .h2, .h3, .h4, .h5, .h6, .pre, .ul, .ol, .dl, .blockquote, .table, .figure: true
                case .p: counts[part].text.length > 25
                default: false
                }
            }
        default: return false
        }
    }

    /// The line below the title, if it isn't in the chosen element, and the paragraphs of text in the headers before that,
    /// up to the `article` around it.
    private func leads(before top: Int, _ counts: ContentTable) -> [Int] {
        var leads: [Int] = []
        for element in [top] + tree.ancestors(of: top, atMost: 3) {
            if element == HTMLTree.body || tree.tag(element) == .article { break }
            var before = tree.previous(element)
            while let current = before {
                if tree.tag(current) == .header || facts(current).words.contains(.lead) {
                    let isHeader = tree.tag(current) == .header
                    let texts = tree.all(in: current).filter {
                        isLead($0, counts[$0]) || isHeader && isDeck($0, counts[$0]) && endsSentence($0)
                    }
                    let found = Set(texts)
                    leads = texts.filter { !tree.ancestors(of: $0).contains(where: found.contains) } + leads
                }
                before = tree.previous(current)
            }
            if tree.parent(element).map(tree.tag) == .main { break }
        }
        if let line = afterTitle, isDeck(line, counts[line]),
            !([line] + tree.ancestors(of: line)).contains(where: ([top] + leads).contains)
        {
            leads.insert(line, at: 0)
        }
        return leads
    }

    /// Whether an element is a sentence, without an author or a date.
    private func isDeck(_ node: Int, _ counts: ContentCounts) -> Bool {
        guard tree.parent(node) != nil, [.p, .div, .h2, .h3, .h4].contains(tree.tag(node)), !facts(node).isByline,
            !facts(node).words.isOfSite,
            (15...400).contains(counts.text.length),
            counts.linkDensity < 0.25, counts.pictures == 0, counts.inputs == 0
        else { return false }
        let parts = tree.all(in: node)
        return !parts.contains { tree.tag($0) == .time || facts($0).isByline }
            && !PageByline.isLine(tree.text(of: node))
    }

    private func endsSentence(_ node: Int) -> Bool {
        tree.tag(node) == .p && tree.text(of: node, atLeast: 500).trimmed.last.map(Self.sentenceEnds.contains) == true
    }

    private func isLead(_ node: Int, _ counts: ContentCounts) -> Bool {
        guard [.p, .div, .h2, .h3, .h4].contains(tree.tag(node)), counts.linkDensity < 0.25 else { return false }
        return tree.tag(node) == .p && counts.text.length > 80
            || facts(node).words.contains(.lead) && counts.text.length >= 25 && counts.pictures == 0
    }

    /// Turns a layout table and its parts into `div`s.
    private mutating func dissolveTable(_ table: Int) {
        tree.setTag(.div, of: table)
        for part in tree.all(in: table).dropFirst() where [.tbody, .tr, .td].contains(tree.tag(part)) {
            let around = tree.ancestors(of: part).prefix { $0 != table }
            if !around.contains(where: { tree.tag($0) == .table }) { tree.setTag(.div, of: part) }
        }
    }

    /// Whether a sibling block is a part of the article like its other parts, however short: an introduction, an appendix,
    /// a list of sources.
    private func isPart(_ block: Int, _ counts: ContentTable) -> Bool {
        let (all, facts) = (counts[block], facts(block))
        let isFootnotes = facts.words.contains(.footnote) && all.items + all.paragraphs > 0
        guard [.div, .section, .blockquote, .pre, .dl, .ol, .ul, .table].contains(tree.tag(block)), facts.weight >= 0,
            !facts.words.isOfSite, all.text.length > 80 || isFootnotes,
            all.linkDensity < 0.25, all.inputs == 0, all.embeds == 0
        else { return false }
        if isFootnotes { return true }
        let nodes = tree.all(in: block)
        // A heading that is a link leads to another article.
        if nodes.contains(where: { tree.tag($0).isHeading && counts[$0].linkDensity > 0.5 }) { return false }
        return isListOfSentences(block, all) || all.headings > 0 && all.items + all.paragraphs > 0
            || nodes.contains { tree.tag($0) == .p && counts[$0].text.length > 80 }
    }

    private func isListOfSentences(_ block: Int, _ counts: ContentCounts) -> Bool {
        [.ol, .ul].contains(tree.tag(block)) && counts.items > 0 && counts.text.length / counts.items > 40
    }

    private func isLeadPicture(_ figure: Int, _ counts: ContentTable) -> Bool {
        let (all, facts) = (counts[figure], facts(figure))
        return tree.tag(figure) == .figure && all.pictures == 1 && all.linkDensity < 0.25 && facts.weight >= 0
            && !facts.words.isOfSite
    }

    /// Whether a sibling paragraph seems to be part of the article.
    private func isText(_ paragraph: Int, _ counts: ContentCounts) -> Bool {
        let length = counts.text.length
        if length > 80 { return counts.linkDensity < 0.25 }
        guard length > 0, length < 80, counts.linkDensity == 0 else { return false }
        let text = tree.text(of: paragraph).trimmed
        return text.hasSuffix(".") || text.contains(". ")
    }
}

/// The scores of the elements that may hold the article.
private struct CandidateScores {
    private var scores: [Int: Double] = [:]
    private var order: [Int] = []
    private let counts: ContentTable

    subscript(node: Int) -> Double? {
        get { scores[node] }
        set { scores[node] = newValue }
    }

    /// Adds each text's score to its ancestors, and weighs these by their links.
    init(scoring texts: [Int], in finder: ArticleFinder, counts: ContentTable) {
        self.counts = counts
        for node in texts {
            let text = counts[node].text
            guard text.length >= 25, finder.tree.parent(node) != nil else { continue }
            // Those of code don't tell that it is a text.
            let commas = finder.tree.tag(node) == .pre ? 0 : text.commas
            let score = Double(1 + commas + 1 + min(text.length / 100, 3))
            for (level, element) in finder.tree.ancestors(of: node, atMost: 5).enumerated()
            where element != HTMLTree.root {
                if scores[element] == nil {
                    scores[element] = start(element, in: finder)
                    order.append(element)
                }
                scores[element, default: 0] += score / (level == 0 ? 1 : level == 1 ? 2 : Double(level) * 3)
            }
        }
        for element in order { scores[element, default: 0] *= 1 - counts[element].linkDensity }
    }

    /// The score of an element by itself, without its texts.
    func start(_ node: Int, in finder: ArticleFinder) -> Double {
        let score: Double =
            switch finder.tree.tag(node) {
            case .div: 5
            case .pre, .td, .blockquote: 3
            case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
            case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
            default: 0
            }
        return score + finder.weight(node)
    }

    /// At most `count` candidates: the best, and those nearly as good.
    func best(_ count: Int) -> [Int] {
        let sorted = order.enumerated().sorted { first, second in
            let (left, right) = (scores[first.element] ?? 0, scores[second.element] ?? 0)
            return left != right ? left > right : first.offset < second.offset
        }
        let best = sorted.prefix(count).map(\.element)
        guard let first = best.first, let top = scores[first] else { return [] }
        return best.filter { $0 == first || top > 0 && (scores[$0] ?? 0) / top >= 0.75 }
    }
}
