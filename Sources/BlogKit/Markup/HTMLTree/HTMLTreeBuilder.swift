/// Builds a tree from the tags of a page, with the most common of the rules by which browsers repair HTML.
///
/// It handles omitted tags, stray end tags and unclosed elements. It doesn't move misplaced content out of tables, or
/// reopen inline elements in the next paragraph: neither changes which text is the article.
struct HTMLTreeBuilder {
    private var tree: HTMLTree
    /// The open elements, innermost last.
    private var open = [HTMLTree.root, HTMLTree.head]
    private var isHeadOver = false
    private var visibility: Visibility
    /// The number of unclosed elements that ``maxDepth`` kept out of `open`.
    private var tooDeep: [HTMLTag: Int] = [:]

    /// The maximum nesting; deeper elements become siblings.
    static let maxDepth = 200
    /// The maximum number of nodes; the rest of the page is ignored.
    static let maxNodes = 150_000

    private init(_ page: String, _ time: ProcessorTime) {
        tree = HTMLTree(emptyFor: page, time: time)
        visibility = Visibility(of: Array(page.utf8))
    }

    static func tree(of page: String, time: ProcessorTime = ProcessorTime()) -> HTMLTree {
        var builder = HTMLTreeBuilder(page, time)
        let empty = builder.tree
        empty.withPage { builder.read($0) }
        return builder.tree
    }

    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = TagScanner(bytes)
        while let token = scanner.next() {
            guard tree.nodes.count < Self.maxNodes else { return tree.isCutOff = true }
            switch token {
            case .text(let range), .characterData(let range): addText(range, of: bytes)
            case .open(let range, let isEmpty): openElement(range, isEmpty: isEmpty, &scanner)
            case .close(let range):
                let name = scanner.lowercased(range)
                visibility.end(name)
                close(HTMLTag(name: name))
            }
        }
    }

    private func isOpen(_ tag: HTMLTag) -> Bool { open.contains { tree.tag($0) == tag } }

    private var last: HTMLTag { tree.tag(open[open.count - 1]) }

    private mutating func addText(_ range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>) {
        if !isHeadOver {
            guard !bytes[range].isBlank else { return }
            endHead()
        }
        _ = visibility.showsText(isBlank: bytes[range].isBlank)
        tree.addText(range, isRaw: false, to: open[open.count - 1])
    }

    private mutating func endHead() {
        isHeadOver = true
        open = [HTMLTree.root, HTMLTree.body]
    }

    // MARK: Start tags

    private mutating func openElement(_ range: Range<Int>, isEmpty: Bool, _ scanner: inout TagScanner) {
        let name = scanner.lowercased(range)
        let tag = HTMLTag(name: name)
        let start = range.lowerBound - 1
        switch tag {
        case .html: return tree.setStart(start, of: HTMLTree.root)
        case .head: return
        case .body:
            if !isHeadOver { endHead() }
            return tree.setStart(start, of: HTMLTree.body)
        default: break
        }
        if !isHeadOver, !tag.isMetadata { endHead() }
        closeImplied(before: tag)
        let isInDrawing = isEmpty && (isOpen(.svg) || isOpen(.math) || tag == .svg || tag == .math)
        let node = tree.add(HTMLTree.Node(tag: tag, start: Int32(start)))
        tree.append(node, to: open[open.count - 1])
        if visibility.hides(name, Visibility.attributes(in: scanner)) { tree.hide(node) }
        if tag.isVoid || isInDrawing { return }
        if open.count < Self.maxDepth { open.append(node) } else { tooDeep[tag, default: 0] += 1 }
        guard tag.isRaw else { return }
        let content = scanner.index
        scanner.skipContent(of: range)
        if [.script, .title, .textarea].contains(tag) {
            tree.addText(content..<scanner.index, isRaw: tag == .script, to: node)
        }
    }

    /// Closes the elements whose end tags the start tag implies.
    private mutating func closeImplied(before tag: HTMLTag) {
        if tag.endsParagraph { closeInner(until: { $0 == .p }, below: \.isScope) }
        if tag.isHeading, last.isHeading { open.removeLast() }
        switch tag {
        case .li: closeInner(until: { $0 == .li }, below: { $0.isScope || [.ul, .ol, .menu].contains($0) })
        case .dt, .dd: closeInner(until: { $0 == .dt || $0 == .dd }, below: { $0.isScope || $0 == .dl })
        case .option, .optgroup: closeInner(until: { $0 == .option }, below: { $0.isBlock || $0 == .select })
        case .rt, .rp, .rb, .rtc:
            closeInner(until: { [.rt, .rp, .rb].contains($0) }, below: { $0.isBlock || $0 == .ruby })
        case .a, .button: close(tag)
        case .td, .th, .caption: closeTablePart { $0 == .td || $0 == .th || $0 == .caption }
        case .tr: closeTablePart { [.tr, .td, .th, .caption].contains($0) }
        case .tbody, .thead, .tfoot, .colgroup: closeTablePart { $0 != .table }
        default: break
        }
    }

    /// Closes the innermost matching element, unless a `barrier` comes first.
    private mutating func closeInner(until matches: (HTMLTag) -> Bool, below barrier: (HTMLTag) -> Bool) {
        for index in open.indices.reversed() {
            let tag = tree.tag(open[index])
            if matches(tag) { return open.removeLast(open.count - index) }
            if barrier(tag) { return }
        }
    }

    /// Closes the outermost matching part of the innermost table.
    private mutating func closeTablePart(_ matches: (HTMLTag) -> Bool) {
        guard let table = open.lastIndex(where: { tree.tag($0) == .table }),
            let part = open[table...].firstIndex(where: { matches(tree.tag($0)) })
        else { return }
        open.removeLast(open.count - part)
    }

    // MARK: End tags

    private mutating func close(_ tag: HTMLTag) {
        if let count = tooDeep[tag], count > 0 {
            tooDeep[tag] = count - 1
            return
        }
        switch tag {
        case .head: if !isHeadOver { endHead() }
        case .html, .body: break
        case .table: closeInner(until: { $0 == tag }, below: { $0 == .body })
        case .td, .th, .tr, .tbody, .thead, .tfoot, .caption: closeInner(until: { $0 == tag }, below: { $0 == .table })
        case _ where tag.isHeading: closeInner(until: \.isHeading, below: \.isScope)
        case _ where tag.isBlock: closeInner(until: { $0 == tag }, below: \.isScope)
        default: closeInline(tag)
        }
    }

    /// Closes an inline element; blocks in it stay open, as the end tag is misplaced.
    private mutating func closeInline(_ tag: HTMLTag) {
        var hasBlock = false
        for index in open.indices.reversed() {
            let other = tree.tag(open[index])
            if other == tag {
                if hasBlock { open.remove(at: index) } else { open.removeLast(open.count - index) }
                return
            }
            if other.isScope { return }
            hasBlock = hasBlock || other.isBlock
        }
    }
}
