/// Makes blocks and spans of HTML's tags as they come.
struct HTMLBuilder {
    /// A container that is open, and what it holds so far.
    private struct Frame {
        let kind: Kind
        var blocks: [Block] = []
        var items: [[Block]] = []
        var rows: [[[Span]]] = []
        var hasHeader = false
    }

    private enum Kind: Equatable {
        case root
        case quote
        case list(start: Int?)
        case item
        case pre
        case table
        case cell
        /// What a term of a `dl` means.
        case definition

        var isList: Bool { if case .list = self { true } else { false } }
    }

    private var frames = [Frame(kind: .root)]
    /// The inline tags that are open.
    private var inline: [(name: String, attributes: [String: String])] = []
    /// What stands in the paragraph, and then in each of the inline tags that are open.
    private var levels: [[Span]] = [[]]
    /// Whether white space that comes next would be at the beginning of a line, or beside other white space.
    private var isAfterSpace = true
    private var heading: Int?
    /// The name of a film or a sound whose address is still to come, in its own tag.
    private var media: String?

    /// Deeper tags are read as their text.
    private static let deepest = 50

    mutating func add(_ token: HTMLToken) {
        switch token {
        case .text(let text): add(text: text)
        case .open(let name, let attributes): open(name, attributes)
        case .close(let name): close(name)
        }
    }

    mutating func finish() -> [Block] {
        endParagraph()
        while frames.count > 1 { closeFrame() }
        return frames[0].blocks
    }

    // MARK: Text

    private var isInPre: Bool { frames.contains { $0.kind == .pre } }

    private mutating func append(_ span: Span) {
        levels[levels.count - 1].append(span)
        isAfterSpace = span == .hardBreak
    }

    private mutating func add(text: String) {
        guard !isInPre else { return append(.text(text)) }
        var result = ""
        var isSpace = isAfterSpace
        for character in text {
            if character.isWhitespace && character != "\u{A0}" {
                if !isSpace { result.append(" ") }
                isSpace = true
            } else {
                result.append(character)
                isSpace = false
            }
        }
        if !result.isEmpty { append(.text(result)) }
        isAfterSpace = isSpace
    }

    /// Ends the inline tags and puts what was written into the innermost container.
    private mutating func endParagraph() {
        while !inline.isEmpty { closeInline() }
        guard frames.last?.kind != .pre else { return }
        var text = takeSpans()
        if case .text(let last)? = text.last, last.last == " " { text[text.count - 1] = .text(String(last.dropLast())) }
        while text.last == .hardBreak { text.removeLast() }
        guard !text.plainText.allSatisfy(\.isWhitespace) || text.contains(where: \.isImage) else { return }
        frames[frames.count - 1].blocks.append(heading.map { .heading(level: $0, text) } ?? .paragraph(text))
    }

    private mutating func takeSpans() -> [Span] {
        defer {
            levels = [[]]
            isAfterSpace = true
        }
        return levels[0]
    }

    // MARK: Tags

    private mutating func open(_ name: String, _ attributes: [String: String]) {
        switch name {
        case "br": append(isInPre ? .text("\n") : .hardBreak)
        case "hr":
            endParagraph()
            frames[frames.count - 1].blocks.append(.rule)
        case "img": append(.image([.text(attributes["alt"] ?? "")], source: attributes["src"] ?? "", title: nil))
        case "b", "strong", "i", "em", "cite", "dfn", "var", "s", "strike", "del", "code", "tt", "kbd", "samp", "a":
            guard !isInPre, inline.count < Self.deepest else { return }
            openInline(name, attributes)
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endParagraph()
            heading = Int(name.suffix(1))
        case "blockquote": openFrame(.quote)
        case "ul": openFrame(.list(start: nil))
        case "ol": openFrame(.list(start: Self.listStart(attributes["start"])))
        case "li":
            closeFrames(until: [.item], below: \.isList)
            if frames.last?.kind.isList != true { openFrame(.list(start: nil)) }
            openFrame(.item)
        case "pre": openFrame(.pre)
        case "table": openFrame(.table)
        case "tr":
            closeFrames(until: [.cell], below: { $0 == .table })
            if frames.last?.kind == .table { frames[frames.count - 1].rows.append([]) }
        case "td", "th":
            closeFrames(until: [.cell], below: { $0 == .table })
            guard frames.last?.kind == .table else { return }
            if name == "th", frames[frames.count - 1].rows.count <= 1 { frames[frames.count - 1].hasHeader = true }
            openFrame(.cell)
        case "dt":
            closeFrames(until: [.definition], below: { $0 != .definition })
            openInline("b")
        case "dd":
            closeFrames(until: [.definition], below: { $0 != .definition })
            openFrame(.definition)
        case "iframe", "video", "audio", "embed": open(media: name, attributes)
        case "source": addSource(attributes)
        case _ where HTMLNames.blocks.contains(name): endParagraph()
        default: break
        }
    }

