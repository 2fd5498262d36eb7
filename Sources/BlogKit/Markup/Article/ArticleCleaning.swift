import BlogEssentials

/// Removes foreign parts from within an article: forms, share buttons, lists of links, advertisements.
extension ArticleFinder {
    mutating func clean(_ article: Int) {
        linkedInRows = linkedInRows(in: article)
        let dataTables = dataTables(in: article)
        let trailing = Set(trailingHeadings(in: article))
        removeFurniture(in: article)
        let counts = contents(of: article)
        textsOfItems = textsOfItems(in: article, counts)
        remove(in: article) { finder, node in
            finder.tree.tag(node) == .aside && !finder.isAroundText(node) && !finder.partsOfText.contains(node)
                && !finder.isInText(node, counts)
        }
        cleanUp(article, [.form, .fieldset], dataTables)
        remove(in: article) { finder, node in
            switch finder.tree.tag(node) {
            case .object, .embed, .iframe: !finder.isVideo(node)
            case .input: !finder.tree.isCheckbox(node)
            case .footer: !finder.partsOfText.contains(node)
            case .link, .textarea, .select, .button: true
            default: false
            }
        }
        cleanUp(article, [.table], dataTables)
        cleanUp(article, [.ul], dataTables)
        cleanUp(article, [.div], dataTables)
        removeHeadingsOfLostSections(in: article)
        removeEmptyParagraphs(in: article)
        // These are the headings of removed parts.
        for heading in trailingHeadings(in: article) where !trailing.contains(heading) || weight(heading) < 0 {
            tree.remove(heading)
        }
        simplifyTables(in: article)
    }

    private func isVideo(_ node: Int) -> Bool {
        facts(node).isVideo
            || tree.tag(node) == .object && tree.all(in: node).contains { facts($0).isVideo }
    }

    /// Whether an `aside` is a quote or a note between the paragraphs of a text.
    private func isInText(_ aside: Int, _ counts: ContentTable) -> Bool {
        guard weight(aside) >= 0, !facts(aside).words.contains(.furniture) else { return false }
        let parts = tree.all(in: aside)
        guard !parts.contains(where: { [.form, .input, .nav, .iframe, .button].contains(tree.tag($0)) }),
            parts.contains(where: {
                [.p, .blockquote, .pre, .q].contains(tree.tag($0)) && linkDensity(of: $0, counts) < 0.33
            })
                || facts(aside).words.contains(.note) && linkDensity(of: aside, counts) < 0.33
        else { return false }
        return [tree.previous, tree.next].contains { neighbor in
            // A few other asides and spaces may be between.
            var (node, left) = (neighbor(aside), 8)
            while let current = node, left > 0, [.text, .aside].contains(tree.tag(current)) {
                (node, left) = (neighbor(current), left - 1)
            }
            return node.map { tree.tag($0) == .p } ?? false
        }
    }

    private mutating func remove(in root: Int, _ isForeign: (ArticleFinder, Int) -> Bool) {
        var node = tree.nextInOrder(root, within: root)
        while let current = node {
            if tree.isElement(current), isForeign(self, current) {
                node = tree.nextOutside(current, within: root)
                tree.remove(current)
            } else {
                node = tree.nextInOrder(current, within: root)
            }
        }
    }

    // MARK: Tables

    /// The tables that hold data rather than a layout.
    private func dataTables(in article: Int) -> Set<Int> {
        var (tables, headed, nesting): ([Int], Set<Int>, Set<Int>) = ([], [], [])
        for node in tree.all(in: article) {
            switch tree.tag(node) {
            case .table:
                tables.append(node)
                note(tablesAround: node, in: &nesting)
            case .caption where tree.firstChild(node) != nil: note(tablesAround: node, in: &headed)
            case .col, .colgroup, .tfoot, .thead, .th: note(tablesAround: node, in: &headed)
            default: break
            }
        }
        return Set(
            tables.filter { table in
                let attributes = tree.attributes(of: table)
                if facts(table).isPresentation || attributes["datatable"] == "0" { return false }
                return attributes["summary"]?.isEmpty == false || headed.contains(table)
                    || !nesting.contains(table) && isLarge(table)
            })
    }

