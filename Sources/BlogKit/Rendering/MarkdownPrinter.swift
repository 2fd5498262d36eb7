/// A document as clean Markdown, from which the same document can be read again.
package struct MarkdownPrinter {
    package init() {}

    /// The Markdown, its blocks apart by one blank line, without a line break at the end.
    package func text(_ document: Document) -> String {
        lines(document.blocks).map(Sanitizer.block).joined(separator: "\n")
    }

    private func lines(_ blocks: [Block], isTight: Bool = false) -> [String] {
        var result: [String] = []
        for (index, block) in blocks.enumerated() {
            if index > 0 && !isTight { result.append("") }
            result += lines(block)
        }
        return result
    }

    private func lines(_ block: Block) -> [String] {
        switch block {
        case .heading(let level, let spans):
            return [String(repeating: "#", count: level) + " " + text(spans).replacing("\n", with: " ")]
        case .paragraph(let spans): return text(spans).split(separator: "\n").map { Self.guarded(String($0)) }
        case .rule: return ["---"]
        case .html(let text): return text.split(separator: "\n").map(String.init)
        case .quote(let blocks): return lines(blocks).map { $0.isEmpty ? ">" : "> " + $0 }
        case .code(let text, let language): return code(text, language)
        case .list(let start, let isTight, let items):
            return items.enumerated().flatMap { index, item -> [String] in
                let marker = start.map { "\($0 + index). " } ?? "- "
                let margin = String(repeating: " ", count: marker.count)
                let inner = lines(item, isTight: isTight)
                let text = (inner.isEmpty ? [""] : inner).enumerated()
                    .map { $1.isEmpty ? "" : ($0 == 0 ? marker : margin) + $1 }
                return (index > 0 && !isTight ? [""] : []) + text
            }
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

    private func code(_ text: String, _ language: String?) -> [String] {
        // The fence is longer than any run of backticks in the code.
        var (longest, run) = (2, 0)
        for character in text {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return [fence + (language ?? "")] + (lines.last == "" ? lines.dropLast() : lines) + [fence]
    }

    private func row(_ cells: [[Span]]) -> String {
        "| "
            + cells.map {
                text($0).replacing("|", with: "\\|").replacing("\\\n", with: "<br>").replacing("\n", with: " ")
            }.joined(separator: " | ")
            + " |"
    }

    private func text(_ spans: [Span]) -> String {
        spans.map { span in
            switch span {
            case .text(let text): Self.escaped(Sanitizer.block(text))
            case .code(let text): code(text)
            case .emphasis(let inner): "*\(text(inner))*"
            case .strong(let inner): "**\(text(inner))**"
            case .strike(let inner): "~~\(text(inner))~~"
            case .link(let inner, let target, let title):
                LinkTarget.isHarmful(target) ? text(inner) : "[\(text(inner))](\(Self.target(target, title)))"
            case .image(let inner, let source, let title): "![\(text(inner))](\(Self.target(source, title)))"
            case .hardBreak: "\\\n"
            case .softBreak: "\n"
            case .html(let text): text
            }
        }.joined()
    }

    private func code(_ text: String) -> String {
        guard text.contains("`") else { return "`\(text)`" }
        return "`` \(text) ``"
    }

    private static func target(_ target: String, _ title: String?) -> String {
        let needsBrackets = target.contains { $0 == " " || $0 == "(" || $0 == ")" } || target.isEmpty
        let safe = needsBrackets ? "<\(target.replacing("<", with: "%3C").replacing(">", with: "%3E"))>" : target
        return safe + (title.map { " \"\($0.replacing("\"", with: "\\\""))\"" } ?? "")
    }

    private static func escaped(_ text: String) -> String {
        let special: Set<Character> = ["\\", "`", "*", "_", "[", "]", "<", "&", "~"]
        return text.contains(where: special.contains)
            ? String(text.flatMap { special.contains($0) ? ["\\", $0] : [$0] }) : text
    }

    /// A line that would begin a block of another kind gets an escape in front of what would do so.
    private static func guarded(_ line: String) -> String {
        let start = line.prefix { $0.isNumber }
        if !start.isEmpty, let mark = line.dropFirst(start.count).first, mark == "." || mark == ")" {
            return start + "\\" + line.dropFirst(start.count)
        }
        return ["#", "+", "-", ">", "=", "|"].contains { line.hasPrefix($0) } ? "\\" + line : line
    }
}
