import Foundation

/// The tags of static-site generators (https://shopify.github.io/liquid) and kramdown's attributes
/// (https://kramdown.gettalong.org/syntax.html#attribute-list-definitions) that are left in the Markdown of posts.
enum Liquid {
    /// The text with `{% highlight %}` as fenced code, and without all other tags; code stays as it is.
    static func removed(from text: String) -> String {
        guard marks.contains(where: text.contains) else { return text }
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
            guard marks.contains(where: line.contains), !line.hasPrefix("    ") || line.contains("){:") else {
                return String(line)
            }
            let cleaned = withoutTags(withoutAttributes(line)[...])
            // A line of nothing but tags is no blank line, which would end a paragraph.
            return cleaned.allSatisfy(\.isWhitespace) ? nil : cleaned
        }
        return lines.joined(separator: "\n")
    }

    private static let marks = ["{%", "{{", "{:", "{#"]

    /// The line without `{: .class}` behind anything and `{#id}` after a heading, but for those in code.
    private static func withoutAttributes(_ line: Substring) -> String {
        guard line.contains("{:") || line.contains("{#") else { return String(line) }
        let line = String(line)
        var result = line
        for match in line.matches(of: #/\{:\s*(?:(?:[.#][\w-]+|[\w-]+=(?:"[^"]*"|'[^']*')|toc|\w+)\s*)+\}/#).reversed()
        where !isInCode(match.range.lowerBound, of: line) {
            result.replaceSubrange(match.range, with: "")
        }
        return line.hasPrefix("#") ? result.replacing(#/\s*\{#[\w-]+\}\s*$/#, with: "") : result
    }

    private static func isInCode(_ index: String.Index, of line: String) -> Bool {
        line[..<index].count { $0 == "`" } % 2 == 1
    }

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