    /// Adds the tables around a node to a set, up to one that is in it with all around it.
    private func note(tablesAround node: Int, in found: inout Set<Int>) {
        var around = tree.parent(node)
        while let current = around {
            if tree.tag(current) == .table, !found.insert(current).inserted { return }
            around = tree.parent(current)
        }
    }

    /// Whether a table has too many cells for a layout.
    private func isLarge(_ table: Int) -> Bool {
        var (rows, columns, width) = (0, 0, 0)
        for part in tree.all(in: table) {
            switch tree.tag(part) {
            case .tr:
                rows += tree.attributes(of: part).span("rowspan", most: TableGrid.maxColumns)
                columns = 0
            case .td:
                columns += tree.attributes(of: part).span("colspan", most: TableGrid.maxColumns)
                width = max(width, columns)
            default: break
            }
        }
        if rows == 1 || width == 1 { return false }
        return rows >= 10 || width > 4 || rows * width > 10
    }

    /// Replaces a table with a single cell by the content of the cell.
    private mutating func simplifyTables(in article: Int) {
        for table in tree.all(in: article) where tree.tag(table) == .table {
            let body = only(.tbody, in: table) ?? table
            guard let row = only(.tr, in: body), let cell = only(.td, in: row) else { continue }
            tree.setTag(tree.children(of: cell).allSatisfy(tree.isInline) ? .p : .div, of: cell)
            tree.replace(table, with: cell)
        }
    }

    private func only(_ tag: HTMLTag, in node: Int) -> Int? {
        tree.onlyChild(of: node).flatMap { tree.tag($0) == tag ? $0 : nil }
    }

    // MARK: Paragraphs

    private mutating func removeEmptyParagraphs(in article: Int) {
        for node in tree.all(in: article) {
            switch tree.tag(node) {
            case .h1: tree.setTag(.h2, of: node)
            case .p where isEmptyParagraph(node): tree.remove(node)
            case .br where tree.nextVisible(after: node).map { tree.tag($0) == .p } == true: tree.remove(node)
            default: break
            }
        }
    }

    /// The headings at the end, with no text after them.
    private func trailingHeadings(in article: Int) -> [Int] {
        var headings: [Int] = []
        for node in tree.all(in: article).reversed() {
            switch tree.tag(node) {
            case .h1, .h2, .h3, .h4, .h5, .h6: headings.append(node)
            case let tag where tag.isEmbedded: return headings
            case .text:
                let isHeading = tree.ancestors(of: node).contains { tree.tag($0).isHeading }
                if !isHeading, !tree.isBlank(node) { return headings }
            default: break
            }
        }
        return headings
    }

    private func isEmptyParagraph(_ paragraph: Int) -> Bool {
        tree.all(in: paragraph).allSatisfy { node in
            tree.tag(node) == .text ? tree.isBlank(node) : !tree.tag(node).isEmbedded
        }
    }

    // MARK: Labels and links to other articles

    /// Removes sections and paragraphs of a site that stand in the text, by what they begin with.
    private mutating func removeFurniture(in article: Int) {
        guard strictness.contains(.removesFurniture) else { return }
        let counts = contents(of: article)
        for node in tree.all(in: article) where tree.parent(node) != nil {
            switch tree.tag(node) {
            case .h2, .h3, .h4, .h5, .h6:
                if leadsAway(node, counts) { removeSection(node, counts) }
            case .p, .div, .figcaption:
                // Longer ones are no labels, and lead elsewhere only if they are links.
                guard counts[node].text.length <= FurnitureText.maxLabel || linkDensity(of: node, counts) > 0.5,
                    tree.onlyChild(of: node).map({ tree.tag($0).isHeading }) != true
                else { continue }
                let label = label(of: node, counts)
                if FurnitureText.labels.contains(label)
                    || FurnitureText.isSection(label) && linkDensity(of: node, counts) > 0.5
                {
                    tree.remove(node)
                }
            default: break
            }
        }
    }

