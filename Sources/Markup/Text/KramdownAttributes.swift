/// kramdown's attributes: `{: .note #here title="A note"}` behind anything, and `{#here}` after a heading
/// (https://kramdown.gettalong.org/syntax.html#attribute-list-definitions).
///
/// By hand: a regular expression for them takes exponential time for some lines.
enum KramdownAttributes {
    /// The line without its attributes, but for those in code.
    static func removed(from line: Substring) -> String { removed(from: Array(line.utf8)[...]).text }

    static func removed(from line: ArraySlice<UInt8>) -> [UInt8] {
        guard mayHaveAny(line) else { return Array(line) }
        var result: [UInt8] = []
        var rest = line
        var isInCode = false
        while let mark = rest.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "`") }) {
            result += rest[..<mark]
            rest = rest[mark...]
            if !isInCode, let after = afterList(rest) {
                rest = after
            } else {
                if rest.first == UInt8(ascii: "`") { isInCode.toggle() }
                result.append(rest[mark])
                rest = rest.dropFirst()
            }
        }
        result += rest
        return line.first == UInt8(ascii: "#") ? Array(withoutID(result[...])) : result
    }

    private static func mayHaveAny(_ line: ArraySlice<UInt8>) -> Bool {
        zip(line, line.dropFirst()).contains {
            $0 == UInt8(ascii: "{") && ($1 == UInt8(ascii: ":") || $1 == UInt8(ascii: "#"))
        }
    }

    /// No list is longer, in bytes; without a limit what looks like many would be gone through again for each.
    private static let maxLength = 1000

    /// What follows the list at the beginning of a text; nil where none is.
    private static func afterList(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard text.starts(with: [UInt8(ascii: "{"), UInt8(ascii: ":")]) else { return nil }
        var rest = text.prefix(maxLength).dropFirst(2).drop(while: \.isASCIIWhitespace)
        guard rest.first != UInt8(ascii: "}") else { return nil }
        while let first = rest.first, first != UInt8(ascii: "}") {
            guard let after = afterAttribute(rest) else { return nil }
            rest = after.drop(while: \.isASCIIWhitespace)
        }
        return rest.isEmpty ? nil : text[(rest.startIndex + 1)...]
    }

    /// What follows `.class`, `#id`, `name="value"` or a single word.
    private static func afterAttribute(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let isMarked = text.first == UInt8(ascii: ".") || text.first == UInt8(ascii: "#")
        let start = isMarked ? text.dropFirst() : text
        let name = start.prefix(while: isPartOfName)
        let rest = start[name.endIndex...]
        guard !name.isEmpty else { return nil }
        guard rest.first == UInt8(ascii: "=") else {
            return isMarked || !name.contains(UInt8(ascii: "-")) ? rest : nil
        }
        let quoted = rest.dropFirst()
        guard let quote = quoted.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = quoted.dropFirst().firstIndex(of: quote)
        else { return nil }
        return quoted[(end + 1)...]
    }

    /// A heading without `{#here}` at its end.
    private static func withoutID(_ heading: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let trimmed = withoutSpaceAtEnd(heading)
        guard trimmed.last == UInt8(ascii: "}"), let open = trimmed.lastIndex(of: UInt8(ascii: "{")) else {
            return heading
        }
        let name = trimmed[open...].dropFirst().dropLast()
        guard name.first == UInt8(ascii: "#"), name.count > 1, name.dropFirst().allSatisfy(isPartOfName) else {
            return heading
        }
        return withoutSpaceAtEnd(heading[..<open])
    }

    private static func withoutSpaceAtEnd(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.lastIndex { !$0.isASCIIWhitespace }.map { text[...$0] } ?? []
    }

    /// Letters beyond ASCII are taken for parts of names, and so is all else there.
    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
