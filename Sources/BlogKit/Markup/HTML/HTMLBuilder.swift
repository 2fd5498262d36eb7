/// Builds blocks and spans from HTML tokens.
struct HTMLBuilder {
    /// An open container and its content so far.
    private struct Frame {
        let kind: Kind
        let language: Language?
        private(set) var blocks: [Block] = []
        var items: [[Block]] = []
        /// The `value` of each item.
        var values: [Int?] = []
        var table = TableGrid()
        /// The content of the cells of a table, one by one.
        var cells: [[Block]] = []
        /// Whether a table says that it only places its content on the page.
        var isLayout = false
        /// Whether all cells of the first row of a table are headings; nil for none.
        var hasHeader: Bool?
        /// Whether the row is in a `thead`.
        var isInHead = false
        var isHeading = false
        /// The span of a cell.
        var size = (columns: 1, rows: 1)
        /// The number of open elements of the same name inside a ``Kind/part(_:)``, or of lists that number lines of code.
        var nested = 0
        var codeLanguage: String?
        /// Whether the caption of a figure comes before all else in it.
        var beginsWithCaption = false
        /// The terms and definitions after the last block.
        var definitions: [Definition] = []

        mutating func add(_ more: [Block]) {
            guard !more.isEmpty else { return }
            endDefinitions()
            blocks += more
        }

        mutating func takeBlocks() -> [Block] {
            defer { blocks = [] }
            return blocks
        }

        mutating func endDefinitions() {
            if !definitions.isEmpty { blocks.append(.definitions(definitions)) }
            definitions = []
        }
    }

    private enum Kind: Equatable {
        case root
        case quote
        /// A list, with a counter if it is ordered.
        case list(ListCounter?)
        case item(value: Int?)
        case pre
        case table
        case cell
        case figure
        case caption
        case details(isOpen: Bool)
        case summary
        /// An element that matters only for its language, by name.
        case part(String)
        case definitions
        case term
        case definition

        var isList: Bool { if case .list = self { true } else { false } }
        var isDetails: Bool { if case .details = self { true } else { false } }
        var isItem: Bool { if case .item = self { true } else { false } }
        var isDefinition: Bool { self == .term || self == .definition }
    }

    private var frames = [Frame(kind: .root, language: nil)]
    /// The current paragraph.
    private var inline = InlineBuilder(acceptsUnclosed: true)
    /// Whether to drop the next white space: after other white space, and at the beginning of a line.
    private var isAfterSpace = true
    /// Whether code goes on at the beginning of a line.
    private var isAfterLineFeed = true
    /// Whether the last token ended a line of code, of which each is a `code` in one `pre`.
    private var isAfterCode = false
    /// The number of open tables that highlighters make to number the lines of code.
    private var numberedCode = 0
    /// The level of the open heading.
    private var heading: Int?
    /// The language of the heading or paragraph.
    private var language: Language?
    /// The title of a video or audio whose address is expected in a `source`.
    private var media: String?
    /// The `srcset` of the first `source` in a `picture`, for an `img` without an address.
    private var pictureSet: String?
    private var visibility: Visibility
    /// The element whose text keeps its lines, by `white-space`.
    private var lineKeeper: OpenElement?
    private var keptSpace = KeptSpace.lines
    /// The inline element that is shown as a block, by `display`.
    private var lineElement: OpenElement?
    /// The picture after which nothing but tags came: a `noscript` may have the right one, or the same again.
    private var lastPicture: LastPicture?

    private enum LastPicture { case whole, placeholder }

    /// The maximum number of open containers; deeper ones are ignored, but not their content.
    private static let maxDepth = 50

    /// - Parameter html: all that the tokens come from.
    init(of html: [UInt8]) { visibility = Visibility(of: html, readsFormulas: true) }

    mutating func add(_ token: HTMLToken) {
        let (isForOthers, isInside) = (visibility.isInNoscript, visibility.isHiding)
        guard visibility.shows(token) || isForOthers && isShownPicture(token) else {
            if !isInside { endBlock(beforeHidden: token) }
            return
        }
        _ = lineKeeper.consume(token)
        let wasInLine = lineElement != nil
        let isInLine = lineElement.consume(token)
        if wasInLine, !isInLine { breakLine() }
        defer { isAfterCode = if case .close("code") = token { true } else { false } }
        switch token {
        case .text(let text) where inline.isInMath: inline.append(.text(text))
        case .text(let text):
            if !text.isBlank { lastPicture = nil }
            lineKeeper == nil ? add(text: text) : add(lines: text)
        case .open(let name, let attributes):
            open(name, attributes)
            if lineKeeper == nil, let kept = attributes.keptSpace {
                (lineKeeper, keptSpace) = (OpenElement(name), kept)
            }
        case .close(let name):
            close(name)
            if isInLine, lineElement == nil { breakLine() }
        }
    }

