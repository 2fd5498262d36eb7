import BlogEssentials
import BlogModel

/// The place of a page among those of an article that is published on several.
package struct Pagination: Hashable, Sendable {
    /// The page's own number.
    package let number: Int
    /// The number of pages; nil if it is unknown.
    package let count: Int?
    /// The address of the next page; nil on the last one, or if it is unknown.
    package let next: String?

    /// Reads the links of a page; nil if none of them leads to another page of the article.
    ///
    /// On many sites, `rel=next` leads to the next article. Only an address that has another page number, and is the same
    /// otherwise, is that of the next page.
    init?(of tree: HTMLTree, at address: URL, base: LinkBase?) {
        guard let base, let own = StoryAddress(address.absoluteString) else { return nil }
        let links = PageLink.all(in: tree, base)
        guard !links.isEmpty else { return nil }
        for place in [PageAddress(ofFirst: own.text)] + PageAddress.readings(of: own.text) {
            let pages = links.compactMap { $0.page(beside: place, in: tree) }
            guard !pages.isEmpty, place.isSure || pages.contains(where: { $0.address.marker == nil }) else { continue }
            self.init(place.number, pages, in: tree)
            return
        }
        return nil
    }

    private init(_ number: Int, _ pages: [NumberedLink], in tree: HTMLTree) {
        self.number = number
        next = pages.first { $0.address.number == number + 1 }?.link.target
        let last = pages.filter { $0.link.label != nil }.max { $0.address.number < $1.address.number }
        let known = last.map { max($0.address.number, number) }
        let isCut = last.map { $0.link.isBeforeEllipsis(in: tree) } ?? true
        count = isCut || next != nil && known == number ? nil : known
    }

    /// A paragraph of HTML with the page's number and the address of the next one.
    package var notice: String {
        let place = "Page \(number) of \(count.map(String.init) ?? "several")."
        return "<p>\(place)\(next.map { " Next page: " + HTMLWriter.link(to: $0) } ?? "")</p>"
    }
}

/// A link to another page of the article.
private struct NumberedLink {
    let link: PageLink
    let address: PageAddress
}

/// A link that may lead to another page of the article.
private struct PageLink {
    private let node: Int
    /// Its address, absolute.
    let target: String
    /// The number that is its text; nil if that is something else.
    let label: Int?
    /// Whether it is marked as that of the next page.
    private let isNext: Bool

    private static let maxCount = 500

    /// - Parameter tree: that of the whole page, in which nothing has been moved yet.
    static func all(in tree: HTMLTree, _ base: LinkBase) -> [PageLink] {
        var links: [PageLink] = []
        for node in tree.nodes.indices where tree.tag(node) == .a || tree.tag(node) == .link {
            if let link = PageLink(node, in: tree, base) { links.append(link) }
            if links.count == maxCount { break }
        }
        return links
    }

    private init?(_ node: Int, in tree: HTMLTree, _ base: LinkBase) {
        label = tree.tag(node) == .a ? Self.label(of: node, in: tree) : nil
        isNext = tree.mayMentionNext(node) && tree.attribute("rel", of: node)?.utf8.hasWord("next") == true
        guard label != nil || isNext, let target = tree.attribute("href", of: node) else { return nil }
        (self.node, self.target) = (node, base.resolve(target))
    }

    /// The number in a text like "2" or "Page 2".
    private static func label(of link: Int, in tree: HTMLTree) -> Int? {
        var (node, texts, hasDigit): (Int?, [Int], Bool) = (tree.firstChild(link), [], false)
        for _ in 0..<8 {
            guard let current = node else { break }
            if tree.tag(current) == .text {
                texts.append(current)
                // A key path would take ten times as long.
                hasDigit = tree.withSource(of: current) { $0.contains { $0.isDigit } } || hasDigit
            }
            node = tree.nextInOrder(current, within: link)
        }
        guard hasDigit, node == nil else { return nil }
        var label: [UInt8] = []
        for text in texts {
            tree.withSource(of: text) { source in
                CharacterReferences.append(.init(rebasing: source.prefix(maxLabel)), to: &label, as: .html)
            }
            if label.count >= maxLabel { return nil }
        }
        let words = label.text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1 || words.count == 2 && !words[0].contains(where: \.isNumber) else { return nil }
        return words.last.flatMap(PageAddress.number)
    }

    private static let maxLabel = 100

    /// The link as one to a page of the article at an address; nil if it leads to something else, or to other comments.
    func page(beside place: PageAddress, in tree: HTMLTree) -> NumberedLink? {
        guard let story = StoryAddress(target) else { return nil }
        let pages = [PageAddress(ofFirst: story.text)] + PageAddress.readings(of: story.text)
        guard let page = pages.first(where: { $0.isBeside(place) }),
            label == page.number || isNext && page.number == place.number + 1,
            !PageMetadata.isOfOthers(node, in: tree)
        else { return nil }
        return NumberedLink(link: self, address: page)
    }

