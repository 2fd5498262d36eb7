import BlogEssentials

/// The author and the dates that stand between a page's heading and its text, without a mark for programs.
struct PageByline {
    private(set) var author: String?
    /// Texts that may be dates, in order.
    private(set) var dates: [String] = []
    /// The lines with nothing else than a date, and perhaps the author.
    private(set) var dateLines: Set<Int> = []

    /// Looks at the short lines that follow the heading with the title of the page.
    init(_ elements: [Int], title: String?, in tree: HTMLTree) {
        guard let title, let heading = Self.heading(elements, title, in: tree) else { return }
        var (node, texts, left) = (tree.nextOutside(heading, within: HTMLTree.root), 0, Self.maxNodes)
        while let current = node, texts < 3, left > 0 {
            left -= 1
            var isDone = true
            switch tree.tag(current) {
            // Pictures have dates of their own, and navigation those of other articles.
            case .figure, .nav, .aside, .footer, .table, .ul, .ol, .form, .text: break
            case _ where PageMetadata.isWrittenByOthers(current, in: tree): break
            case .p, .div, .span, .time, .header, .section, .address, .h2, .h3, .h4, .h5, .h6, .b, .em, .i, .a:
                let text = tree.line(of: current, atLeast: Self.maxLength + 1)
                if Self.isContainer(current, in: tree), !isLine(text, current, in: tree) {
                    isDone = false
                } else if text.utf8.count <= Self.maxLength {
                    take(text, of: current, in: tree)
                } else {
                    isDone = tree.tag(current) == .p
                    if isDone { texts += 1 }
                }
            default: isDone = false
            }
            node =
                isDone
                ? tree.nextOutside(current, within: HTMLTree.root) : tree.nextInOrder(current, within: HTMLTree.root)
        }
    }

    /// Whether an element with parts is one line with the author or the date.
    private func isLine(_ text: String, _ node: Int, in tree: HTMLTree) -> Bool {
        guard text.utf8.count <= Self.maxLength, text.contains(where: \.isNumber) else { return false }
        let words = text.split(whereSeparator: \.isWhitespace)
        let first = words.first?.lowercased() ?? ""
        return Self.by.contains(first) || Self.posted.contains(first)
    }

    /// Whether an element has parts of its own.
    private static func isContainer(_ node: Int, in tree: HTMLTree) -> Bool {
        guard [.div, .section, .header, .address].contains(tree.tag(node)) else { return false }
        return tree.children(of: node).contains { [.div, .p, .span, .time, .section].contains(tree.tag($0)) }
    }

    /// The heading with the title, or else of the only main one.
    private static func heading(_ elements: [Int], _ title: String, in tree: HTMLTree) -> Int? {
        let headings = elements.filter { [.h1, .h2, .h3].contains(tree.tag($0)) }.prefix(100)
        return headings.first { heading in
            let text = tree.text(of: heading, atLeast: 1000)
            return text.utf8.count <= 4 * title.utf8.count && PageTitle.similarity(of: text, to: title) > 0.75
        } ?? headings.first { tree.tag($0) == .h1 }
    }

    private mutating func take(_ text: String, of node: Int, in tree: HTMLTree) {
        let words = text.split(whereSeparator: \.isWhitespace)
        let facts = ElementFacts(of: node, in: tree)
        let first = words.first?.lowercased() ?? ""
        let isMarked = facts.isByline || tree.tag(node) == .time || Self.isDate(tree.attribute("class", of: node) ?? "")
        if author == nil, let start = words.firstIndex(where: { Self.by.contains($0.lowercased()) }),
            isMarked || start == 0 || Self.posted.contains(first)
        {
            author = PageMetadata.name(words[start...].joined(separator: " "))
        } else if author == nil, facts.isByline, let name = PageMetadata.name(text), !Self.isDay(name) {
            author = name
        }
        // A day, a month, which may be a word, and a year.
        let numbers = text.split { !$0.isNumber }
        guard numbers.count >= 2, numbers.contains(where: { $0.count == 4 }),
            isMarked || words.count <= 4 || Self.posted.contains(first) || Self.by.contains(first)
        else { return }
        let isOnlyTime = tree.onlyChild(of: node).map { tree.tag($0) == .time } ?? false
        if isMarked || isOnlyTime || Self.posted.contains(first) { dateLines.insert(node) }
        let time = tree.all(in: node).first { tree.tag($0) == .time }
        if let exact = time.flatMap({ tree.attribute("datetime", of: $0) }) { dates.append(exact) }
        // A name may be that of a month: "By June Lane, 10 July 2015".
        var rest = words
        if let start = rest.firstIndex(where: { Self.by.contains($0.lowercased()) }), let author,
            rest[(start + 1)...].joined(separator: " ").hasPrefix(author)
        {
            rest.removeSubrange(start..<min(start + 1 + author.split(separator: " ").count, rest.count))
        }
        let line = rest.joined(separator: " ")
        dates += line.split(whereSeparator: { "|·•–—".contains($0) }).map { $0.trimmed } + [line]
        // The number of comments may follow.
        for part in tree.parts(of: node) where part.contains(where: \.isNumber) && !text.hasPrefix(part) {
            if !dates.contains(part) { dates.append(part) }
        }
    }

