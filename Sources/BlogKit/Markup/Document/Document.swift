import BlogEssentials
import BlogModel

/// A structured text, whatever format it was written in.
package struct Document: Hashable, Sendable {
    package let blocks: [Block]

    package init(blocks: [Block]) {
        self.blocks = blocks
    }

    /// The addresses of its images as published.
    package var images: [String] { blocks.withoutTags.flatMap(\.images) }

    /// The addresses as published of the images in paragraphs of their own, which a terminal draws.
    package var standaloneImages: [String] { blocks.withoutTags.flatMap(\.standaloneImages) }
}

/// A block-level part of a document.
package enum Block: Hashable, Sendable {
    /// A heading of level 1 to 6.
    case heading(level: Int, [Span])
    case paragraph([Span])
    /// A list, ordered if it has numbers. The items of a tight list have no blank lines between them.
    indirect case list(numbers: ListNumbers?, isTight: Bool, items: [[Block]])
    case quote([Block])
    /// Terms and their definitions, in order.
    case definitions([Definition])
    /// Code, each line with its line feed, and its parts that have colours.
    indirect case code(String, language: String?, colors: [CodePart] = [])
    indirect case table(Table)
    /// Blocks in an element with a meaning of its own.
    indirect case element(BlockElement, [Block])
    case rule
    /// Raw HTML.
    case html(String)
}

/// A block-level element that adds meaning to its content.
package enum BlockElement: Hashable, Sendable {
    case figure
    case caption
    /// Text below a summary, collapsed until the reader opens it.
    case details(isOpen: Bool)
    case summary
    /// Text in another language or direction.
    case part(Language)
}

/// A term, or a definition of the terms before it.
package struct Definition: Hashable, Sendable {
    package let isTerm: Bool
    package let blocks: [Block]
}

package struct Table: Hashable, Sendable {
    package enum Alignment: Hashable, Sendable {
        case left
        case center
        case right
    }

    /// The alignment of each column; nil if not specified.
    package let alignments: [Alignment?]
    package let header: [[Span]]
    /// The rows, each with at most one cell per column.
    ///
    /// Missing cells aren't filled in, as a table of one wide row and many short ones would be many times as long as its
    /// source.
    package let rows: [[[Span]]]
    /// The sizes of cells that span columns or rows; the cells that they cover are empty.
    package let sizes: [CellPosition: CellSize]

    package init(
        alignments: [Alignment?], header: [[Span]], rows: [[[Span]]], sizes: [CellPosition: CellSize] = [:]
    ) {
        self.alignments = alignments
        self.header = header
        self.rows = rows
        self.sizes = sizes
    }

    /// The size of a cell; the header is row 0.
    package func size(row: Int, column: Int) -> CellSize {
        sizes[CellPosition(row: row, column: column)] ?? CellSize()
    }
}

/// The position of a cell in a table, whose header is row 0.
package struct CellPosition: Hashable, Sendable {
    let row: Int
    let column: Int
}

/// The number of columns and rows that a cell spans.
package struct CellSize: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    init(columns: Int = 1, rows: Int = 1) {
        self.columns = columns
        self.rows = rows
    }
}

/// The width and height of an image in pixels; at least one is known.
package struct ImageSize: Hashable, Sendable {
    package let width: Int?
    package let height: Int?
}

/// An inline part of a block.
///
/// A text can have as many spans as words, so large and rare cases are `indirect` to keep the others small.
package enum Span: Hashable, Sendable {
    case text(String)
    case code(String)
    case emphasis([Span])
    case strong([Span])
    case strike([Span])
    /// A link; its target is unchecked, as published.
    indirect case link([Span], target: String, title: String?)
    /// An image with its description.
    indirect case image([Span], source: String, title: String?, size: ImageSize? = nil)
    /// A rarer element with a meaning of its own.
    indirect case element(InlineElement, [Span])
    /// The checkbox of a task list item.
    case checkbox(isChecked: Bool)
    case hardBreak
    /// A line break in the source that counts as a space.
    case softBreak
    /// Raw HTML.
    case html(String)
}

extension [Span] {
    /// The text without markup, for searching.
    package var plainText: String { text { $0 == .ruby ? $1.rubyText : $0.searchText($1.plainText) } }

    /// All of the text before all readings, so that a word is found of which each character has one of its own.
    private var rubyText: String {
        var (text, readings): ([Span], [Span]) = ([], [])
        for span in self {
            switch span {
            case .element(.reading, let reading): readings += reading
            case .element(.parenthesis, _): break
            default: text.append(span)
            }
        }
        return text.plainText + (readings.isEmpty ? "" : "(\(readings.plainText))")
    }

    /// The text with quotation marks, superscripts and the like as characters.
    package var shownText: String { text { $0.spans($1).shownText } }

