import BlogEssentials

/// The elements and text nodes of a web page.
///
/// Nodes are stored in one array and refer to each other by index, so that a page of 10 MiB takes little more memory than
/// its text. Attributes and texts are read from the page when they are needed.
struct HTMLTree {
    /// An element or text node, with -1 for a missing link to another node.
    struct Node {
        var tag: HTMLTag
        /// Whether the text has no character references, as in raw text elements.
        fileprivate(set) var isRaw = false
        /// Whether the element can't be seen, as ``Visibility`` decides.
        fileprivate(set) var isHidden = false
        fileprivate(set) var parent: Int32 = -1
        fileprivate(set) var first: Int32 = -1
        fileprivate(set) var last: Int32 = -1
        fileprivate(set) var next: Int32 = -1
        fileprivate(set) var previous: Int32 = -1
        /// The offset of the text or start tag in the page; -1 for an added element.
        var start: Int32 = -1
        var end: Int32 = -1
    }

    private let page: String
    private let time: ProcessorTime
    private(set) var nodes: [Node] = []
    /// Whether the page goes on after the last node.
    var isCutOff = false

    static let root = 0
    static let head = 1
    static let body = 2

    /// A tree with only `html`, `head` and `body`, for ``HTMLTreeBuilder`` to fill.
    ///
    /// - Parameter time: how long the tree may be walked; when that is over, it seems to end at each step.
    init(emptyFor page: String, time: ProcessorTime) {
        var page = page
        page.makeContiguousUTF8()
        self.page = page
        self.time = time
        for tag in [HTMLTag.html, .head, .body] { nodes.append(Node(tag: tag)) }
        append(Self.head, to: Self.root)
        append(Self.body, to: Self.root)
    }

