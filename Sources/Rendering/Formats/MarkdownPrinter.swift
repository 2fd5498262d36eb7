import Foundation
import Markup

/// A document as clean Markdown, from which the same document can be read again.
package struct MarkdownPrinter {
    package init() {}

    /// The Markdown, its blocks apart by one blank line, without a line break at the end.
    package func text(_ document: Document) -> String {
        lines(document.blocks).map(Sanitizer.block).joined(separator: "\n")
    }

    /// - Parameter indent: how many bytes stand in front of each line for what the blocks are in.
    private func lines(_ blocks: [Block], isTight: Bool = false, indent: Int = 0) -> [String] {
        var result: [String] = []
        for (index, block) in blocks.enumerated() {
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
        case .definitions(let definitions): return self.definitions(definitions, indent)
        case .code(let text, let language): return code(text, language)
        case .list(let start, let isTight, let items): return list(start, isTight, items, indent)
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

    private func list(_ start: Int?, _ isTight: Bool, _ items: [[Block]], _ indent: Int) -> [String] {
        items.enumerated().flatMap { index, item -> [String] in
            let gap = index > 0 && !isTight ? [""] : []
            let marker = start.map { "\($0 + index). " } ?? "- "
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

    /// Terms with lists below them, as Markdown has nothing for them.
    private func definitions(_ definitions: [Definition], _ indent: Int) -> [String] {
        var result: [String] = []
        for (index, definition) in definitions.enumerated() {
            let isNextOfTerm = index > 0 && !definition.isTerm && !definitions[index - 1].isTerm
            if index > 0, !isNextOfTerm { result.append("") }
            result +=
                definition.isTerm
                ? lines(definition.blocks, indent: indent)
                : list(nil, definition.blocks.count == 1, [definition.blocks], indent)
        }
        return result
    }

    private func paragraph(_ spans: [Span]) -> [String] {
        // Space at the beginning of a line can mean code, at its end a break; inside a paragraph it means nothing.
        Self.lines(of: text(spans)).map { $0.trimmingCharacters(in: Self.space) }.filter { !$0.isEmpty }
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

    /// - Parameter onOneLine: whether line breaks have to be something else.
    private func text(_ spans: [Span], onOneLine: Bool = false) -> String {
        spans.map { span in
            switch span {
            case .text(let text): MarkdownEscape.text(text)
            case .code(let text): MarkdownEscape.code(text)
            case .emphasis(let inner): "*\(text(inner, onOneLine: onOneLine))*"
            case .strong(let inner): "**\(text(inner, onOneLine: onOneLine))**"
            case .strike(let inner): "~~\(text(inner, onOneLine: onOneLine))~~"
            case .link(let inner, let target, let title):
                LinkTarget.isHarmful(target)
                    ? text(inner, onOneLine: onOneLine)
                    : "[\(text(inner, onOneLine: onOneLine))](\(MarkdownEscape.target(target, title: title)))"
            case .image(let inner, let source, let title):
                "![\(text(inner, onOneLine: onOneLine))](\(MarkdownEscape.target(source, title: title)))"
            case .element(let kind, let inner): element(kind, text(inner, onOneLine: onOneLine))
            case .checkbox(let isChecked): isChecked ? "[x]" : "[ ]"
            case .hardBreak: onOneLine ? "<br>" : "\\\n"
            case .softBreak: onOneLine ? " " : "\n"
            case .html(let text): Sanitizer.line(text)
            }
        }.joined()
    }

    /// A tag, which Markdown may have inside its text.
    private func element(_ kind: InlineElement, _ text: String) -> String {
        switch kind {
        case .superscript: "<sup>\(text)</sup>"
        case .subscript: "<sub>\(text)</sub>"
        case .quotation(let isNested): isNested ? "‘\(text)’" : "“\(text)”"
        case .keyboard: "<kbd>\(text)</kbd>"
        case .marked: "<mark>\(text)</mark>"
        case .inserted: "<ins>\(text)</ins>"
        case .abbreviation(let title): "<abbr title=\"\(HTMLEscape.text(Sanitizer.line(title)))\">\(text)</abbr>"
        }
    }

    private static func lines(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// What is deeper inside is written like what is around it, as else a few bytes there would be a long line each.
    private static let maxIndent = 15
    private static let space = CharacterSet(charactersIn: " ")
}