    private mutating func close(_ name: String) {
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endParagraph()
            heading = nil
        case "blockquote": closeFrames(until: [.quote])
        case "ul", "ol": closeFrames(through: \.isList)
        case "li": closeFrames(until: [.item], below: \.isList)
        case "pre": closeFrames(until: [.pre])
        case "table": closeFrames(until: [.table])
        case "dd", "dl": closeFrames(until: [.definition], below: { $0 == .cell || $0.isList })
        case "iframe", "video", "audio":
            endParagraph()
            media = nil
        case "td", "th", "tr": closeFrames(until: [.cell], below: { $0 == .table })
        case _ where HTMLNames.blocks.contains(name): endParagraph()
        default:
            guard let index = inline.lastIndex(where: { $0.name == name }) else { return }
            while inline.count > index { closeInline() }
        }
    }

    private mutating func openInline(_ name: String, _ attributes: [String: String] = [:]) {
        inline.append((name, attributes))
        levels.append([])
    }

    private mutating func closeInline() {
        let tag = inline.removeLast()
        let inner = levels.removeLast()
        guard !inner.isEmpty else { return }
        let outer = levels.count - 1
        switch tag.name {
        case "b", "strong": levels[outer].append(.strong(inner))
        case "s", "strike", "del": levels[outer].append(.strike(inner))
        case "code", "tt", "kbd", "samp": levels[outer].append(.code(inner.plainText))
        case "a":
            guard let target = tag.attributes["href"], !target.isEmpty else { return levels[outer] += inner }
            levels[outer].append(.link(inner, target: target, title: tag.attributes["title"]))
        default: levels[outer].append(.emphasis(inner))
        }
    }

    /// The first number of a list, of nine digits at most as in Markdown; 1 where there is none, or another.
    private static func listStart(_ value: String?) -> Int {
        guard let start = value.flatMap({ Int($0) }), (-999_999_999...999_999_999).contains(start) else { return 1 }
        return start
    }

    // MARK: Films and sounds

    /// They are no pictures, but a link leads there.
    private mutating func open(media name: String, _ attributes: [String: String]) {
        endParagraph()
        let title = attributes["title"] ?? attributes["aria-label"] ?? ""
        media = title.isEmpty ? (name == "iframe" || name == "embed" ? "embedded page" : name) : title
        addSource(attributes)
    }

    private mutating func addSource(_ attributes: [String: String]) {
        guard let title = media, let address = attributes["src"], !address.isEmpty else { return }
        media = nil
        append(.link([.text(title)], target: address, title: nil))
    }

    // MARK: Containers

    private mutating func openFrame(_ kind: Kind) {
        endParagraph()
        guard frames.count < Self.deepest else { return }
        frames.append(Frame(kind: kind))
    }

    /// Closes the innermost container of these kinds and what is open in it; none beyond one that `barrier` names.
    private mutating func closeFrames(until kinds: [Kind], below barrier: (Kind) -> Bool = { _ in false }) {
        endParagraph()
        for index in frames.indices.reversed() {
            if kinds.contains(frames[index].kind) {
                while frames.count > index { closeFrame() }
                return
            }
            if barrier(frames[index].kind) { return }
        }
    }

    private mutating func closeFrames(through isIt: (Kind) -> Bool) {
        endParagraph()
        guard let index = frames.lastIndex(where: { isIt($0.kind) }) else { return }
        while frames.count > index { closeFrame() }
    }

    private mutating func closeFrame() {
        endParagraph()
        let frame = frames.removeLast()
        let outer = frames.count - 1
        switch frame.kind {
        case .root: break
        case .quote: frames[outer].blocks.append(.quote(frame.blocks))
        case .item where frames[outer].kind.isList: frames[outer].items.append(frame.blocks)
        case .item: frames[outer].blocks += frame.blocks
        case .list(let start):
            let items = frame.items + (frame.blocks.isEmpty ? [] : [frame.blocks])
            let isTight = items.allSatisfy { $0.count <= 1 || $0.count == 2 && $0[1].isList }
            if !items.isEmpty { frames[outer].blocks.append(.list(start: start, isTight: isTight, items: items)) }
        case .pre:
            var text = takeSpans().plainText
            if text.first == "\n" { text.removeFirst() }
            if !text.isEmpty {
                frames[outer].blocks.append(.code(text.hasSuffix("\n") ? text : text + "\n", language: nil))
            }
        case .definition: frames[outer].blocks.append(.list(start: nil, isTight: true, items: [frame.blocks]))
        case .cell:
            if frames[outer].rows.isEmpty { frames[outer].rows.append([]) }
            frames[outer].rows[frames[outer].rows.count - 1].append(frame.blocks.spans)
        case .table:
            frames[outer].blocks += frame.blocks
            if let table = Table(rows: frame.rows.filter { !$0.isEmpty }, hasHeader: frame.hasHeader) {
                frames[outer].blocks.append(.table(table))
            }
        }
    }
}
