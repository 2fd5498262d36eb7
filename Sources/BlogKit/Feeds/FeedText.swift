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
        line(
            truncated(lineOfPlainMarkup(html, limit: limit) ?? Array(lineOfMarkup(html, limit: limit).utf8), to: limit))
    }

    /// The beginning of a text as it is read for bodies, of about `limit` bytes; white space isn't collapsed.
    static func lineOfMarkup(_ html: [UInt8], limit: Int) -> String {
        VisibleTokens.read(html) { tokens in
            var (line, length) = (LineBuilder(of: html), 0)
            func add(_ text: String) {
                line.add(.text(text))
                length += text.utf8.count
            }
            while length < limit, let token = tokens.next() {
                switch token {
                case .text(let range): add(CharacterReferences.replaced(in: tokens.scanner[range], as: .html))
                case .characterData(let range): add(tokens.scanner[range].text)
                case .open(let name, let tag, let isEmpty):
                    if isWord(name, isEmpty: isEmpty, &tokens) {
                        add(word(tokens.scanner[tag]).text)
                        continue
                    }
                    line.add(.open(name: name, attributes: tokens.scanner.attributeValues))
                    if isEmpty { line.add(.close(name: name)) }
                case .close(let name, _): line.add(.close(name: name))
                case .hidden(let name): if LineBuilder.isApart(name) { add(" ") }
                }
            }
            return line.finish()
        }
    }

    /// The same for a text with only such markup as most have, several times as fast; nil for any other.
    private static func lineOfPlainMarkup(_ html: [UInt8], limit: Int) -> [UInt8]? {
        VisibleTokens.read(html) { tokens in
            var text: [UInt8] = []
            while text.count < limit, let token = tokens.next() {
                switch token {
                case .text(let range): CharacterReferences.append(tokens.scanner[range], to: &text, as: .html)
                case .characterData(let range): text.append(contentsOf: tokens.scanner[range])
                case .open(let name, let tag, let isEmpty):
                    if isWord(name, isEmpty: isEmpty, &tokens) {
                        text += word(tokens.scanner[tag])
                    } else if LineBuilder.isRewritten(name, tokens.scanner) {
                        return nil
                    } else if LineBuilder.isApart(name) {
                        text.append(.space)
                    }
                case .close(let name, _), .hidden(let name): if LineBuilder.isApart(name) { text.append(.space) }
                }
            }
            return text
        }
    }

    /// Whether a start tag is a word, as in `List<String>`: it is unknown, and has no attribute and no end tag.
    private static func isWord(_ name: String, isEmpty: Bool, _ tokens: inout VisibleTokens) -> Bool {
        !isKnown(name) && !isEmpty && !tokens.scanner.attributes.contains { !$0.value.isEmpty }
            && !tokens.haveEndTag(of: name)
    }

    /// A tag as text, unless it is too long for a word.
    private static func word(_ tag: UnsafeBufferPointer<UInt8>) -> [UInt8] { tag.count > 100 ? [.space] : Array(tag) }

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
            let parts = TitleParts(bytes, pairsBlocks: isDeclared).parts
            var title = LineBuilder(of: html)
            for part in parts { title.add(part.token(in: bytes)) }
            return line(title.finish().utf8)
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

    /// A text of at most `limit` bytes, truncated between words if possible.
    static func truncated(_ text: [UInt8], to limit: Int) -> ArraySlice<UInt8> {
        guard text.count > limit else { return text[...] }
        var part = text.prefix(limit)
        if let space = part.suffix(100).lastIndex(where: \.isASCIIWhitespace) { return part[..<space] }
        while let last = part.last, last & 0xC0 == 0x80 { part.removeLast() }
        return part.last.map { $0 >= 0xC0 } == true ? part.dropLast() : part
    }
}

/// The texts and tags of a title.
private struct TitleParts {
    enum Part {
        case text([UInt8])
        case lineBreak
        case open(String, isMarkup: Bool, Range<Int>)
        case close(String, isMarkup: Bool, Range<Int>)

        /// The part as a token: tags that are words are text.
        func token(in bytes: UnsafeBufferPointer<UInt8>) -> HTMLToken {
            switch self {
            case .text(let text): return .text(String(decoding: text, as: UTF8.self))
            case .open(_, false, let tag), .close(_, false, let tag): return .text(bytes[tag].text)
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

    private static let ruby: Set<String> = ["ruby", "rb", "rt", "rp"]

    private mutating func addClose(_ name: String, _ tag: Range<Int>) {
        guard let start = open[name]?.popLast(), case .open(_, let isMarkup, let opening) = parts[start],
            isMarkup || pairsBlocks || HTMLNames.inlines.contains(name) || Self.ruby.contains(name)
        else { return parts.append(.close(name, isMarkup: false, tag)) }
        parts[start] = .open(name, isMarkup: true, opening)
        parts.append(.close(name, isMarkup: true, tag))
    }
}