    /// The text as code, line by line.
    var code: [Span] {
        var (spans, line) = ([Span](), "")
        addCode(to: &spans, &line)
        if !line.isEmpty { spans.append(.code(line)) }
        return spans
    }

    private func addCode(to spans: inout [Span], _ line: inout String) {
        for span in self {
            if span == .hardBreak {
                if !line.isEmpty { spans.append(.code(line)) }
                spans.append(.hardBreak)
                line = ""
            } else if case .element(let kind, let inner) = span {
                kind.spans(inner).addCode(to: &spans, &line)
            } else if let inner = span.inner {
                inner.addCode(to: &spans, &line)
            } else {
                line += [span].shownText
            }
        }
    }

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

    /// Whether the spans and their texts are at most `count` in number and bytes, without looking at more.
    func isShort(_ count: Int) -> Bool { reduceLength(from: count) != nil }

    /// What is left of a number after the spans; nil if it isn't enough.
    private func reduceLength(from count: Int) -> Int? {
        var left = count
        for span in self {
            switch span {
            case .text(let text), .code(let text), .html(let text): left -= text.utf8.count
            default:
                guard let rest = (span.inner ?? []).reduceLength(from: left) else { return nil }
                left = rest
            }
            left -= 1
            if left < 0 { return nil }
        }
        return left
    }

    var hasImage: Bool { contains { $0.isImage || $0.inner?.hasImage == true } }

    fileprivate var images: [String] {
        flatMap { if case .image(_, let source, _, _) = $0 { [source] } else { $0.inner?.images ?? [] } }
    }

    /// Transforms the texts of the spans; nil if they contain anything but text.
    func mapTexts(_ transform: (String) -> String) -> [Span]? {
        var result: [Span] = []
        for span in self {
            switch span {
            case .text(let text): result.append(.text(transform(text)))
            case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(let inner, _, _),
                .element(.part, let inner), .element(.anchor, let inner):
                guard let inner = inner.mapTexts(transform) else { return nil }
                result.append(span.mapSpans { _ in inner })
            case .code, .image, .element, .checkbox, .hardBreak, .softBreak, .html: return nil
            }
        }
        return result
    }
}

extension Span {
    /// Whether its text has nothing but white space.
    var isSpace: Bool {
        switch self {
        case .text(let text), .code(let text): text.isBlank
        case .element: [self].plainText.isBlank
        case .checkbox: false
        case .emphasis, .strong, .strike, .link, .image, .hardBreak, .softBreak, .html:
            inner?.allSatisfy(\.isSpace) ?? true
        }
    }

    package var isImage: Bool { if case .image = self { true } else { false } }

    /// The spans inside this one; nil if it can't have any.
    package var inner: [Span]? {
        switch self {
        case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(let inner, _, _),
            .image(let inner, _, _, _), .element(_, let inner):
            inner
        case .text, .code, .checkbox, .hardBreak, .softBreak, .html: nil
        }
    }

    /// The same span with its inner spans transformed.
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
    /// The blocks without the ``BlockElement``s around them, for output that can't show those.
    package var flattened: [Block] {
        guard contains(where: \.isElement) else { return self }
        return flatMap { block in if case .element(_, let inner) = block { inner.flattened } else { [block] } }
    }

    /// The blocks as the spans of a table cell, a line each.
    package var spans: [Span] { Array<[Span]>(flatMap { $0.lines }).joined(by: .hardBreak) }

    /// The text of the blocks without markup, a line each.
    package var plainText: String {
        var text = ""
        for block in self { block.append(to: &text) }
        return text
    }

    /// The number of lines of code, at any depth.
    package var codeLineCount: Int {
        reduce(0) { count, block in
            guard case .code(let text, _, _) = block else { return block.inner.reduce(count) { $0 + $1.codeLineCount } }
            return count + text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        }
    }
}

extension Block {
    /// The lists of blocks inside the block.
    var inner: [[Block]] {
        switch self {
        case .quote(let blocks), .element(_, let blocks): [blocks]
        case .list(_, _, let items): items
        case .definitions(let definitions): definitions.map(\.blocks)
        case .heading, .paragraph, .code, .table, .rule, .html: []
        }
    }

    fileprivate var images: [String] {
        switch self {
        case .paragraph(let spans), .heading(_, let spans): spans.withoutTags.images
        case .table(let table): ([table.header] + table.rows).joined().flatMap(\.withoutTags.images)
        case .quote, .list, .definitions, .element: inner.joined().flatMap(\.images)
        case .code, .rule, .html: []
        }
    }

    fileprivate var standaloneImages: [String] {
        guard case .paragraph(let spans) = self else { return inner.joined().flatMap(\.standaloneImages) }
        return spans.withoutTags.imagesAlone?.compactMap(\.imageSource) ?? []
    }

