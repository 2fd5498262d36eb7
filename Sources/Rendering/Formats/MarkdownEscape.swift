import Markup

/// Text put into Markdown so that it is read as the text that it was.
///
/// Everything here works on scalars: Characters hide a mark that a combining character follows.
enum MarkdownEscape {
    /// Text inside a block, on one line, nothing in which begins a span.
    static func text(_ text: String) -> String {
        let escaped = Sanitizer.line(text).escaping(special.contains)
        // In front of a link it would make an image of it.
        return escaped.unicodeScalars.last == "!" ? escaped.dropLastScalar + "\\!" : escaped
    }

    private static let special: Set<Unicode.Scalar> = ["\\", "`", "*", "_", "[", "]", "<", "&", "~"]

    /// A line that would begin a block of another kind, with an escape in front of what would do so.
    static func lineStart(_ line: String) -> String {
        let scalars = line.unicodeScalars
        let digits = scalars.prefix { ("0"..."9").contains($0) }
        if !digits.isEmpty, let mark = scalars[digits.endIndex...].first, mark == "." || mark == ")" {
            return String(digits) + "\\" + String(scalars[digits.endIndex...])
        }
        let begins = scalars.first.map { blockStarts.contains($0) } ?? false
        return begins ? "\\" + line : line
    }

    private static let blockStarts: Set<Unicode.Scalar> = ["#", "+", "-", ">", "=", "|", ":"]

    /// The text of a heading; number signs after a space at its end would be none of it.
    static func heading(_ text: String) -> String {
        let rest = text.unicodeScalars.reversed().drop { $0 == "#" }
        let hasSigns = text.unicodeScalars.last == "#" && (rest.first ?? " ") == " "
        return hasSigns ? text.dropLastScalar + "\\#" : text
    }

    /// A cell of a table; the only thing that can end it is a pipe.
    static func cell(_ markdown: String) -> String { markdown.replacing(scalar: "|", with: "\\|") }

    /// Code between backticks, more of them than are in it side by side.
    static func code(_ text: String) -> String {
        let line = Sanitizer.line(text)
        guard !line.isEmpty else { return "" }
        let fence = String(repeating: "`", count: longestRun(of: "`", in: line) + 1)
        let ends = [line.unicodeScalars.first, line.unicodeScalars.last]
        // One space on both sides is taken off by who reads it, unless there is nothing else.
        let isPadded = ends.contains("`") || ends == [" ", " "] && line.unicodeScalars.contains { $0 != " " }
        return isPadded ? "\(fence) \(line) \(fence)" : fence + line + fence
    }

    /// How often a scalar stands side by side at most.
    static func longestRun(of scalar: Unicode.Scalar, in text: String) -> Int {
        var (longest, run) = (0, 0)
        for next in text.unicodeScalars {
            run = next == scalar ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// What a link leads to, and its title, as they stand between parentheses.
    static func target(_ target: String, title: String? = nil, inBrackets: Bool = false) -> String {
        let encoded = withoutEntities(target.replacing(scalar: "\\", with: "\\\\")).mapScalars(percentEncoded)
        let needsBrackets =
            inBrackets || encoded.isEmpty || encoded.unicodeScalars.contains { [" ", "(", ")"].contains($0) }
        let shown = needsBrackets ? "<\(encoded)>" : encoded
        guard let title else { return shown }
        let text = withoutEntities(Sanitizer.line(title).escaping { $0 == "\\" || $0 == "\"" })
        return shown + " \"\(text)\""
    }

    private static func percentEncoded(_ scalar: Unicode.Scalar) -> String? {
        guard scalar == "<" || scalar == ">" || Sanitizer.isControl(scalar) || Sanitizer.isBidiControl(scalar) else {
            return nil
        }
        return String(scalar).utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            .uppercased()
    }

    /// The text with ampersands escaped where one would be read as the beginning of an entity.
    private static func withoutEntities(_ text: String) -> String {
        InlineText.unescaped(Array(text.utf8), hasEscapes: false) == text
            ? text : text.replacing(scalar: "&", with: "\\&")
    }
}

extension String {
    fileprivate var dropLastScalar: String { String(unicodeScalars.dropLast()) }
}
