/// A text with its structure, whatever its format.
package struct Document: Hashable, Sendable {
    package let blocks: [Block]

    package init(blocks: [Block]) {
        self.blocks = blocks
    }
}

/// A part of a document that starts on a new line.
package enum Block: Hashable, Sendable {
    /// A heading of level 1 to 6.
    case heading(level: Int, [Span])
    case paragraph([Span])
    /// A list; an ordered one has numbers. The items of a tight list have no space between them.
    indirect case list(numbers: ListNumbers?, isTight: Bool, items: [[Block]])
    case quote([Block])
    /// Terms and their definitions, in order.
    case definitions([Definition])
    /// Code as published, each line with its line feed.
    indirect case code(String, language: String?)
    indirect case table(Table)
    /// Blocks that belong together.
    indirect case element(BlockElement, [Block])
    case rule
    /// Raw HTML.
    case html(String)
}

/// An element of blocks that has a meaning besides their texts.
package enum BlockElement: Hashable, Sendable {
    case figure
    case caption
    /// Text that is folded away until somebody opens it, below its summary.
    case details(isOpen: Bool)
    case summary
    /// Text in a language or direction of its own.
    case part(Language)
}

/// A term, or a definition of the terms before it.
package struct Definition: Hashable, Sendable {
    package let isTerm: Bool
    package let blocks: [Block]
}

/// A table of a document.
package struct Table: Hashable, Sendable {
    package enum Alignment: Hashable, Sendable {
        case left
        case center
        case right
    }

    /// One for each column; nil if not specified.
    package let alignments: [Alignment?]
    /// The names of the columns.
    package let header: [[Span]]
    /// Rows with at most as many cells as there are columns.
    ///
    /// Missing cells aren't filled in: a table of one wide row and many short ones would be many times as long as its text.
    package let rows: [[[Span]]]
    /// The sizes of the cells that span columns or rows; the cells that they cover are empty.
    package let sizes: [CellPlace: CellSize]

    package init(
        alignments: [Alignment?], header: [[Span]], rows: [[[Span]]], sizes: [CellPlace: CellSize] = [:]
    ) {
        self.alignments = alignments
        self.header = header
        self.rows = rows
        self.sizes = sizes
    }

    /// The size of a cell; the header is row 0.
    package func size(row: Int, column: Int) -> CellSize {
        sizes[CellPlace(row: row, column: column)] ?? CellSize()
    }
}

/// The place of a cell in a table, whose header is row 0.
package struct CellPlace: Hashable, Sendable {
    let row: Int
    let column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// How many columns and rows a cell takes.
package struct CellSize: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int = 1, rows: Int = 1) {
        self.columns = columns
        self.rows = rows
    }
}

/// The width and height of an image in pixels, of which one may be unknown.
package struct ImageSize: Hashable, Sendable {
    package let width: Int?
    package let height: Int?
}

/// A run of text inside a block.
///
/// A text can have as many as words, so the rare and large ones are kept elsewhere (`indirect`).
package enum Span: Hashable, Sendable {
    case text(String)
    case code(String)
    case emphasis([Span])
    case strong([Span])
    case strike([Span])
    /// A link; the target is as published and not checked.
    indirect case link([Span], target: String, title: String?)
    /// An image with its description.
    indirect case image([Span], source: String, title: String?, size: ImageSize? = nil)
    /// A rare element that has a meaning.
    indirect case element(InlineElement, [Span])
    /// The box of a task in a list.
    case checkbox(isChecked: Bool)
    /// A line break that the author wants.
    case hardBreak
    /// A line break that is only a space.
    case softBreak
    /// Raw HTML.
    case html(String)
}

extension [Span] {
    /// The text without any markup, for searching.
    package var plainText: String { text { $0.searchText($1.plainText) } }

    /// The text with quotation marks, superscripts and the like as characters.
    package var shownText: String { text { $0.spans($1).shownText } }

    private func text(_ element: (InlineElement, [Span]) -> String) -> String {
        map { span in
            switch span {
            case .text(let text), .code(let text): text
            case .emphasis(let spans), .strong(let spans), .strike(let spans), .link(let spans, _, _),
                .image(let spans, _, _, _):
                spans.text(element)
            case .element(let kind, let spans): element(kind, spans)
            case .checkbox(let isChecked): isChecked ? "[x]" : "[ ]"
            case .hardBreak, .softBreak: "\n"
            case .html: ""
            }
        }.joined()
    }