    /// Begins a line before or after an inline element that is shown as a block.
    private mutating func breakLine() {
        if !isInPre, !inline.isEmpty, !inline.endsLine { append(.hardBreak) }
    }

    /// Ends the paragraph before a block that isn't shown.
    private mutating func endBlock(beforeHidden token: HTMLToken) {
        if case .open(let name, _) = token, HTMLNames.blocks.contains(name) { endParagraph() }
    }

    /// Whether a token in a `noscript` is a picture that isn't shown yet, or that a placeholder before stands for.
    private mutating func isShownPicture(_ token: HTMLToken) -> Bool {
        guard lastPicture != .whole, case .open("img", let attributes) = token,
            PictureAddress.isAddress(PictureAddress.of(attributes)), !InlineBuilder.isTracker(attributes),
            !attributes.hideElement
        else { return false }
        if lastPicture == .placeholder { inline.removeLastImage() }
        return true
    }

    /// Adds a block from another source.
    fileprivate mutating func add(_ block: Block) {
        visibility.showAll()
        if isCode { endCode() }
        endParagraph()
        add([block])
    }

    /// Adds blocks to the innermost container.
    private mutating func add(_ blocks: [Block]) { frames[frames.count - 1].add(blocks) }

    mutating func finish() -> [Block] {
        endParagraph()
        while frames.count > 1 { closeFrame() }
        frames[0].endDefinitions()
        return frames[0].blocks
    }

    // MARK: Text

    private var isInPre: Bool { frames.contains { $0.kind == .pre } }
    /// Whether the innermost container is code.
    private var isCode: Bool { frames.last?.kind == .pre }
    private var isNumberedCode: Bool { isCode && frames[frames.count - 1].nested > 0 }

    private mutating func append(_ span: Span) {
        inline.append(span)
        isAfterSpace = span == .hardBreak
        if case .text(let text) = span, let last = text.utf8.last { isAfterLineFeed = last == .lineFeed }
    }

    /// Begins a line of code, unless the code is at the beginning of one.
    private mutating func endCodeLine() {
        if isCode, !isAfterLineFeed { append(.text("\n")) }
    }

    private mutating func add(text: String) {
        guard !isInPre else { return append(.text(text)) }
        let (collapsed, endsInSpace) = WhiteSpace.collapsed(text, afterSpace: isAfterSpace)
        if !collapsed.isEmpty { append(.text(collapsed)) }
        isAfterSpace = endsInSpace
    }