    private static func isDate(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["date", "time", "publish", "posted", "meta", "byline"].contains { name.contains($0) }
    }

    /// Whether a text looks like a line with the author or the date.
    static func isLine(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        guard words.count > 3, let first = words.first?.prefix(while: { $0 != ":" }).description else { return true }
        let numbers = words.count { $0.contains(where: \.isNumber) }
        return by.contains(first) || posted.contains(first) || numbers > 1 && words.count < 5 * numbers
    }

    /// Whether a text is the name of a day of the week, as at the beginning of a date.
    static func isDay(_ text: String) -> Bool { days.contains(text.lowercased()) }

    private static let days: Set<String> = Set(
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            .flatMap { [$0, String($0.prefix(3)), $0.prefix(3) + "."] })

    private static let by: Set<String> = ["by", "von", "par", "por", "door"]
    private static let posted: Set<String> = [
        "posted", "published", "updated", "written", "publié", "publicado", "veröffentlicht", "pubblicato", "on",
    ]
    /// The longest text that may be a date, as in ``FeedDate``.
    static let maxLength = 100
    private static let maxNodes = 150
}

/// The date of publication and the author that microdata or a microformat in a page's text names.
struct PageMicrodata {
    private(set) var date: String?
    private(set) var author: String?

    init(_ elements: [Int], in tree: HTMLTree) {
        for node in elements where date == nil || author == nil {
            var (isDate, isAuthor) = (false, false)
            tree.scanAttributes(of: node) { scanner in
                for attribute in scanner.attributes {
                    // Few elements have the first, and many have the second.
                    switch attribute.name.count {
                    case 8 where scanner.lowercased(attribute.name) == "itemprop":
                        let value = scanner[attribute.value].text
                        (isDate, isAuthor) = (value.contains("datePublished"), value.contains("author"))
                    case 5 where scanner.lowercased(attribute.name) == "class":
                        isDate = isDate || Self.isPublished(scanner[attribute.value])
                    default: break
                    }
                }
            }
            if isDate, date == nil { date = Self.date(node, in: tree) }
            if isAuthor, author == nil { author = Self.author(node, in: tree) }
        }
    }

    private static func isPublished(_ names: UnsafeBufferPointer<UInt8>) -> Bool {
        names.hasWord("published") || names.hasWord("dt-published")
    }

    private static func date(_ node: Int, in tree: HTMLTree) -> String? {
        let attributes = tree.attributes(of: node)
        let text =
            attributes["datetime"] ?? attributes["content"] ?? attributes["title"]
            ?? tree.text(of: node, atLeast: PageByline.maxLength + 1)
        return text.utf8.count <= PageByline.maxLength && text.contains(where: \.isNumber) ? text : nil
    }

    private static func author(_ node: Int, in tree: HTMLTree) -> String? {
        let name = tree.all(in: node).prefix(20).first { tree.attribute("itemprop", of: $0) == "name" } ?? node
        let text = tree.attribute("content", of: name) ?? tree.text(of: name, atLeast: PageByline.maxLength + 1)
        return text.utf8.count <= PageByline.maxLength ? PageMetadata.name(text) : nil
    }
}