    /// Whether there is an image in the spans, at any depth.
    var hasImage: Bool { contains { $0.isImage || $0.inner?.hasImage == true } }

    /// The spans with their texts changed; nil if there is anything but text in them.
    func mapTexts(_ transform: (String) -> String) -> [Span]? {
        var result: [Span] = []
        for span in self {
            switch span {
            case .text(let text): result.append(.text(transform(text)))
            case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(let inner, _, _):
                guard let inner = inner.mapTexts(transform) else { return nil }
                result.append(span.mapSpans { _ in inner })
            case .element(let kind, let inner) where kind.isUnseen:
                guard let inner = inner.mapTexts(transform) else { return nil }
                result.append(.element(kind, inner))
            case .code, .image, .element, .checkbox, .hardBreak, .softBreak, .html: return nil
            }
        }
        return result
    }
}

extension Span {
    package var isImage: Bool { if case .image = self { true } else { false } }

    /// The spans inside of the span; nil if it can't have any.
    package var inner: [Span]? {
        switch self {
        case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(let inner, _, _),
            .image(let inner, _, _, _), .element(_, let inner):
            inner
        case .text, .code, .checkbox, .hardBreak, .softBreak, .html: nil
        }
    }

    /// The same span around other ones.
    func mapSpans(_ transform: ([Span]) -> [Span]) -> Span {
        switch self {
        case .emphasis(let inner): .emphasis(transform(inner))
        case .strong(let inner): .strong(transform(inner))
        case .strike(let inner): .strike(transform(inner))
        case .link(let inner, let target, let title): .link(transform(inner), target: target, title: title)
        case .image(let inner, let source, let title, let size):
            .image(transform(inner), source: source, title: title, size: size)
        case .element(let kind, let inner): .element(kind, transform(inner))
        case .text, .code, .checkbox, .hardBreak, .softBreak, .html: self
        }
    }
}

extension [Block] {
    /// The blocks without the elements around them, for output that has no such elements.
    package var flattened: [Block] {
        guard contains(where: \.isElement) else { return self }
        return flatMap { block in if case .element(_, let inner) = block { inner.flattened } else { [block] } }
    }

    /// The blocks as spans for the cell of a table, a line each.
    package var spans: [Span] { Array<[Span]>(flatMap { $0.lines }).joined(by: .hardBreak) }

    /// The text of the blocks without any markup, a line each.
    package var plainText: String {
        var text = ""
        for block in self { block.append(to: &text) }
        return text
    }

    /// The number of lines of code in the blocks, at any depth.
    package var codeLineCount: Int {
        reduce(0) { count, block in
            switch block {
            case .code(let text, _): count + text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            case .quote(let blocks), .element(_, let blocks): count + blocks.codeLineCount
            case .list(_, _, let items): items.reduce(count) { $0 + $1.codeLineCount }
            case .definitions(let definitions): definitions.reduce(count) { $0 + $1.blocks.codeLineCount }
            case .paragraph, .heading, .table, .rule, .html: count
            }
        }
    }
}

extension Block {
    /// Appends the text of ``lines``, which would take many times its memory.
    fileprivate func append(to text: inout String) {
        func add(line: String) {
            if !text.isEmpty, !line.isEmpty { text += "\n" }
            text += line
        }
        switch self {
        case .paragraph(let spans), .heading(_, let spans): add(line: spans.plainText)
        case .list(let numbers, _, let items):
            for (index, item) in items.enumerated() {
                add(line: (numbers?.marker(of: index) ?? "•") + " ")
                text += item.plainText
            }
        case .quote(let blocks), .element(_, let blocks): for block in blocks { block.append(to: &text) }
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
    fileprivate var isElement: Bool { if case .element = self { true } else { false } }

    fileprivate var lines: [[Span]] {
        switch self {
        case .paragraph(let spans), .heading(_, let spans): [spans]
        case .list(let numbers, _, let items):
            zip(items.indices, items).map { index, item in
                [.text((numbers?.marker(of: index) ?? "•") + " ")] + item.spans
            }
        case .quote(let blocks), .element(_, let blocks): blocks.flatMap(\.lines)
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
