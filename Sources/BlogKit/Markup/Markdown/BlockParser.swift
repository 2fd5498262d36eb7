/// Parses Markdown line by line into a tree of blocks, as described in the appendix of https://spec.commonmark.org.
struct BlockParser {
    /// The blocks that the next line may continue, outermost first.
    private var open = [BlockNode(.document, depth: 0)]
    private var references = LinkReferences()
    /// Whether the whole line has been consumed.
    private var isLineConsumed = false

    /// The maximum nesting of quotes and lists, which bounds recursion; deeper ones are text.
    private static let maxDepth = 50
    /// The maximum number of blocks and of cells in tables, which bounds memory; no real text has as many.
    private static let maxBlocks = 100_000
    private var blockCount = 0

    /// Whether the rest must be a single paragraph.
    var isFull: Bool { blockCount >= Self.maxBlocks }

    private var tip: BlockNode { open[open.count - 1] }

    mutating func add(line: [UInt8]) {
        var cursor = LineCursor(line)
        isLineConsumed = false
        guard let matched = continueOpen(&cursor) else { return }
        let last = tip
        var depth = matched
        // In code and HTML, no line begins a new block.
        if Self.mayHoldBlocks(open[depth - 1]) { startBlocks(&cursor, depth: &depth) }
        let isNew = open[depth - 1] !== last && tip !== last
        if depth < open.count, !isNew, !cursor.isBlank, last.isParagraph, tip === last {
            // A lazy continuation line.
            addText(cursor, to: last)
            return
        }
        close(to: depth)
        noteBlank(cursor.isBlank && !isLineConsumed)
        if !isLineConsumed { addRest(cursor) }
    }

    /// Adds the rest of the text as a paragraph.
    mutating func add(rest: ArraySlice<UInt8>) {
        var depth = 1
        push(.paragraph, &depth)
        tip.text = Array(rest)
    }

    mutating func finish() -> Document {
        close(to: 1)
        var builder = BlockBuilder(references: references)
        return Document(blocks: builder.blocks(of: open[0].children))
    }

    private static func mayHoldBlocks(_ node: BlockNode) -> Bool {
        switch node.kind {
        case .indentedCode, .fencedCode, .html: false
        default: true
        }
    }

    // MARK: Open blocks

    /// The number of open blocks that the line continues; nil if it is the closing fence of one.
    private mutating func continueOpen(_ cursor: inout LineCursor) -> Int? {
        var matched = 1
        for node in open.dropFirst() {
            switch continues(node, &cursor) {
            case true?: matched += 1
            case false?: return matched
            case nil:
                close(to: matched)
                return nil
            }
        }
        return matched
    }

    /// Whether a line continues a block; nil if it is its closing fence.
    private func continues(_ node: BlockNode, _ cursor: inout LineCursor) -> Bool? {
        switch node.kind {
        case .document, .list: return true
        case .quote:
            guard cursor.indent <= 3, cursor.next == UInt8(ascii: ">") else { return false }
            cursor.skipIndent()
            cursor.skip(characters: 1)
            cursor.skip(columns: 1)
            return true
        case .item(_, let indent):
            if cursor.isBlank { return !node.children.isEmpty }
            guard cursor.indent >= indent else { return false }
            cursor.skip(columns: indent)
            return true
        case .indentedCode:
            if cursor.indent >= 4 {
                cursor.skip(columns: 4)
                return true
            }
            guard cursor.isBlank else { return false }
            cursor.skipIndent()
            return true
        case .fencedCode(let fence):
            var rest = cursor
            rest.skipIndent()
            if cursor.indent <= 3, BlockStart.ends(fence, rest.rest) { return nil }
            cursor.skip(columns: min(fence.indent, cursor.indent))
            return true
        case .html(let start): return node.isPreformatted || !(start.endsAtBlankLine && cursor.isBlank)
        case .paragraph, .table: return !cursor.isBlank
        case .heading, .rule: return false
        }
    }

    // MARK: New blocks

    private mutating func startBlocks(_ cursor: inout LineCursor, depth: inout Int) {
        while Self.mayHoldBlocks(open[depth - 1]), open[depth - 1].depth < Self.maxDepth {
            if cursor.isBlank { return }
            let isLazy = tip.isParagraph
            if cursor.indent >= 4 {
                guard !isLazy else { return }
                cursor.skip(columns: 4)
                return push(.indentedCode, &depth)
            }
            guard start(&cursor, &depth) else { return }
        }
    }

