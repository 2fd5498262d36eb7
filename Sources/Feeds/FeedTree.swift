import Foundation

/// Makes elements out of the tags of a feed, whether they are well-formed or not.
struct FeedTree {
    /// The feed's outermost element, without its items; nil where there is no feed.
    private(set) var root: FeedElement?
    /// Its items, wherever they were.
    private(set) var items: [FeedElement] = []

    var scanner: XMLScanner
    let documentBase: LinkBase?
    var namespaces = XMLNamespaces()
    var open: [OpenElement] = []
    /// Whether a web page began before any feed did.
    private var isWebPage = false
    /// The name of the element of a web page that is open and holds no HTML.
    private var hidden: [UInt8]?
    /// What links in XHTML are relative to, by how many of its elements are open: its elements have bases too.
    var bases: [(depth: Int, base: LinkBase)] = []
    var markupDepth = 0

    struct OpenElement {
        let element: FeedElement
        /// As it is written, with its prefix.
        let name: Range<Int>
        let content: Content
        /// How many elements of this name are open within text or what is skipped.
        var nested = 0
    }

    enum Content {
        case elements
        case text
        /// Something that isn't known, which is skipped with all that is in it.
        case unknown
    }

    /// A feed is five levels deep at most; what is deeper is no structure of it.
    static let maxDepth = 12

    init(_ bytes: UnsafeBufferPointer<UInt8>, base: LinkBase?) {
        scanner = XMLScanner(bytes)
        documentBase = base
        while let token = scanner.next() { take(token) }
        // A feed may be cut off anywhere.
        close(to: 0)
        // Only a whole feed counts in a web page, which may be about feeds.
        if isWebPage, items.isEmpty, root?.child(.feed, "channel") == nil { root = nil }
    }

    private mutating func take(_ token: XMLScanner.Token) {
        switch token {
        case .text(let range): appendText(range, isLiteral: false)
        case .characterData(let range): appendText(range, isLiteral: true)
        case .open(let name, let isEmpty): if hidden == nil { begin(name, isEmpty: isEmpty) }
        case .close(let name):
            if let hidden {
                if scanner[name].elementsEqual(hidden, by: { $0 | 0x20 == $1 }) { self.hidden = nil }
            } else {
                end(name)
            }
        }
    }

    // MARK: Tags

    private mutating func begin(_ name: Range<Int>, isEmpty: Bool) {
        if let last = open.last, last.content != .elements {
            let outer = isEmpty ? nil : index(of: name)
            guard let outer, last.content == .text, !last.element.keepsMarkup, open[outer].element.isItem else {
                if let outer { open[outer].nested += 1 }
                if last.content == .text { appendTag(name, isEmpty: isEmpty) }
                return
            }
            // An item in a text: the end tags of the text and of the item around it are missing.
            close(to: outer)
        }
        let element = element(name)
        if element.isItem, let outer = open.lastIndex(where: \.element.isItem) { close(to: outer) }
        guard let content = content(of: element) else {
            namespaces.leave(depth: open.count)
            if isWebPage, root == nil, !isEmpty, Self.texts.contains(element.name) { hidden = Array(element.name.utf8) }
            return
        }
        open.append(OpenElement(element: element, name: name, content: content))
        (bases, markupDepth) = ([], 0)
        if isEmpty { close(to: open.count - 1) }
    }

    /// What is to be made of an element here; nil for one that stands outside of any feed.
    private mutating func content(of element: FeedElement) -> Content? {
        if open.isEmpty {
            isWebPage = isWebPage || root == nil && element.name == "html"
            if root == nil { return isFeed(element) ? .elements : nil }
            return element.isItem ? .elements : nil
        }
        if element.vocabulary == .unknown { return .unknown }
        return element.isContainer && open.count < Self.maxDepth ? .elements : .text
    }

    /// Whether an element is the outermost one of a feed, which some servers put into a web page.
    private func isFeed(_ element: FeedElement) -> Bool {
        guard FeedKind(root: element) != nil else { return false }
        return !isWebPage || element.name == "rss" || element.attributes.keys.contains { $0.hasPrefix("xmlns") }
    }

    /// Elements of a web page in which there may be a feed that is only text.
    private static let texts: Set<String> = ["script", "style", "textarea", "pre", "code", "title"]

    private mutating func end(_ name: Range<Int>) {
        // An end tag without a beginning means nothing.
        guard let outer = index(of: name) else { return appendEndTag(name) }
        guard open[outer].nested == 0 else {
            open[outer].nested -= 1
            return appendEndTag(name)
        }
        close(to: outer)
    }

    /// Closes elements until so many are open.
    private mutating func close(to count: Int) {
        while open.count > count {
            let closed = open.removeLast()
            namespaces.leave(depth: open.count)
            guard closed.content != .unknown else { continue }
            if closed.element.isItem {
                items.append(closed.element)
            } else if open.isEmpty {
                root = root ?? closed.element
            } else {
                open[open.count - 1].element.children.append(closed.element)
            }
        }
    }

    /// Where the innermost open element of a name is.
    private func index(of name: Range<Int>) -> Int? {
        open.lastIndex { other in
            other.name.count == name.count
                && zip(scanner.bytes[other.name], scanner.bytes[name]).allSatisfy { $0 == $1 || $0 | 0x20 == $1 | 0x20 }
        }
    }
}
