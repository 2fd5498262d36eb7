import BlogEssentials
import BlogMarkup

/// Builds the elements of a feed, which may be malformed.
struct FeedTree {
    /// The root without its items; nil if the text isn't a feed.
    private(set) var root: FeedElement?
    /// All items, wherever they are in the feed.
    private(set) var items: [FeedElement] = []
    private(set) var end = DocumentEnd.found

    private var scanner: TagScanner
    private let documentBase: LinkBase?
    private var namespaces = XMLNamespaces()
    private var open: [OpenElement] = []
    /// Whether there is an `html` element before the feed.
    private var isWebPage = false
    /// The bases of the open XHTML elements, by depth.
    private var bases: [(depth: Int, base: LinkBase)] = []
    private var markupDepth = 0

    private struct OpenElement {
        let element: FeedElement
        /// With its prefix.
        let name: Range<Int>
        let content: Content
        /// The number of open tags of the same name in its text.
        var nested = 0
    }

    private enum Content {
        case elements
        case text
        /// Skipped.
        case unknown
    }

    /// A feed needs five levels.
    private static let maxDepth = 12

    init(_ bytes: UnsafeBufferPointer<UInt8>, base: LinkBase?) {
        scanner = TagScanner(bytes)
        documentBase = base
        while let token = scanner.next() {
            switch token {
            case .text(let range): appendText(range, isLiteral: false)
            case .characterData(let range): appendText(range, isLiteral: true)
            case .open(let name, let isEmpty): begin(name, isEmpty: isEmpty)
            case .close(let name): end(name)
            }
            if items.count > FeedDocument.maxItems { break }
        }
        if !open.isEmpty { end = .missing }
        if let item = open.firstIndex(where: \.element.isItem) {
            end = .withinItem
            open.removeSubrange(item...)
        }
        close(to: 0)
        if items.count > FeedDocument.maxItems {
            items.removeLast(items.count - FeedDocument.maxItems)
            end = .tooMany
        }
        // A web page may be about feeds, so only a complete feed counts in it.
        if isWebPage, items.isEmpty, end != .withinItem, root?.child(.feed, "channel") == nil { root = nil }
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
            // An item within a text: the end tags of the text and its item are missing.
            close(to: outer)
        }
        let element = element(name)
        if element.isItem, let outer = open.lastIndex(where: \.element.isItem) { close(to: outer) }
        guard let content = content(of: element) else {
            namespaces.leave(depth: open.count)
            if isWebPage, root == nil, !isEmpty, Self.textElements.contains(element.name) {
                scanner.skipContent(of: name)
            }
            return
        }
        open.append(OpenElement(element: element, name: name, content: content))
        (bases, markupDepth) = ([], 0)
        if isEmpty { close(to: open.count - 1) }
    }

    /// The kind of content to read from an element; nil if it is outside of a feed.
    private mutating func content(of element: FeedElement) -> Content? {
        if open.isEmpty {
            isWebPage = isWebPage || root == nil && element.name == "html"
            if root == nil { return isFeed(element) ? .elements : nil }
            return element.isItem ? .elements : nil
        }
        if element.vocabulary == .unknown { return .unknown }
        return element.isContainer && open.count < Self.maxDepth ? .elements : .text
    }

    /// Whether an element is the root of a feed, which some servers embed in a web page.
    private func isFeed(_ element: FeedElement) -> Bool {
        guard FeedKind(root: element) != nil else { return false }
        return !isWebPage || element.name == "rss" || element.attributes.keys.contains { $0.hasPrefix("xmlns") }
    }

    /// Elements of a web page in which a feed would only be text.
    private static let textElements: Set<String> = ["script", "style", "textarea", "pre", "code", "title"]

    private mutating func end(_ name: Range<Int>) {
        // An end tag without a start tag is ignored, except in text.
        guard let outer = index(of: name) else { return appendEndTag(name) }
        guard open[outer].nested == 0 else {
            open[outer].nested -= 1
            return appendEndTag(name)
        }
        close(to: outer)
    }

    /// Closes elements until `count` are open.
    private mutating func close(to count: Int) {
        while open.count > count {
            let closed = open.removeLast()
            namespaces.leave(depth: open.count)
            guard closed.content != .unknown else { continue }
            if closed.element.isItem {
                let bytes = UnsafeRawBufferPointer(
                    rebasing: UnsafeRawBufferPointer(scanner.bytes)[closed.name.lowerBound..<scanner.index])
                closed.element.digest = ContentDigest.hash(of: bytes)
                items.append(closed.element)
            } else if open.isEmpty {
                root = root ?? closed.element
            } else {
                open[open.count - 1].element.children.append(closed.element)
            }
        }
    }

    /// The index of the innermost open element of this name.
    private func index(of name: Range<Int>) -> Int? {
        open.lastIndex { scanner.isSameName($0.name, name) }
    }
}