    /// Opens the block that the line starts, if any; true if that is a container.
    private mutating func start(_ cursor: inout LineCursor, _ depth: inout Int) -> Bool {
        let container = open[depth - 1]
        var probe = cursor
        let indent = cursor.indent
        probe.skipIndent()
        let line = probe.rest
        if line.first == UInt8(ascii: ">") {
            probe.skip(characters: 1)
            probe.skip(columns: 1)
            push(.quote, &depth)
        } else if let (level, text) = BlockStart.heading(line) {
            push(.heading(level: level), &depth)
            tip.text = text
            isLineConsumed = true
        } else if let fence = BlockStart.fence(line, indent: indent) {
            push(.fencedCode(fence), &depth)
            isLineConsumed = true
        } else if let html = HTMLBlockStart(line, interrupts: tip.isParagraph) {
            push(.html(html), &depth)
            return false
        } else if container.isParagraph, let level = BlockStart.underline(line), hasText(container) {
            container.kind = .heading(level: level)
            isLineConsumed = true
        } else if container.isParagraph, container.lineCount == 1,
            let table = TableRow.table(header: container.text, delimiters: line)
        {
            container.kind = .table(table)
            isLineConsumed = true
        } else if BlockStart.isRule(line) {
            push(.rule, &depth)
            isLineConsumed = true
        } else if let (marker, length) = BlockStart.item(line), mayInterrupt(container, marker, line.dropFirst(length))
        {
            startItem(marker, length: length, indent: indent, &probe, &depth)
        } else {
            return false
        }
        cursor = probe
        return tip.isContainer
    }

    /// Only an item with text interrupts a paragraph, and an ordered one only if its number is 1.
    private func mayInterrupt(_ container: BlockNode, _ marker: ListMarker, _ rest: ArraySlice<UInt8>) -> Bool {
        guard container.isParagraph else { return true }
        return !rest.isBlank && (marker.number ?? 1) == 1
    }

    private mutating func startItem(
        _ marker: ListMarker, length: Int, indent: Int, _ probe: inout LineCursor, _ depth: inout Int
    ) {
        probe.skip(characters: length)
        let padding = probe.indent
        let isEmpty = probe.isBlank
        // More than four columns of space begin an indented code block in the item.
        let width = isEmpty || padding > 4 || padding < 1 ? 1 : padding
        probe.skip(columns: width)
        var container = open[depth - 1]
        if container.isParagraph {
            depth -= 1
            container = open[depth - 1]
        }
        var isContinued = false
        if case .list(let previous) = container.kind { isContinued = previous.continues(marker) }
        if !isContinued { push(.list(marker), &depth) }
        push(.item(marker, indent: indent + length + width), &depth)
    }

    /// Opens a block in the innermost open one that can contain it.
    private mutating func push(_ kind: BlockNode.Kind, _ depth: inout Int) {
        close(to: depth)
        var isItem = false
        if case .item = kind { isItem = true }
        while !tip.isContainer || tip.isList && !isItem { close(to: open.count - 1) }
        open.append(tip.append(kind))
        blockCount += 1
        depth = open.count
    }

    private mutating func hasText(_ paragraph: BlockNode) -> Bool {
        paragraph.text = references.take(from: paragraph.text)
        if paragraph.text.isEmpty { paragraph.lineCount = 0 }
        return !paragraph.text.isEmpty
    }

    // MARK: Text

    private mutating func addRest(_ cursor: LineCursor) {
        switch tip.kind {
        case .paragraph: addText(cursor, to: tip)
        case .table(let columns) where !cursor.isBlank:
            blockCount += columns.count
            addText(cursor, to: tip)
        case .indentedCode, .fencedCode:
            tip.text += cursor.content + [.lineFeed]
        case .html(let start):
            tip.add(html: cursor.content)
            if start.ends(with: cursor.bytes) { close(to: open.count - 1) }
        case .document, .quote, .list, .item:
            guard !cursor.isBlank else { return }
            var depth = open.count
            push(.paragraph, &depth)
            addText(cursor, to: tip)
        case .heading, .rule, .table: break
        }
    }

    private func addText(_ cursor: LineCursor, to node: BlockNode) {
        var cursor = cursor
        cursor.skipIndent()
        node.text += cursor.rest
        node.text.append(.lineFeed)
        node.lineCount += 1
    }

    /// Records a blank line, which can make a list loose.
    private func noteBlank(_ isBlank: Bool) {
        if isBlank, let last = tip.children.last { last.endsBlank = true }
        var counts = isBlank
        switch tip.kind {
        case .quote, .fencedCode: counts = false
        case .item where tip.children.isEmpty: counts = false
        default: break
        }
        for node in open { node.endsBlank = counts }
    }

    /// Closes the open blocks deeper than `depth`.
    private mutating func close(to depth: Int) {
        while open.count > depth {
            let node = open.removeLast()
            guard node.isParagraph else { continue }
            node.text = references.take(from: node.text)
            if node.text.isEmpty { tip.removeLastChild() }
        }
    }
}
