import BlogEssentials
import BlogModel

/// Writes a document as HTML: text is escaped, and only safe addresses are kept.
package struct PagePrinter {
    private let pictures: PagePictures
    /// The base addresses of links and of pictures; nil if unknown.
    private let linkBase: URL?
    private let pictureBase: URL?
    /// Writes a text between tags, and marks words in it.
    private let marking: (String) -> PageText
    private var outline: HeadingOutline
    private var anchors: PageAnchors?
    /// Whether no direction is specified for the next block, so that its first letter determines it.
    private var isUndirected: Bool

    /// - Parameters:
    ///   - marking: writes a text between tags, perhaps with marked words.
    ///   - isDirected: whether the element around the document has a direction.
    ///   - level: the level of the heading above the document.
    package init(
        _ pictures: PagePictures, linkBase: URL? = nil, pictureBase: URL? = nil,
        isDirected: Bool = false, below level: Int, marking: @escaping (String) -> PageText = { "\(lines: $0)" }
    ) {
        self.pictures = pictures
        self.linkBase = linkBase
        self.pictureBase = pictureBase
        self.marking = marking
        isUndirected = !isDirected
        outline = HeadingOutline(below: level)
    }

    /// - Parameter prefix: the prefix of all IDs; nil for no IDs.
    package mutating func text(_ document: Document, anchors prefix: String? = nil) -> PageText {
        let blocks = document.blocks.withoutTags
        anchors = prefix.map { PageAnchors(prefix: $0, blocks, page: linkBase) }
        return text(blocks)
    }

    // MARK: Blocks

    private mutating func text(_ blocks: [Block], isTight: Bool = false) -> PageText {
        var text: PageText = ""
        for block in blocks { text += self.text(block, "", isTight: isTight) }
        return text
    }

    /// - Parameter attributes: those of the block's language.
    private mutating func text(_ block: Block, _ attributes: PageText, isTight: Bool) -> PageText {
        switch block {
        case .heading(let level, let spans): return heading(level, spans, attributes)
        case .paragraph(let spans): return paragraph(spans, attributes, isTight: isTight)
        case .rule: return "<hr>\n"
        // Its meaning has replaced it.
        case .html: return ""
        case .code(let code, let language, let colors): return self.code(code, language: language, colors)
        case .definitions(let definitions):
            return directed(attributes) { $0.definitions(definitions, $1) }
        case .quote(let blocks):
            return directed(attributes) { "<blockquote\($1)>\n\($0.text(blocks))</blockquote>\n" }
        case .list(let numbers, let isTight, let items):
            return directed(attributes) { $0.list(numbers, isTight: isTight, items, $1) }
        case .table(let table): return directed(attributes) { $0.table(table, $1) }
        case .element(let kind, let blocks): return element(kind, blocks, attributes, isTight: isTight)
        }
    }

    /// A block with bullets or the like on one side, the one where its text begins unless its direction is specified.
    private mutating func directed(
        _ attributes: PageText, _ block: (inout PagePrinter, PageText) -> PageText
    ) -> PageText {
        let wasUndirected = isUndirected
        isUndirected = false
        defer { isUndirected = wasUndirected }
        return block(&self, wasUndirected ? attributes + " dir=\"auto\"" : attributes)
    }

    private mutating func heading(_ published: Int, _ spans: [Span], _ attributes: PageText) -> PageText {
        // Screen readers would announce an empty heading.
        guard spans.plainText.contains(where: { !$0.isWhitespace }) else {
            let text = self.text(spans)
            return text.isEmpty ? "" : "<p>\(text)</p>\n"
        }
        let level = outline.level(of: published)
        let name = anchors?.name(ofHeading: spans)
        let id: PageText = name.map { " id=\"\($0)\"" } ?? ""
        return "<h\(level)\(id)\(attributes)>\(text(spans))</h\(level)>\n"
    }

    private mutating func paragraph(_ spans: [Span], _ attributes: PageText, isTight: Bool) -> PageText {
        let spans = spans.withoutTags
        let text = self.text(spans)
        guard !text.isEmpty else { return "" }
        if attributes.isEmpty, isTight || spans.allSatisfy(\.isBlank) { return text + "\n" }
        let kind: PageText = spans.isMailQuote ? " class=\"quoted\"" : ""
        return "<p\(kind)\(attributes)>\(text)</p>\n"
    }

    /// Only code with long lines scrolls, and can be focused so that it scrolls with the keyboard; other code wraps on
    /// narrow screens.
    private func code(_ code: String, language: String?, _ colors: [CodePart]) -> PageText {
        let name: PageText = Self.languageName(language).map { " class=\"language-\($0)\"" } ?? ""
        let isWide = code.split(separator: "\n").contains { line in
            DisplayWidth.of(line.replacing("\t", with: "    ")) > Self.codeColumns
        }
        let focus: PageText = isWide ? " tabindex=\"0\"" : ""
        var text: PageText = ""
        colors.forEachPiece(of: code) { piece, color in
            text +=
                color.map { "<span class=\"\(Self.className(of: $0))\">\(lines: piece)</span>" } ?? "\(lines: piece)"
        }
        return "<pre\(focus)><code\(name)>\(text)</code></pre>\n"
    }

    private static func className(of color: CodeColor) -> PageText {
        switch color {
        case .keyword: "keyword"
        case .string: "string"
        case .comment: "comment"
        case .number: "number"
        case .name: "word"
        }
    }

    /// The first word after a fence.
    private static func languageName(_ language: String?) -> String? {
        guard let word = language?.split(whereSeparator: \.isWhitespace).first, word.utf8.count <= 40,
            word.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "+-#._".utf8.contains($0) })
        else { return nil }
        return word.lowercased()
    }

    /// The columns of the widest page, less some for wide fonts.
    private static let codeColumns = 64

    private mutating func list(
        _ numbers: ListNumbers?, isTight: Bool, _ items: [[Block]], _ attributes: PageText
    ) -> PageText {
        var inner: PageText = ""
        for (index, item) in items.enumerated() {
            let (blocks, language) = item.withoutPart
            let text = text(blocks, isTight: isTight)
            let value: PageText = numbers?.jump(at: index).map { " value=\"\($0)\"" } ?? ""
            // Empty items are kept only in numbered lists.
            if !text.isEmpty || numbers != nil { inner += "<li\(value)\(language)>\(text)</li>\n" }
        }
        guard !inner.isEmpty else { return "" }
        guard let numbers, let start = numbers.numbers.first else { return "<ul\(attributes)>\n\(inner)</ul>\n" }
        let type: PageText = numbers.style == .decimal ? "" : " type=\"\(numbers.style.rawValue)\""
        let first: PageText = start == 1 ? "" : " start=\"\(start)\""
        return "<ol\(type)\(first)\(attributes)>\n\(inner)</ol>\n"
    }

    private mutating func definitions(_ definitions: [Definition], _ attributes: PageText) -> PageText {
        var inner: PageText = ""
        for definition in definitions {
            let (blocks, language) = definition.blocks.withoutPart
            let text = text(blocks, isTight: blocks.count == 1)
            guard !text.isEmpty else { continue }
            inner += definition.isTerm ? "<dt\(language)>\(text)</dt>\n" : "<dd\(language)>\(text)</dd>\n"
        }
        return inner.isEmpty ? "" : "<dl\(attributes)>\n\(inner)</dl>\n"
    }

    private mutating func table(_ table: Table, _ attributes: PageText) -> PageText {
        let text = PageTable(table).text { self.text($0) }
        guard !text.isEmpty else { return "" }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Table"\(attributes)><table>
            \(text)</table></div>

            """
    }

    private mutating func element(
        _ kind: BlockElement, _ blocks: [Block], _ attributes: PageText, isTight: Bool
    ) -> PageText {
        switch kind {
        case .figure:
            let text = blocks.reduce(into: "" as PageText) { $0 += self.text($1, "", isTight: $1.isPicture) }
            return text.isEmpty ? "" : "<figure\(attributes)>\n\(text)</figure>\n"
        case .caption:
            let text = text(blocks, isTight: blocks.count == 1)
            return text.isEmpty ? "" : "<figcaption\(attributes)>\(text)</figcaption>\n"
        case .details(let isOpen): return directed(attributes) { $0.details(blocks, $1, isOpen: isOpen) }
        case .summary: return text(blocks, isTight: isTight)
        case .part(let language):
            let wasUndirected = isUndirected
            isUndirected = isUndirected && language.direction == nil
            defer { isUndirected = wasUndirected }
            let own = language.attributes
            if blocks.count == 1, attributes.isEmpty, !blocks[0].isPart {
                return text(blocks[0], own, isTight: isTight)
            }
            return "<div\(attributes.isEmpty ? own : attributes)>\n\(text(blocks))</div>\n"
        }
    }

    private mutating func details(_ blocks: [Block], _ attributes: PageText, isOpen: Bool) -> PageText {
        var (summary, text): (PageText, PageText) = ("", "")
        for block in blocks {
            if summary.isEmpty, case .element(.summary, let inner) = block {
                summary = self.text(inner.spans)
            } else {
                text += self.text(block, "", isTight: false)
            }
        }
        let name: PageText = summary.isEmpty ? "Details" : summary
        let open: PageText = isOpen ? " open" : ""
        return "<details\(open)\(attributes)><summary>\(name)</summary>\n\(text)</details>\n"
    }

    // MARK: Spans

    private mutating func text(_ spans: [Span]) -> PageText { text(spans.withoutTags, isInLink: false) }

    private mutating func text(_ spans: [Span], isInLink: Bool) -> PageText {
        var text: PageText = ""
        for span in spans { text += self.text(span, isInLink: isInLink) }
        return text
    }

    private mutating func text(_ span: Span, isInLink: Bool) -> PageText {
        switch span {
        case .text(let text): marking(text)
        case .code(let text): "<code>\(text)</code>"
        case .emphasis(let inner): "<em>\(text(inner, isInLink: isInLink))</em>"
        case .strong(let inner): "<strong>\(text(inner, isInLink: isInLink))</strong>"
        case .strike(let inner): "<del>\(text(inner, isInLink: isInLink))</del>"
        case .link(let inner, let target, let title): link(inner, target, title, isInLink: isInLink)
        case .image(let inner, let source, let title, let size):
            image(inner, source, Self.title(title) + (size?.attributes ?? ""), isInLink: isInLink)
        case .element(.ruby, let inner): ruby(inner, isInLink: isInLink)
        case .element(let kind, let inner): element(kind, text(inner, isInLink: isInLink))
        case .checkbox(let isChecked): Self.checkbox(isChecked: isChecked, isInLink: isInLink)
        case .hardBreak: "<br>\n"
        case .softBreak: "\n"
        case .html: ""
        }
    }

    private mutating func element(_ kind: InlineElement, _ text: PageText) -> PageText {
        switch kind {
        case .superscript: "<sup>\(text)</sup>"
        case .subscript: "<sub>\(text)</sub>"
        case .quotation: "<q>\(text)</q>"
        case .keyboard: "<kbd>\(text)</kbd>"
        case .marked: "<mark>\(text)</mark>"
        case .inserted: "<ins>\(text)</ins>"
        case .abbreviation(let title, _): "<abbr title=\"\(title)\">\(text)</abbr>"
        case .part(let language): text.isEmpty ? "" : "<span\(language.attributes)>\(text)</span>"
        case .anchor(let id): anchors?.name(of: id).map { "<span id=\"\($0)\"></span>" } ?? ""
        case .reading(hasParentheses: false): "(\(text))"
        case .ruby, .reading, .parenthesis, .colored: text
        }
    }

    /// A text with its pronunciation above it, or in parentheses if a browser doesn't support that.
    private mutating func ruby(_ spans: [Span], isInLink: Bool) -> PageText {
        var (text, hasReading): (PageText, Bool) = ("", false)
        for span in spans {
            switch span {
            case .element(.parenthesis, _): continue
            case .element(.reading, let inner) where !text.isEmpty:
                hasReading = true
                text += "<rp>(</rp><rt>\(self.text(inner, isInLink: isInLink))</rt><rp>)</rp>"
            default: text += self.text(span, isInLink: isInLink)
            }
        }
        return hasReading ? "<ruby>\(text)</ruby>" : text
    }

    private static func checkbox(isChecked: Bool, isInLink: Bool) -> PageText {
        // Links can't contain controls.
        if isInLink { return isChecked ? "☑" : "☐" }
        return isChecked
            ? "<input type=\"checkbox\" disabled checked aria-label=\"done\">"
            : "<input type=\"checkbox\" disabled aria-label=\"to do\">"
    }

    private mutating func link(_ inner: [Span], _ target: String, _ title: String?, isInLink: Bool) -> PageText {
        // Links can't be nested.
        guard !isInLink, let address = address(target) else {
            let text = text(inner, isInLink: isInLink)
            return isInLink ? text : LinkTarget.foreign(target).map { "\(text) (\($0))" } ?? text
        }
        let text = self.text(inner, isInLink: true)
        let name: PageText = text.isEmpty ? "\(target)" : text
        return "<a href=\"\(address)\"\(Self.title(title))>\(name)</a>"
    }

    private func address(_ target: String) -> String? {
        anchors?.name(ofTarget: target).map { "#" + $0 } ?? LinkTarget.safe(target, base: linkBase)
    }

    /// A picture, or its description if it isn't shown.
    private func image(_ inner: [Span], _ source: String, _ attributes: PageText, isInLink: Bool) -> PageText {
        let isNameless = inner.plainText.allSatisfy(\.isWhitespace)
        // A link without text is named by the picture's description.
        let alt = isNameless && isInLink ? "picture" : inner.plainText
        if let shown = pictures.source(LinkTarget.web(source, base: pictureBase)) {
            return "<img src=\"\(shown)\" alt=\"\(alt)\"\(attributes) loading=\"lazy\">"
        }
        let name = isNameless ? "picture" : alt
        guard !isInLink, let address = LinkTarget.web(source, base: pictureBase) else {
            return "<span class=\"picture\">\(name)</span>"
        }
        return "<a class=\"picture\" href=\"\(address)\">\(name)</a>"
    }

    private static func title(_ title: String?) -> PageText {
        title.map { $0.isEmpty ? "" : " title=\"\($0)\"" } ?? ""
    }
}

extension [Span] {
    /// Whether they are a quote as in mail, which begins with ">".
    fileprivate var isMailQuote: Bool {
        if case .text(let text)? = first { text.hasPrefix(">") } else { false }
    }
}

extension [Block] {
    /// The blocks, and the attributes of the language if they are a single part in a language.
    fileprivate var withoutPart: (blocks: [Block], attributes: PageText) {
        if count == 1, case .element(.part(let language), let inner) = self[0] { return (inner, language.attributes) }
        return (self, "")
    }
}

extension Block {
    fileprivate var isPart: Bool { if case .element(.part, _) = self { true } else { false } }
    fileprivate var isPicture: Bool {
        if case .paragraph(let spans) = self { spans.imagesAlone != nil } else { false }
    }
}

extension ImageSize {
    /// Browsers reserve space for pictures of known size.
    fileprivate var attributes: PageText {
        let width: PageText = width.map { " width=\"\($0)\"" } ?? ""
        return width + (height.map { " height=\"\($0)\"" } ?? "")
    }
}

extension Language {
    /// The attributes of a text that isn't the page's own.
    package var attributesOfText: PageText {
        Language(tag: tag ?? "und", direction: isRightToLeft ? .rightToLeft : nil).attributes
    }

    /// The attributes of a single line of such a text.
    package var attributesOfLine: PageText {
        Language(tag: tag ?? "und", direction: isRightToLeft ? .rightToLeft : .auto).attributes
    }

    fileprivate var attributes: PageText {
        let language: PageText = tag.map { " lang=\"\($0)\"" } ?? ""
        return language + (direction.map { " dir=\"\($0.rawValue)\"" } ?? "")
    }
}

/// Assigns levels to headings without skipping any.
struct HeadingOutline {
    private let top: Int
    /// The original levels of the headings that contain the next one.
    private var open: [Int] = []

    init(below level: Int) {
        top = level + 1
    }

    mutating func level(of published: Int) -> Int {
        while let last = open.last, last >= published { open.removeLast() }
        open.append(published)
        return min(top + open.count - 1, 6)
    }
}
