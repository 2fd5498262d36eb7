/// A piece of HTML.
enum HTMLToken {
    /// Text with its entities replaced.
    case text(String)
    case open(name: String, attributes: [String: String])
    case close(name: String)

    /// The pieces of a text: what no browser shows (comments, declarations, scripts, styles) is left out, and a `<` that
    /// begins nothing is text.
    ///
    /// - Parameter hidden: the tags that are left out with all that is in them.
    static func tokens(_ html: String, leavingOut hidden: Set<String> = unseen) -> [HTMLToken] {
        let bytes = Array(html.utf8)
        var tokens: [HTMLToken] = []
        var text: [UInt8] = []
        var index = 0
        var scanner = InlineHTML()
        func flush() {
            if !text.isEmpty { tokens.append(.text(InlineText.unescaped(text, hasEscapes: false))) }
            text = []
        }
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "<"), let length = scanner.length(bytes[index...]) else {
                text.append(bytes[index])
                index += 1
                continue
            }
            flush()
            let tag = bytes[index..<index + length]
            index += length
            guard let token = token(tag) else { continue }
            if case .open(let name, _) = token, hidden.contains(name) {
                index = end(of: name, in: bytes, from: index)
            } else {
                tokens.append(token)
            }
        }
        flush()
        return tokens
    }

    static let unseen: Set<String> = ["script", "style", "template", "noscript", "head", "title"]
    /// What of a whole page is no HTML, or is not there until a script puts it there.
    static let scripts: Set<String> = ["script", "style", "template"]

    private static func token(_ tag: ArraySlice<UInt8>) -> HTMLToken? {
        let isClosing = tag.dropFirst().first == UInt8(ascii: "/")
        let rest = tag.dropFirst(isClosing ? 2 : 1)
        let name = rest.prefix { $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "-") }.text.lowercased()
        guard !name.isEmpty else { return nil }
        return isClosing
            ? .close(name: name) : .open(name: name, attributes: attributes(rest.dropFirst(name.utf8.count)))
    }

    private static func attributes(_ text: ArraySlice<UInt8>) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = text
        while true {
            rest = rest.drop { $0.isASCIIWhitespace || $0 == UInt8(ascii: "/") }
            let name = rest.prefix { !$0.isASCIIWhitespace && !Array("=>/".utf8).contains($0) }
            guard !name.isEmpty else { return attributes }
            rest = rest[name.endIndex...].drop(while: \.isASCIIWhitespace)
            var value: ArraySlice<UInt8> = []
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst().drop(while: \.isASCIIWhitespace)
                if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest[value.endIndex...].dropFirst()
                } else {
                    value = rest.prefix { !$0.isASCIIWhitespace && $0 != UInt8(ascii: ">") }
                    rest = rest[value.endIndex...]
                }
            }
            attributes[name.text.lowercased()] = InlineText.unescaped(Array(value), hasEscapes: false)
        }
    }

    /// Where the end tag of an element begins whose content is no HTML; the end of the text if it has none.
    private static func end(of name: String, in bytes: [UInt8], from start: Int) -> Int {
        let mark = Array("</\(name)".utf8)
        var index = start
        while index + mark.count <= bytes.count {
            let end = index + mark.count
            if bytes[index] == mark[0], bytes[index..<end].elementsEqual(mark, by: { $0 | 0x20 == $1 | 0x20 }),
                end == bytes.count || bytes[end].isASCIIWhitespace || Array("/>".utf8).contains(bytes[end])
            {
                return index
            }
            index += 1
        }
        return bytes.count
    }
}
