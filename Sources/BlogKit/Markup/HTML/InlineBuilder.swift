import BlogEssentials

/// Builds spans from inline HTML tags and the text between them.
struct InlineBuilder {
    private struct Tag {
        let name: String
        let attributes: ElementAttributes
        var spans: [Span] = []
        /// How much longer the addresses may become with which the link goes on in later blocks, in bytes; nil in its first.
        var bytesLeft: Int?
    }

    /// Whether a tag without an end tag counts; in Markdown it may be text that only looks like a tag.
    private let acceptsUnclosed: Bool
    /// The maximum number of open tags; deeper ones are ignored, but not their content.
    private let limit: Int
    /// The open tags, innermost last, after one that stands for the paragraph.
    private var open = [Tag(name: "", attributes: [:])]
    private var math: MathBuilder?
    /// The titles of the abbreviations so far.
    private var abbreviations: Set<String> = []
    /// Whether the next ruby reading has its own parentheses.
    private var hasParentheses = false
    /// The link around the next block, whose end tag is still to come.
    private var link: Tag?
    /// The anchors to put before the next text.
    private var anchors: [Span] = []

    /// The maximum nesting of spans, which are processed recursively.
    static let maxDepth = 50

    init(acceptsUnclosed: Bool, limit: Int = maxDepth) {
        self.acceptsUnclosed = acceptsUnclosed
        self.limit = limit
    }

    /// The number of open tags.
    var depth: Int { open.count - 1 }
    var isInMath: Bool { math != nil }
    /// Whether the paragraph has no content yet.
    var isEmpty: Bool { depth == 0 && open[0].spans.isEmpty }
    /// Whether the last span is a line break.
    var endsLine: Bool { open[open.count - 1].spans.last == .hardBreak }

    mutating func append(_ span: Span) {
        guard math == nil else {
            math?.add(text: [span].plainText)
            return
        }
        if link != nil || !anchors.isEmpty, span.isImage || !span.isSpace {
            if let link, depth < limit { open.append(link) }
            link = nil
            appendAnchors()
        }
        open[open.count - 1].spans.append(span)
    }

    /// Removes the image after which another tag, but no text, has followed.
    mutating func removeLastImage() {
        if open[open.count - 1].spans.last?.isImage == true { open[open.count - 1].spans.removeLast() }
    }

    private mutating func append(_ spans: [Span]) { open[open.count - 1].spans += spans }

    private mutating func appendAnchors() {
        append(anchors)
        anchors = []
    }

    /// Notes the anchor that a start tag defines.
    mutating func noteAnchor(_ name: String, _ attributes: ElementAttributes) {
        guard anchors.count < Self.maxAnchors, let id = attributes["id"] ?? (name == "a" ? attributes["name"] : nil)
        else { return }
        if !id.isEmpty, id.utf8.count <= Self.maxIDBytes { anchors.append(.element(.anchor(id), [])) }
    }

    /// Handles a start tag; false if it isn't a known inline tag.
    mutating func open(_ name: String, _ attributes: ElementAttributes) -> Bool {
        if math != nil {
            math?.open(name, attributes)
            return true
        }
        switch name {
        case "img":
            guard !Self.isTracker(attributes) else { return false }
            append(attributes.emoji.map(Span.text) ?? attributes.formula.map(Span.code) ?? Self.image(attributes))
        case "input": if let box = Self.box(attributes) { append(box) }
        case "math" where depth < limit: math = MathBuilder(attributes)
        case "ruby":
            closeReading()
            hasParentheses = false
            if !open.contains(where: { $0.name == name }) { begin(name, attributes) }
        case "rb", "rtc": closeReading()
        case "rp":
            closeReading()
            hasParentheses.toggle()
            begin(name, [:])
        case "rt":
            closeReading()
            begin(name, hasParentheses ? [Self.parentheses: ""] : [:])
        case _ where Self.names.contains(name) || attributes.isSideNote:
            // A link can't be in another one that goes on.
            if name == "a" {
                if open.contains(where: { $0.bytesLeft != nil }) { close(name) }
                link = nil
            }
            begin(name, attributes)
        case _ where Language(attributes) != nil && !HTMLNames.voids.contains(name): begin(name, attributes)
        default: return false
        }
        return true
    }

    /// Handles the start tag of a part of code.
    mutating func open(codePart attributes: ElementAttributes) {
        // In one that has a colour, all are counted, so that the end tag of another doesn't end it.
        if CodeColor(attributes) != nil || open.contains(where: { $0.name == "span" }) { begin("span", attributes) }
    }

    /// Handles an end tag, which is ignored if its start tag is missing.
    mutating func close(_ name: String) {
        if math != nil {
            if math?.close(name) == true { endMath() }
            return
        }
        if name == "ruby" { closeReading() }
        if name == "a" { link = nil }
        guard let index = open.lastIndex(where: { $0.name == name }) else { return }
        while open.count > index + 1 { closeLast(isClosed: acceptsUnclosed) }
        closeLast(isClosed: true)
    }