    /// Removes a heading with the lists of links after it, if there are any.
    private mutating func removeSection(_ heading: Int, _ counts: ContentTable) {
        var isSection = false
        var after = tree.nextVisible(after: heading)
        while let next = after, tree.isElement(next), linkDensity(of: next, counts) > 0.5 {
            isSection = true
            after = tree.nextVisible(after: next)
            tree.remove(next)
        }
        if isSection { tree.remove(heading) }
    }

    /// Whether a heading is that of links to other articles.
    func leadsAway(_ heading: Int, _ counts: ContentTable) -> Bool {
        FurnitureText.isSection(label(of: heading, counts))
    }

    /// Whether a text says only that something else stands here, such as an advertisement.
    func isLabel(_ node: Int, _ counts: ContentTable) -> Bool { FurnitureText.labels.contains(label(of: node, counts)) }

    /// A short text in lower case; "" for a longer one.
    private func label(of node: Int, _ counts: ContentTable) -> String {
        guard counts[node].text.length <= 400 else { return "" }
        let text = tree.text(of: node, atLeast: 400)
        return text.utf8.count > 400 ? "" : text.trimmed.lowercased()
    }

    // MARK: Suspicious elements

    /// Removes elements with some tags that don't look like text.
    private mutating func cleanUp(_ article: Int, _ tags: [HTMLTag], _ dataTables: Set<Int>) {
        guard strictness.contains(.cleansUp) else { return }
        _ = ContentTable(counting: article, in: &self, dataTables: dataTables) { node, counts, finder in
            guard tags.contains(finder.tree.tag(node)), !dataTables.contains(node), !counts.hasDataTable else {
                return false
            }
            var isInFigure = false
            for ancestor in finder.tree.ancestors(of: node) {
                if dataTables.contains(ancestor) || finder.tree.tag(ancestor) == .code { return false }
                if finder.tree.tag(ancestor) == .figure { isInFigure = true }
            }
            return finder.isSuspicious(node, counts, isInFigure: isInFigure)
        }
    }

    /// Whether an element consists of paragraphs that are sentences, each of which is a link.
    private func hasLinkedSentences(_ node: Int) -> Bool {
        let parts = tree.children(of: node).filter { tree.isElement($0) || !tree.isBlank($0) }
        return !parts.isEmpty
            && parts.allSatisfy { part in
                tree.tag(part) == .p && tree.onlyChild(of: part).map { tree.tag($0) == .a } == true && isSentence(part)
            }
    }

    /// Whether a paragraph is long enough for a sentence, and ends like one.
    func isSentence(_ paragraph: Int) -> Bool {
        let text = tree.text(of: paragraph, atLeast: 4096).trimmed
        return text.utf8.count > 80 && text.last.map(Self.sentenceEnds.contains) == true
    }

    static let sentenceEnds: Set<Character> = [".", "!", "?", "…", "。", "！", "？", "”", ")"]

