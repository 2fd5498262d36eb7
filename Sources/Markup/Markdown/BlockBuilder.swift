/// Makes a document's blocks of the tree that was read, and spans of the text in it.
struct BlockBuilder {
    let references: LinkReferences

    func blocks(of nodes: [BlockNode]) -> [Block] {
        nodes.map(block)
    }

    private func block(_ node: BlockNode) -> Block {
        switch node.kind {
        case .document, .quote, .item: .quote(blocks(of: node.children))
        case .list(let marker):
            .list(start: marker.number, isTight: isTight(node), items: node.children.map(item))
        case .paragraph: .paragraph(spans(node.text))
        case .heading(let level): .heading(level: level, spans(node.text))
        case .rule: .rule
        case .indentedCode: .code(withoutBlankEnd(node.text).text, language: nil)
        case .fencedCode(let fence): .code(node.text.text, language: fence.info.isEmpty ? nil : fence.info)
        case .html: .html(withoutBlankEnd(node.text).dropLast().text)
        case .table(let alignments): table(node, alignments)
        }
    }

    private func item(_ node: BlockNode) -> [Block] {
        var blocks = blocks(of: node.children)
        // A task (https://github.github.com/gfm/#task-list-items-extension-).
        if let first = node.children.first, first.isParagraph, let isChecked = Self.boxes[first.text.prefix(4).text] {
            blocks[0] = .paragraph(
                [.checkbox(isChecked: isChecked), .text(" ")] + spans(Array(first.text.dropFirst(4))))
        }
        return blocks
    }

    private static let boxes = ["[ ] ": false, "[x] ": true, "[X] ": true]

    private func spans(_ text: [UInt8]) -> [Span] {
        InlineParser(Array(text.trimmed), references: references).spans()
    }

    private func table(_ node: BlockNode, _ alignments: [Table.Alignment?]) -> Block {
        let lines = node.text.split(separator: .lineFeed)
        func row(_ line: ArraySlice<UInt8>) -> [[Span]] {
            TableRow.cells(line).prefix(alignments.count).map(spans)
        }
        return .table(
            Table(
                alignments: alignments, header: lines.first.map(row) ?? [], rows: lines.dropFirst().map(row)))
    }

    private func withoutBlankEnd(_ text: [UInt8]) -> [UInt8] {
        var lines = text.split(separator: .lineFeed, omittingEmptySubsequences: false)
        while let last = lines.last, last.isBlank { lines.removeLast() }
        return Array(lines.joined(separator: [.lineFeed])) + (lines.isEmpty ? [] : [.lineFeed])
    }

    /// Whether no blank line lies between a list's items or between what they hold.
    private func isTight(_ list: BlockNode) -> Bool {
        for (index, item) in list.children.enumerated() {
            let isLast = index == list.children.count - 1
            if !isLast, endsBlank(item) { return false }
            for (place, child) in item.children.enumerated() where endsBlank(child) {
                if !isLast || place < item.children.count - 1 { return false }
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