    /// Closes all tags and returns the spans.
    ///
    /// - Parameter withAnchors: whether to include anchors that no text follows, rather than keep them for the next text.
    mutating func finish(withAnchors: Bool = false) -> [Span] {
        closeAll()
        if withAnchors { appendAnchors() }
        defer { open[0].spans = [] }
        return open[0].spans
    }

    mutating func closeAll() {
        endMath()
        link = nextLink ?? link
        while depth > 0 { closeLast(isClosed: acceptsUnclosed) }
    }

    /// The open link for the next block, unless it began with text: then its end tag is missing.
    private var nextLink: Tag? {
        guard acceptsUnclosed, let tag = open.last(where: { $0.name == "a" }), let target = tag.attributes["href"],
            !target.hasPrefix("#"), tag.spans.isEmpty || tag.bytesLeft != nil
        else { return nil }
        let left = (tag.bytesLeft ?? Self.maxLinkBytes) - target.utf8.count - 1
        return left < 0 ? nil : Tag(name: "a", attributes: tag.attributes.keeping(Self.linkNames), bytesLeft: left)
    }

    mutating func endMath() {
        guard let spans = math?.finish() else { return }
        math = nil
        if !spans.isEmpty { appendAnchors() }
        append(spans)
    }

    private mutating func begin(_ name: String, _ attributes: ElementAttributes) {
        if depth < limit { open.append(Tag(name: name, attributes: attributes)) }
    }

    private mutating func closeLast(isClosed: Bool) {
        let tag = open.removeLast()
        guard !tag.spans.isEmpty else { return }
        guard isClosed else { return append(tag.spans) }
        let spans = spans(of: tag)
        append(Language(tag.attributes).map { [.element(.part($0), spans)] } ?? spans)
    }

    /// Closes an open ruby reading, as these often have no end tag.
    private mutating func closeReading() {
        guard let index = open.lastIndex(where: { ["rt", "rp"].contains($0.name) }) else { return }
        while open.count > index { closeLast(isClosed: true) }
    }

    // MARK: Tags

    private mutating func spans(of tag: Tag) -> [Span] {
        let inner = tag.spans
        if tag.attributes.isSideNote { return [.text(" (")] + inner + [.text(")")] }
        switch tag.name {
        case "b", "strong":
            // In Markdown, the outer tag may have no end and so not count.
            let isInStrong = acceptsUnclosed && open.contains { ["b", "strong"].contains($0.name) }
            return isInStrong ? inner : [.strong(inner)]
        case "s", "strike", "del": return [.strike(inner)]
        case "code", "tt", "samp": return inner.code
        case "a":
            guard let target = tag.attributes["href"], !target.isEmpty else { return inner }
            let link = Span.link(inner, target: target, title: tag.attributes["title"])
            let isReference = target.hasPrefix("#") && Self.isNoteMark(inner.plainText)
            return [isReference && !open.contains { $0.name == "sup" } ? .element(.superscript, [link]) : link]
        case "rt":
            let hasParentheses = tag.attributes[Self.parentheses] != nil
            return inner.allSatisfy(\.isSpace)
                ? inner : [.element(.reading(hasParentheses: hasParentheses), inner)]
        case _ where Self.emphasized.contains(tag.name): return [.emphasis(inner)]
        case "ruby": return [.element(.ruby, Self.joiningReadings(inner))]
        default: return element(tag).map { [.element($0, inner)] } ?? inner
        }
    }

    private mutating func element(_ tag: Tag) -> InlineElement? {
        switch tag.name {
        case "sup": .superscript
        case "sub": .subscript
        case "q": .quotation(isNested: open.count { $0.name == "q" } % 2 == 1)
        case "kbd": .keyboard
        case "mark": .marked
        case "span": CodeColor(tag.attributes).map { .colored($0) }
        case "ins": .inserted
        case "rp": .parenthesis
        case "abbr":
            tag.attributes["title"].flatMap { title in
                guard !title.isEmpty else { return nil }
                return .abbreviation(title: title, isFirst: abbreviations.insert(title).inserted)
            }
        default: nil
        }
    }

    /// A ruby text with those readings in one that follow each other, each of another character before them.
    private static func joiningReadings(_ spans: [Span]) -> [Span] {
        spans.reduce(into: []) { joined, span in
            let reading = InlineElement.reading(hasParentheses: false)
            if case .element(reading, let next) = span, case .element(reading, let last)? = joined.last {
                joined[joined.count - 1] = .element(reading, last + next)
            } else {
                joined.append(span)
            }
        }
    }

    /// Whether the text of a link within the page is the mark of a footnote, which many sites raise by their style only.
    private static func isNoteMark(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 3 && text.utf8.allSatisfy(\.isDigit) || ["*", "†", "‡"].contains(text)
    }

