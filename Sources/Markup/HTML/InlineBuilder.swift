import Model

/// Makes spans from the inline tags of HTML and the text between them.
struct InlineBuilder {
    private struct Tag {
        let name: String
        let attributes: [String: String]
    }

    /// Whether tags need no end tag; in Markdown, text may only look like a tag.
    private let meansUnclosed: Bool
    /// How many tags may be open; of deeper ones only the content is read.
    private let limit: Int
    private var open: [Tag] = []
    /// The spans outside of all tags, and then inside of each open tag.
    private var levels: [[Span]] = [[]]
    private var math: MathBuilder?
    /// The titles of abbreviations so far.
    private var abbreviations: Set<String> = []
    /// Whether the next reading of a ruby text has its own parentheses.
    private var hasParentheses = false
    /// The anchors to put in front of the next text.
    private var anchors: [Span] = []

    /// The maximum nesting of spans, which are processed recursively.
    static let deepest = 50

    init(meansUnclosed: Bool, limit: Int = deepest) {
        self.meansUnclosed = meansUnclosed
        self.limit = limit
    }

    /// How many tags are open.
    var depth: Int { open.count }
    var isInMath: Bool { math != nil }

    mutating func append(_ span: Span) {
        guard math == nil else {
            math?.add(text: [span].plainText)
            return
        }
        if !anchors.isEmpty, span.isImage || !span.isSpace { appendAnchors() }
        levels[levels.count - 1].append(span)
    }

    private mutating func appendAnchors() {
        levels[levels.count - 1] += anchors
        anchors = []
    }

    /// Notes the place that a start tag names.
    mutating func note(_ name: String, _ attributes: [String: String]) {
        guard anchors.count < Self.mostAnchors, let id = attributes["id"] ?? (name == "a" ? attributes["name"] : nil)
        else { return }
        if !id.isEmpty, id.utf8.count <= Self.maxIDBytes { anchors.append(.element(.anchor(id), [])) }
    }

    /// Takes a start tag; false if it isn't an inline tag with a meaning.
    mutating func open(_ name: String, _ attributes: [String: String]) -> Bool {
        if math != nil {
            math?.open(name, attributes)
            return true
        }
        switch name {
        case "img":
            guard !Self.isTracker(attributes) else { return false }
            append(Self.image(attributes))
        case "input": if let box = Self.box(attributes) { append(box) }
        case "math" where open.count < limit: math = MathBuilder(attributes)
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
        case _ where Self.names.contains(name): begin(name, attributes)
        case _ where Language(attributes) != nil && !HTMLNames.voids.contains(name): begin(name, attributes)
        default: return false
        }
        return true
    }

    /// Takes an end tag, which is ignored if its start tag is missing.
    mutating func close(_ name: String) {
        if math != nil {
            if math?.close(name) == true { endMath() }
            return
        }
        if name == "ruby" { closeReading() }
        guard let index = open.lastIndex(where: { $0.name == name }) else { return }
        while open.count > index + 1 { closeLast(isClosed: meansUnclosed) }
        closeLast(isClosed: true)
    }

    /// Closes all tags and returns the spans; anchors without a text wait for the next one.
    mutating func finish(withAnchors: Bool = false) -> [Span] {
        closeAll()
        if withAnchors { appendAnchors() }
        defer { levels = [[]] }
        return levels[0]
    }

    mutating func closeAll() {
        endMath()
        while !open.isEmpty { closeLast(isClosed: meansUnclosed) }
    }

    mutating func endMath() {
        guard let spans = math?.finish() else { return }
        math = nil
        if !spans.isEmpty { appendAnchors() }
        levels[levels.count - 1] += spans
    }

    private mutating func begin(_ name: String, _ attributes: [String: String]) {
        guard open.count < limit else { return }
        open.append(Tag(name: name, attributes: attributes))
        levels.append([])
    }

    private mutating func closeLast(isClosed: Bool) {
        let tag = open.removeLast()
        let inner = levels.removeLast()
        guard !inner.isEmpty else { return }
        guard isClosed else { return levels[levels.count - 1] += inner }
        let spans = spans(tag, inner)
        levels[levels.count - 1] += Language(tag.attributes).map { [.element(.part($0), spans)] } ?? spans
    }

    /// Readings of a ruby text often have no end tag.
    private mutating func closeReading() {
        guard let index = open.lastIndex(where: { ["rt", "rp"].contains($0.name) }) else { return }
        while open.count > index { closeLast(isClosed: true) }
    }

    // MARK: Tags

    private mutating func spans(_ tag: Tag, _ inner: [Span]) -> [Span] {
        switch tag.name {
        case "b", "strong": return [.strong(inner)]
        case "s", "strike", "del": return [.strike(inner)]
        case "code", "tt", "samp": return [.code(inner.shownText)]
        case "a":
            guard let target = tag.attributes["href"], !target.isEmpty else { return inner }
            return [.link(inner, target: target, title: tag.attributes["title"])]
        case "rt":
            let hasParentheses = tag.attributes[Self.parentheses] != nil
            return inner.plainText.allSatisfy(\.isWhitespace)
                ? inner : [.element(.reading(hasParentheses: hasParentheses), inner)]
        case _ where Self.emphasized.contains(tag.name): return [.emphasis(inner)]
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
        case "ins": .inserted
        case "ruby": .ruby
        case "rp": .parenthesis
        case "abbr":
            tag.attributes["title"].flatMap { title in
                guard !title.isEmpty else { return nil }
                return .abbreviation(title: title, isFirst: abbreviations.insert(title).inserted)
            }
        default: nil
        }
    }

