import BlogEssentials

/// Removes the tags of static-site generators (https://shopify.github.io/liquid) left over in the Markdown of posts, and
/// ``KramdownAttributes``.
enum Liquid {
    /// Turns `{% highlight %}` into fenced code and removes all other tags, except in code.
    static func removed(from text: [UInt8]) -> [UInt8] {
        guard mayHaveTags(text[...]) else { return text }
        var code = FencedCode()
        var lines: [[UInt8]] = []
        for line in text.split(separator: .lineFeed, omittingEmptySubsequences: false) {
            if code.takes(line) || !mayHaveTags(line) || isCode(line) {
                lines.append(Array(line))
            } else {
                let cleaned = withoutTags(KramdownAttributes.removed(from: line)[...])
                // Keeping a line of tags as a blank line would end a paragraph.
                if !cleaned.isBlank { lines.append(cleaned) }
            }
        }
        return Array(lines.joined(separator: [.lineFeed]))
    }

    /// Whether a line is indented code, and not one with the attributes of a link.
    private static func isCode(_ line: ArraySlice<UInt8>) -> Bool {
        FencedCode.isIndented(line) && line.position(of: Array("){:".utf8)) == nil
    }

    /// Whether the text contains `{%`, `{{`, `{:` or `{#`.
    private static func mayHaveTags(_ text: ArraySlice<UInt8>) -> Bool {
        text.withUnsafeBufferPointer { bytes in
            var start = 0
            while let brace = bytes.offset(of: UInt8(ascii: "{"), from: start) {
                start = brace + 1
                if start < bytes.count, "%{:#".utf8.contains(bytes[start]) { return true }
            }
            return false
        }
    }

    private static func withoutTags(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = line
        // End marks that don't occur any more.
        var missing: Set<[UInt8]> = []
        while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
            result += rest[..<start]
            rest = rest[start...]
            let inner = rest.dropFirst(2)
            if let end = ends[Array(rest.prefix(2))], !missing.contains(end) {
                if let position = inner.position(of: end) {
                    result += replacement(for: inner[..<position])
                    rest = inner[(position + end.count)...]
                    continue
                }
                missing.insert(end)
            }
            result.append(rest[start])
            rest = rest.dropFirst()
        }
        return result + rest
    }

    private static let ends = [Array("{%".utf8): Array("%}".utf8), Array("{{".utf8): Array("}}".utf8)]

    private static func replacement(for tag: ArraySlice<UInt8>) -> [UInt8] {
        let words = tag.split { $0.isASCIIWhitespace || $0 == UInt8(ascii: "-") }
        switch words.first?.text {
        case "highlight": return Array("```".utf8) + (words.count > 1 ? Array(words[1]) : [])
        case "endhighlight": return Array("```".utf8)
        default: return []
        }
    }
}

/// Removes kramdown's attributes: `{: .note #here title="A note"}` anywhere, and `{#here}` after a heading
/// (https://kramdown.gettalong.org/syntax.html#attribute-list-definitions).
///
/// Written by hand because a regular expression takes exponential time for some lines.
enum KramdownAttributes {
    /// The line without its attributes, except in code spans.
    static func removed(from line: ArraySlice<UInt8>) -> [UInt8] {
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

    /// The maximum length of an attribute list in bytes, so that many unfinished ones don't take quadratic time.
    private static let maxLength = 1000

    /// The text after the attribute list at its beginning; nil if there is none.
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

    /// The text after `.class`, `#id`, `name="value"` or a single word.
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

    /// Non-ASCII bytes count as letters.
    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