    /// Appends the text of ``lines`` without building these, as that takes many times the memory.
    fileprivate func append(to text: inout String) {
        func add(line: String) {
            if !text.isEmpty, !line.isEmpty { text += "\n" }
            text += line
        }
        switch self {
        case .paragraph(let spans), .heading(_, let spans): add(line: spans.withoutTags.plainText)
        case .list(let numbers, _, let items):
            for (index, item) in items.enumerated() {
                add(line: (numbers?.marker(of: index) ?? "•") + " ")
                text += item.plainText
            }
        case .quote, .element, .definitions: for block in inner.joined() { block.append(to: &text) }
        case .code(let code, _, _): for line in code.split(separator: "\n") { add(line: String(line)) }
        case .table(let table):
            for row in [table.header] + table.rows {
                add(line: row.filter { !$0.isEmpty }.map(\.withoutTags.plainText).joined(separator: " · "))
            }
        case .html(let html): for block in HTML.document(html).blocks { block.append(to: &text) }
        case .rule: break
        }
    }

    var isList: Bool { if case .list = self { true } else { false } }
    var isCode: Bool { if case .code = self { true } else { false } }
    fileprivate var isElement: Bool { if case .element = self { true } else { false } }

    fileprivate var lines: [[Span]] {
        switch self {
        case .paragraph(let spans), .heading(_, let spans): [spans.withoutTags]
        case .list(let numbers, _, let items):
            zip(items.indices, items).map { index, item in
                [.text((numbers?.marker(of: index) ?? "•") + " ")] + item.spans
            }
        case .quote, .element, .definitions: inner.joined().flatMap(\.lines)
        case .code(let text, _, _): text.split(separator: "\n").map { [.code(String($0))] }
        case .table(let table): ([table.header] + table.rows).map { $0.map(\.withoutTags).joined(by: .text(" · ")) }
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

/// Reads the body of a post in any format.
package enum BodyText {
    /// Guesses the format of a body: HTML if all of it is HTML, else Markdown if it has Markdown syntax, else plain text.
    package static func format(of body: String) -> BodyFormat {
        HTML.isWhole(of: body) ? .html : Markdown.isLikely(body) ? .markdown : .plain
    }

    /// Parses a body, guessing a format of nil; plain text keeps its line breaks.
    package static func document(_ body: String, format: BodyFormat?) -> Document {
        switch format ?? self.format(of: body) {
        case .markdown: return Markdown.document(body)
        case .html: return HTML.document(body)
        case .plain:
            return Document(blocks: Sanitizer.block(body).split(separator: "\n\n").map { .paragraph(lines(of: $0)) })
        }
    }

    /// The lines of plain text with breaks between them.
    private static func lines(of paragraph: Substring) -> [Span] {
        var spans: [Span] = []
        var rest = paragraph.utf8.drop { $0 == .lineFeed }
        // Without an array of lines, which takes many times the memory of short ones.
        while !rest.isEmpty {
            let line = rest.prefix { $0 != .lineFeed }
            if !spans.isEmpty { spans.append(.hardBreak) }
            spans.append(.text(String(Substring(line))))
            rest = rest[line.endIndex...].drop { $0 == .lineFeed }
        }
        return spans
    }

    /// The text of a body without markup, for searching; plain text is returned unchanged.
    package static func plainText(of body: String, format: BodyFormat?) -> String {
        let format = format ?? self.format(of: body)
        return format == .plain ? body : document(body, format: format).blocks.plainText
    }

    /// The text of the beginning of a body without markup, from about `bytes` bytes of it.
    ///
    /// It is as in the whole: Markdown is cut between paragraphs, unless they are very long, and may define the targets
    /// of its links anywhere.
    package static func plainText(
        ofBeginning bytes: Int, of body: UnsafeBufferPointer<UInt8>, format: BodyFormat
    ) -> String {
        guard bytes < body.count else { return plainText(of: body.text, format: format) }
        var end = bytes
        while end > 0, UTF8.isContinuation(body[end]) { end -= 1 }
        switch format {
        case .plain: return body[..<end].text
        case .html:
            // What is left of a cut tag would be text, and in a table come before it.
            if let tag = body[..<end].lastIndex(of: UInt8(ascii: "<")), !body[tag..<end].contains(UInt8(ascii: ">")),
                tag + 1 == end || body[tag + 1].isASCIILetter || body[tag + 1].isASCIIPunctuation
            {
                end = tag
            }
            return HTML.document(Array(body[..<end])).blocks.plainText
        case .markdown:
            let near = body[end..<min(8 * bytes, body.count)]
            end = near.indices.dropLast().first { body[$0] == .lineFeed && body[$0 + 1] == .lineFeed } ?? end
            let beginning = body[..<end] + Array("\n\n".utf8) + Markdown.definitions(in: body, from: end)
            return Markdown.document(beginning.text).blocks.plainText
        }
    }
}