    private func isSuspicious(_ node: Int, _ counts: ContentCounts, isInFigure: Bool) -> Bool {
        if partsOfText.contains(node) || shortSections.contains(node) || textsOfItems.contains(node)
            || isHeadingWithAnchor(node, counts)
        {
            return false
        }
        if !textsOfItems.isEmpty, isOfLines(node) { return false }
        let weight = weight(node)
        if weight < 0 { return !isWrapper(node, counts) }
        // Some pages wrap each heading; those without text after them are removed later.
        if counts.headingDensity > 0.9, counts.linkDensity == 0, counts.inputs == 0, counts.embeds == 0 { return false }
        if facts(node).words.contains(.footnote), counts.linkDensity < 0.9 { return false }
        guard counts.text.asciiCommas < 10, !counts.hasVideo else { return false }
        let length = counts.text.length
        if length < 30, Self.isPlaceholder(tree.text(of: node).trimmed) { return true }
        let isList = tree.tag(node) == .ul || tree.tag(node) == .ol || counts.listDensity > 0.6
        let (paragraphs, pictures) = (Double(counts.paragraphs), Double(counts.pictures))
        let isForeign =
            !isInFigure && pictures > 1 && paragraphs / pictures < 0.5
            || !isList && counts.items - 100 > counts.paragraphs
            || counts.inputs > counts.paragraphs / 3
            || !isList && !isInFigure && counts.headingDensity < 0.9 && length < 25
                && (pictures == 0 || pictures > 2) && counts.linkDensity > 0 && !hasLoneLink(node, counts)
            || !isList && weight < 25 && counts.linkDensity > 0.2 && !hasLinkedSentences(node)
                && !hasLoneLink(node, counts)
            || weight >= 25 && counts.linkDensity > 0.5 && !hasLinkedSentences(node) && !hasLoneLink(node, counts)
            || counts.embeds == 1 && length < 75 || counts.embeds > 1
            || counts.pictures == 0 && !counts.hasTextElement
        return isForeign && !(isList && isListOfPictures(node, counts))
    }

    /// Whether an element is named only for its layout, and holds code, a quotation, a list, a table or pictures, and no
    /// links.
    private func isWrapper(_ node: Int, _ counts: ContentCounts) -> Bool {
        guard !facts(node).words.subtracting(.layout).isForeign, counts.linked == 0, counts.inputs == 0,
            counts.embeds == 0
        else { return false }
        return counts.pictures > 0
            || tree.all(in: node).contains { [.pre, .blockquote, .ul, .ol, .dl, .table].contains(tree.tag($0)) }
    }

    /// Whether an element has nothing but lines, of which one is kept because of the others.
    private func isOfLines(_ node: Int) -> Bool {
        let parts = tree.children(of: node).filter(tree.isElement)
        return parts.contains(where: textsOfItems.contains) && parts.allSatisfy(isLine)
    }

    /// Whether an element is a heading with a link to itself beside it.
    private func isHeadingWithAnchor(_ node: Int, _ counts: ContentCounts) -> Bool {
        guard counts.headings > 0, counts.text.length < 400, counts.pictures == 0 else { return false }
        return tree.all(in: node).allSatisfy { part in
            switch tree.tag(part) {
            case .a: tree.attribute("href", of: part)?.hasPrefix("#") == true
            case .text:
                tree.isBlank(part)
                    || tree.ancestors(of: part, atMost: 6).contains { tree.tag($0).isHeading || tree.tag($0) == .a }
            default: true
            }
        }
    }

    /// Whether an element has a single link, in a paragraph or with a picture, a heading or enough text.
    ///
    /// That is a credit, a file, a work that the text is about. Elements in a row with links lead to other articles.
    private func hasLoneLink(_ node: Int, _ counts: ContentCounts) -> Bool {
        guard counts.links == 1 || counts.links == 2, counts.inputs == 0, counts.embeds == 0,
            !tree.ancestors(of: node, atMost: 3).contains(where: { tree.tag($0) == .li })
        else { return false }
        var (links, isInParagraph, target): (Int, Bool, String?) = (0, false, nil)
        for part in tree.beginning(of: node, 32) where tree.tag(part) == .a {
            guard facts(part).linkWeight == 1,
                tree.beginning(of: part, 32).contains(where: { tree.tag($0) == .text && !tree.isBlank($0) })
            else { continue }
            let address = tree.attribute("href", of: part)
            guard links == 0 || address == target else { return false }
            (links, target) = (links + 1, address)
            isInParagraph =
                isInParagraph
                || tree.ancestors(of: part, atMost: 4).contains {
                    ["p", "blockquote"].contains(tree.writtenName(of: $0))
                }
        }
        guard links == counts.links,
            isInParagraph || counts.pictures == 1 || counts.headings > 0 || counts.links == 2 || counts.linked > 60
                || Double(counts.text.length) - counts.linked > 25
        else { return false }
        return !linkedInRows.contains(node)
    }