    /// Whether there are more pages than the links show.
    func isBeforeEllipsis(in tree: HTMLTree) -> Bool {
        var (node, left) = (tree.nextOutside(node, within: HTMLTree.root), 8)
        while let current = node, left > 0 {
            if tree.tag(current) == .text, !tree.isBlank(current) {
                let text = tree.text(of: current).trimmed
                return text.hasPrefix("…") || text.hasPrefix("...")
            }
            (node, left) = (tree.nextInOrder(current, within: HTMLTree.root), left - 1)
        }
        return false
    }
}

extension HTMLTree {
    /// Whether "next" may be in the start tag of an element, which takes a tenth of the time of reading its attributes.
    fileprivate func mayMentionNext(_ node: Int) -> Bool {
        let start = Int(nodes[node].start)
        let content = firstChild(node).map { Int(nodes[$0].start) } ?? start + 1024
        return withPage { page in
            guard start >= 0, start < min(content, page.count) else { return false }
            let tag = UnsafeBufferPointer(rebasing: page[start..<min(content, page.count)])
            var from = 0
            // The letter is rare.
            while let letter = tag.offset(of: UInt8(ascii: "x"), from: from) {
                if tag[..<letter].suffix(2).elementsEqual("ne".utf8) { return true }
                from = letter + 1
            }
            return false
        }
    }
}

/// The address of an article with the number of a page of it.
private struct PageAddress: Equatable {
    /// The address of the article, in the form of ``StoryAddress``.
    let article: String
    let number: Int
    /// The kind of place that the number has; nil if there is none.
    let marker: String?

    /// The address as that of the first page, which often has no number.
    init(ofFirst article: String) { (self.article, number, marker) = (article, 1, nil) }

    private init?(_ article: String, _ number: Int?, _ marker: String) {
        // The home page of a site isn't an article.
        guard let number, article.contains("/") || article.contains("?") else { return nil }
        (self.article, self.number, self.marker) = (article, number, marker)
    }

    /// Whether it is another page of the same article, with its number in the same place.
    func isBeside(_ other: PageAddress) -> Bool {
        article == other.article && number != other.number
            && (marker == nil || other.marker == nil || marker == other.marker)
    }

    /// Whether the number is surely that of a page, and not that of an article.
    var isSure: Bool { marker?.contains("page") ?? true }

    /// The ways to read an address as that of a page.
    static func readings(of address: String) -> [PageAddress] {
        let parts = address.split(separator: "?", maxSplits: 1)
        let query = parts.count > 1 ? "?" + parts[1] : ""
        return [inPath(parts[0], query), inName(parts[0], query)].compactMap(\.self) + inQuery(parts[0], query)
    }

    /// As in `/lamp/2` and `/lamp/page/2`.
    private static func inPath(_ path: Substring, _ query: String) -> PageAddress? {
        var names = path.split(separator: "/")
        guard let number = names.popLast().flatMap(number) else { return nil }
        let isNamed = names.last == "page"
        if isNamed { names.removeLast() }
        return PageAddress(names.joined(separator: "/") + query, number, isNamed ? "/page/" : "/")
    }

    /// As in `/lamp-2.html`, `/lamp-page-2` and `/lamp/page2.html`.
    private static func inName(_ path: Substring, _ query: String) -> PageAddress? {
        var names = path.split(separator: "/")
        guard names.count > 1, let last = names.popLast() else { return nil }
        let end = last.lastIndex(of: ".").map { last[$0...] } ?? ""
        let start = last.dropLast(end.count)
        let digits = start.reversed().prefix { $0.isNumber }
        var name = start.dropLast(digits.count)
        let hasSign = name.last == "-" || name.last == "_"
        if hasSign { name.removeLast() }
        let isNamed = name.hasSuffix("page")
        if isNamed {
            name.removeLast(4)
            if name.last == "-" || name.last == "_" { name.removeLast() } else if !name.isEmpty { return nil }
        }
        guard isNamed || hasSign && !end.isEmpty else { return nil }
        if !name.isEmpty { names.append(name + end) }
        return PageAddress(
            names.joined(separator: "/") + query, number(String(digits.reversed())[...]), isNamed ? "page-" : "-")
    }

    /// As in `/lamp?page=2`.
    private static func inQuery(_ path: Substring, _ query: String) -> [PageAddress] {
        let items = query.dropFirst().split(separator: "&")
        return items.enumerated().compactMap { index, item in
            let parts = item.split(separator: "=")
            guard parts.count == 2, keys.contains(parts[0]) else { return nil }
            var others = items
            others.remove(at: index)
            let rest = others.isEmpty ? "" : "?" + others.joined(separator: "&")
            return PageAddress(path + rest, number(parts[1]), "?\(parts[0])")
        }
    }

    private static let keys: Set<Substring> = ["page", "paged", "p"]

    /// The number of a page; nil if a text is something else, such as a year.
    static func number(_ text: Substring) -> Int? {
        guard text.utf8.count < 4, text.utf8.allSatisfy(\.isDigit), text.first != "0" else { return nil }
        return Int(text)
    }
}
