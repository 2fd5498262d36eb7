import BlogEssentials
import BlogMarkup

/// Texts of feeds on one line.
package enum FeedText {
    /// A text with collapsed white space, without control characters; nil if it is blank.
    package static func line(_ text: some Sequence<UInt8>) -> String? {
        text.withContiguousStorageIfAvailable { line($0) } ?? Array(text).withUnsafeBufferPointer { line($0) }
    }

    private static func line(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        guard !Sanitizer.hasControls(text) else { return line(Sanitizer.withoutControls(text.text).utf8) }
        let line = String(unsafeUninitializedCapacity: text.count) { line in
            var count = 0
            var last = UInt8.space
            for byte in text {
                // No-break spaces are collapsed too, because people put them between paragraphs.
                let isNoBreak = byte == 0xA0 && last == 0xC2
                if isNoBreak {
                    count -= 1
                    last = count > 0 ? line[count - 1] : .space
                }
                let isSpace = byte.isASCIIWhitespace || isNoBreak
                if isSpace, last == .space { continue }
                last = isSpace ? .space : byte
                line[count] = last
                count += 1
            }
            return count > 0 && last == .space ? count - 1 : count
        }
        let shown = InvisibleCharacters.removed(from: CombiningMarks.limited(line))
        return shown.isEmpty ? nil : shown
    }

    /// The text of HTML, without scripts, styles and what isn't shown, truncated to `limit` bytes; nil if it is blank.
    ///
    /// Unknown tags without an attribute or an end are part of the text, as in `List<String>`.
    static func line(html: [UInt8], limit: Int = .max) -> String? {
        VisibleTokens.read(html) { tokens in
            var text: [UInt8] = []
            var script = OpenSuperscript()
            while text.count < limit, let token = tokens.next() {
                switch token {
                case .text(let range): CharacterReferences.append(tokens.scanner[range], to: &text, as: .html)
                case .characterData(let range): text.append(contentsOf: tokens.scanner[range])
                case .open(let name, let tag, let isEmpty):
                    let hasValue = tokens.scanner.attributes.contains { !$0.value.isEmpty }
                    let isMarkup = !isKnown(name) && (isEmpty || hasValue || tokens.haveEndTag(of: name))
                    append(name, tokens.scanner[tag], isMarkup, to: &text)
                    if !isEmpty { script.open(name, text) }
                case .hidden(let name): if !HTMLNames.inlines.contains(name) { text.append(.space) }
                case .close(let name, let tag):
                    append(name, tokens.scanner[tag], !isKnown(name), to: &text)
                    script.close(name, &text)
                }
            }
            return line(truncated(text, to: limit))
        }
    }

    /// A title that may be HTML; nil if it is blank.
    ///
    /// Titles are about tags as often as they contain some: only pairs of inline tags, and tags with attributes, are
    /// markup. The rest are words, as in "Using the <dialog> element".
    ///
    /// - Parameter isDeclared: whether the feed says that it is HTML, so that pairs of other tags are markup, too.
    static func title(html: [UInt8], isDeclared: Bool = false) -> String? {
        // No title is as long, and its parts take many times its memory.
        if html.count > maxTitle { return line(html: html) }
        return html.withUnsafeBufferPointer { bytes in
            var text: [UInt8] = []
            var script = OpenSuperscript()
            var visibility = Visibility(of: html)
            for part in TitleParts(bytes, pairsBlocks: isDeclared).parts {
                guard visibility.shows(part.token(in: bytes)) else { continue }
                switch part {
                case .text(let words): text += words
                case .lineBreak: text.append(.space)
                case .open(let name, true, _):
                    if !HTMLNames.inlines.contains(name) { text.append(.space) }
                    script.open(name, text)
                case .close(let name, true, _):
                    script.close(name, &text)
                    if !HTMLNames.inlines.contains(name) { text.append(.space) }
                case .open(_, false, let tag), .close(_, false, let tag): text.append(contentsOf: bytes[tag])
                }
            }
            return line(text)
        }
    }

    private static let maxTitle = 16_384

    /// Whether HTML has nothing to see or hear: only white space, empty elements, or "null".
    static func isBlank(html: [UInt8]) -> Bool {
        VisibleTokens.read(html) { tokens in
            while let token = tokens.next() {
                switch token {
                case .text(let range), .characterData(let range):
                    if !isBlank(run: tokens.scanner[range]) { return false }
                case .open(let name, _, _): if media.contains(name) { return false }
                case .close, .hidden: break
                }
            }
            return true
        }
    }

    private static func isBlank(run: UnsafeBufferPointer<UInt8>) -> Bool {
        // Most texts begin with a word.
        let start = run.prefix(while: { $0 != UInt8(ascii: "&") }).prefix(16)
        if run.count > 16, start.contains(where: { $0.isASCIIAlphanumeric }) { return false }
        var text: [UInt8] = []
        CharacterReferences.append(run, to: &text)
        return isBlank(text)
    }

    /// The description of the first picture that has one.
    static func pictureDescription(html: [UInt8]) -> String? {
        html.withUnsafeBufferPointer { bytes in
            var scanner = TagScanner(bytes)
            while let token = scanner.next() {
                guard case .open(let range, _) = token, scanner.lowercased(range) == "img",
                    let alt = scanner.attributes.first(where: { scanner.lowercased($0.name) == "alt" })
                else { continue }
                if let text = line(CharacterReferences.replaced(in: scanner[alt.value]).utf8) { return text }
            }
            return nil
        }
    }

    /// Whether a text is only white space, characters that can't be seen, or "null".
    static func isBlank(_ text: [UInt8]) -> Bool {
        guard let line = line(text) else { return true }
        return line == "null" || line.unicodeScalars.allSatisfy { $0 == " " || invisible.contains($0) }
    }

    /// A space without width, a byte order mark, and a hyphen where a word may be broken.
    private static let invisible: Set<Unicode.Scalar> = ["\u{200B}", "\u{FEFF}", "\u{AD}"]

    /// Elements that are content without any text.
    private static let media: Set<String> = [
        "img", "picture", "video", "audio", "iframe", "embed", "object", "svg", "math", "hr",
    ]

    /// Whether a text has markup or a character reference, and so is HTML unless its source says otherwise.
    package static func isHTML(_ text: [UInt8]) -> Bool { hasMarkup(text) || hasReference(text) }

    /// The content of a text whose format nothing tells.
    ///
    /// Without markup, it is plain text even if it has character references, because HTML would lose its lines.
    static func content(guessing text: [UInt8]) -> FeedContent {
        if hasMarkup(text) { return FeedContent(text: text, isHTML: true) }
        guard hasReference(text) else { return FeedContent(text: text, isHTML: false) }
        // Only HTML hides comments.
        if text.firstRange(of: Array("<!--".utf8)) != nil { return FeedContent(text: text, isHTML: true) }
        return FeedContent(text: withoutReferences(text), isHTML: false)
    }

    /// A plain text with its character references replaced, which nobody means literally.
    static func withoutReferences(_ text: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        text.withUnsafeBufferPointer { CharacterReferences.append($0, to: &plain) }
        return plain
    }

    /// Whether a text has a tag that can't be a word: it needs no end tag, or has one, or has an attribute.
    ///
    /// Plain text has other tags, as in `Vec<int>` and "the <script> element".
    private static func hasMarkup(_ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { bytes in
            var scanner = TagScanner(bytes)
            var open: Set<String> = []
            while let token = scanner.next() {
                switch token {
                case .text: continue
                case .characterData: return true
                case .open(let range, _):
                    let name = scanner.lowercased(range)
                    if unpaired.contains(name) { return true }
                    guard isKnown(name) else { continue }
                    if !raw.contains(name), scanner.attributes.contains(where: { !$0.value.isEmpty }) { return true }
                    open.insert(name)
                case .close(let range):
                    let name = scanner.lowercased(range)
                    if unpaired.contains(name) || open.contains(name) { return true }
                }
            }
            return false
        }
    }

    private static func hasReference(_ text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { bytes in
            bytes.indices.contains { index in
                bytes[index] == UInt8(ascii: "&")
                    && CharacterReferences.reference(UnsafeBufferPointer(rebasing: bytes[index...])) != nil
            }
        }
    }

    /// Whether an element is one of HTML.
    fileprivate static func isKnown(_ name: String) -> Bool {
        HTMLNames.inlines.contains(name) || HTMLNames.first.contains(name) || HTMLNames.others.contains(name)
    }

    /// Elements that mean something with a start tag alone, and without attributes.
    private static let unpaired: Set<String> = ["br", "hr", "wbr", "p", "li", "dt", "dd"]

    /// Elements whose content isn't text of the page, so that a lone tag would hide the rest.
    private static let raw: Set<String> = ["script", "style", "title", "textarea", "template"]

    /// Appends nothing for an inline tag or an element that isn't HTML's, a space for a block, and the tag itself if it
    /// is unknown.
    private static func append(
        _ name: String, _ tag: UnsafeBufferPointer<UInt8>, _ isMarkup: Bool, to text: inout [UInt8]
    ) {
        if HTMLNames.inlines.contains(name) || isMarkup { return }
        if isKnown(name) || tag.count > 100 { text.append(.space) } else { text.append(contentsOf: tag) }
    }

    /// A text of at most `limit` bytes, truncated between words if possible.
    static func truncated(_ text: [UInt8], to limit: Int) -> ArraySlice<UInt8> {
        guard text.count > limit else { return text[...] }
        var part = text.prefix(limit)
        if let space = part.suffix(100).lastIndex(where: \.isASCIIWhitespace) { return part[..<space] }
        while let last = part.last, last & 0xC0 == 0x80 { part.removeLast() }
        return part.last.map { $0 >= 0xC0 } == true ? part.dropLast() : part
    }
}

