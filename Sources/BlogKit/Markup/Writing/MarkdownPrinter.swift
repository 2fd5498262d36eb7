import BlogEssentials

/// Writes a document as Markdown that parses to the same document.
package struct MarkdownPrinter {
    package init() {}

    /// The Markdown without a line feed at the end.
    package func text(_ document: Document) -> String {
        lines(document.blocks).map(Sanitizer.block).joined(separator: "\n")
    }

    /// - Parameter indent: the bytes before each line in the quotes and lists around it.
    private func lines(_ blocks: [Block], isTight: Bool = false, indent: Int = 0) -> [String] {
        var result: [String] = []
        for (index, block) in blocks.flattened.enumerated() {
            if index > 0 && !isTight { result.append("") }
            result += lines(block, indent)
        }
        return result
    }

    private func lines(_ block: Block, _ indent: Int) -> [String] {
        switch block {
        case .heading(let level, let spans):
            return [String(repeating: "#", count: level) + " " + MarkdownEscape.heading(text(spans, onOneLine: true))]
        case .paragraph(let spans): return paragraph(spans)
        case .rule: return ["---"]
        case .html(let text): return Self.lines(of: Sanitizer.block(text)).filter { !$0.isEmpty }
        case .quote(let blocks):
            guard indent + 2 <= Self.maxIndent else { return lines(blocks, indent: indent) }
            return lines(blocks, indent: indent + 2).map { $0.isEmpty ? ">" : "> " + $0 }
        case .element(_, let blocks): return lines(blocks, indent: indent)
        case .definitions(let definitions): return self.definitions(definitions, indent)
        case .code(let text, let language, _): return code(text, language)
        case .list(let numbers, let isTight, let items): return list(numbers, isTight, items, indent)
        case .table(let table):
            let rule = table.alignments.map { alignment in
                switch alignment {
                case nil: "---"
                case .left: ":--"
                case .center: ":-:"
                case .right: "--:"
                }
            }
            return [row(table.header), "| " + rule.joined(separator: " | ") + " |"] + table.rows.map(row)
        }
    }

    /// A list; where its numbers aren't consecutive, another delimiter begins a new one, because only the first number
    /// of a list counts in Markdown.
    private func list(_ numbers: ListNumbers?, _ isTight: Bool, _ items: [[Block]], _ indent: Int) -> [String] {
        var delimiter = "."
        return items.enumerated().flatMap { index, item -> [String] in
            let gap = index > 0 && !isTight ? [""] : []
            if numbers?.jump(at: index) != nil { delimiter = delimiter == "." ? ")" : "." }
            let marker = numbers.map { "\($0.numbers[index])\(delimiter) " } ?? "- "
            guard indent + marker.count <= Self.maxIndent else {
                return gap + lines(item, isTight: isTight, indent: indent)
            }
            let margin = String(repeating: " ", count: marker.count)
            let inner = lines(item, isTight: isTight, indent: indent + marker.count)
            let text = (inner.isEmpty ? [""] : inner).enumerated()
                .map { $1.isEmpty ? "" : ($0 == 0 ? marker : margin) + $1 }
            return gap + text
        }
    }

    /// Terms followed by lists of definitions, because Markdown has no definition lists.
    private func definitions(_ definitions: [Definition], _ indent: Int) -> [String] {
        var result: [String] = []
        for (index, definition) in definitions.enumerated() {
            if index > 0, definition.isTerm || definitions[index - 1].isTerm { result.append("") }
            result +=
                definition.isTerm
                ? lines(definition.blocks, indent: indent)
                : list(nil, definition.blocks.flattened.count == 1, [definition.blocks], indent)
        }
        return result
    }

    private func paragraph(_ spans: [Span]) -> [String] {
        // With leading spaces the line would be code, and trailing ones would be a line break.
        Self.lines(of: text(spans)).map { $0.trimmed { $0 == " " } }.filter { !$0.isEmpty }
            .map(MarkdownEscape.lineStart)
    }

    private func code(_ text: String, _ language: String?) -> [String] {
        let code = Sanitizer.block(text)
        // The fence is longer than any run of backticks in the code.
        let fence = String(repeating: "`", count: max(MarkdownEscape.longestRun(of: "`", in: code) + 1, 3))
        let lines = Self.lines(of: code)
        let name = Sanitizer.line(language ?? "").replacing(scalar: "`", with: "")
        return [fence + name] + (lines.last == "" ? lines.dropLast() : lines) + [fence]
    }

    private func row(_ cells: [[Span]]) -> String {
        "| " + cells.map { MarkdownEscape.cell(text($0, onOneLine: true)) }.joined(separator: " | ") + " |"
    }

    private func text(_ spans: [Span], onOneLine: Bool = false) -> String {
        MarkdownSpans(onOneLine: onOneLine).text(spans)
    }

    private static func lines(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// With more, a few bytes could become a long line each.
    private static let maxIndent = 15
}

/// Escapes text for Markdown, by scalars, because a Character may hide a delimiter under a combining mark.
package enum MarkdownEscape {
    /// Text on one line, without markup.
    package static func text(_ text: String) -> String {
        let escaped = escapingSpecial(Sanitizer.line(text))
            // Jekyll would read these as its own.
            .replacing("{{", with: "{\\{").replacing("{%", with: "{\\%")
        // Followed by a link it would begin an image.
        return escaped.unicodeScalars.last == "!" ? escaped.dropLastScalar + "\\!" : escaped
    }

    /// Text with a backslash before what has a meaning, but for what has none within a word: programs that make links of bare
    /// addresses would end them there.
    private static func escapingSpecial(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: special.contains) else { return text }
        var escaped: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isInWord = index > 0 && bytes[index - 1].isASCIIAlphanumeric
            let rest = bytes[(index + 1)...]
            let isPlain =
                switch byte {
                case UInt8(ascii: "_"): isInWord && rest.first?.isASCIIAlphanumeric == true
                // No reference, which ends in a semicolon.
                case UInt8(ascii: "&"):
                    isInWord && rest.first { !$0.isASCIIAlphanumeric }.map { !";#".utf8.contains($0) } == true
                default: !special.contains(byte)
                }
            if !isPlain { escaped.append(UInt8(ascii: "\\")) }
            escaped.append(byte)
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static let special = Set("\\`*_[]<&~".utf8)

    /// A line of a paragraph, escaped if it would begin another block.
    package static func lineStart(_ line: String) -> String {
        let scalars = line.unicodeScalars
        let digits = scalars.prefix { ("0"..."9").contains($0) }
        if !digits.isEmpty, let delimiter = scalars[digits.endIndex...].first, [".", ")"].contains(delimiter) {
            return String(digits) + "\\" + String(scalars[digits.endIndex...])
        }
        let begins = scalars.first.map { blockStarts.contains($0) } ?? false
        return begins ? "\\" + line : line
    }

    private static let blockStarts: Set<Unicode.Scalar> = ["#", "+", "-", ">", "=", "|", ":"]

    /// The text of a heading, with a trailing number sign escaped, which would be ignored.
    package static func heading(_ text: String) -> String {
        let rest = text.unicodeScalars.reversed().drop { $0 == "#" }
        let hasSigns = text.unicodeScalars.last == "#" && (rest.first ?? " ") == " "
        return hasSigns ? text.dropLastScalar + "\\#" : text
    }

    /// A trimmed line or part of one between spaces, as marks without text would be shown.
    package static func emphasis(_ markdown: String) -> String { markdown.isEmpty ? "" : "*\(markdown)*" }
    package static func strong(_ markdown: String) -> String { markdown.isEmpty ? "" : "**\(markdown)**" }

    package static func cell(_ markdown: String) -> String { markdown.replacing(scalar: "|", with: "\\|") }

    /// Code between backticks, one more than its longest run of them.
    package static func code(_ text: String) -> String {
        let line = Sanitizer.line(text)
        guard !line.isEmpty else { return "" }
        let fence = String(repeating: "`", count: longestRun(of: "`", in: line) + 1)
        let ends = [line.unicodeScalars.first, line.unicodeScalars.last]
        // Parsers remove one space from both ends, unless the code consists of spaces.
        let isPadded = ends.contains("`") || ends == [" ", " "] && line.unicodeScalars.contains { $0 != " " }
        return isPadded ? "\(fence) \(line) \(fence)" : fence + line + fence
    }

    package static func longestRun(of scalar: Unicode.Scalar, in text: String) -> Int {
        var (longest, run) = (0, 0)
        for next in text.unicodeScalars {
            run = next == scalar ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// The target and title of a link, to be enclosed in parentheses.
    package static func target(_ target: String, title: String? = nil, inBrackets: Bool = false) -> String {
        let shown = MarkdownTarget.text(LinkTarget.written(target), inBrackets: inBrackets)
        guard let title else { return shown }
        let text = MarkdownTarget.withoutEntities(Sanitizer.line(title).escaping { $0 == "\\" || $0 == "\"" })
        return shown + " \"\(text)\""
    }
}

extension String {
    fileprivate var dropLastScalar: String { String(unicodeScalars.dropLast()) }
}