    /// The elements beside which there is another one with the same tag and a link.
    private func linkedInRows(in article: Int) -> Set<Int> {
        var rows: Set<Int> = []
        for node in tree.all(in: article) where [.div, .table, .form, .fieldset].contains(tree.tag(node)) {
            guard let next = tree.nextVisible(after: node), tree.tag(next) == tree.tag(node),
                [node, next].allSatisfy({ tree.beginning(of: $0, 32).contains { tree.tag($0) == .a } })
            else { continue }
            rows.formUnion([node, next])
        }
        return rows
    }

    /// Whether an element is a line that begins with words and has a link, next to a short one without links, as of steps, or
    /// between paragraphs of text.
    private func isLineAmongLines(_ node: Int, _ counts: ContentTable) -> Bool {
        guard counts[node].links > 0, counts[node].text.length <= 400, counts[node].linkDensity < 0.9,
            facts(node).words.isDisjoint(with: [.furniture, .share]), isLine(node),
            let first = tree.beginning(of: node, 4).first(where: { tree.tag($0) == .text && !tree.isBlank($0) }),
            tree.ancestors(of: first, atMost: 3).allSatisfy({ tree.tag($0) != .a })
        else { return false }
        return isBetweenTexts(node, counts)
            || tree.visibleNeighbors(of: node).contains { neighbor in
                isLine(neighbor) && counts[neighbor].text.length < 120 && counts[neighbor].links == 0
            }
    }

    /// Whether an element is only a button between paragraphs of text, as to a file or a form; other short links lead mostly to
    /// other articles.
    private func isLinkAmongTexts(_ node: Int, _ counts: ContentTable) -> Bool {
        guard tree.tag(node) == .div, counts[node].links == 1, (4...40).contains(counts[node].text.length),
            facts(node).words.isDisjoint(with: [.furniture, .share]), isLine(node),
            ([node] + tree.beginning(of: node, 8)).contains(where: { isNamedButton($0) })
        else { return false }
        let label = label(of: node, counts)
        return !FurnitureText.labels.contains(label) && !FurnitureText.isSection(label) && isBetweenTexts(node, counts)
    }

    private func isNamedButton(_ node: Int) -> Bool {
        let name = tree.isElement(node) ? tree.attribute("class", of: node)?.lowercased() ?? "" : ""
        return ["button", "btn"].contains { name.contains($0) }
    }

    /// Whether text comes before and after a line, which may be in a `div` of its own; other lines may be between.
    private func isBetweenTexts(_ line: Int, _ counts: ContentTable) -> Bool {
        let wrappers = tree.ancestors(of: line, atMost: 4).prefix {
            tree.tag($0) == .div && tree.onlyChild(of: $0) != nil
        }
        let outer = wrappers.last ?? line
        return [tree.previous, tree.next].allSatisfy { neighbor in
            meets(neighbor, of: outer, most: 8) {
                [.p, .div].contains(tree.tag($0)) && counts[$0].text.length > 80 && counts[$0].linkDensity < 0.25
            } passing: {
                tree.isSpace($0) || isLine($0)
            }
        }
    }

    /// Whether an element is a paragraph, possibly in `div`s of its own, and not a long one.
    private func isLine(_ node: Int) -> Bool {
        guard tree.tag(node) == .div || tree.tag(node) == .p else { return false }
        var inner = node
        for _ in 0..<3 {
            guard let only = tree.onlyChild(of: inner), [.div, .p, .a].contains(tree.tag(only)) else { break }
            inner = only
        }
        return tree.children(of: inner).allSatisfy(tree.isInline)
            && tree.text(of: node, atLeast: 400).utf8.count < 400
    }