/// The outermost open superscript or subscript.
private struct OpenSuperscript {
    private var name = ""
    private var start = 0
    private var depth = 0

    mutating func open(_ name: String, _ text: [UInt8]) {
        if depth > 0 {
            depth += name == self.name ? 1 : 0
        } else if ["sup", "sub"].contains(name) {
            (self.name, start, depth) = (name, text.count, 1)
        }
    }

    /// Closes it and rewrites its text as in bodies: `2¹⁰`, `x^(a, b)`.
    mutating func close(_ name: String, _ text: inout [UInt8]) {
        guard depth > 0, name == self.name else { return }
        depth -= 1
        guard depth == 0, text.count - start <= Self.maxBytes else { return }
        let kind: InlineElement = name == "sup" ? .superscript : .subscript
        let inner = String(decoding: text[start...], as: UTF8.self)
        text.replaceSubrange(start..., with: Array(kind.spans([.text(inner)]).shownText.utf8))
    }

    /// Longer texts aren't exponents.
    private static let maxBytes = 100
}

/// The texts and tags of a title.
private struct TitleParts {
    enum Part {
        case text([UInt8])
        case lineBreak
        case open(String, isMarkup: Bool, Range<Int>)
        case close(String, isMarkup: Bool, Range<Int>)

        /// The part for ``Visibility``: tags that are words are text.
        func token(in bytes: UnsafeBufferPointer<UInt8>) -> HTMLToken {
            switch self {
            case .text, .open(_, false, _), .close(_, false, _): return .text("a")
            case .lineBreak: return .text(" ")
            case .close(let name, true, _): return .close(name: name)
            case .open(let name, true, let tag):
                var scanner = TagScanner(bytes, from: tag.lowerBound)
                _ = scanner.next()
                return .open(name: name, attributes: scanner.attributeValues)
            }
        }
    }