    func withPage<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        page.utf8.withContiguousStorageIfAvailable(body) ?? Array(page.utf8).withUnsafeBufferPointer(body)
    }

    // MARK: Content

    func tag(_ node: Int) -> HTMLTag { nodes[node].tag }

    func isHidden(_ node: Int) -> Bool { nodes[node].isHidden }

    /// The attributes of an element, as in ``TagScanner/attributeValues``.
    func attributes(of node: Int) -> ElementAttributes {
        var attributes: ElementAttributes = [:]
        scanAttributes(of: node) { attributes = $0.attributeValues }
        return attributes
    }

    func attribute(_ name: String, of node: Int) -> String? { attributes(of: node)[name] }

    /// Calls `body` with a scanner that has just read the element's start tag, if that has attributes.
    func scanAttributes(of node: Int, _ body: (borrowing TagScanner) -> Void) {
        let element = nodes[node]
        guard element.tag != .text, element.start >= 0 else { return }
        withPage { bytes in
            var scanner = TagScanner(bytes, from: Int(element.start))
            if case .open = scanner.next(), !scanner.attributes.isEmpty { body(scanner) }
        }
    }

    /// The lowercased name of an element, which its tag doesn't give if it is unknown.
    func name(of node: Int) -> String {
        nodes[node].tag == .other ? writtenName(of: node) : nodes[node].tag.rawValue
    }

    /// The lowercased name of an element in the page; "" for one that was added.
    func writtenName(of node: Int) -> String {
        let start = Int(nodes[node].start)
        guard start >= 0 else { return "" }
        return withPage { bytes in
            var scanner = TagScanner(bytes, from: start)
            guard case .open(let name, _)? = scanner.next() else { return "" }
            return scanner.lowercased(name)
        }
    }

    /// Reads a text node's source, with its character references.
    func withSource<Result>(of text: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let node = nodes[text]
        return withPage { body(UnsafeBufferPointer(rebasing: $0[Int(node.start)..<Int(node.end)])) }
    }

    /// Whether a text node is only white space.
    func isBlank(_ text: Int) -> Bool {
        withSource(of: text) { source in
            guard let first = source.first(where: { !$0.isASCIIWhitespace }) else { return true }
            if first < 0x80, first != UInt8(ascii: "&") { return false }
            return CharacterReferences.replaced(in: source, as: .html).allSatisfy(\.isWhitespace)
        }
    }

    /// The text of an element.
    ///
    /// - Parameter limit: a number of bytes after which to stop at the next opportunity.
    func text(of element: Int, atLeast limit: Int = .max) -> String {
        var buffer: [UInt8] = []
        var next: Int? = element
        while let node = next, buffer.count < limit {
            if nodes[node].tag == .text {
                withSource(of: node) { source in
                    if nodes[node].isRaw {
                        buffer.append(contentsOf: source)
                    } else {
                        CharacterReferences.append(source, to: &buffer, as: .html)
                    }
                }
            }
            next = nextInOrder(node, within: element)
        }
        return buffer.text
    }

    /// The first nodes in an element, at most `count`.
    func beginning(of element: Int, _ count: Int) -> [Int] {
        var (nodes, node): ([Int], Int?) = ([], nextInOrder(element, within: element))
        while let current = node, nodes.count < count {
            nodes.append(current)
            node = nextInOrder(current, within: element)
        }
        return nodes
    }

    /// The text of an element on one line, with its parts apart, though there may be no space between them.
    ///
    /// - Parameter limit: a number of bytes after which to stop at the next opportunity.
    func line(of element: Int, atLeast limit: Int = .max) -> String {
        var (line, isApart, isStyled) = ("", false, false)
        var next = nextInOrder(element, within: element)
        while let node = next, line.utf8.count < limit {
            next = nextInOrder(node, within: element)
            guard tag(node) == .text else {
                isApart = isApart || tag(node) == .br || tag(node).isBlock
                continue
            }
            if isBlank(node) { continue }
            let text = withSource(of: node) { CharacterReferences.replaced(in: $0, as: .html) }
            // A letter may have a style of its own.
            let isInStyle = parent(node).map { [.b, .strong, .i, .em, .sup, .sub, .font].contains(tag($0)) } ?? false
            if isApart {
                while line.last?.isWhitespace == true { line.removeLast() }
            }
            if isApart, let last = line.last {
                line += ",;:|•·".contains(last) ? " " : ", "
            } else if !isInStyle, !isStyled, let last = line.last, let first = text.first,
                last.isLetter || last.isNumber, first.isLetter || first.isNumber
            {
                line += " "
            }
            line += text
            (isApart, isStyled) = (false, isInStyle)
        }
        return line
    }

    /// The texts in an element, each between two tags, that aren't blank.
    func parts(of element: Int) -> [String] {
        all(in: element).filter { tag($0) == .text && !isBlank($0) }.map { node in
            withSource(of: node) { CharacterReferences.replaced(in: $0, as: .html) }.trimmed
        }
    }

    /// Whether an element is the checkbox of a task list item.
    func isCheckbox(_ node: Int) -> Bool {
        guard tag(node) == .input, let parent = parent(node) else { return false }
        let isInItem = tag(parent) == .li || [.label, .p].contains(tag(parent)) && self.parent(parent).map(tag) == .li
        return isInItem && attribute("type", of: node)?.lowercased() == "checkbox"
    }

    // MARK: Walking

    func parent(_ node: Int) -> Int? { Self.index(nodes[node].parent) }
    func firstChild(_ node: Int) -> Int? { Self.index(nodes[node].first) }
    func lastChild(_ node: Int) -> Int? { Self.index(nodes[node].last) }
    func next(_ node: Int) -> Int? { Self.index(nodes[node].next) }
    func previous(_ node: Int) -> Int? { Self.index(nodes[node].previous) }

    private static func index(_ number: Int32) -> Int? { number >= 0 ? Int(number) : nil }

    func isElement(_ node: Int) -> Bool { nodes[node].tag != .text }

    func children(of node: Int) -> [Int] {
        var children: [Int] = []
        var child = firstChild(node)
        while let current = child, time.allowsStep() {
            children.append(current)
            child = next(current)
        }
        return children
    }

    /// The elements around a node, innermost first.
    func ancestors(of node: Int, atMost count: Int = .max) -> [Int] {
        var ancestors: [Int] = []
        var node = parent(node)
        while let current = node, ancestors.count < count {
            ancestors.append(current)
            node = parent(current)
        }
        return ancestors
    }

    /// The next node within `root` in document order, skipping the node's own content.
    func nextOutside(_ node: Int, within root: Int) -> Int? {
        var node = node
        while node != root {
            if let next = next(node) { return next }
            guard let parent = parent(node) else { return nil }
            node = parent
        }
        return nil
    }

    /// The next node within `root` in document order.
    func nextInOrder(_ node: Int, within root: Int) -> Int? {
        time.allowsStep() ? firstChild(node) ?? nextOutside(node, within: root) : nil
    }

    /// A node and all its descendants in document order.
    func all(in root: Int) -> [Int] {
        var all: [Int] = []
        var node: Int? = root
        while let current = node {
            all.append(current)
            node = nextInOrder(current, within: root)
        }
        return all
    }

    // MARK: Changing

    mutating func hide(_ node: Int) { nodes[node].isHidden = true }

    mutating func setTag(_ tag: HTMLTag, of node: Int) { nodes[node].tag = tag }

    /// A new element without attributes, not inserted yet.
    mutating func makeElement(_ tag: HTMLTag) -> Int { add(Node(tag: tag)) }

    mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    mutating func addText(_ range: Range<Int>, isRaw: Bool, to parent: Int) {
        let text = Node(tag: .text, isRaw: isRaw, start: Int32(range.lowerBound), end: Int32(range.upperBound))
        append(add(text), to: parent)
    }

    /// Gives an element the attributes of the start tag at an offset.
    mutating func setStart(_ start: Int, of node: Int) { nodes[node].start = Int32(start) }

    mutating func copyAttributes(of element: Int, to other: Int) { nodes[other].start = nodes[element].start }

    /// Detaches a node with its descendants.
    mutating func remove(_ node: Int) {
        let old = nodes[node]
        if old.previous >= 0 { nodes[Int(old.previous)].next = old.next }
        if old.next >= 0 { nodes[Int(old.next)].previous = old.previous }
        if old.parent >= 0 {
            if old.previous < 0 { nodes[Int(old.parent)].first = old.next }
            if old.next < 0 { nodes[Int(old.parent)].last = old.previous }
        }
        (nodes[node].parent, nodes[node].previous, nodes[node].next) = (-1, -1, -1)
    }

    /// Moves a node to the end of an element.
    mutating func append(_ node: Int, to parent: Int) {
        remove(node)
        nodes[node].parent = Int32(parent)
        nodes[node].previous = nodes[parent].last
        if nodes[parent].last >= 0 { nodes[Int(nodes[parent].last)].next = Int32(node) }
        if nodes[parent].first < 0 { nodes[parent].first = Int32(node) }
        nodes[parent].last = Int32(node)
    }

    /// Moves a node before another one.
    mutating func insert(_ node: Int, before other: Int) {
        remove(node)
        let previous = nodes[other].previous
        nodes[node].parent = nodes[other].parent
        nodes[node].previous = previous
        nodes[node].next = Int32(other)
        nodes[other].previous = Int32(node)
        if previous >= 0 {
            nodes[Int(previous)].next = Int32(node)
        } else if let parent = parent(other) {
            nodes[parent].first = Int32(node)
        }
    }

    mutating func replace(_ node: Int, with other: Int) {
        insert(other, before: node)
        remove(node)
    }
}