    private static func image(_ attributes: ElementAttributes) -> Span {
        .image(
            [.text(attributes["alt"] ?? "")], source: PictureAddress.of(attributes), title: attributes["title"],
            size: ImageSize(attributes))
    }

    /// Whether a picture is a tracking pixel.
    static func isTracker(_ attributes: ElementAttributes) -> Bool {
        let sides = ["width", "height"].compactMap { attributes.number($0) }
        // Layouts of tables have pictures as wide as a column and a pixel high.
        return attributes["alt"]?.isEmpty ?? true && (sides.count == 2 && sides.max() ?? 3 <= 2 || sides.min() == 1)
    }

    /// The checkbox or radio button that an `input` is; nil for another field.
    static func box(_ attributes: ElementAttributes) -> Span? {
        let isChecked = attributes["checked"] != nil
        return switch attributes["type"]?.lowercased() {
        // Pages without scripts show and hide a note by a checkbox.
        case "checkbox": attributes["class"]?.contains("toggle") == true ? nil : .checkbox(isChecked: isChecked)
        case "radio": .text(isChecked ? "(•)" : "( )")
        default: nil
        }
    }

    /// Tags that count in preformatted text, which has no styles.
    static let inPreformatted: Set<String> = [
        "sup", "sub", "q", "img", "input", "math", "ruby", "rb", "rp", "rt", "rtc",
    ]
    private static let elements: Set<String> = ["sup", "sub", "q", "kbd", "mark", "ins", "abbr"]
    private static let emphasized: Set<String> = ["i", "em", "cite", "dfn", "var"]
    private static let names = elements.union(emphasized).union([
        "a", "b", "strong", "s", "strike", "del", "code", "samp", "tt",
    ])
    /// The attributes of a link that matter in each of its blocks, which may be as many as its attributes.
    private static let linkNames = ["href", "title", "class", "lang", "xml:lang", "dir"]
    private static let maxIDBytes = 200
    private static let maxLinkBytes = 4096
    /// The maximum number of anchors before one text.
    private static let maxAnchors = 100
    /// Marks a reading that has parentheses; not a valid attribute name.
    private static let parentheses = "("
}

extension ElementAttributes {
    /// Whether an element is a note that its page shows in the margin, as Tufte CSS does.
    fileprivate var isSideNote: Bool { hasClass { $0 == "sidenote" || $0 == "marginnote" } }
}

extension [Span] {
    /// The spans with raw HTML parsed; unknown tags are removed, but not their content.
    package var withoutTags: [Span] { hasTags ? withoutTags(depth: 0) : self }

    private func withoutTags(depth: Int) -> [Span] {
        var builder = InlineBuilder(acceptsUnclosed: false, limit: InlineBuilder.maxDepth - depth)
        let html = flatMap { part -> [UInt8] in if case .html(let html) = part { [UInt8](html.utf8) } else { [] } }
        var visibility = Visibility(of: html, readsFormulas: true)
        for span in self {
            if case .html(let html) = span {
                HTMLToken.forEach(in: html) { if visibility.shows($0) { builder.add($0) } }
            } else if visibility.showsText(isBlank: span.isSpace) {
                builder.append(span.mapSpans { $0.withoutTags(depth: depth + builder.depth + 1) })
            }
        }
        return builder.finish(withAnchors: true)
    }

    private var hasTags: Bool {
        contains { span in
            if case .html = span { return true }
            return span.inner?.hasTags ?? false
        }
    }
}

extension InlineBuilder {
    fileprivate mutating func add(_ token: HTMLToken) {
        switch token {
        case .text(let text): append(.text(text))
        case .open("br", _): append(.hardBreak)
        case .open(let name, let attributes):
            noteAnchor(name, attributes)
            _ = open(name, attributes)
        case .close(let name): close(name)
        }
    }
}

extension Span {
    /// Whether it is the link beside a heading that readers copy: "#", "¶".
    var isHeadingAnchor: Bool {
        guard case .link(let inner, let target, _) = self, target.contains("#") else { return false }
        let text = inner.plainText.trimmed
        return ["", "#", "¶", "§", "🔗", "⚓", "⚓︎"].contains(text) && !inner.hasImage || text.hasPrefix("Section titled")
    }
}

extension [Span] {
    /// The text of a heading without the links beside it, but with what they are the targets of.
    var withoutHeadingAnchors: [Span] {
        var spans = flatMap { span -> [Span] in
            guard span.isHeadingAnchor, case .link(let inner, _, _) = span else { return [span] }
            return inner.filter { if case .element(.anchor, _) = $0 { true } else { false } }
        }
        if case .text(let text)? = spans.last {
            spans[spans.count - 1] = .text(String(text.reversed().drop { $0 == " " }.reversed()))
        }
        if let first = spans.first, case .text(let text) = first { spans[0] = .text(String(text.drop { $0 == " " })) }
        return spans.filter { $0 != .text("") }
    }
}