    private(set) var parts: [Part] = []
    /// The open tags by name, as indices of ``parts``.
    private var open: [String: [Int]] = [:]
    /// Whether a pair of tags is markup even if they aren't inline.
    private let pairsBlocks: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>, pairsBlocks: Bool) {
        self.pairsBlocks = pairsBlocks
        var scanner = TagScanner(bytes)
        var end = 0
        while let token = scanner.next() {
            switch token {
            case .text(let range):
                var text: [UInt8] = []
                CharacterReferences.append(scanner[range], to: &text, as: pairsBlocks ? .html : .xml)
                parts.append(.text(text))
            case .characterData(let range): parts.append(.text(Array(scanner[range])))
            case .open(let range, let isEmpty):
                addOpen(
                    scanner.lowercased(range), range.lowerBound - 1..<scanner.index, in: bytes,
                    isMarkup: isEmpty || !scanner.attributes.isEmpty)
            case .close(let range): addClose(scanner.lowercased(range), range.lowerBound - 2..<scanner.index)
            }
            end = scanner.index
        }
        // A tag that the title ends within.
        let rest = bytes[end...]
        if rest.dropFirst().first?.isASCIILetter == true { parts.append(.text(Array(rest))) }
    }

    private mutating func addOpen(
        _ name: String, _ tag: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, isMarkup: Bool
    ) {
        let isKnown = FeedText.isKnown(name)
        if name == "br" {
            let isWord = bytes[..<tag.lowerBound].last == .space && bytes[tag.upperBound...].first == .space
            if isMarkup || !isWord { return parts.append(.lineBreak) }
        }
        if isKnown { open[name, default: []].append(parts.count) }
        parts.append(.open(name, isMarkup: isMarkup && isKnown, tag))
    }

    private mutating func addClose(_ name: String, _ tag: Range<Int>) {
        guard let start = open[name]?.popLast(), case .open(_, let isMarkup, let opening) = parts[start],
            isMarkup || pairsBlocks || HTMLNames.inlines.contains(name)
        else { return parts.append(.close(name, isMarkup: false, tag)) }
        parts[start] = .open(name, isMarkup: true, opening)
        parts.append(.close(name, isMarkup: true, tag))
    }
}
