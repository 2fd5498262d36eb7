/// The parts of a link: `[label]`, its target and its title.
enum LinkScanner {
    /// The maximum length; it keeps text that only looks like links from taking quadratic time.
    private static let maxLength = 2000
    /// The maximum nesting of parentheses in a target, for the same reason; cmark has the same.
    private static let maxParentheses = 32

    /// What stands between the brackets at the beginning, without them; nil if there is no label.
    static func label(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.first == UInt8(ascii: "[") else { return nil }
        var index = text.startIndex + 1
        while index < text.endIndex, index - text.startIndex <= 1000 {
            switch text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "]"): return text[(text.startIndex + 1)..<index]
            case UInt8(ascii: "["): return nil
            default: index += 1
            }
        }
        return nil
    }

    /// A target, in angle brackets or not, behind which `rest` begins then; nil if there is none.
    static func destination(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let first = rest.first else { return nil }
        return first == UInt8(ascii: "<") ? bracketed(&rest) : bare(&rest)
    }

    private static func bracketed(_ rest: inout ArraySlice<UInt8>) -> String? {
        var index = rest.startIndex + 1
        while index < rest.endIndex, index - rest.startIndex < maxLength {
            switch rest[index] {
            case UInt8(ascii: ">"):
                defer { rest = rest[(index + 1)...] }
                return InlineText.unescaped(Array(rest[(rest.startIndex + 1)..<index]))
            case UInt8(ascii: "<"), .lineFeed: return nil
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    private static func bare(_ rest: inout ArraySlice<UInt8>) -> String? {
        var index = rest.startIndex
        var depth = 0
        scan: while index < rest.endIndex, index - rest.startIndex < maxLength {
            switch rest[index] {
            case UInt8(ascii: "\\") where index + 1 < rest.endIndex && rest[index + 1].isASCIIPunctuation: index += 1
            case UInt8(ascii: "("):
                depth += 1
                if depth > maxParentheses { return nil }
            case UInt8(ascii: ")"):
                if depth == 0 { break scan }
                depth -= 1
            case 0...0x20, 0x7F: break scan
            default: break
            }
            index += 1
        }
        guard depth == 0, index > rest.startIndex || rest.first == UInt8(ascii: ")") else { return nil }
        defer { rest = rest[min(index, rest.endIndex)...] }
        return InlineText.unescaped(Array(rest[rest.startIndex..<min(index, rest.endIndex)]))
    }

    /// A title in quotes or parentheses, behind which `rest` begins then; nil if there is none.
    static func title(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let first = rest.first,
            first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") || first == UInt8(ascii: "(")
        else { return nil }
        let end = first == UInt8(ascii: "(") ? UInt8(ascii: ")") : first
        var index = rest.startIndex + 1
        while index < rest.endIndex, index - rest.startIndex < maxLength {
            switch rest[index] {
            case end:
                defer { rest = rest[(index + 1)...] }
                return InlineText.unescaped(Array(rest[(rest.startIndex + 1)..<index]))
            case UInt8(ascii: "(") where first == UInt8(ascii: "("): return nil
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    /// What follows white space with one line break at most.
    static func skipSpace(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.drop(while: \.isASCIIWhitespace)
    }
}
