import Foundation
import Markup

/// Reads XML and HTML forward, a tag or a run of text at a time, well-formed or not.
///
/// Foundation's XMLParser would stop at the first thing that is not well-formed, which one feed in ten has, and
/// needs libxml2 besides. Whatever the bytes, this takes time in proportion to their number.
struct XMLScanner {
    enum Token {
        /// Text, with its character references as they stand.
        case text(Range<Int>)
        /// What a CDATA section holds.
        case characterData(Range<Int>)
        /// A start tag; its attributes are in ``XMLScanner/attributes``.
        case open(name: Range<Int>, isEmpty: Bool)
        case close(name: Range<Int>)
    }

    struct Attribute {
        let name: Range<Int>
        /// Without its quotes, and with its character references as they stand.
        let value: Range<Int>
    }

    let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next token begins.
    private(set) var index = 0
    /// Those of the last start tag.
    private(set) var attributes: [Attribute] = []
    /// Marks that are known not to come any more, so that none is searched for in vain twice.
    private var missing: Set<UInt8> = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }

    /// The next token; nil at the end.
    ///
    /// A tag that is cut off there is none.
    mutating func next() -> Token? {
        while index < bytes.count {
            guard beginsMarkup(at: index) else { return text() }
            switch bytes[index + 1] {
            case UInt8(ascii: "!"):
                if let section = declaration() { return section }
            case UInt8(ascii: "?"): index = position(of: UInt8(ascii: ">"), from: index).map { $0 + 1 } ?? bytes.count
            case UInt8(ascii: "/"): return close()
            default: return open()
            }
        }
        return nil
    }

    /// Whether there is a tag, a comment or the like at a place: a bare `<` is text.
    private func beginsMarkup(at place: Int) -> Bool {
        guard bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count else { return false }
        let next = bytes[place + 1]
        switch next {
        case UInt8(ascii: "?"): return true
        case UInt8(ascii: "/"): return place + 2 < bytes.count && Self.beginsName(bytes[place + 2])
        case UInt8(ascii: "!"):
            guard place + 2 < bytes.count else { return false }
            let third = bytes[place + 2]
            return third == UInt8(ascii: "-") || third == UInt8(ascii: "[") || third.isASCIILetter
        default: return Self.beginsName(next)
        }
    }

    private static func beginsName(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == UInt8(ascii: "_") }

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

    /// Passes a comment or a document type by; a CDATA section is text.
    private mutating func declaration() -> Token? {
        if has("<!--", at: index) {
            index = position(of: "-->", from: index + 4).map { $0 + 3 } ?? bytes.count
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

    /// Where a declaration ends, with the declarations within it: entities are never taken from there, so that none
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
        guard place < bytes.count, bytes[place] == UInt8(ascii: "="), !name.isEmpty else { return }
        place += 1
        while place < bytes.count, bytes[place].isASCIIWhitespace { place += 1 }
        guard place < bytes.count else {
            index = place
            return
        }
        let quote = bytes[place]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), let end = endOfValue(from: place + 1, quote) {
            attributes.append(Attribute(name: name, value: place + 1..<end))
            index = end + 1
            return
        }
        let start = place
        while place < bytes.count, !bytes[place].isASCIIWhitespace, bytes[place] != UInt8(ascii: ">"),
            bytes[place] != UInt8(ascii: "<")
        {
            place += 1
        }
        attributes.append(Attribute(name: name, value: start..<place))
        index = place
    }

    /// Where the quote is that ends a value; nil for one that was forgotten, which takes a tag in before it comes.
    private mutating func endOfValue(from start: Int, _ quote: UInt8) -> Int? {
        var place = start
        var hasTagEnd = false
        while place < bytes.count, bytes[place] != quote {
            if bytes[place] == UInt8(ascii: ">") { hasTagEnd = true }
            if bytes[place] == UInt8(ascii: "<") {
                if hasTagEnd { return nil }
                // A tag within a value: only its quote can end it.
                return position(of: quote, from: place)
            }
            place += 1
        }
        return place < bytes.count ? place : nil
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

    /// Where a mark is that ends in `>`.
    private func position(of mark: StaticString, from start: Int) -> Int? {
        let before = mark.utf8CodeUnitCount - 1
        var place = start + before
        while let end = plainPosition(of: UInt8(ascii: ">"), from: place) {
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
