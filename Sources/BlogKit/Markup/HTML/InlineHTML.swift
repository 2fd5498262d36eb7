/// HTML inside a line, as https://spec.commonmark.org/0.30/#raw-html has it.
enum InlineHTML {
    /// Longer tags are nobody's; the bound keeps `<` without an end from being read over and over.
    private static let longest = 4000

    /// How many bytes the HTML at the beginning of a text has; nil for none.
    static func length(_ text: ArraySlice<UInt8>) -> Int? {
        let text = text.prefix(longest)
        func ended(by mark: String, from start: Int) -> Int? {
            let mark = Array(mark.utf8)
            var index = text.startIndex + start
            while index + mark.count <= text.endIndex {
                if text[index] == mark[0], text[index..<index + mark.count].elementsEqual(mark) {
                    return index + mark.count - text.startIndex
                }
                index += 1
            }
            return nil
        }
        if text.starts(with: Array("<!--".utf8)) {
            let rest = text.dropFirst(4)
            if rest.first == UInt8(ascii: ">") { return 5 }
            if rest.starts(with: Array("->".utf8)) { return 6 }
            return ended(by: "-->", from: 4)
        }
        if text.starts(with: Array("<?".utf8)) { return ended(by: "?>", from: 2) }
        if text.starts(with: Array("<![CDATA[".utf8)) { return ended(by: "]]>", from: 9) }
        if text.starts(with: Array("<!".utf8)), text.dropFirst(2).first?.isASCIILetter == true {
            return ended(by: ">", from: 2)
        }
        return tagLength(text)
    }

    /// How many bytes an open or closing tag at the beginning has; nil for none.
    static func tagLength(_ text: ArraySlice<UInt8>) -> Int? {
        var rest = text.prefix(longest).dropFirst()
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

    private static func afterAttribute(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = text.drop(while: \.isASCIIWhitespace)
        guard rest.startIndex > text.startIndex, let first = rest.first,
            first.isASCIILetter || first == UInt8(ascii: "_") || first == UInt8(ascii: ":")
        else { return nil }
        rest = rest.drop { $0.isASCIILetter || $0.isDigit || Array("_.:-".utf8).contains($0) }
        let value = rest.drop(while: \.isASCIIWhitespace)
        guard value.first == UInt8(ascii: "=") else { return rest }
        let start = value.dropFirst().drop(while: \.isASCIIWhitespace)
        guard let quote = start.first else { return nil }
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard let end = start.dropFirst().firstIndex(of: quote) else { return nil }
            return start[(end + 1)...]
        }
        let after = start.drop { !$0.isASCIIWhitespace && !Array("\"'=<>`".utf8).contains($0) }
        return after.startIndex > start.startIndex ? after : nil
    }
}
