extension [Block] {
    /// The blocks as one run of spans, a line each: what the cell of a table can hold.
    var spans: [Span] { Array<[Span]>(flatMap { $0.lines }).joined(by: .hardBreak) }
}

extension Block {
    var isList: Bool { if case .list = self { true } else { false } }

    fileprivate var lines: [[Span]] {
        switch self {
        case .paragraph(let spans), .heading(_, let spans): [spans]
        case .list(let start, _, let items):
            zip(items.indices, items).map { index, item in
                [.text(start.map { "\($0 + index). " } ?? "• ")] + item.spans
            }
        case .quote(let blocks): blocks.flatMap(\.lines)
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
    var isImage: Bool { if case .image = self { true } else { false } }
}
