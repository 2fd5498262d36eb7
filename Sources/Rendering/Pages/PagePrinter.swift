import Essentials
import Markup
import Model

/// A document as HTML: text is escaped, and only safe addresses are kept.
struct PagePrinter {
    private let pictures: PagePictures
    /// The addresses that links and pictures are relative to; nil if unknown.
    private let linkBase: URL?
    private let pictureBase: URL?
    private let marked: MarkedWords
    private var outline: HeadingOutline
    /// The ids of headings; nil for none.
    private var anchors: HeadingAnchors?

    /// - Parameter level: the level of the heading above the document.
    init(
        _ pictures: PagePictures, linkBase: URL? = nil, pictureBase: URL? = nil, marked: MarkedWords = MarkedWords(),
        below level: Int
    ) {
        self.pictures = pictures
        self.linkBase = linkBase
        self.pictureBase = pictureBase
        self.marked = marked
        outline = HeadingOutline(below: level)
    }

    /// The document; its headings have ids that begin with `prefix`, or none.
    mutating func text(_ document: Document, anchors prefix: String? = nil) -> PageText {
        anchors = prefix.map { HeadingAnchors(prefix: $0, document) }
        return text(document.blocks)
    }

    // MARK: Blocks

    private mutating func text(_ blocks: [Block], isTight: Bool = false) -> PageText {
        var text: PageText = ""
        for block in blocks { text += self.text(block, isTight: isTight) }
        return text
    }

    private mutating func text(_ block: Block, isTight: Bool) -> PageText {
        switch block {
        case .heading(let level, let spans): return heading(level, spans)
        case .paragraph(let spans): return paragraph(spans, isTight: isTight)
        case .rule: return "<hr>\n"
        case .html(let html): return text(HTML.document(html).blocks)
        case .definitions(let definitions): return self.definitions(definitions)
        case .quote(let blocks): return "<blockquote>\n\(text(blocks))</blockquote>\n"
        // Code is focusable, so that it can be scrolled with the keyboard.
        case .code(let code, _): return "<pre tabindex=\"0\"><code>\(lines: code)</code></pre>\n"
        case .list(let numbers, let isTight, let items): return list(numbers, isTight: isTight, items)
        case .table(let table): return self.table(table)
        }
    }

    private mutating func heading(_ published: Int, _ spans: [Span]) -> PageText {
        let text = self.text(spans)
        // Screen readers would announce an empty heading.
        guard spans.plainText.contains(where: { !$0.isWhitespace }) else {
            return text.isEmpty ? "" : "<p>\(text)</p>\n"
        }
        let level = outline.level(of: published)
        guard let name = anchors?.name(of: spans) else { return "<h\(level)>\(text)</h\(level)>\n" }
        return "<h\(level) id=\"\(name)\">\(text)</h\(level)>\n"
    }

    private func paragraph(_ spans: [Span], isTight: Bool) -> PageText {
        let text = self.text(spans)
        guard !text.isEmpty else { return "" }
        if isTight { return text + "\n" }
        return spans.isMailQuote ? "<p class=\"quoted\">\(text)</p>\n" : "<p>\(text)</p>\n"
    }

    private mutating func list(_ numbers: ListNumbers?, isTight: Bool, _ items: [[Block]]) -> PageText {
        var inner: PageText = ""
        for (index, item) in items.enumerated() {
            let text = text(item, isTight: isTight)
            let value: PageText = numbers?.jump(at: index).map { " value=\"\($0)\"" } ?? ""
            // Empty items are kept only in numbered lists.
            if !text.isEmpty || numbers != nil { inner += "<li\(value)>\(text)</li>\n" }
        }
        guard !inner.isEmpty else { return "" }
        guard let numbers, let start = numbers.numbers.first else { return "<ul>\n\(inner)</ul>\n" }
        let type: PageText = numbers.style == .decimal ? "" : " type=\"\(numbers.style.rawValue)\""
        let first: PageText = start == 1 ? "" : " start=\"\(start)\""
        return "<ol\(type)\(first)>\n\(inner)</ol>\n"
    }

