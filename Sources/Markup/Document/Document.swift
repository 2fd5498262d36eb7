/// A text with its structure, wherever it came from and however it will be shown.
package struct Document: Hashable, Sendable {
    package let blocks: [Block]

    package init(blocks: [Block]) {
        self.blocks = blocks
    }
}

/// A part of a document that begins on its own line.
package enum Block: Hashable, Sendable {
    /// A heading of level 1 to 6.
    case heading(level: Int, [Span])
    case paragraph([Span])
    /// A list; `start` is the first number of an ordered one. The items of a tight list have no space between them.
    indirect case list(start: Int?, isTight: Bool, items: [[Block]])
    case quote([Block])
    /// Terms and what they mean, in their order.
    case definitions([Definition])
    /// Code as published, each line ended by a line feed.
    indirect case code(String, language: String?)
    indirect case table(Table)
    case rule
    /// HTML that was written as such.
    case html(String)
}

/// A term, or what the terms before it mean.
package struct Definition: Hashable, Sendable {
    package let isTerm: Bool
    package let blocks: [Block]
}

/// A table of a document.
package struct Table: Hashable, Sendable {
    /// How a column is set.
    package enum Alignment: Hashable, Sendable {
        case left
        case center
        case right
    }

    /// One for each column; nil if the author doesn't say.
    package let alignments: [Alignment?]
    /// The names of the columns.
    package let header: [[Span]]
    /// Each row has at most as many cells as there are columns: those that it lacks are empty, and are not made, as a
    /// table of one wide row and many short ones would be many times as long as its text.
    package let rows: [[[Span]]]

    package init(alignments: [Alignment?], header: [[Span]], rows: [[[Span]]]) {
        self.alignments = alignments
        self.header = header
        self.rows = rows
    }
}

extension Table {
    /// A table of rows that may be of different lengths; nil for none.
    init?(rows: [[[Span]]], hasHeader: Bool) {
        guard let columns = rows.map(\.count).max(), columns > 0 else { return nil }
        let header = hasHeader ? rows[0] : []
        self.init(
            alignments: [Table.Alignment?](repeating: nil, count: columns),
            header: header + [[Span]](repeating: [], count: columns - header.count),
            rows: hasHeader ? Array(rows.dropFirst()) : rows)
    }
}

/// A run of text inside a block.
///
/// There are as many as words in a text that is made for it, so what is rare and large is kept elsewhere (`indirect`).
package enum Span: Hashable, Sendable {
    case text(String)
    case code(String)
    case emphasis([Span])
    case strong([Span])
    case strike([Span])
    /// A link; the target is as published and not checked.
    indirect case link([Span], target: String, title: String?)
    /// An image, told by its description.
    indirect case image([Span], source: String, title: String?)
    /// An element that means something and is rare.
    indirect case element(InlineElement, [Span])
    /// A box of a list of tasks.
    case checkbox(isChecked: Bool)
    /// A line break that the author wants.
    case hardBreak
    /// A line break that means no more than a space.
    case softBreak
    /// HTML that was written as such.
    case html(String)
}

extension [Span] {
    /// The text without any markup, as it is searched for.
    package var plainText: String { text { $0.searchText($1.plainText) } }

    /// The text as it is shown where there are only characters: with quotation marks, superscripts and the like.
    package var shownText: String { text { $0.spans($1).shownText } }

    private func text(_ element: (InlineElement, [Span]) -> String) -> String {
        map { span in
            switch span {
            case .text(let text), .code(let text): text
            case .emphasis(let spans), .strong(let spans), .strike(let spans), .link(let spans, _, _),
                .image(let spans, _, _):
                spans.text(element)
            case .element(let kind, let spans): element(kind, spans)
            case .checkbox(let isChecked): isChecked ? "[x]" : "[ ]"
            case .hardBreak, .softBreak: "\n"
            case .html: ""
            }
        }.joined()
    }

    /// The spans with other texts in them; nil if there is anything in them but texts.
    func mapTexts(_ transform: (String) -> String) -> [Span]? {
        var result: [Span] = []
        for span in self {
            switch span {
            case .text(let text): result.append(.text(transform(text)))
            case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(let inner, _, _):
                guard let inner = inner.mapTexts(transform) else { return nil }
                result.append(span.mapSpans { _ in inner })
            case .code, .image, .element, .checkbox, .hardBreak, .softBreak, .html: return nil
            }
        }
        return result
    }
}

extension Span {
    /// What is in the span; nil where it holds no other spans.
    var inner: [Span]? {
        switch self {
        case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(let inner, _, _),
            .image(let inner, _, _), .element(_, let inner):
            inner
        case .text, .code, .checkbox, .hardBreak, .softBreak, .html: nil
        }
    }

    /// The same span around something else.
    func mapSpans(_ transform: ([Span]) -> [Span]) -> Span {
        switch self {
        case .emphasis(let inner): .emphasis(transform(inner))
        case .strong(let inner): .strong(transform(inner))
        case .strike(let inner): .strike(transform(inner))
        case .link(let inner, let target, let title): .link(transform(inner), target: target, title: title)
        case .image(let inner, let source, let title): .image(transform(inner), source: source, title: title)
        case .element(let kind, let inner): .element(kind, transform(inner))
        case .text, .code, .checkbox, .hardBreak, .softBreak, .html: self
        }
    }
}

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