extension FeedTree {
    /// Creates the element of the scanner's current tag.
    private mutating func element(_ name: Range<Int>) -> FeedElement {
        var attributes: [String: String] = [:]
        for attribute in scanner.attributes {
            let key = scanner.lowercased(attribute.name)
            let value = CharacterReferences.replaced(in: scanner[attribute.value])
            if key.hasPrefix("xmlns") { namespaces.declare(key, value, depth: open.count + 1) }
            attributes[key] = attributes[key] ?? value
        }
        for (key, value) in attributes {
            // The prefix of the feed's own vocabulary, as in `atom:href`.
            guard let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")), !key.hasPrefix("xml"),
                namespaces.vocabulary(prefix: String(key[..<colon])) == .feed
            else { continue }
            let name = String(key[key.utf8.index(after: colon)...])
            attributes[name] = attributes[name] ?? value
        }
        let (prefix, local) = parts(of: name)
        var vocabulary = namespaces.vocabulary(prefix: prefix)
        if prefix.isEmpty, vocabulary == .unknown || vocabulary == .xhtml, FeedElement.coreNames.contains(local) {
            vocabulary = .feed
        }
        let element = FeedElement(vocabulary: vocabulary, name: local)
        element.attributes = attributes
        element.base = base(attributes["xml:base"], within: open.last?.element.base)
        return element
    }

    private func base(_ address: String?, within outer: LinkBase?) -> LinkBase? {
        guard let address else { return outer }
        return (outer ?? documentBase)?.resolving(address)
    }

    /// The prefix of a name, "" for none, and its local part.
    private func parts(of name: Range<Int>) -> (prefix: String, local: String) {
        guard let colon = scanner.bytes[name].firstIndex(of: UInt8(ascii: ":")) else {
            return ("", scanner.lowercased(name))
        }
        let prefix = scanner.lowercased(name.lowerBound..<colon)
        let local = scanner.lowercased(colon + 1..<name.upperBound)
        return local.isEmpty ? ("", prefix) : (prefix, local)
    }

    // MARK: Text

    /// Appends to the text of the innermost element; literal text has no character references.
    private mutating func appendText(_ range: Range<Int>, isLiteral: Bool) {
        guard let last = open.indices.last, open[last].content != .unknown else { return }
        let isMarkup = open[last].content == .text && open[last].element.keepsMarkup
        if isLiteral && isMarkup {
            open[last].element.text += RelativeLinks.escaped(scanner[range])
        } else if isLiteral || isMarkup {
            open[last].element.text.append(contentsOf: scanner[range])
        } else {
            CharacterReferences.append(scanner[range], to: &open[last].element.text)
        }
    }

    /// Appends a start tag to the innermost text, without its prefix: `xhtml:p` becomes `p`.
    private mutating func appendTag(_ name: Range<Int>, isEmpty: Bool) {
        let last = open.count - 1
        let local = localName(name)
        open[last].element.hasMarkup = true
        enterMarkup(isEmpty: isEmpty || RelativeLinks.isVoid(local))
        var tag = Array("<".utf8) + local
        for attribute in scanner.attributes {
            let key = scanner[attribute.name]
            let isLanguage = key.elementsEqual(Array("xml:lang".utf8))
            if key.starts(with: Array("xml".utf8)), !isLanguage { continue }
            tag += [.space] + (isLanguage ? Array("lang".utf8) : Array(key)) + Array("=\"".utf8)
            let base = bases.last?.base ?? open[last].element.base
            if let base, let link = RelativeLinks.rewritten(key, scanner[attribute.value], base: base) {
                tag += link
            } else {
                tag += RelativeLinks.quoted(scanner[attribute.value])
            }
            tag.append(UInt8(ascii: "\""))
        }
        tag.append(UInt8(ascii: ">"))
        // In HTML, only void elements have no end tag.
        if isEmpty && !RelativeLinks.isVoid(local) { tag += Array("</".utf8) + local + [UInt8(ascii: ">")] }
        open[last].element.text += tag
    }

    private mutating func appendEndTag(_ name: Range<Int>) {
        guard let last = open.indices.last, open[last].content == .text else { return }
        let local = localName(name)
        open[last].element.hasMarkup = true
        if RelativeLinks.isVoid(local) { return }
        markupDepth -= 1
        while let base = bases.last, base.depth > markupDepth { bases.removeLast() }
        open[last].element.text += Array("</".utf8) + local + [UInt8(ascii: ">")]
    }

    /// Records the depth and the `xml:base` of a start tag.
    private mutating func enterMarkup(isEmpty: Bool) {
        guard !isEmpty else { return }
        markupDepth += 1
        let attribute = scanner.attributes.first { scanner.lowercased($0.name) == "xml:base" }
        let address = attribute.map { CharacterReferences.replaced(in: scanner[$0.value]) }
        guard let address, bases.count < Self.maxDepth,
            let base = base(address, within: bases.last?.base ?? open.last?.element.base)
        else { return }
        bases.append((markupDepth, base))
    }

    private func localName(_ name: Range<Int>) -> [UInt8] {
        let bytes = scanner[name]
        let colon = bytes.lastIndex(of: UInt8(ascii: ":"))
        return Array(bytes[(colon.map { $0 + 1 } ?? 0)...])
    }
}
