import BlogEssentials
import BlogMarkup

/// Lays out a document as lines of text, with or without colours.
package struct DocumentRenderer {
    private let isColored: Bool
    private let mode: LinkMode
    /// How many columns code may be wider than text; nil for any number.
    private let codeRoom: Int?
    /// Whether paragraphs that begin with ">" are quotes, as in mail.
    private let dimsQuotes: Bool
    private let hasPictures: Bool
    private var spans: SpanLines
    /// The bytes of all margins, limited by ``maxIndent``.
    private var indent = 0
    /// The margins of the current block, outermost first.
    private var margins: [Margin] = []
    /// The number of margins of the blank line to write before the next line; nil for none.
    private var blankDepth: Int?
    private var lineCount = 0
    /// How many more bytes may be written, margins included; nil for no limit.
    private var budget: Int?

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
            isColored: screen.isColored, mode: screen.links, codeRoom: codeRoom,
            dimsQuotes: dimsQuotes, hasPictures: hasPictures && screen.hasPictures)
    }

    /// Resolves the links of a post relative to its site, and its pictures relative to its site or its server.
    mutating func resolveLinks(of record: Record) {
        (spans.linkBase, spans.pictureBase) = (record.site, record.site ?? record.server)
    }

    /// The lines of a document, each at most `width` columns, followed by the targets of numbered links.
    package mutating func lines(_ document: Document, width: Int) -> [StyledText] {
        lines(part: document, width: width) + targetLines()
    }

    /// The lines of a part of a document, without the targets of links.
    package mutating func lines(part document: Document, bytes: Int? = nil, width: Int) -> [StyledText] {
        var lines: [StyledText] = []
        write(part: document, bytes: bytes, width: width) { lines.append($0) }
        return lines
    }

    /// Writes the lines of a part of a document one by one, because all lines of a long document take many times the
    /// memory of its text.
    ///
    /// - Parameter bytes: the length of the part as published. Once the output is several times as long, margins are
    ///   left out. Nil for no limit.
    package mutating func write(
        part document: Document, bytes: Int?, width: Int, _ emit: (StyledText) throws -> Void
    ) rethrows {
        if let bytes { budget = (budget ?? Self.minBudget) + Self.maxGrowth * bytes }
        try write(document.blocks, width: width, emit)
    }

    /// The targets of the numbered links so far, after a blank line.
    package func targetLines() -> [StyledText] {
        let numbered = spans.targets.enumerated().filter {
            mode.numbers($0.element) && !spans.spelledOut.contains($0.element)
        }
        guard !numbered.isEmpty else { return [] }
        // Addresses are never wrapped, because a broken one can't be used.
        return [""] + numbered.map { StyledText("[\($0 + 1)]", .muted) + StyledText(" \(HostName.shown(in: $1))") }
    }

    /// The targets of a document's links, in the order of their numbers.
    package static func targets(of document: Document, site: URL? = nil, server: URL? = nil) -> [String] {
        var renderer = DocumentRenderer(isColored: false, mode: .numbered)
        (renderer.spans.linkBase, renderer.spans.pictureBase) = (site, site ?? server)
        _ = renderer.lines(document, width: 80)
        return renderer.spans.targets
    }

    // MARK: Blocks

    /// The margin to the left of a quote, a list item or a definition.
    private struct Margin {
        /// The margin of the first line; nil if it is the same or has been written.
        var first: StyledText?
        let rest: StyledText
        let blank: StyledText
    }

    // Margins are a stack: with nested closures, the optimizer would specialize all of this for each way of nesting.

    private mutating func write(
        _ blocks: [Block], width: Int, isTight: Bool = false, _ emit: (StyledText) throws -> Void
    ) rethrows {
        var hasLines = false
        for block in blocks.flattened {
            let (count, outerBlank) = (lineCount, blankDepth)
            if hasLines, !isTight, !isOverBudget { blankDepth = margins.count }
            try write(block, width, emit)
            if lineCount > count { hasLines = true } else { blankDepth = outerBlank }
        }
    }

    /// Writes a line with its margins, after the blank line that may be due.
    private mutating func writeLine(
        _ line: StyledText, isCode: Bool = false, _ emit: (StyledText) throws -> Void
    ) rethrows {
        if let depth = blankDepth {
            blankDepth = nil
            spend("")
            try emit(indented("", depth))
        }
        spend(line, isCode: isCode)
        lineCount += 1
        try emit(indented(line, margins.count))
    }

    private mutating func indented(_ line: StyledText, _ depth: Int) -> StyledText {
        var text = line
        for index in (0..<depth).reversed() {
            let margin = margins[index]
            text = text.isEmpty ? margin.blank : (margin.first ?? margin.rest) + text
            margins[index].first = nil
        }
        return text
    }

    // Inlined, it would be copied into each kind of block and for each closure: a sixtieth of the program.
    @inline(never)
    private mutating func write(_ block: Block, _ width: Int, _ emit: (StyledText) throws -> Void) rethrows {
        switch block {
        case .heading(let level, let text): try write(heading(level, text, width), emit)
        case .paragraph(let text): try write(paragraph(text, width), emit)
        case .list(let numbers, let isTight, let items): try write(list: numbers, isTight, items, width, emit)
        case .quote(let blocks): try write(quote: blocks, width, emit)
        case .element(_, let blocks): try write(blocks, width: width, emit)
        case .definitions(let definitions): try write(definitions: definitions, width, emit)
        case .code(let text, _, let colors): try write(code: text, isColored ? colors : [], width, emit)
        case .table(let table): try write(table, width, emit)
        case .rule:
            let columns = isOverBudget ? 3 : min(width, Self.ruleWidth)
            try writeLine(StyledText(String(repeating: "─", count: columns), .muted), emit)
        case .html(let text): try write(HTML.document(text).blocks, width: width, emit)
        }
    }

    private mutating func write(_ lines: [StyledText], _ emit: (StyledText) throws -> Void) rethrows {
        for line in lines { try writeLine(line, emit) }
    }

    /// Deducts a line with its margins and escape sequences from the budget.
    private mutating func spend(_ line: StyledText, isCode: Bool = false) {
        guard let left = budget else { return }
        let styled = isColored ? line.runs.count + (isCode ? 0 : margins.count) : 0
        budget = left - line.byteCount - (isCode ? 0 : indent) - styled * Self.styleBytes - 1
    }

    /// Deducts a margin of all lines of code in blocks from the budget; false if it doesn't suffice.
    private mutating func reserve(_ bytes: Int, for blocks: [Block]) -> Bool {
        guard let left = budget else { return true }
        let rest = left - blocks.codeLineCount * (bytes + (isColored ? Self.styleBytes : 0))
        guard rest >= 0 else { return false }
        budget = rest
        return true
    }

    private var isOverBudget: Bool { (budget ?? 0) < 0 }

    private mutating func write(_ table: Table, _ width: Int, _ emit: (StyledText) throws -> Void) rethrows {
        var (spans, renderer) = (spans, self)
        try TableLines(table, width: width).write(&spans) { try renderer.writeLine($0, emit) }
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

    /// An image in a paragraph of its own: its caption, and the picture above.
    private mutating func image(_ span: Span, _ width: Int) -> [StyledText] {
        var lines = spans.lines([span], width: width)
        let address = spans.pictureAddress(span.imageSource ?? "")
        if !lines.isEmpty, let place = PicturePlace([address], name: [span].plainText.trimmed, columns: width) {
            lines[0] = StyledText(place) + lines[0]
        }
        return lines
    }

    private mutating func write(quote blocks: [Block], _ width: Int, _ emit: (StyledText) throws -> Void) rethrows {
        let bar = Margin(rest: StyledText("│ ", .muted), blank: StyledText("│", .muted))
        guard try write(blocks, with: bar, width: width - 2, emit) == nil else { return }
        try write(blocks, width: width, emit)
    }

    /// Terms, and their definitions below them.
    private mutating func write(
        definitions: [Definition], _ width: Int, _ emit: (StyledText) throws -> Void
    ) rethrows {
        let margin = Margin(rest: "    ", blank: "")
        let isTight = definitions.allSatisfy { $0.blocks.flattened.count == 1 }
        for (index, definition) in definitions.enumerated() {
            if !isTight, index > 0, !isOverBudget { try writeLine("", emit) }
            if !definition.isTerm, try write(definition.blocks, with: margin, width: width - 4, emit) != nil {
                continue
            }
            try write(definition.blocks, width: width, emit)
        }
    }

    private mutating func write(
        list numbers: ListNumbers?, _ isTight: Bool, _ items: [[Block]], _ width: Int,
        _ emit: (StyledText) throws -> Void
    ) rethrows {
        let columns = (numbers.flatMap { items.indices.map($0.marker).map(\.count).max() } ?? 1) + 1
        let rest = StyledText(String(repeating: " ", count: columns))
        for (index, item) in items.enumerated() {
            let marker = numbers?.marker(of: index) ?? "•"
            if !isTight, index > 0, !isOverBudget { try writeLine("", emit) }
            let first = StyledText(marker).padded(to: columns - 1, isRightAligned: true) + " "
            let margin = Margin(first: first, rest: rest, blank: "")
            let count = try write(item, with: margin, width: width - columns, isTight: isTight, emit)
            if count == nil {
                for part in TextLayout.cut(marker, width: width) { try writeLine(StyledText(part), emit) }
                try write(item, width: width, isTight: isTight, emit)
            } else if count == 0 {
                try writeLine("", emit)
            }
        }
    }

    /// Writes blocks with a margin and returns the number of lines; nil if blocks can't be indented any further.
    private mutating func write(
        _ blocks: [Block], with margin: Margin, width: Int, isTight: Bool = false, _ emit: (StyledText) throws -> Void
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
        try write(blocks, width: width, isTight: isTight, emit)
        return lineCount - count
    }

    /// Code is indented, and wrapped only if it is wider than the terminal; an arrow marks continuation lines.
    private mutating func write(
        code text: String, _ colors: [CodePart], _ width: Int, _ emit: (StyledText) throws -> Void
    ) rethrows {
        guard colors.isEmpty else {
            for line in coloredLines(text, colors, width) { try writeLine(line, isCode: true, emit) }
            return
        }
        let text = Sanitizer.block(text)
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "\n") }.map { text.utf8.index(after: $0) } ?? text.startIndex
        guard end > text.startIndex else { return }
        var rest: Substring? = text[..<end]
        while let lines = rest {
            let line = Substring(lines.utf8.prefix { $0 != UInt8(ascii: "\n") })
            rest = line.endIndex < lines.endIndex ? lines[lines.utf8.index(after: line.endIndex)...] : nil
            for line in codeLine(line, width) { try writeLine(line, isCode: true, emit) }
        }
    }

    /// The lines of code with the colours that its author has given it.
    private func coloredLines(_ text: String, _ colors: [CodePart], _ width: Int) -> [StyledText] {
        var (lines, line, styles): ([StyledText], String, [(Range<Int>, Style)]) = ([], "", [])
        func endLine() {
            lines += codeLine(Substring(line), width, styles)
            (line, styles) = ("", [])
        }
        colors.forEachPiece(of: text) { piece, color in
            let parts = Sanitizer.block(piece).utf8.split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                if index > 0 { endLine() }
                let start = line.utf8.count
                line += Self.withoutTabs(String(Substring(part)))
                if let color { styles.append((start..<line.utf8.count, .colored(color))) }
            }
        }
        if !line.isEmpty { endLine() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func withoutTabs(_ line: String) -> String {
        let tab = line.utf8.count > maxLengthWithTabs ? " " : "    "
        return line.utf8.contains(.tab) ? line.replacing("\t", with: tab) : line
    }

    /// - Parameter styles: those of parts that have one, by their UTF-8 ranges; without any, all of it is styled as code.
    private func codeLine(
        _ line: Substring, _ width: Int, _ styles: [(range: Range<Int>, style: Style)] = []
    ) -> [StyledText] {
        // Invisible trailing space would make the line too wide.
        let end = line.utf8.lastIndex { !$0.isSpaceOrTab }
        let seen = end.map { String(Substring(line.utf8[...$0])) } ?? ""
        let line = Sanitizer.line(Self.withoutTabs(seen))
        let parts = codeRoom.map { TextLayout.cut(line, width: width + $0 - 4) } ?? [line]
        var rest = styles[...]
        var start = 0
        return parts.enumerated().map { index, part in
            guard !part.isEmpty else { return "" }
            defer { start += part.utf8.count }
            return (index > 0 ? StyledText("  ↪ ", .muted) : isColored ? StyledText("  ▏ ", .muted) : "    ")
                + (styles.isEmpty ? StyledText(part, .code) : Self.colored(part, &rest, from: start))
        }
    }

    /// A part of a line of code, in its colours.
    ///
    /// - Parameters:
    ///   - styles: those of what is left of the line; those that end in this part are removed.
    ///   - start: where it begins in the line.
    private static func colored(
        _ part: String, _ styles: inout ArraySlice<(range: Range<Int>, style: Style)>, from start: Int
    ) -> StyledText {
        var (text, end) = (StyledText(), 0)
        func add(to next: Int, _ own: Style...) {
            let piece = String(Substring(part.utf8.dropFirst(end).prefix(next - end)))
            text += StyledText(piece, own, link: nil)
            end = next
        }
        let count = part.utf8.count
        while let (range, style) = styles.first, range.lowerBound < start + count {
            add(to: max(range.lowerBound - start, 0))
            add(to: min(range.upperBound - start, count), style)
            if range.upperBound > start + count { return text }
            styles.removeFirst()
        }
        add(to: count)
        return text
    }

    /// Blocks aren't indented any further if fewer columns would be left.
    private static let minTextWidth = 8
    /// The maximum bytes of a line's margins: with more, a few bytes could become a long line each.
    private static let maxIndent = 24
    private static let ruleWidth = 24
    /// In a longer line of code, a tab isn't expanded, because that could make it four times as long.
    private static let maxLengthWithTabs = 1 << 16
    /// How many times its own length a text may take with its margins, and a minimum.
    private static let maxGrowth = 8
    private static let minBudget = 1 << 16
    /// The length of the escape sequences around a run.
    private static let styleBytes = 12
}
