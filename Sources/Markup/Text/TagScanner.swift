import Foundation

/// Splits HTML and XML into tags and text, well-formed or not, as browsers do.
///
/// Foundation's XMLParser stops at the first error, which one feed in ten has, and needs libxml2. This takes linear time
/// for any bytes.
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
        /// Without its quotes, and with its character references unchanged; empty where there is none.
        package let value: Range<Int>
    }

    package let bytes: UnsafeBufferPointer<UInt8>
    /// The beginning of the next token.
    package private(set) var index = 0
    /// The attributes of the last start tag.
    package private(set) var attributes: [Attribute] = []
    /// Marks that don't occur any more, so that none is searched for in vain twice.
    private var missing: Set<UInt8> = []
    /// Each quote's next occurrence, found where one may have been forgotten.
    private var quotes: [UInt8: Int] = [:]

    /// - Parameter start: the beginning of a token.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
        self.bytes = bytes
        index = start
    }

    package subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }

    /// Some bytes as text, with ASCII letters in lower case.
    package func lowercased(_ range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { text in
            for (place, byte) in zip(text.indices, bytes[range]) {
                text[place] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            }
            return range.count
        }
    }

    /// Whether two names are the same, whatever their case.
    package func isSameName(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        first.count == second.count && zip(bytes[first], bytes[second]).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }

    /// Skips the content of an element, which isn't markup, up to its end tag; to the end of the text if it has none.
    package mutating func skipContent(of name: Range<Int>) {
        while let place = position(of: UInt8(ascii: "<"), from: index) {
            let (start, end) = (place + 2, place + 2 + name.count)
            if end <= bytes.count, bytes[place + 1] == UInt8(ascii: "/"), isSameName(start..<end, name),
                endOfName(from: start) == end
            {
                index = place
                return
            }
            index = place + 1
        }
        index = bytes.count
    }

    /// The next token; nil at the end, where an incomplete tag is ignored.
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

    /// Whether a tag, a comment or the like begins at a place: a bare `<` is text.
    private func beginsMarkup(at place: Int) -> Bool {
        guard bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count else { return false }
        switch bytes[place + 1] {
        case UInt8(ascii: "?"): return true
        case UInt8(ascii: "/"): return beginsName(at: place + 2)
        case UInt8(ascii: "!"):
            guard place + 2 < bytes.count else { return false }
            let third = bytes[place + 2]
            return third == UInt8(ascii: "-") || third == UInt8(ascii: "[") || third.isASCIILetter
        default: return beginsName(at: place + 1)
        }
    }

    /// Whether an element's name begins at a place: `<https://a.b>`, `<me@a.b>` and `<Key, Value>` are text.
    private func beginsName(at place: Int) -> Bool {
        guard place < bytes.count, bytes[place].isASCIILetter else { return false }
        let name = bytes[place..<endOfName(from: place)]
        return name.last != UInt8(ascii: ":") && name.allSatisfy(Self.isPartOfName)
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...: true
        default: byte.isASCIILetter || byte.isDigit
        }
    }

    private mutating func text() -> Token {
        let start = index
        index += 1
        while let place = position(of: UInt8(ascii: "<"), from: index) {
            if beginsMarkup(at: place) {
                index = place
                return .text(start..<place)
            }
            index = place + 1
        }
        index = bytes.count
        return .text(start..<index)
    }

    /// Skips a comment or a document type; a CDATA section is text.
    private mutating func declaration() -> Token? {
        if has("<!--", at: index) {
            // `<!-->` and `<!--->` are whole comments.
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

    /// The end of an instruction, which may have a `>` in it where a `?>` comes before the next tag.
    private mutating func endOfInstruction() -> Int {
        guard let end = position(of: UInt8(ascii: ">"), from: index) else { return bytes.count }
        let limit = position(of: UInt8(ascii: "<"), from: index + 1) ?? bytes.count
        return (position(of: "?>", from: index + 1, before: limit).map { $0 + 1 } ?? end) + 1
    }

    /// The end of a declaration, with the declarations within it: entities are never taken from there, so that none
    /// can name a file or grow without bound.
    private mutating func endOfDocumentType() -> Int {
        guard let end = position(of: UInt8(ascii: ">"), from: index) else { return bytes.count }
        guard let bracket = bytes[index..<end].firstIndex(of: UInt8(ascii: "[")),
            !missing.contains(UInt8(ascii: "]"))
        else { return end + 1 }
        var place = bracket
        while let closing = position(of: UInt8(ascii: "]"), from: place) {
            place = closing + 1
            while place < bytes.count, bytes[place].isASCIIWhitespace { place += 1 }
            if place < bytes.count, bytes[place] == UInt8(ascii: ">") { return place + 1 }
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
        return .close(name: start..<end)
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
        index = max(name.upperBound, index + 1)
        var place = name.upperBound
        while place < bytes.count, bytes[place].isASCIIWhitespace { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "="), !name.isEmpty else {
            if !name.isEmpty { append(Attribute(name: name, value: name.upperBound..<name.upperBound)) }
            return
        }
        place += 1
        while place < bytes.count, bytes[place].isASCIIWhitespace { place += 1 }
        guard place < bytes.count else {
            index = place
            return
        }
        let quote = bytes[place]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), let end = endOfValue(from: place + 1, quote) {
            append(Attribute(name: name, value: place + 1..<end))
            index = end + 1
            return
        }
        let start = place
        while place < bytes.count, !bytes[place].isASCIIWhitespace, bytes[place] != UInt8(ascii: ">"),
            bytes[place] != UInt8(ascii: "<")
        {
            place += 1
        }
        append(Attribute(name: name, value: start..<place))
        index = place
    }

    private mutating func append(_ attribute: Attribute) {
        if attributes.count < Self.maxAttributes { attributes.append(attribute) }
    }

    /// No element in use has so many attributes; a list of all would take many times the memory of the text.
    private static let maxAttributes = 1000

    /// The quote that ends a value; nil for one that was forgotten.
    private mutating func endOfValue(from start: Int, _ quote: UInt8) -> Int? {
        var place = start
        var hasTagEnd = false
        while place < bytes.count, bytes[place] != quote {
            if bytes[place] == UInt8(ascii: ">") { hasTagEnd = true }
            if bytes[place] == UInt8(ascii: "<") {
                guard let end = nextQuote(quote, from: place) else { return nil }
                // A value that seems to hold a whole tag: the quote may begin the value of another one.
                return !hasTagEnd || endsAttribute(at: end + 1) ? end : nil
            }
            place += 1
        }
        return place < bytes.count ? place : nil
    }

    private mutating func nextQuote(_ quote: UInt8, from start: Int) -> Int? {
        if let known = quotes[quote], known >= start { return known }
        quotes[quote] = position(of: quote, from: start)
        return quotes[quote]
    }

    private func endsAttribute(at place: Int) -> Bool {
        place >= bytes.count || bytes[place].isASCIIWhitespace || has(">", at: place) || has("/>", at: place)
    }

    private func endOfName(from start: Int) -> Int {
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case 0...0x20, UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "/"), UInt8(ascii: "="): return place
            default: place += 1
            }
        }
        return place
    }

    private func has(_ mark: StaticString, at place: Int) -> Bool {
        guard place + mark.utf8CodeUnitCount <= bytes.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + place, mark.utf8Start, mark.utf8CodeUnitCount) == 0
    }

    /// The place of a mark that ends in `>`.
    private func position(of mark: StaticString, from start: Int, before limit: Int = .max) -> Int? {
        let before = mark.utf8CodeUnitCount - 1
        var place = start + before
        while let end = plainPosition(of: UInt8(ascii: ">"), from: place), end < limit {
            if has(mark, at: end - before) { return end - before }
            place = end + 1
        }
        return nil
    }

    private func plainPosition(of byte: UInt8, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private mutating func position(of byte: UInt8, from start: Int) -> Int? {
        guard !missing.contains(byte) else { return nil }
        let place = plainPosition(of: byte, from: start)
        if place == nil { missing.insert(byte) }
        return place
    }
}
