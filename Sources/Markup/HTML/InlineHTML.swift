/// Finds HTML in one text, as https://spec.commonmark.org/0.30/#raw-html has it.
///
/// An end that was searched for in vain is remembered, so that a text full of beginnings takes linear time.
struct InlineHTML {
    private var missing: Set<String> = []

    /// How many bytes the HTML at the beginning of a part of the text has; nil for none.
    mutating func length(_ text: ArraySlice<UInt8>) -> Int? {
        guard let second = text.dropFirst().first else { return nil }
        switch second {
        case UInt8(ascii: "!"): return declaration(text)
        case UInt8(ascii: "?"): return end(of: text, by: "?>", from: 2)
        default: return tagLength(text)
        }
    }

    private mutating func declaration(_ text: ArraySlice<UInt8>) -> Int? {
        if text.starts(with: Array("<!--".utf8)) {
            let rest = text.dropFirst(4)
            if rest.first == UInt8(ascii: ">") { return 5 }
            if rest.starts(with: Array("->".utf8)) { return 6 }
            return end(of: text, by: "-->", from: 4)
        }
        if text.starts(with: Array("<![CDATA[".utf8)) { return end(of: text, by: "]]>", from: 9) }
        return text.dropFirst(2).first?.isASCIILetter == true ? end(of: text, by: ">", from: 2) : nil
    }

    /// How many bytes there are up to a mark and with it.
    private mutating func end(of text: ArraySlice<UInt8>, by mark: String, from start: Int) -> Int? {
        guard !missing.contains(mark) else { return nil }
        let bytes = Array(mark.utf8)
        var index = text.startIndex + start
        while index + bytes.count <= text.endIndex {
            if text[index] == bytes[0], text[index..<index + bytes.count].elementsEqual(bytes) {
                return index + bytes.count - text.startIndex
            }
            index += 1
        }
        missing.insert(mark)
        return nil
    }

    /// How many bytes an open or closing tag at the beginning has; nil for none.
    mutating func tagLength(_ text: ArraySlice<UInt8>) -> Int? {
        var rest = text.dropFirst()
        let isClosing = rest.first == UInt8(ascii: "/")
        if isClosing { rest.removeFirst() }
        guard text.first == UInt8(ascii: "<"), rest.first?.isASCIILetter == true else { return nil }
        rest = rest.drop { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        while !isClosing, let attribute = afterAttribute(rest) { rest = attribute }
        rest = rest.drop(while: \.isASCIIWhitespace)
        if !isClosing, rest.first == UInt8(ascii: "/") { rest.removeFirst() }
        guard rest.first == UInt8(ascii: ">") else { return nil }
        return rest.startIndex + 1 - text.startIndex
    }

    private mutating func afterAttribute(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = text.drop(while: \.isASCIIWhitespace)
        guard rest.startIndex > text.startIndex, let first = rest.first,
            first.isASCIILetter || first == UInt8(ascii: "_") || first == UInt8(ascii: ":")
        else { return nil }
        rest = rest.drop { $0.isASCIILetter || $0.isDigit || Self.nameSigns.contains($0) }
        let value = rest.drop(while: \.isASCIIWhitespace)
        guard value.first == UInt8(ascii: "=") else { return rest }
        let start = value.dropFirst().drop(while: \.isASCIIWhitespace)
        guard let quote = start.first else { return nil }
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard let length = end(of: start, by: String(UnicodeScalar(quote)), from: 1) else { return nil }
            return start.dropFirst(length)
        }
        let after = start.drop { !$0.isASCIIWhitespace && !Self.unquotedEnds.contains($0) }
        return after.startIndex > start.startIndex ? after : nil
    }

    private static let nameSigns = Array("_.:-".utf8)
    private static let unquotedEnds = Array("\"'=<>`".utf8)
}
