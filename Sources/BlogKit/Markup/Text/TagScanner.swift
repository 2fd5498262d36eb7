import BlogEssentials

/// Splits HTML and XML into tags and text as browsers do, well-formed or not.
///
/// Foundation's XMLParser needs libxml2 and stops at the first error, which one feed in ten has. This takes linear time
/// for any input.
package struct TagScanner {
    package enum Token {
        /// Text, with its character references unchanged.
        case text(Range<Int>)
        /// The content of a CDATA section.
        case characterData(Range<Int>)
        /// A start tag; its attributes are in ``TagScanner/attributes``.
        case open(name: Range<Int>, isEmpty: Bool)
        case close(name: Range<Int>)
    }

    package struct Attribute {
        package let name: Range<Int>
        /// The value without its quotes, with its character references unchanged; empty if there is none.
        package let value: Range<Int>
    }

    package let bytes: UnsafeBufferPointer<UInt8>
    /// The beginning of the next token.
    package private(set) var index = 0
    package private(set) var attributes: [Attribute] = []
    /// Bytes that don't occur any more, so that each is searched for in vain only once.
    private var missing: Set<UInt8> = []
    /// The next occurrence of each quote, once a closing one seems to be missing.
    private var quotes: [UInt8: Int] = [:]

    /// - Parameter start: where a token begins.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
        self.bytes = bytes
        index = start
    }

    package subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }

    /// The attributes of the last start tag, with character references replaced.
    package var attributeValues: ElementAttributes {
        var values: ElementAttributes = [:]
        for attribute in attributes {
            // One letter with many marks would take quadratic time to compare.
            let value = CharacterReferences.replaced(in: self[attribute.value], as: .htmlAttribute)
            values.append(lowercased(attribute.name), CombiningMarks.limited(value))
        }
        return values
    }

    /// Longer than the name of any attribute, in bytes.
    private static let maxName = 64

    /// The bytes as text, with ASCII letters in lower case.
    package func lowercased(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { text in
            for offset in 0..<range.count { text[offset] = bytes[range.lowerBound + offset].lowercased }
            return range.count
        }
    }

    /// Whether two names are the same, ignoring case.
    package func isSameName(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        first.count == second.count && zip(bytes[first], bytes[second]).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    /// Skips the content of a raw text element up to its end tag, or to the end of the input if that is missing.
    package mutating func skipContent(of name: Range<Int>) {
        while let offset = position(of: UInt8(ascii: "<"), from: index) {
            let (start, end) = (offset + 2, offset + 2 + name.count)
            if end <= bytes.count, bytes[offset + 1] == UInt8(ascii: "/"), isSameName(start..<end, name),
                endOfName(from: start) == end
            {
                index = offset
                return
            }
            index = offset + 1
        }
        index = bytes.count
    }

    /// Skips a raw text element with its end tag, and returns its content.
    mutating func skipElement(_ name: Range<Int>) -> Range<Int> {
        let start = index
        skipContent(of: name)
        let content = start..<index
        _ = next()
        return content
    }

    /// The next token; nil at the end, where an incomplete tag is dropped.
    package mutating func next() -> Token? {
        while index < bytes.count {
            guard beginsMarkup(at: index) else { return text() }
            switch bytes[index + 1] {
            case UInt8(ascii: "!"):
                if let section = declaration() { return section }
            case UInt8(ascii: "?"): index = endOfInstruction()
            case UInt8(ascii: "/"): return close()
            default: return open()
            }
        }
        return nil
    }

    /// Skips what may come before the first tag, which is white space, comments, instructions and a document type, and
    /// returns the offset of the latter; nil if there is none.
    package mutating func skipProlog() -> Int? {
        var documentType: Int?
        while true {
            index = endOfWhitespace(from: index)
            guard index < bytes.count, beginsMarkup(at: index) else { return documentType }
            switch bytes[index + 1] {
            case UInt8(ascii: "!") where !has("<![", at: index):
                if has("<!DOCTYPE", at: index) { documentType = documentType ?? index }
                _ = declaration()
            case UInt8(ascii: "?"): index = endOfInstruction()
            default: return documentType
            }
        }
    }

    /// Whether the `<` at an offset begins a tag, comment, declaration or instruction, and so isn't text.
    private func beginsMarkup(at offset: Int) -> Bool {
        guard bytes[offset] == UInt8(ascii: "<"), offset + 1 < bytes.count else { return false }
        switch bytes[offset + 1] {
        case UInt8(ascii: "?"): return true
        case UInt8(ascii: "/"): return beginsName(at: offset + 2)
        case UInt8(ascii: "!"):
            guard offset + 2 < bytes.count else { return false }
            let third = bytes[offset + 2]
            return third == UInt8(ascii: "-") || third == UInt8(ascii: "[") || third.isASCIILetter
        default: return beginsName(at: offset + 1)
        }
    }

    /// Whether an element's name begins at an offset: `<https://a.b>`, `<me@a.b>` and `<Key, Value>` are text.
    private func beginsName(at offset: Int) -> Bool {
        guard offset < bytes.count, bytes[offset].isASCIILetter else { return false }
        let name = bytes[offset..<endOfName(from: offset)]
        return name.last != UInt8(ascii: ":") && name.allSatisfy(Self.isPartOfName)
    }

    package static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...: true
        default: byte.isASCIIAlphanumeric
        }
    }

    private mutating func text() -> Token {
        let start = index
        index += 1
        while let offset = position(of: UInt8(ascii: "<"), from: index) {
            if beginsMarkup(at: offset) {
                index = offset
                return .text(start..<offset)
            }
            index = offset + 1
        }
        index = bytes.count
        return .text(start..<index)
    }

    /// Skips a comment or a document type, and returns the text of a CDATA section.
    private mutating func declaration() -> Token? {
        if has("<!--", at: index) {
            // `<!-->` and `<!--->` are complete comments.
            index = position(of: "-->", from: index + 2).map { $0 + 3 } ?? bytes.count
        } else if has("<![CDATA[", at: index) {
            let start = index + 9
            let end = position(of: "]]>", from: start)
            index = end.map { $0 + 3 } ?? bytes.count
            return .characterData(start..<(end ?? bytes.count))
        } else {
            index = endOfDocumentType()
        }
        return nil
    }

    /// The end of a processing instruction, which may contain `>` if a `?>` comes before the next `<`.
    private mutating func endOfInstruction() -> Int {
        guard let end = position(of: UInt8(ascii: ">"), from: index) else { return bytes.count }
        let limit = position(of: UInt8(ascii: "<"), from: index + 1) ?? bytes.count
        return (position(of: "?>", from: index + 1, before: limit).map { $0 + 1 } ?? end) + 1
    }

    /// The end of a document type with its internal subset.
    ///
    /// The entities declared there are those of ``DeclaredEntities``, which reads them before.
    private mutating func endOfDocumentType() -> Int {
        guard let end = position(of: UInt8(ascii: ">"), from: index) else { return bytes.count }
        guard let bracket = bytes[index..<end].firstIndex(of: UInt8(ascii: "[")),
            !missing.contains(UInt8(ascii: "]"))
        else { return end + 1 }
        var offset = bracket
        while let closing = position(of: UInt8(ascii: "]"), from: offset) {
            offset = closing + 1
            offset = endOfWhitespace(from: offset)
            if offset < bytes.count, bytes[offset] == UInt8(ascii: ">") { return offset + 1 }
        }
        missing.insert(UInt8(ascii: "]"))
        return end + 1
    }

    private mutating func close() -> Token {
        let start = index + 2
        let end = endOfName(from: start)
        index = end
        while index < bytes.count, bytes[index] != UInt8(ascii: ">"), bytes[index] != UInt8(ascii: "<") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: ">") { index += 1 }
        // As in browsers, it is a line break: https://html.spec.whatwg.org/#parsing-main-inbody.
        if isLineBreak(start..<end) {
            attributes.removeAll(keepingCapacity: true)
            return .open(name: start..<end, isEmpty: true)
        }
        return .close(name: start..<end)
    }

    private func isLineBreak(_ name: Range<Int>) -> Bool {
        name.count == 2 && bytes[name.lowerBound] | 0x20 == UInt8(ascii: "b")
            && bytes[name.lowerBound + 1] | 0x20 == UInt8(ascii: "r")
    }

    private mutating func open() -> Token? {
        let name = index + 1..<endOfName(from: index + 1)
        index = name.upperBound
        attributes.removeAll(keepingCapacity: true)
        var isEmpty = false
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: ">"):
                index += 1
                return .open(name: name, isEmpty: isEmpty)
            case UInt8(ascii: "<"): return .open(name: name, isEmpty: isEmpty)
            case UInt8(ascii: "/"):
                isEmpty = true
                index += 1
            case let byte where byte.isASCIIWhitespace: index += 1
            default:
                isEmpty = false
                attribute()
            }
        }
        return nil
    }

    private mutating func attribute() {
        let name = index..<endOfName(from: index)
        var value = name.upperBound..<name.upperBound
        index = max(name.upperBound, index + 1)
        guard !name.isEmpty else { return }
        let equals = endOfWhitespace(from: name.upperBound)
        if equals < bytes.count, bytes[equals] == UInt8(ascii: "=") {
            let start = endOfWhitespace(from: equals + 1)
            guard start < bytes.count else {
                index = start
                return
            }
            let quote = bytes[start]
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), let end = endOfValue(from: start + 1, quote) {
                value = start + 1..<end
                index = end + 1
            } else {
                value = start..<endOfUnquotedValue(from: start)
                index = value.upperBound
            }
        }
        if attributes.count < Self.maxAttributes, name.count <= Self.maxName {
            attributes.append(Attribute(name: name, value: value))
        }
    }

    private func endOfUnquotedValue(from start: Int) -> Int {
        bytes[start...].firstIndex { $0.isASCIIWhitespace || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
            ?? bytes.count
    }

    /// More than any real element has; unlimited, they would take many times the memory of the text.
    private static let maxAttributes = 1000

    /// The closing quote of a value; nil if it seems to be missing.
    private mutating func endOfValue(from start: Int, _ quote: UInt8) -> Int? {
        var offset = start
        var hasTagEnd = false
        while offset < bytes.count, bytes[offset] != quote {
            if bytes[offset] == UInt8(ascii: ">") { hasTagEnd = true }
            if bytes[offset] == UInt8(ascii: "<") {
                guard let end = nextQuote(quote, from: offset) else { return nil }
                // If the value seems to contain the end of the tag, the quote may be the opening one of a later value.
                return !hasTagEnd || endsAttribute(at: end + 1) ? end : nil
            }
            offset += 1
        }
        return offset < bytes.count ? offset : nil
    }

    private mutating func nextQuote(_ quote: UInt8, from start: Int) -> Int? {
        if let cached = quotes[quote], cached >= start { return cached }
        quotes[quote] = position(of: quote, from: start)
        return quotes[quote]
    }

    private func endsAttribute(at offset: Int) -> Bool {
        offset >= bytes.count || bytes[offset].isASCIIWhitespace || has(">", at: offset) || has("/>", at: offset)
    }

    private func endOfWhitespace(from start: Int) -> Int {
        bytes[start...].firstIndex { !$0.isASCIIWhitespace } ?? bytes.count
    }

    private func endOfName(from start: Int) -> Int {
        var offset = start
        while offset < bytes.count {
            switch bytes[offset] {
            case 0...0x20, UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "/"), UInt8(ascii: "="): return offset
            default: offset += 1
            }
        }
        return offset
    }

    private func has(_ mark: StaticString, at offset: Int) -> Bool {
        guard offset + mark.utf8CodeUnitCount <= bytes.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + offset, mark.utf8Start, mark.utf8CodeUnitCount) == 0
    }

    /// The offset of a mark that ends in `>`.
    private func position(of mark: StaticString, from start: Int, before limit: Int = .max) -> Int? {
        let before = mark.utf8CodeUnitCount - 1
        var offset = start + before
        while let end = bytes.offset(of: UInt8(ascii: ">"), from: offset), end < limit {
            if has(mark, at: end - before) { return end - before }
            offset = end + 1
        }
        return nil
    }

    private mutating func position(of byte: UInt8, from start: Int) -> Int? {
        guard !missing.contains(byte) else { return nil }
        let offset = bytes.offset(of: byte, from: start)
        if offset == nil { missing.insert(byte) }
        return offset
    }
}
