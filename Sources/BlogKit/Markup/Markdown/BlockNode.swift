/// A block being parsed.
final class BlockNode {
    enum Kind {
        case document
        case quote
        case list(ListMarker)
        /// A list item with the indentation of its content in columns.
        case item(ListMarker, indent: Int)
        case paragraph
        case heading(level: Int)
        case rule
        case indentedCode
        case fencedCode(Fence)
        case html(HTMLBlockStart)
        case table([Table.Alignment?])
    }

    var kind: Kind
    private(set) var children: [BlockNode] = []
    /// The lines of a leaf, each with its line feed.
    var text: [UInt8] = []
    /// The number of lines in a paragraph.
    var lineCount = 0
    /// Whether the last line of the block was blank.
    var endsBlank = false
    let depth: Int

    init(_ kind: Kind, depth: Int) {
        self.kind = kind
        self.depth = depth
    }

    func append(_ kind: Kind) -> BlockNode {
        let child = BlockNode(kind, depth: depth + 1)
        children.append(child)
        return child
    }

    func removeLastChild() { children.removeLast() }

    /// Whether an HTML block has an open `pre`, `script` or `style`, so that a blank line doesn't end it.
    ///
    /// In CommonMark it does, because there the browser joins the two halves.
    var isPreformatted: Bool { openTag != nil }
    private var openTag: String?

    /// Adds a line of HTML.
    func add(html line: [UInt8]) {
        text += line
        text.append(.lineFeed)
        var rest = line[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            let isClosing = rest.first == UInt8(ascii: "/")
            let begin = rest.dropFirst(isClosing ? 1 : 0).prefix(6).text.lowercased()
            guard let name = Self.preformatted.first(where: begin.hasPrefix) else { continue }
            if isClosing, openTag == name { openTag = nil }
            if !isClosing, openTag == nil { openTag = name }
        }
    }

    private static let preformatted = ["pre", "script", "style"]

    var isContainer: Bool {
        switch kind {
        case .document, .quote, .list, .item: true
        default: false
        }
    }

    var isParagraph: Bool { if case .paragraph = kind { true } else { false } }
    var isList: Bool { if case .list = kind { true } else { false } }
}

struct ListMarker: Equatable {
    /// `-`, `+` or `*`, or the `.` or `)` after a number.
    let character: UInt8
    let number: Int?

    /// Whether items with the two markers belong to the same list.
    func continues(_ other: ListMarker) -> Bool {
        character == other.character && (number == nil) == (other.number == nil)
    }
}

/// The first line of a fenced code block.
struct Fence {
    let character: UInt8
    let length: Int
    /// The indentation of the fence in columns, which is removed from the lines.
    let indent: Int
    /// The info string: the language.
    let info: String
}

/// Converts the tree of nodes to blocks and spans.
struct BlockBuilder {
    private let references: LinkReferences
    /// How many spans the text may still have, which bounds memory; no real text has as many.
    private var spansLeft = 200_000

    init(references: LinkReferences) {
        self.references = references
    }

    mutating func blocks(of nodes: [BlockNode]) -> [Block] {
        nodes.map { block($0) }
    }

    private mutating func block(_ node: BlockNode) -> Block {
        switch node.kind {
        case .document, .quote, .item: .quote(blocks(of: node.children))
        case .list(let marker):
            .list(
                numbers: marker.number.map { ListNumbers(from: $0, count: node.children.count) },
                isTight: isTight(node), items: node.children.map { item($0) })
        case .paragraph: .paragraph(spans(node.text))
        case .heading(let level): .heading(level: level, spans(node.text))
        case .rule: .rule
        case .indentedCode: .code(withoutBlankEnd(node.text).text, language: nil)
        case .fencedCode(let fence): .code(node.text.text, language: fence.info.isEmpty ? nil : fence.info)
        case .html: .html(withoutBlankEnd(node.text).dropLast().text)
        case .table(let alignments): table(node, alignments)
        }
    }

    private mutating func item(_ node: BlockNode) -> [Block] {
        var blocks = blocks(of: node.children)
        // A task (https://github.github.com/gfm/#task-list-items-extension-).
        if let first = node.children.first, first.isParagraph, let isChecked = Self.boxes[first.text.prefix(4).text] {
            blocks[0] = .paragraph(
                [.checkbox(isChecked: isChecked), .text(" ")] + spans(Array(first.text.dropFirst(4))))
        }
        return blocks
    }

    private static let boxes = ["[ ] ": false, "[x] ": true, "[X] ": true]

    private mutating func spans(_ text: [UInt8]) -> [Span] {
        let parser = InlineParser(Array(text.trimmed), references: references, maxNodes: spansLeft)
        let (spans, nodes) = parser.spans()
        spansLeft -= nodes
        return spans
    }

    private mutating func table(_ node: BlockNode, _ alignments: [Table.Alignment?]) -> Block {
        let lines = node.text.split(separator: .lineFeed)
        func row(_ line: ArraySlice<UInt8>) -> [[Span]] {
            TableRow.cells(line).prefix(alignments.count).map { spans($0) }
        }
        return .table(
            Table(
                alignments: alignments, header: lines.first.map { row($0) } ?? [],
                rows: lines.dropFirst().map { row($0) }))
    }

    private func withoutBlankEnd(_ text: [UInt8]) -> [UInt8] {
        var lines = text.split(separator: .lineFeed, omittingEmptySubsequences: false)
        while let last = lines.last, last.isBlank { lines.removeLast() }
        return Array(lines.joined(separator: [.lineFeed])) + (lines.isEmpty ? [] : [.lineFeed])
    }

    /// Whether there are no blank lines between the items of a list or between their blocks.
    private func isTight(_ list: BlockNode) -> Bool {
        for (index, item) in list.children.enumerated() {
            let isLast = index == list.children.count - 1
            if !isLast, endsBlank(item) { return false }
            for (position, child) in item.children.enumerated() where endsBlank(child) {
                if !isLast || position < item.children.count - 1 { return false }
            }
        }
        return true
    }

    private func endsBlank(_ node: BlockNode) -> Bool {
        var node = node
        while true {
            if node.endsBlank { return true }
            switch node.kind {
            case .list, .item:
                guard let last = node.children.last else { return false }
                node = last
            default: return false
            }
        }
    }
}
