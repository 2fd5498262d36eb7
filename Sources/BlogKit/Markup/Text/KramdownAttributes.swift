/// kramdown's attributes: `{: .note #here title="A note"}` behind anything, and `{#here}` after a heading
/// (https://kramdown.gettalong.org/syntax.html#attribute-list-definitions).
///
/// By hand: a regular expression for them takes exponential time for some lines.
enum KramdownAttributes {
    /// The line without its attributes, but for those in code.
    static func removed(from line: Substring) -> String {
        guard line.contains("{:") || line.contains("{#") else { return String(line) }
        var result = ""
        var rest = line
        var isInCode = false
        while let mark = rest.firstIndex(where: { $0 == "{" || $0 == "`" }) {
            result += rest[..<mark]
            rest = rest[mark...]
            if !isInCode, let after = afterList(rest) {
                rest = after
            } else {
                if rest.first == "`" { isInCode.toggle() }
                result.append(rest.removeFirst())
            }
        }
        result += rest
        return line.hasPrefix("#") ? String(withoutID(result[...])) : result
    }

    /// No list is longer, in characters; without a limit what looks like many would be gone through again for each.
    private static let maxLength = 1000

    /// What follows the list at the beginning of a text; nil where none is.
    private static func afterList(_ text: Substring) -> Substring? {
        guard text.hasPrefix("{:") else { return nil }
        let limited = text.prefix(maxLength)
        var rest = limited.dropFirst(2).drop(while: \.isWhitespace)
        guard rest.first != "}" else { return nil }
        while let first = rest.first, first != "}" {
            guard let after = afterAttribute(rest) else { return nil }
            rest = after.drop(while: \.isWhitespace)
        }
        return rest.isEmpty ? nil : text[rest.index(after: rest.startIndex)...]
    }

    /// What follows `.class`, `#id`, `name="value"` or a single word.
    private static func afterAttribute(_ text: Substring) -> Substring? {
        let isMarked = text.first == "." || text.first == "#"
        let start = isMarked ? text.dropFirst() : text
        let name = start.prefix(while: isPartOfName)
        let rest = start[name.endIndex...]
        guard !name.isEmpty else { return nil }
        guard rest.first == "=" else { return isMarked || !name.contains("-") ? rest : nil }
        let quoted = rest.dropFirst()
        guard let quote = quoted.first, quote == "\"" || quote == "'",
            let end = quoted.dropFirst().firstIndex(of: quote)
        else { return nil }
        return quoted[quoted.index(after: end)...]
    }

    /// A heading without `{#here}` at its end.
    private static func withoutID(_ heading: Substring) -> Substring {
        let trimmed = withoutSpaceAtEnd(heading)
        guard trimmed.last == "}", let open = trimmed.lastIndex(of: "{") else { return heading }
        let name = trimmed[open...].dropFirst().dropLast()
        guard name.first == "#", name.count > 1, name.dropFirst().allSatisfy(isPartOfName) else { return heading }
        return withoutSpaceAtEnd(heading[..<open])
    }

    private static func withoutSpaceAtEnd(_ text: Substring) -> Substring {
        text.lastIndex { !$0.isWhitespace }.map { text[...$0] } ?? ""
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }
}
