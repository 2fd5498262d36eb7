extension [Block] {
    /// The blocks as one run of spans, a line each: what the cell of a table can hold.
    var spans: [Span] { Array<[Span]>(flatMap { $0.lines }).joined(by: .hardBreak) }
}

extension [Block] {
    /// What the blocks say, a line each, without any markup.
    package var plainText: String {
        var text = ""
        for block in self { block.append(to: &text) }
        return text
    }
}

extension Block {
    /// Adds what the block says, in the same lines as ``lines``, which would take many times the memory of it.
    fileprivate func append(to text: inout String) {
        func add(line: String) {
            if !text.isEmpty, !line.isEmpty { text += "\n" }
            text += line
        }
        switch self {
        case .paragraph(let spans), .heading(_, let spans): add(line: spans.plainText)
        case .list(let start, _, let items):
            for (index, item) in items.enumerated() {
                add(line: start.map { "\($0 + index). " } ?? "• ")
                text += item.plainText
            }
        case .quote(let blocks): for block in blocks { block.append(to: &text) }
        case .definitions(let definitions):
            for block in definitions.flatMap(\.blocks) { block.append(to: &text) }
        case .code(let code, _): for line in code.split(separator: "\n") { add(line: String(line)) }
        case .table(let table):
            for row in [table.header] + table.rows {
                add(line: row.filter { !$0.isEmpty }.map(\.plainText).joined(separator: " · "))
            }
        case .html(let html): for block in HTML.document(html).blocks { block.append(to: &text) }
        case .rule: break
        }
    }

    var isList: Bool { if case .list = self { true } else { false } }

    fileprivate var lines: [[Span]] {
        switch self {
        case .paragraph(let spans), .heading(_, let spans): [spans]
        case .list(let start, _, let items):
            zip(items.indices, items).map { index, item in
                [.text(start.map { "\($0 + index). " } ?? "• ")] + item.spans
            }
        case .quote(let blocks): blocks.flatMap(\.lines)
        case .definitions(let definitions): definitions.flatMap { $0.blocks.flatMap(\.lines) }
        case .code(let text, _): text.split(separator: "\n").map { [.code(String($0))] }
        case .table(let table): ([table.header] + table.rows).map { $0.joined(by: .text(" · ")) }
        case .html(let text): HTML.document(text).blocks.flatMap(\.lines)
        case .rule: []
        }
    }
}

extension [[Span]] {
    fileprivate func joined(by separator: Span) -> [Span] {
        Array<Span>(filter { !$0.isEmpty }.joined(separator: [separator]))
    }
}

extension Span {
    package var isImage: Bool { if case .image = self { true } else { false } }
}

extension [Span] {
    /// Whether there is an image in the spans or in a link or a style of them.
    var hasImage: Bool {
        contains { $0.isImage || $0.inner?.hasImage == true }
    }
}

extension [Block] {
    /// How many lines of code are in the blocks, at any depth.
    package var codeLineCount: Int {
        reduce(0) { count, block in
            switch block {
            case .code(let text, _): count + text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            case .quote(let blocks): count + blocks.codeLineCount
            case .list(_, _, let items): items.reduce(count) { $0 + $1.codeLineCount }
            case .definitions(let definitions): definitions.reduce(count) { $0 + $1.blocks.codeLineCount }
            case .paragraph, .heading, .table, .rule, .html: count
            }
        }
    }
}