    /// Adds text of an element that keeps its lines.
    private mutating func add(lines text: String) {
        guard !isInPre else { return append(.text(text)) }
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if number > 0, !inline.isEmpty { open("br", [:]) }
            guard keptSpace == .linesAndSpaces, !line.utf8.isBlank else {
                add(text: String(line))
                continue
            }
            let spaces = number > 0 || inline.isEmpty || inline.endsLine ? line.prefix { $0 == " " || $0 == "\t" } : ""
            if !spaces.isEmpty {
                append(.text(spaces.map { $0 == " " ? "\u{A0}" : "\u{A0}\u{A0}\u{A0}\u{A0}" }.joined()))
            }
            add(text: Self.keepingSpaces(line.dropFirst(spaces.count)))
        }
    }

    /// Text in which all but the last of several spaces don't break.
    private static func keepingSpaces(_ line: Substring) -> String {
        var (text, isAfterSpace) = ("", false)
        for scalar in line.unicodeScalars {
            if isAfterSpace, scalar == " " {
                text.unicodeScalars.removeLast()
                text.unicodeScalars += ["\u{A0}", " "]
            } else {
                text.unicodeScalars.append(scalar)
            }
            isAfterSpace = scalar == " "
        }
        return text
    }

    /// Whether the blocks of an element are its lines, as of code that was copied from an editor.
    private var hasLinesAsBlocks: Bool { lineKeeper != nil && keptSpace == .linesAndSpaces && !isInPre }

    /// Separates the text of a drawing or object from the text around it.
    private mutating func separate() {
        guard !isAfterSpace else { return }
        append(.text(" "))
        isAfterSpace = true
    }

    /// Ends the inline tags and adds the text to the innermost container.
    private mutating func endParagraph() {
        guard !isCode else { return inline.closeAll() }
        var text = takeSpans()
        if heading != nil, text.contains(where: \.isHeadingAnchor) { text = text.withoutHeadingAnchors }
        let language = language
        self.language = nil
        if case .text(var last)? = text.last, last.last == " " {
            last.removeLast()
            text[text.count - 1] = .text(last)
        }
        while text.last == .hardBreak { text.removeLast() }
        guard !text.allSatisfy(\.isSpace) || text.hasImage else { return }
        // The link beside a heading may be outside of it.
        if heading == nil, text.allSatisfy({ $0.isHeadingAnchor || $0.isBlank }) { return }
        add([heading.map { .heading(level: $0, text) } ?? .paragraph(text)].part(language))
    }

    private mutating func takeSpans() -> [Span] {
        isAfterSpace = true
        return inline.finish()
    }

    // MARK: Tags

    private mutating func open(_ name: String, _ attributes: ElementAttributes) {
        if inline.isInMath {
            guard Self.endsMath(name) else { return _ = inline.open(name, attributes) }
            inline.endMath()
        }
        inline.noteAnchor(name, attributes)
        switch name {
        case "br" where isInPre: append(.text("\n"))
        case "span" where isInPre && attributes.areCodeLine: endCodeLine()
        // Two line breaks end a paragraph.
        case "br" where inline.endsLine && inline.depth == 0 && heading == nil: endParagraph()
        case "br": append(.hardBreak)
        case "hr":
            endParagraph()
            add([.rule])
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endParagraph()
            heading = Int(name.suffix(1))
            language = Language(attributes)
        case "div" where hasLinesAsBlocks: breakLine()
        case "p":
            endCodeLine()
            endParagraph()
            language = Language(attributes)
        case "blockquote": openFrame(.quote, attributes)
        case "ul", "menu", "dir": openFrame(.list(nil), attributes)
        // Highlighters number the lines of code with a list.
        case "ol" where isCode && attributes.areNumberedCode: frames[frames.count - 1].nested += 1
        case "li" where isNumberedCode: endCodeLine()
        case "ol": openFrame(.list(ListCounter(attributes)), attributes)
        case "li":
            closeFrames(until: \.isItem, below: \.isList)
            addLooseBlocks()
            if frames.last?.kind.isList != true { openFrame(.list(nil)) }
            openFrame(.item(value: ListCounter.number(attributes["value"])), attributes)
        case "pre":
            openFrame(.pre)
            isAfterLineFeed = true
            noteCodeLanguage(attributes)
        case "code" where isInPre:
            if isAfterCode { endCodeLine() }
            noteCodeLanguage(attributes)
        case "table", "thead", "tbody", "tfoot", "tr", "td", "th": open(table: name, attributes)
        case "figure": openFrame(.figure, attributes)
        case "figcaption": openFrame(.caption, attributes)
        case "details": openFrame(.details(isOpen: attributes["open"] != nil), attributes)
        case "summary": openFrame(.summary, attributes)
        case "dl": openFrame(.definitions, attributes)
        case "dt", "dd":
            closeFrames(until: \.isDefinition, below: { _ in true })
            openFrame(name == "dt" ? .term : .definition, attributes)
            if name == "dt" { _ = inline.open("b", [:]) }
        case "iframe", "video", "audio", "embed": open(media: name, attributes)
        case "source": addSource(attributes)
        case "object", "svg", "text", "option", "button": separate()
        case HTMLToken.formula: open(inline: "code", [:])
        case _ where HTMLNames.blocks.contains(name): open(part: name, attributes)
        default:
            if lineElement == nil, attributes.isShownAsBlock, !HTMLNames.voids.contains(name) {
                breakLine()
                lineElement = OpenElement(name)
            }
            open(inline: name, attributes)
        }
    }

    /// Moves blocks between the items of a list into the item before, or above the list if there is none.
    private mutating func addLooseBlocks() {
        let last = frames.count - 1
        guard last > 0, frames[last].kind.isList, !frames[last].blocks.isEmpty else { return }
        let blocks = frames[last].takeBlocks()
        if frames[last].items.isEmpty {
            frames[last - 1].add(blocks)
        } else {
            frames[last].items[frames[last].items.count - 1] += blocks
        }
    }

    private mutating func open(part name: String, _ attributes: ElementAttributes) {
        endCodeLine()
        if Language(attributes) != nil { return openFrame(.part(name), attributes) }
        endParagraph()
        if let outer = frames.lastIndex(where: { $0.kind == .part(name) }) { frames[outer].nested += 1 }
    }

    private mutating func close(part name: String) {
        endCodeLine()
        endParagraph()
        guard let outer = frames.lastIndex(where: { $0.kind == .part(name) }) else { return }
        guard frames[outer].nested == 0 else { return frames[outer].nested -= 1 }
        closeFrames(until: { $0 == .part(name) })
    }

    private mutating func noteCodeLanguage(_ attributes: ElementAttributes) {
        guard let pre = frames.lastIndex(where: { $0.kind == .pre }) else { return }
        frames[pre].codeLanguage = frames[pre].codeLanguage ?? attributes.codeLanguage
    }

    private mutating func open(inline name: String, _ attributes: ElementAttributes) {
        if isInPre, name == "span" { return inline.open(codePart: attributes) }
        guard !isInPre || InlineBuilder.inPreformatted.contains(name) else { return }
        var attributes = attributes
        if name == "img" {
            if attributes["src"]?.isEmpty ?? true, let pictureSet { attributes.append("srcset", pictureSet) }
            pictureSet = nil
            lastPicture = PictureAddress.isPlaceholder(attributes) ? .placeholder : .whole
        }
        if inline.open(name, attributes), name == "img" || name == "input" { isAfterSpace = false }
        // Browsers have a margin there.
        if name == "input", InlineBuilder.box(attributes) != nil { add(text: " ") }
    }

    private mutating func close(_ name: String) {
        if inline.isInMath {
            guard Self.endsMath(name) else {
                inline.close(name)
                isAfterSpace = false
                return
            }
            inline.endMath()
        }
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            endParagraph()
            heading = nil
        case "blockquote": closeFrames(until: { $0 == .quote })
        case "li" where isNumberedCode: endCodeLine()
        case "ol" where isNumberedCode: frames[frames.count - 1].nested -= 1
        case "ul", "ol", "menu", "dir": closeFrames(until: \.isList)
        case "li": closeFrames(until: \.isItem, below: { $0 == .cell || $0.isList })
        case "pre": closeFrames(until: { $0 == .pre })
        case "table" where numberedCode > 0:
            numberedCode -= 1
            closeFrames(until: { $0 == .pre })
        case "table": closeFrames(until: { $0 == .table }, below: { _ in false })
        case "figure": closeFrames(until: { $0 == .figure })
        case "figcaption": closeFrames(until: { $0 == .caption })
        case "details": closeFrames(until: \.isDetails)
        case "summary": closeFrames(until: { $0 == .summary }, below: { $0 == .cell || $0.isDetails })
        case "dl": closeFrames(until: { $0 == .definitions })
        case "dt": closeFrames(until: { $0 == .term }, below: { $0 == .cell || $0.isList || $0 == .definitions })
        case "dd": closeFrames(until: { $0 == .definition }, below: { $0 == .cell || $0.isList || $0 == .definitions })
        case "iframe", "video", "audio":
            endParagraph()
            media = nil
        case _ where numberedCode > 0 && ["td", "th", "tr"].contains(name): break
        case "td", "th", "tr": closeFrames(until: { $0 == .cell }, below: { $0 == .table })
        case "object", "svg", "text", "option", "button": separate()
        case HTMLToken.formula: inline.close("code")
        case "div" where hasLinesAsBlocks: breakLine()
        case _ where HTMLNames.blocks.contains(name): close(part: name)
        default: inline.close(name)
        }
    }

    /// Whether a tag can't be inside a formula, so that the end tag of the formula must be missing.
    private static func endsMath(_ name: String) -> Bool {
        HTMLNames.first.contains(name) || ["li", "dd", "tr", "td", "th"].contains(name)
    }

    // MARK: Video and audio

    /// Makes a link of a video or audio.
    private mutating func open(media name: String, _ attributes: ElementAttributes) {
        endParagraph()
        let title = attributes["title"] ?? attributes["aria-label"] ?? ""
        media = title.isEmpty ? (name == "iframe" || name == "embed" ? "embedded page" : name) : title
        addSource(attributes)
    }

    private mutating func addSource(_ attributes: ElementAttributes) {
        if media == nil, pictureSet == nil { pictureSet = attributes["srcset"] ?? attributes["data-srcset"] }
        guard let title = media, let address = attributes.mediaAddress else { return }
        media = nil
        append(.link([.text(title)], target: address, title: nil))
        // The fallback text for browsers that can't play it is a paragraph of its own.
        endParagraph()
    }

    // MARK: Tables

    private mutating func open(table name: String, _ attributes: ElementAttributes) {
        if name == "table" ? attributes.areNumberedCode : numberedCode > 0 {
            if name == "table" { numberedCode += 1 }
            if name == "td" { isInPre ? endCodeLine() : openFrame(.pre, attributes) }
            return
        }
        if name == "table" {
            openFrame(.table, attributes)
            let isLayout = ["presentation", "none"].contains(attributes["role"])
            if frames.last?.kind == .table { frames[frames.count - 1].isLayout = isLayout }
            return
        }
        closeFrames(until: { $0 == .cell }, below: { $0 == .table })
        guard frames.last?.kind == .table else { return }
        if name == "td", attributes.areLineNumbers, frames[frames.count - 1].table.rows.allSatisfy(\.isEmpty) {
            // The table only puts numbers beside lines of code.
            frames.removeLast()
            numberedCode += 1
            visibility.hideLineNumbers(in: name)
            return
        }
        let table = frames.count - 1
        switch name {
        case "tr": frames[table].table.beginRow()
        case "td", "th":
            openFrame(.cell, attributes)
            guard frames.count - 1 > table else { return }
            frames[table + 1].isHeading = name == "th" || frames[table].isInHead
            frames[table + 1].size = (
                attributes.span("colspan", most: TableGrid.maxColumns),
                attributes.span("rowspan", most: TableGrid.maxRows, zero: TableGrid.maxRows)
            )
        default:
            frames[table].table.endGroup()
            frames[table].isInHead = name == "thead"
        }
    }

    // MARK: Containers

    private mutating func openFrame(_ kind: Kind, _ attributes: ElementAttributes = [:]) {
        if isCode { endCode() }
        endParagraph()
        guard frames.count < Self.maxDepth else { return }
        frames.append(Frame(kind: kind, language: Language(attributes)))
    }

    /// Closes the innermost matching container and all in it, unless a `barrier` comes first.
    private mutating func closeFrames(
        until matches: (Kind) -> Bool, below barrier: (Kind) -> Bool = { $0 == .cell }
    ) {
        endParagraph()
        for index in frames.indices.reversed() {
            if matches(frames[index].kind) {
                while frames.count > index { closeFrame() }
                return
            }
            if barrier(frames[index].kind) { return }
        }
    }

    /// Adds the preformatted text so far to its container, which may also contain tables and lists.
    private mutating func endCode() {
        let spans = takeSpans()
        // Anchors in code move to the next text.
        for case .element(.anchor(let id), _) in spans { inline.noteAnchor("pre", ["id": id]) }
        var (text, colors) = spans.coloredCode
        if text.utf8.first == UInt8(ascii: "\n") {
            text.removeFirst()
            colors = colors.compactMap {
                let range = max($0.range.lowerBound - 1, 0)..<$0.range.upperBound - 1
                return range.isEmpty ? nil : CodePart(range: range, color: $0.color)
            }
        }
        guard !text.isBlank else { return }
        let language = frames.last?.codeLanguage
        add([.code(text.hasSuffix("\n") ? text : text + "\n", language: language, colors: colors)])
    }

    private mutating func closeFrame() {
        if isCode { endCode() }
        endParagraph()
        frames[frames.count - 1].endDefinitions()
        if frames[frames.count - 1].items.isEmpty == false { addLooseBlocks() }
        let frame = frames.removeLast()
        let language = frame.language
        let outer = frames.count - 1
        switch frame.kind {
        case .root: break
        case .quote: add([.quote(frame.blocks)].part(language))
        case .item(let value) where frames[outer].kind.isList:
            frames[outer].items.append(frame.blocks.part(language))
            frames[outer].values.append(value)
        // A caption goes below its picture.
        case .caption where frames[outer].kind == .figure:
            if frames[outer].blocks.isEmpty, frames[outer].items.isEmpty { frames[outer].beginsWithCaption = true }
            frames[outer].items.append(frame.blocks.part(language))
        case .figure:
            let caption = Array(frame.items.joined()).element(.caption)
            // The name of a listing stays above it.
            let isAbove = frame.beginsWithCaption && frame.blocks.contains(where: \.isCode)
            add((isAbove ? caption + frame.blocks : frame.blocks + caption).element(.figure).part(language))
        case .details(let isOpen): add(frame.blocks.element(.details(isOpen: isOpen)).part(language))
        case .summary where frames[outer].kind.isDetails: add(frame.blocks.part(language).element(.summary))
        case .item, .caption, .summary, .part, .definitions, .pre: add(frame.blocks.part(language))
        case .list(let counter):
            let items = frame.items + (frame.blocks.isEmpty ? [] : [frame.blocks])
            let numbers = counter?.numbers(frame.values + (frame.blocks.isEmpty ? [] : [nil]))
            let isTight = items.allSatisfy { item in
                let blocks = item.flattened
                return blocks.count <= 1 || blocks.count == 2 && blocks[1].isList
            }
            if !items.isEmpty { add([.list(numbers: numbers, isTight: isTight, items: items)].part(language)) }
        case .term, .definition:
            if !frame.blocks.isEmpty {
                frames[outer].definitions.append(
                    Definition(isTerm: frame.kind == .term, blocks: frame.blocks.part(language)))
            }
        case .cell:
            let spans = frame.blocks.spans
            let cell = language.map { spans.isEmpty ? [] : [.element(.part($0), spans)] } ?? spans
            if frames[outer].table.rows.count <= 1 {
                if frame.isHeading {
                    frames[outer].hasHeader = frames[outer].hasHeader ?? true
                } else if !spans.isEmpty {
                    frames[outer].hasHeader = false
                }
            }
            frames[outer].cells.append(frame.blocks.part(language))
            frames[outer].table.add(cell, columns: frame.size.columns, rows: frame.size.rows)
        case .table:
            var grid = frame.table
            if frame.isLayout || frame.hasHeader != true && frame.cells.areOfLayout(columns: grid.columns) {
                return add((frame.blocks + frame.cells.joined()).part(language))
            }
            let table = grid.table(hasHeader: frame.hasHeader == true).map { [Block.table($0)] } ?? []
            add((frame.blocks + table).part(language))
        }
    }
}