    private mutating func definitions(_ definitions: [Definition]) -> PageText {
        var inner: PageText = ""
        for definition in definitions {
            let text = text(definition.blocks, isTight: definition.blocks.count == 1)
            if !text.isEmpty { inner += definition.isTerm ? "<dt>\(text)</dt>\n" : "<dd>\(text)</dd>\n" }
        }
        return inner.isEmpty ? "" : "<dl>\n\(inner)</dl>\n"
    }

    private func table(_ table: Table) -> PageText {
        let hasHeader = table.header.contains { !$0.isEmpty }
        let head: PageText = hasHeader ? "<thead>\(row(table.header, table, isHeader: true))</thead>\n" : ""
        let rows = table.rows.filter { !$0.allSatisfy(\.isEmpty) }.map { row($0, table, isHeader: false) }.joined()
        let body: PageText = rows.isEmpty ? "" : "<tbody>\(rows)</tbody>\n"
        guard !head.isEmpty || !body.isEmpty else { return "" }
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
            \(head)\(body)</table></div>

            """
    }

    private func row(_ cells: [[Span]], _ table: Table, isHeader: Bool) -> PageText {
        let texts = zip(cells, table.alignments).map { spans, alignment -> PageText in
            let text = self.text(spans)
            guard !text.isEmpty else { return "<td></td>" }
            let style = Self.style(alignment)
            return isHeader ? "<th scope=\"col\"\(style)>\(text)</th>" : "<td\(style)>\(text)</td>"
        }
        let missing = table.alignments.count - texts.count
        let rest: PageText = missing > 0 ? "<td colspan=\"\(missing)\"></td>" : ""
        return "<tr>\(texts.joined())\(rest)</tr>\n"
    }

    private static func style(_ alignment: Table.Alignment?) -> PageText {
        switch alignment {
        case .center: " class=\"center\""
        case .right: " class=\"right\""
        case .left, nil: ""
        }
    }

    // MARK: Spans

    private func text(_ spans: [Span]) -> PageText { text(spans.withoutTags, isInLink: false) }

    private func text(_ spans: [Span], isInLink: Bool) -> PageText {
        var text: PageText = ""
        for span in spans { text += self.text(span, isInLink: isInLink) }
        return text
    }

    private func text(_ span: Span, isInLink: Bool) -> PageText {
        switch span {
        case .text(let text): self.text(text)
        case .code(let text): "<code>\(text)</code>"
        case .emphasis(let inner): "<em>\(text(inner, isInLink: isInLink))</em>"
        case .strong(let inner): "<strong>\(text(inner, isInLink: isInLink))</strong>"
        case .strike(let inner): "<del>\(text(inner, isInLink: isInLink))</del>"
        case .link(let inner, let target, let title): link(inner, target, title, isInLink: isInLink)
        case .image(let inner, let source, let title): image(inner, source, title, isInLink: isInLink)
        case .element(let kind, let inner): element(kind, text(inner, isInLink: isInLink))
        case .checkbox(let isChecked): isChecked ? "☑" : "☐"
        case .hardBreak: "<br>\n"
        case .softBreak: "\n"
        case .html: ""
        }
    }

    private func element(_ kind: InlineElement, _ text: PageText) -> PageText {
        switch kind {
        case .superscript: "<sup>\(text)</sup>"
        case .subscript: "<sub>\(text)</sub>"
        case .quotation: "<q>\(text)</q>"
        case .keyboard: "<kbd>\(text)</kbd>"
        case .marked: "<mark>\(text)</mark>"
        case .inserted: "<ins>\(text)</ins>"
        case .abbreviation(let title, _): "<abbr title=\"\(title)\">\(text)</abbr>"
        }
    }

    /// Text with the search terms marked.
    private func text(_ text: String) -> PageText {
        marked.marking(StyledText(text)).runs.map { run -> PageText in
            run.styles.contains(.hit) ? "<mark>\(lines: run.text)</mark>" : "\(lines: run.text)"
        }.joined()
    }

    private func link(_ inner: [Span], _ target: String, _ title: String?, isInLink: Bool) -> PageText {
        // Links can't be nested.
        guard !isInLink, let address = address(target) else { return text(inner, isInLink: isInLink) }
        let text = self.text(inner, isInLink: true)
        let name: PageText = text.isEmpty ? "\(target)" : text
        return "<a href=\"\(address)\"\(Self.title(title))>\(name)</a>"
    }

    private func address(_ target: String) -> String? {
        anchors?.name(ofTarget: target).map { "#" + $0 } ?? LinkTarget.safe(target, base: linkBase)
    }

    /// A picture, or its description if pictures are not shown.
    private func image(_ inner: [Span], _ source: String, _ title: String?, isInLink: Bool) -> PageText {
        let isNameless = inner.plainText.allSatisfy(\.isWhitespace)
        // The picture's description is the name of a link without text.
        let alt = isNameless && isInLink ? "picture" : inner.plainText
        if let shown = pictures.source(source, base: pictureBase) {
            return "<img src=\"\(shown)\" alt=\"\(alt)\"\(Self.title(title)) loading=\"lazy\">"
        }
        let name = isNameless ? "picture" : alt
        guard !isInLink, let address = PagePictures.address(source, base: pictureBase) else {
            return "<span class=\"picture\">\(name)</span>"
        }
        return "<a class=\"picture\" href=\"\(address)\">\(name)</a>"
    }

    private static func title(_ title: String?) -> PageText {
        title.map { $0.isEmpty ? "" : " title=\"\($0)\"" } ?? ""
    }
}

extension [Span] {
    /// Whether they are a quote as in mail, with ">" in front.
    fileprivate var isMailQuote: Bool {
        if case .text(let text)? = first { text.hasPrefix(">") } else { false }
    }
}

/// The ids of a document's headings, which its own links may refer to.
struct HeadingAnchors {
    /// The prefix of all ids, which differs for each document on a page.
    private let prefix: String
    private var used: Set<String> = []
    private var counts: [String: Int] = [:]
    /// The slugs of the document's headings without dashes, because links disagree about those.
    private var known: [String: String] = [:]

    init(prefix: String, _ document: Document) {
        self.prefix = prefix
        note(document.blocks)
    }

    private mutating func note(_ blocks: [Block]) {
        for block in blocks {
            switch block {
            case .heading(_, let spans):
                let slug = Slug.of(spans.plainText)
                if !slug.isEmpty { known[Self.key(slug)] = slug }
            case .quote(let inner): note(inner)
            case .list(_, _, let items): items.forEach { note($0) }
            case .definitions(let definitions): definitions.forEach { note($0.blocks) }
            case .paragraph, .code, .table, .rule, .html: break
            }
        }
    }

    /// A unique id for the next heading.
    mutating func name(of heading: [Span]) -> String {
        let text = Slug.of(heading.plainText)
        let slug = text.isEmpty ? "section" : text
        var name = slug
        while !used.insert(name).inserted {
            counts[slug, default: 1] += 1
            name = "\(slug)-\(counts[slug, default: 1])"
        }
        return prefix + name
    }

    /// The id of the heading that a link like `#some-heading` refers to; nil if there is none.
    func name(ofTarget target: String) -> String? {
        guard target.hasPrefix("#"), let fragment = target.dropFirst().percentDecoded else { return nil }
        return known[Self.key(Slug.of(fragment))].map { prefix + $0 }
    }

    private static func key(_ slug: String) -> String { slug.filter { $0 != "-" } }
}

/// The levels of a page's headings, none of which is skipped.
struct HeadingOutline {
    /// The level of the outermost headings.
    private let top: Int
    /// The original levels of the headings above the next one.
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

/// A text as a name of files and places on a page: letters a to z, digits and single dashes.
package enum Slug {
    /// "Éclairs, Gradients" is `eclairs-gradients`; "" for text without letters and digits.
    package static func of(_ text: String) -> String {
        var slug = ""
        // The rest of a long text would be cut off.
        for scalar in Folding.fold(String(text.prefix(2 * maxLength))).unicodeScalars {
            guard slug.utf8.count < maxLength else { break }
            switch scalar {
            case "a"..."z", "0"..."9": slug.unicodeScalars.append(scalar)
            // "don't" is one word.
            case "'", "’": break
            default: if !slug.isEmpty, !slug.hasSuffix("-") { slug.append("-") }
            }
        }
        return slug.hasSuffix("-") ? String(slug.dropLast()) : slug
    }

    private static let maxLength = 60
}
