/// The tags of static-site generators (https://shopify.github.io/liquid) that are left in the Markdown of posts, as
/// ``KramdownAttributes`` are.
enum Liquid {
    /// The UTF-8 text with `{% highlight %}` as fenced code, and without all other tags; code stays as it is.
    static func removed(from text: [UInt8]) -> [UInt8] {
        guard mayHaveTags(text[...]) else { return text }
        var fence: ArraySlice<UInt8>?
        var lines: [[UInt8]] = []
        for line in text.split(separator: .lineFeed, omittingEmptySubsequences: false) {
            let start = line.drop { $0 == .space }
            let mark = start.prefix(3)
            if fence == nil ? fences.contains(Array(mark)) : mark == fence {
                fence = fence == nil ? mark : nil
                lines.append(Array(line))
            } else if fence != nil || !mayHaveTags(line) || isCode(line) {
                lines.append(Array(line))
            } else {
                let cleaned = withoutTags(KramdownAttributes.removed(from: line)[...])
                // A line of nothing but tags is no blank line, which would end a paragraph.
                if !cleaned.isBlank { lines.append(cleaned) }
            }
        }
        return Array(lines.joined(separator: [.lineFeed]))
    }

    private static let fences = [Array("```".utf8), Array("~~~".utf8)]

    /// Whether a line is indented as code is, and has no attributes of a link.
    private static func isCode(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: Array("    ".utf8)) && line.position(of: Array("){:".utf8)) == nil
    }

    /// Whether a tag may begin somewhere, with `{%`, `{{`, `{:` or `{#`.
    private static func mayHaveTags(_ text: ArraySlice<UInt8>) -> Bool {
        var isAfterBrace = false
        for byte in text {
            if isAfterBrace, marks.contains(byte) { return true }
            isAfterBrace = byte == UInt8(ascii: "{")
        }
        return false
    }

    private static let marks = Array("%{:#".utf8)

    private static func withoutTags(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = line
        // What has no end here has none further on.
        var missing: Set<[UInt8]> = []
        while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
            result += rest[..<start]
            rest = rest[start...]
            let inner = rest.dropFirst(2)
            if let end = ends[Array(rest.prefix(2))], !missing.contains(end) {
                if let place = inner.position(of: end) {
                    result += meaning(of: inner[..<place])
                    rest = inner[(place + end.count)...]
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

    private static func meaning(of tag: ArraySlice<UInt8>) -> [UInt8] {
        let words = tag.split { $0.isASCIIWhitespace || $0 == UInt8(ascii: "-") }
        switch words.first?.text {
        case "highlight": return Array("```".utf8) + (words.count > 1 ? Array(words[1]) : [])
        case "endhighlight": return Array("```".utf8)
        default: return []
        }
    }
}
