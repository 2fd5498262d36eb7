import Foundation

/// The tags of static-site generators (https://shopify.github.io/liquid) that are left in the Markdown of posts, as
/// ``KramdownAttributes`` are.
enum Liquid {
    /// The text with `{% highlight %}` as fenced code, and without all other tags; code stays as it is.
    static func removed(from text: String) -> String {
        guard mayHaveTags(text) else { return text }
        var fence: Substring?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
            let start = line.drop { $0 == " " }
            if let open = fence {
                if start.hasPrefix(open) { fence = nil }
                return String(line)
            }
            if start.hasPrefix("```") || start.hasPrefix("~~~") {
                fence = start.prefix(3)
                return String(line)
            }
            guard mayHaveTags(line), !line.hasPrefix("    ") || line.contains("){:") else {
                return String(line)
            }
            let cleaned = withoutTags(KramdownAttributes.removed(from: line)[...])
            // A line of nothing but tags is no blank line, which would end a paragraph.
            return cleaned.allSatisfy(\.isWhitespace) ? nil : cleaned
        }
        return lines.joined(separator: "\n")
    }

    /// Whether a tag may begin somewhere, with `{%`, `{{`, `{:` or `{#`.
    ///
    /// By bytes: Foundation's search takes longer than all else that is done to a long text.
    private static func mayHaveTags(_ text: some StringProtocol) -> Bool {
        var isAfterBrace = false
        for byte in text.utf8 {
            if isAfterBrace, marks.contains(byte) { return true }
            isAfterBrace = byte == UInt8(ascii: "{")
        }
        return false
    }

    private static let marks = Array("%{:#".utf8)

    private static func withoutTags(_ line: Substring) -> String {
        var result = ""
        var rest = line
        while let start = rest.firstIndex(of: "{") {
            let mark = rest[start...].prefix(2)
            let end = mark == "{%" ? "%}" : mark == "{{" ? "}}" : ""
            result += rest[..<start]
            rest = rest[start...]
            guard !end.isEmpty else {
                result.append(rest.removeFirst())
                continue
            }
            // What has no end here has none further on.
            guard let range = rest.range(of: end) else { break }
            result += meaning(of: rest[..<range.lowerBound].dropFirst(2))
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    private static func meaning(of tag: Substring) -> String {
        let words = tag.split { $0.isWhitespace || $0 == "-" }
        switch words.first {
        case "highlight": return "```" + (words.count > 1 ? words[1] : "")
        case "endhighlight": return "```"
        default: return ""
        }
    }
}