    private static func image(_ attributes: [String: String]) -> Span {
        .image(
            [.text(attributes["alt"] ?? "")], source: PictureAddress.of(attributes), title: attributes["title"],
            size: ImageSize(attributes))
    }

    /// Whether a picture only tells its server that somebody has opened the post.
    private static func isTracker(_ attributes: [String: String]) -> Bool {
        attributes["alt"]?.isEmpty ?? true
            && ["width", "height"].allSatisfy { side in
                let digits = (attributes[side] ?? "").utf8.drop(while: \.isASCIIWhitespace).prefix(while: \.isDigit)
                return Int(digits.text).map { $0 <= 2 } ?? false
            }
    }

    private static func box(_ attributes: [String: String]) -> Span? {
        let isChecked = attributes["checked"] != nil
        return switch attributes["type"]?.lowercased() {
        case "checkbox": .checkbox(isChecked: isChecked)
        case "radio": .text(isChecked ? "(•)" : "( )")
        default: nil
        }
    }

    /// Tags with a meaning in preformatted text, which has no styles.
    static let inPreformatted: Set<String> = [
        "sup", "sub", "q", "img", "input", "math", "ruby", "rb", "rp", "rt", "rtc",
    ]
    private static let elements: Set<String> = ["sup", "sub", "q", "kbd", "mark", "ins", "abbr"]
    private static let emphasized: Set<String> = ["i", "em", "cite", "dfn", "var"]
    private static let names = elements.union(emphasized).union([
        "a", "b", "strong", "s", "strike", "del", "code", "samp", "tt",
    ])
    /// Nobody writes longer ids by hand.
    private static let maxIDBytes = 200
    /// How many anchors may wait for a text.
    private static let mostAnchors = 100
    /// Marks a reading that has parentheses; no attribute has such a name.
    private static let parentheses = "("
}

extension [Span] {
    /// The spans with raw HTML replaced by its meaning; of an unknown tag, only the content stays.
    package var withoutTags: [Span] { hasTags ? withoutTags(depth: 0) : self }

    private func withoutTags(depth: Int) -> [Span] {
        var builder = InlineBuilder(meansUnclosed: false, limit: InlineBuilder.deepest - depth)
        for span in self {
            if case .html(let html) = span {
                HTMLToken.forEach(in: html) { builder.add($0) }
            } else {
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
            note(name, attributes)
            _ = open(name, attributes)
        case .close(let name): close(name)
        }
    }
}

extension Span {
    fileprivate var isSpace: Bool { [self].plainText.allSatisfy(\.isWhitespace) }
}

extension ImageSize {
    /// The size that an `img` has by its attributes; nil if they have no number of pixels.
    fileprivate init?(_ attributes: [String: String]) {
        let sides = ["width", "height"].map { name -> Int? in
            let number = attributes[name].flatMap { Int($0.trimmed.replacing("px", with: "")) }
            return number.flatMap { Self.possible.contains($0) ? $0 : nil }
        }
        guard sides != [nil, nil] else { return nil }
        self.init(width: sides[0], height: sides[1])
    }

    /// A placeholder has a pixel or two.
    private static let possible = 3...10_000
}

/// The address of an `img`, which isn't in `src` on pages that load pictures lazily.
enum PictureAddress {
    /// The address as published; "" if there is none.
    static func of(_ attributes: [String: String]) -> String {
        let late = ["data-src", "data-lazy-src", "data-original"].lazy.compactMap { attributes[$0] }
        if let address = late.first(where: isAddress) ?? attributes["src"].flatMap({ isAddress($0) ? $0 : nil }) {
            return address
        }
        let sets = ["srcset", "data-srcset", "data-lazy-srcset"].lazy.compactMap {
            attributes[$0].flatMap { largest(of: $0) }
        }
        return sets.first ?? attributes["src"] ?? ""
    }

    /// A placeholder in `src` is often a tiny picture in a data URL.
    static func isAddress(_ text: String) -> Bool {
        !text.isEmpty && text.prefix(5).lowercased() != "data:"
    }

    /// The address of the largest picture of a `srcset`: `a.png 1x, b.png 2x`.
    private static func largest(of set: String) -> String? {
        var best: (address: String, size: Double)?
        var rest = Array(set.utf8)[...]
        while true {
            rest = rest.drop { $0.isASCIIWhitespace || $0 == UInt8(ascii: ",") }
            var address = rest.prefix { !$0.isASCIIWhitespace }
            guard !address.isEmpty else { return best?.address }
            rest = rest[address.endIndex...]
            var descriptor: ArraySlice<UInt8> = []
            if address.last == UInt8(ascii: ",") {
                while address.last == UInt8(ascii: ",") { address.removeLast() }
            } else {
                descriptor = rest.prefix { $0 != UInt8(ascii: ",") }
                rest = rest[descriptor.endIndex...]
            }
            let size = Double(descriptor.trimmed.dropLast().text) ?? 1
            if isAddress(address.text), best.map({ size > $0.size }) ?? true { best = (address.text, size) }
        }
    }
}
