import Model

/// A piece of HTML.
package enum HTMLToken {
    /// Text with its entities replaced.
    case text(String)
    case open(name: String, attributes: [String: String])
    case close(name: String)

    static let unseen: Set<String> = ["script", "style", "template", "noscript", "head", "title"]
    /// What of a whole page is no HTML, or is not there until a script puts it there.
    package static let scripts: Set<String> = ["script", "style", "template"]

    /// The tag that some bytes are; nil for a comment and the like.
    fileprivate static func tag(_ tag: ArraySlice<UInt8>) -> HTMLToken? {
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
}

/// The tokens of a text, one at a time, as a list of them would take many times the memory of the text.
///
/// What no browser shows (comments, declarations, scripts, styles) is left out, and a `<` that begins nothing is text.
package struct HTMLTokens: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let hidden: Set<String>
    private var index = 0
    private var scanner = InlineHTML()
    /// The tag behind the text that was given last.
    private var tag: HTMLToken?

    /// - Parameter hidden: the tags that are left out with all that is in them.
    package init(_ html: String, leavingOut hidden: Set<String> = HTMLToken.unseen) {
        bytes = CombiningMarks.limited(Array(html.utf8))
        self.hidden = hidden
    }

    package mutating func next() -> HTMLToken? {
        if let tag {
            self.tag = nil
            return tag
        }
        while index < bytes.count {
            let start = index
            let length = findTag()
            let text = bytes[start..<index]
            if let length { tag = take(length) }
            if !text.isEmpty { return .text(InlineText.unescaped(Array(text), hasEscapes: false)) }
            if tag != nil { return next() }
        }
        return nil
    }

    /// Goes to the next tag, or to the end, and returns the tag's length.
    private mutating func findTag() -> Int? {
        while let place = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = place
            if let length = scanner.length(bytes[place...]) { return length }
            index += 1
        }
        index = bytes.count
        return nil
    }

    /// Passes by a tag, and what is in it if it is hidden.
    private mutating func take(_ length: Int) -> HTMLToken? {
        let token = HTMLToken.tag(bytes[index..<index + length])
        index += length
        guard case .open(let name, _)? = token, hidden.contains(name) else { return token }
        index = Self.end(of: name, in: bytes, from: index)
        return nil
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
