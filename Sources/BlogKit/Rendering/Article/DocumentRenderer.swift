import Foundation

/// A document as lines of text, for a terminal of any width, with colour or without.
package struct DocumentRenderer {
    private let isColored: Bool
    private let mode: LinkMode
    /// How many columns code may be wider than text; nil for any number.
    private let codeRoom: Int?
    /// Whether a paragraph that begins with ">" is a quotation, as in mail.
    private let dimsQuotes: Bool
    /// Whether the places of pictures are wanted.
    private let hasPictures: Bool
    private var spans: SpanLines
    /// How far the block is indented that is being laid out, as ``maxIndent`` counts it.
    private var indent = 0

    /// The address that relative links are of; nil where nothing says.
    var site: URL? {
        get { spans.site }
        set { spans.site = newValue }
    }

    /// The address that relative addresses of pictures are of where there is no site; nil where nothing says.
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

    /// The lines of a document, each at most `width` columns, and behind them the targets of its links where those
    /// are numbered.
    package mutating func lines(_ document: Document, width: Int) -> [StyledText] {
        lines(part: document, width: width) + targetLines()
    }

    /// The lines of a part of a document, whose links are listed after the last.
    package mutating func lines(part document: Document, width: Int) -> [StyledText] {
        lines(document.blocks, width: width)
    }

    /// The targets of the links so far that are numbered, after a blank line.
    package func targetLines() -> [StyledText] {
        let numbered = spans.targets.enumerated().filter {
            mode.numbers($0.element) && !spans.shownWhole.contains($0.element)
        }
        guard !numbered.isEmpty else { return [] }
        // Addresses are never wrapped, because a wrapped one can't be used.
        return [""] + numbered.map { StyledText("[\($0 + 1)]", .muted) + StyledText(" \($1)") }
    }

    /// A renderer for another document, whose links are numbered starting at 1.
    var forNext: DocumentRenderer {
        DocumentRenderer(
            isColored: isColored, mode: mode, codeRoom: codeRoom, dimsQuotes: dimsQuotes, hasPictures: hasPictures)
    }

    /// The places of a document's pictures, in their order.
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

    private mutating func lines(_ blocks: [Block], width: Int, isTight: Bool = false) -> [StyledText] {
        var lines: [StyledText] = []
        for block in blocks {
            let next = self.lines(block, width: width)
            guard !next.isEmpty else { continue }
            if !lines.isEmpty && !isTight { lines.append("") }
            lines += next
        }
        return lines
    }

    private mutating func lines(_ block: Block, width: Int) -> [StyledText] {
        switch block {
        case .heading(let level, let text):
            guard isColored else {
                return spans.lines([.text(String(repeating: "#", count: level) + " ")] + text, width: width)
            }
            return spans.lines(text, width: width, in: .heading(level: level))
        case .paragraph(let text):
            if hasPictures, let images = text.imagesAlone {
                return images.flatMap { image($0, width) }
            }
            let isQuote = dimsQuotes && text.plainText.hasPrefix(">")
            return spans.lines(text, width: width).filter { !$0.isEmpty }.map { isQuote ? $0.styled(.muted) : $0 }
        case .list(let start, let isTight, let items): return list(start, isTight, items, width)
        case .quote(let blocks): return quote(blocks, width)
        case .code(let text, _): return code(text, width)
        case .table(let table): return TableLines(table, width: width).lines(&spans)
        case .rule:
            return [StyledText(String(repeating: "─", count: min(width, Self.ruleWidth)), .muted)]
        case .html(let text): return lines(HTML.document(text).blocks, width: width)
        }
    }

    /// An image that is a block of its own: the line that tells of it, and where the picture belongs.
    private mutating func image(_ span: Span, _ width: Int) -> [StyledText] {
        var lines = spans.lines([span], width: width)
        let source = span.imageSource ?? ""
        let address = LinkTarget.safe(source, base: site ?? server) ?? source
        if !lines.isEmpty, let place = PicturePlace([address], name: span.imageName, columns: width) {
            lines[0] = StyledText(place) + lines[0]
        }
        return lines
    }

    private mutating func quote(_ blocks: [Block], _ width: Int) -> [StyledText] {
        let bar = StyledText("│", .muted)
        guard let lines = indented(by: bar.byteCount + 1, blocks, width: width - 2) else {
            return lines(blocks, width: width)
        }
        return lines.map { $0.isEmpty ? bar : bar + " " + $0 }
    }

    /// The lines of blocks that get so many bytes in front of each; nil where blocks are not indented any further.
    private mutating func indented(
        by bytes: Int, _ blocks: [Block], width: Int, isTight: Bool = false
    ) -> [StyledText]? {
        guard width >= Self.minTextWidth, indent + bytes <= Self.maxIndent else { return nil }
        indent += bytes
        defer { indent -= bytes }
        return lines(blocks, width: width, isTight: isTight)
    }

    private mutating func list(_ start: Int?, _ isTight: Bool, _ items: [[Block]], _ width: Int) -> [StyledText] {
        let markers = items.indices.map { index in start.map { "\($0 + index)." } ?? "•" }
        let margin = (start == nil ? 1 : max(markers.first?.count ?? 0, markers.last?.count ?? 0)) + 1
        var result: [StyledText] = []
        for (marker, item) in zip(markers, items) {
            if !isTight && !result.isEmpty { result.append("") }
            guard let text = indented(by: margin, item, width: width - margin, isTight: isTight) else {
                result +=
                    TextLayout.cut(marker, width: width).map { StyledText($0) }
                    + lines(item, width: width, isTight: isTight)
                continue
            }
            let first = StyledText(marker).padded(to: margin - 1, isRightAligned: true) + " "
            let rest = StyledText(String(repeating: " ", count: margin))
            result += (text.isEmpty ? [""] : text).enumerated().map { $1.isEmpty ? "" : ($0 == 0 ? first : rest) + $1 }
        }
        return result
    }

    /// Code is indented, and wrapped only if it is wider than the terminal; an arrow marks the continuation.
    private func code(_ text: String, _ width: Int) -> [StyledText] {
        var lines = Sanitizer.block(text).split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.flatMap { line -> [StyledText] in
            // Space at the end of a line can't be seen, but would make it wider than the terminal.
            let seen = line.replacing("\t", with: "    ").reversed().drop { $0 == " " }.reversed()
            let line = Sanitizer.line(String(seen))
            let pieces = codeRoom.map { TextLayout.cut(line, width: width + $0 - 4) } ?? [line]
            return pieces.enumerated().map { index, piece in
                guard !piece.isEmpty else { return "" }
                return (index > 0 ? StyledText("  ↪ ", .muted) : isColored ? StyledText("  ▏ ", .muted) : "    ")
                    + StyledText(piece, .code)
            }
        }
    }

    /// Blocks are not indented any further when fewer columns than this would be left.
    private static let minTextWidth = 8
    /// The most bytes that stand in front of a line for the quotes and lists that it is in: deeper ones are shown like
    /// those around them, as else a few bytes that are deep inside would be a long line each.
    private static let maxIndent = 24
    private static let ruleWidth = 24
}