extension [Block] {
    /// The blocks with raw HTML parsed; an element may begin in one block and end in another.
    package var withoutTags: [Block] {
        guard hasTags else { return self }
        let html = flatMap { part -> [UInt8] in if case .html(let html) = part { [UInt8](html.utf8) } else { [] } }
        var builder = HTMLBuilder(of: html)
        for block in self {
            if case .html(let html) = block {
                HTMLToken.forEach(in: html) { builder.add($0) }
            } else {
                builder.add(block.withoutTags)
            }
        }
        return builder.finish()
    }

    private var hasTags: Bool {
        contains { block in if case .html = block { true } else { block.inner.contains { $0.hasTags } } }
    }

    /// The blocks in an element; nothing if there are none.
    fileprivate func element(_ element: BlockElement) -> [Block] { isEmpty ? [] : [.element(element, self)] }

    /// The blocks as a part in another language, if there is one.
    fileprivate func part(_ language: Language?) -> [Block] { language.map { element(.part($0)) } ?? self }
}

extension [[Block]] {
    /// Whether cells, none of which is a heading, place parts of a text, as newsletters do, rather than hold data.
    fileprivate func areOfLayout(columns: Int) -> Bool {
        count == 1
            || contains { cell in
                columns == 1 && cell.count > 1
                    || cell.contains { block in
                        switch block {
                        case .heading, .table: true
                        default: false
                        }
                    }
            }
    }
}

extension Block {
    fileprivate var withoutTags: Block {
        switch self {
        case .quote(let blocks): .quote(blocks.withoutTags)
        case .element(let kind, let blocks): .element(kind, blocks.withoutTags)
        case .list(let numbers, let isTight, let items):
            .list(numbers: numbers, isTight: isTight, items: items.map(\.withoutTags))
        case .definitions(let definitions):
            .definitions(definitions.map { Definition(isTerm: $0.isTerm, blocks: $0.blocks.withoutTags) })
        case .heading, .paragraph, .code, .table, .rule, .html: self
        }
    }
}