    /// The blocks that are items of a list whose text isn't mostly links, and lines among others.
    private func textsOfItems(in article: Int, _ counts: ContentTable) -> Set<Int> {
        Set(
            tree.all(in: article).filter { node in
                if isLineAmongLines(node, counts) || isLinkAmongTexts(node, counts) { return true }
                guard tree.tag(node) == .div, let item = tree.parent(node), tree.tag(item) == .li,
                    let list = tree.parent(item)
                else { return false }
                return counts[list].linkDensity < 0.5 && facts(node).words.isDisjoint(with: [.furniture, .share])
            })
    }

    /// Whether each item of a list is a picture.
    private func isListOfPictures(_ list: Int, _ counts: ContentCounts) -> Bool {
        counts.pictures == counts.items
            && tree.children(of: list).allSatisfy { item in
                tree.children(of: item).count { tree.isElement($0) } <= 1
            }
    }

    /// Whether a text labels an advertisement, or something that a script would load.
    private static func isPlaceholder(_ text: String) -> Bool {
        var text = text.lowercased()
        if FurnitureText.labels.contains(text) { return true }
        while text.last == "." || text.last == "…" { text.removeLast() }
        return loading.contains(text)
    }

    private static let loading: Set<String> = ["loading", "正在加载", "загрузка", "chargement", "cargando"]
}

/// What the parts of a site within an article begin with or consist of, in lower case.
private enum FurnitureText {
    static let maxLabel: Int32 = 60
    static let labels: Set<String> = [
        "ad", "advertising", "advertisement", "advertisement - continue reading below", "story continues below",
        "article continues below", "sponsored", "pub", "publicité", "werb", "werbung", "anzeige", "广告", "реклама",
        "anuncio", "publicidad", "publicidade", "pubblicità", "advertentie", "share", "share this", "share this:",
        "share this article", "share on facebook", "print", "email", "tweet", "like this:", "like loading...",
        "read more", "continue reading", "back to top", "view comments", "leave a comment", "no comments", "advert",
        "reklama", "kommentieren", "kommentare schreiben", "externer inhalt", "bild anzeigen", "print recipe",
        "media playback is unsupported on your device", "this slideshow requires javascript.",
    ]

    /// Whether a heading, or a paragraph that is mostly links, leads away from the article.
    static func isSection(_ label: String) -> Bool {
        names.contains(label) || !label.isEmpty && beginnings.contains(where: label.hasPrefix)
    }

    private static let names: Set<String> = [
        "related", "recommended", "latest", "trending", "tags", "topics", "categories", "more", "see also", "up next",
    ]

    private static let beginnings = [
        "related:", "related post", "related article", "related stor", "related coverage", "related content",
        "related topics", "read also", "also read", "read more", "read next", "more from", "more stories", "see also:",
        "you may like", "you might like", "you may also like", "you might also like", "recommended for",
        "recommended article", "recommended stor",
        "recommended post", "most read", "most popular", "popular posts", "recent posts", "latest news", "latest stor",
        "latest posts", "trending now", "don't miss", "next article", "previous article", "next post", "previous post",
        "tags:", "tagged", "filed under", "posted in", "categories:", "topics:", "share this", "follow us",
        "mehr zum thema", "mehr themen", "weitere themen", "weitere artikel", "lesen sie auch", "auch interessant",
        "das könnte sie auch interessieren", "das könnte dich auch interessieren", "schon gelesen", "zum weiterlesen",
        "empfehlungen aus der redaktion", "neueste artikel", "neueste beiträge", "ähnliche artikel",
        "ähnliche beiträge",
        "explore further", "à lire aussi", "lire aussi", "articles liés", "articles similaires", "le puede interesar",
        "noticias relacionadas", "notícias relacionadas", "articoli correlati", "zobacz też", "zobacz także",
        "sur le même sujet", "lea también", "lee también", "te puede interesar", "leia também", "leia mais",
        "leggi anche", "lees ook", "läs också", "les også", "læs også", "читайте также", "czytaj także", "关联阅读", "相关阅读",
        "関連記事",
    ]
}
