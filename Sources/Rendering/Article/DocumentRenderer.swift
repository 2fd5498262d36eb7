import Essentials
import Markup

/// Lays out a document as lines of text, with colour or without.
package struct DocumentRenderer {
    private let isColored: Bool
    private let mode: LinkMode
    /// How many columns code may be wider than text; nil for any number.
    private let codeRoom: Int?
    /// Whether paragraphs that begin with ">" are quotes, as in mail.
    private let dimsQuotes: Bool
    /// Whether pictures are shown.
    private let hasPictures: Bool
    private var spans: SpanLines
    /// The bytes of all margins, limited by ``maxIndent``.
    private var indent = 0
    /// The margins of the current block, outermost first.
    private var margins: [Margin] = []
    /// The number of margins of the blank line to write before the next line; nil for none.
    private var blankDepth: Int?
    /// The lines written so far.
    private var lineCount = 0
    /// How many more bytes may be written, margins included; nil for no limit.
    private var room: Int?

    /// The address that links are relative to; nil if unknown.
    var site: URL? {
        get { spans.site }
        set { spans.site = newValue }
    }

    /// The address that pictures are relative to without a site; nil if unknown.
    var server: URL? {
        get { spans.server }
        set { spans.server = newValue }
    }

    package init(
        isColored: Bool, mode: LinkMode, codeRoom: Int? = 0, dimsQuotes: Bool = false, hasPictures: Bool = false
    ) {
        self.hasPictures = hasPictures
        self.isColored = isColored
        self.mode = mode
        self.codeRoom = codeRoom
        self.dimsQuotes = dimsQuotes
        spans = SpanLines(isColored: isColored, mode: mode)
    }

    init(_ screen: Screen, codeRoom: Int?, dimsQuotes: Bool = false, hasPictures: Bool = false) {
        self.init(
            isColored: screen.isColored, mode: screen.hasHyperlinks ? .hyperlinks : .numbered, codeRoom: codeRoom,
            dimsQuotes: dimsQuotes, hasPictures: hasPictures && screen.hasPictures)
    }

    /// The lines of a document, each at most `width` columns, followed by the targets of numbered links.
    package mutating func lines(_ document: Document, width: Int) -> [StyledText] {
        lines(part: document, width: width) + targetLines()
    }

    /// The lines of a part of a document, whose links are listed after the last part.
    package mutating func lines(part document: Document, width: Int) -> [StyledText] {
        var lines: [StyledText] = []
        write(document.blocks, width: width) { lines.append($0) }
        return lines
    }

    /// Passes the same lines to a function, because all lines of a long document take many times the memory of its
    /// text.
    ///
    /// Margins may take a small multiple of the text's length; then they are left out.
    ///
    /// - Parameter bytes: the length of the part as published.
    package mutating func write(
        part document: Document, bytes: Int, width: Int, _ give: (StyledText) throws -> Void
    ) rethrows {
        room = (room ?? Self.leastRoom) + Self.mostGrowth * bytes
        try write(document.blocks, width: width, give)
    }

    /// The targets of the numbered links so far, after a blank line.
    package func targetLines() -> [StyledText] {
        let numbered = spans.targets.enumerated().filter {
            mode.numbers($0.element) && !spans.shownWhole.contains($0.element)
        }
        guard !numbered.isEmpty else { return [] }
        // Addresses are never wrapped, because a broken one can't be used.
        return [""] + numbered.map { StyledText("[\($0 + 1)]", .muted) + StyledText(" \($1)") }
    }

    /// A renderer for another document, whose links are numbered starting at 1.
    var forNext: DocumentRenderer {
        DocumentRenderer(
            isColored: isColored, mode: mode, codeRoom: codeRoom, dimsQuotes: dimsQuotes, hasPictures: hasPictures)
    }

    /// The places of a document's pictures, in order.
    package static func pictures(of document: Document, base: URL? = nil) -> [PicturePlace] {
        var renderer = DocumentRenderer(isColored: false, mode: .numbered, hasPictures: true)
        renderer.server = base
        return renderer.lines(document, width: 80).flatMap(\.pictures)
    }

    /// The targets of a document's links, in the order of their numbers.
    package static func targets(of document: Document, site: URL? = nil, server: URL? = nil) -> [String] {
        var renderer = DocumentRenderer(isColored: false, mode: .numbered)
        (renderer.site, renderer.server) = (site, server)
        _ = renderer.lines(document, width: 80)
        return renderer.spans.targets
    }

    // MARK: Blocks

    /// The margin that a quote, a list or a definition puts in front of its lines.
    private struct Margin {
        /// The text before the first line; nil if it is the same or was written already.
        var first: StyledText?
        let rest: StyledText
        /// The text of a blank line.
        let blank: StyledText
    }

    // Margins are a stack, because with nested closures the optimizer would copy all of this for each way of nesting.
    // Optimized for size, as it would copy all of this for each closure that receives lines: a sixtieth of the program.

    /// Passes the lines of blocks to a function one by one.
    @_optimize(size)
    private mutating func write(
        _ blocks: [Block], width: Int, isTight: Bool = false, _ give: (StyledText) throws -> Void
    ) rethrows {
        var hasLines = false
        for block in blocks.flattened {
            let (count, outerBlank) = (lineCount, blankDepth)
            if hasLines, !isTight, !isCrowded { blankDepth = margins.count }
            try write(block, width, give)
            if lineCount > count { hasLines = true } else { blankDepth = outerBlank }
        }
    }

    /// Passes on a line with its margins, after the blank line that may be due.
    @_optimize(size)
    private mutating func give(
        _ line: StyledText, isCode: Bool = false, _ give: (StyledText) throws -> Void
    ) rethrows {
        if let depth = blankDepth {
            blankDepth = nil
            spend("")
            try give(framed("", depth))
        }
        spend(line, isCode: isCode)
        lineCount += 1
        try give(framed(line, margins.count))
    }

    private mutating func framed(_ line: StyledText, _ depth: Int) -> StyledText {
        var text = line
        for index in (0..<depth).reversed() {
            let margin = margins[index]
            text = text.isEmpty ? margin.blank : (margin.first ?? margin.rest) + text
            margins[index].first = nil
        }
        return text
    }

    @_optimize(size)
    private mutating func write(_ block: Block, _ width: Int, _ give: (StyledText) throws -> Void) rethrows {
        switch block {
        case .heading(let level, let text): try write(heading(level, text, width), give)
        case .paragraph(let text): try write(paragraph(text, width), give)
        case .list(let numbers, let isTight, let items): try write(list: numbers, isTight, items, width, give)
        case .quote(let blocks): try write(quote: blocks, width, give)
        case .element(_, let blocks): try write(blocks, width: width, give)
        case .definitions(let definitions): try write(definitions: definitions, width, give)
        case .code(let text, _): try write(code: text, width, give)
        case .table(let table): try write(table, width, give)
        case .rule:
            let columns = isCrowded ? 3 : min(width, Self.ruleWidth)
            try write([StyledText(String(repeating: "─", count: columns), .muted)], give)
        case .html(let text): try write(HTML.document(text).blocks, width: width, give)
        }
    }

    @_optimize(size)
    private mutating func write(_ lines: [StyledText], _ give: (StyledText) throws -> Void) rethrows {
        for line in lines { try self.give(line, give) }
    }

    /// Counts the bytes of a line with its margins and escape sequences.
    private mutating func spend(_ line: StyledText, isCode: Bool = false) {
        guard let left = room else { return }
        let styled = isColored ? line.runs.count + (isCode ? 0 : margins.count) : 0
        room = left - line.byteCount - (isCode ? 0 : indent) - styled * Self.styleBytes - 1
    }

    /// Reserves room for the margins of all code lines in blocks; false if there isn't enough.
    private mutating func reserve(_ bytes: Int, for blocks: [Block]) -> Bool {
        guard let left = room else { return true }
        let rest = left - blocks.codeLineCount * (bytes + (isColored ? Self.styleBytes : 0))
        guard rest >= 0 else { return false }
        room = rest
        return true
    }

    private var isCrowded: Bool { room.map { $0 < 0 } ?? false }

    @_optimize(size)
    private mutating func write(_ table: Table, _ width: Int, _ give: (StyledText) throws -> Void) rethrows {
        var (spans, renderer) = (spans, self)
        try TableLines(table, width: width).write(&spans) { try renderer.give($0, give) }
        self = renderer
        self.spans = spans
    }

    private mutating func heading(_ level: Int, _ text: [Span], _ width: Int) -> [StyledText] {
        guard isColored else {
            return spans.lines([.text(String(repeating: "#", count: level) + " ")] + text, width: width)
        }
        return spans.lines(text, width: width, in: .heading(level: level))
    }

    private mutating func paragraph(_ text: [Span], _ width: Int) -> [StyledText] {
        let text = text.withoutTags
        if hasPictures, let images = text.imagesAlone { return images.flatMap { image($0, width) } }
        let isQuote = dimsQuotes && text.plainText.hasPrefix(">")
        return spans.lines(text, width: width).filter { !$0.isEmpty }.map { isQuote ? $0.styled(.muted) : $0 }
    }

    /// An image in a paragraph of its own: its caption and the place of the picture.
    private mutating func image(_ span: Span, _ width: Int) -> [StyledText] {
        var lines = spans.lines([span], width: width)
        let source = span.imageSource ?? ""
        let address = LinkTarget.safe(source, base: site ?? server) ?? source
        if !lines.isEmpty, let place = PicturePlace([address], name: span.imageName, columns: width) {
            lines[0] = StyledText(place) + lines[0]
        }
        return lines
    }

    @_optimize(size)
    private mutating func write(
        quote blocks: [Block], _ width: Int, _ give: (StyledText) throws -> Void
    ) rethrows {
        let bar = Margin(rest: StyledText("│ ", .muted), blank: StyledText("│", .muted))
        guard try write(blocks, behind: bar, width: width - 2, give) == nil else { return }
        try write(blocks, width: width, give)
    }

    /// Terms with their definitions below them.
    @_optimize(size)
    private mutating func write(
        definitions: [Definition], _ width: Int, _ give: (StyledText) throws -> Void
    ) rethrows {
        let margin = Margin(rest: "    ", blank: "")
        let isTight = definitions.allSatisfy { $0.blocks.flattened.count == 1 }
        for (index, definition) in definitions.enumerated() {
            if !isTight, index > 0, !isCrowded { try self.give("", give) }
            if !definition.isTerm, try write(definition.blocks, behind: margin, width: width - 4, give) != nil {
                continue
            }
            try write(definition.blocks, width: width, give)
        }
    }

    @_optimize(size)
    private mutating func write(
        list numbers: ListNumbers?, _ isTight: Bool, _ items: [[Block]], _ width: Int,
        _ give: (StyledText) throws -> Void
    ) rethrows {
        let columns = (numbers.flatMap { items.indices.map($0.marker).map(\.count).max() } ?? 1) + 1
        let rest = StyledText(String(repeating: " ", count: columns))
        for (index, item) in items.enumerated() {
            let marker = numbers?.marker(of: index) ?? "•"
            if !isTight, index > 0, !isCrowded { try self.give("", give) }
            let first = StyledText(marker).padded(to: columns - 1, isRightAligned: true) + " "
            let margin = Margin(first: first, rest: rest, blank: "")
            let count = try write(item, behind: margin, width: width - columns, isTight: isTight, give)
            if count == nil {
                for piece in TextLayout.cut(marker, width: width) { try self.give(StyledText(piece), give) }
                try write(item, width: width, isTight: isTight, give)
            } else if count == 0 {
                try self.give("", give)
            }
        }
    }

    /// Passes on the lines of blocks with a margin and returns how many; nil if blocks can't be indented any further.
    @_optimize(size)
    private mutating func write(
        _ blocks: [Block], behind margin: Margin, width: Int, isTight: Bool = false,
        _ give: (StyledText) throws -> Void
    ) rethrows -> Int? {
        let bytes = margin.rest.byteCount
        guard width >= Self.minTextWidth, indent + bytes <= Self.maxIndent, reserve(bytes, for: blocks) else {
            return nil
        }
        indent += bytes
        margins.append(margin)
        defer {
            indent -= bytes
            margins.removeLast()
        }
        let count = lineCount
        try write(blocks, width: width, isTight: isTight, give)
        return lineCount - count
    }

    /// Code is indented, and wrapped only if it is wider than the terminal; an arrow marks the continuation.
    @_optimize(size)
    private mutating func write(
        code text: String, _ width: Int, _ give: (StyledText) throws -> Void
    ) rethrows {
        let text = Sanitizer.block(text)
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "\n") }.map { text.utf8.index(after: $0) } ?? text.startIndex
        guard end > text.startIndex else { return }
        var rest: Substring? = text[..<end]
        while let lines = rest {
            let line = lines.prefix { $0 != "\n" }
            rest = line.endIndex < lines.endIndex ? lines[lines.index(after: line.endIndex)...] : nil
            for line in codeLine(line, width) { try self.give(line, isCode: true, give) }
        }
    }

    private func codeLine(_ line: Substring, _ width: Int) -> [StyledText] {
        // Invisible trailing space would make the line too wide.
        let seen = line.replacing("\t", with: "    ").reversed().drop { $0 == " " }.reversed()
        let line = Sanitizer.line(String(seen))
        let pieces = codeRoom.map { TextLayout.cut(line, width: width + $0 - 4) } ?? [line]
        return pieces.enumerated().map { index, piece in
            guard !piece.isEmpty else { return "" }
            return (index > 0 ? StyledText("  ↪ ", .muted) : isColored ? StyledText("  ▏ ", .muted) : "    ")
                + StyledText(piece, .code)
        }
    }

    /// Blocks are not indented any further when fewer columns than this would be left.
    private static let minTextWidth = 8
    /// The maximum bytes of a line's margins.
    ///
    /// Deeper blocks aren't indented any further, or a few bytes could become a long line each.
    private static let maxIndent = 24
    private static let ruleWidth = 24
    /// How many times its own length a text may take with its margins, and how much it may always take.
    private static let mostGrowth = 8
    private static let leastRoom = 1 << 16
    /// The bytes of the escape sequences around a run.
    private static let styleBytes = 12
}
