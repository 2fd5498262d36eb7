import BlogMarkup

/// Prints documents as HTML like that of CommonMark's specification, for tests only.
struct HTMLPrinter {
    func html(_ document: Document) -> String { document.blocks.map { html($0, isTight: false) }.joined() }

    private func html(_ block: Block, isTight: Bool) -> String {
        switch block {
        case .heading(let level, let spans): "<h\(level)>\(html(spans))</h\(level)>\n"
        case .paragraph(let spans): isTight ? html(spans) + "\n" : "<p>\(html(spans))</p>\n"
        case .rule: "<hr />\n"
        case .quote(let blocks): "<blockquote>\n\(blocks.map { html($0, isTight: false) }.joined())</blockquote>\n"
        case .html(let text): text + "\n"
        case .element(_, let blocks): blocks.map { html($0, isTight: isTight) }.joined()
        case .definitions(let definitions): "<dl>\(definitions.count)</dl>\n"
        case .code(let text, let language, _):
            "<pre><code\(language.map { " class=\"language-\(escaped($0.split(separator: " ").first.map(String.init) ?? ""))\"" } ?? "")>\(escaped(text))</code></pre>\n"
        case .list(let numbers, let isTight, let items):
            list(numbers?.numbers.first, items.map { item($0, isTight) }.joined())
        case .table(let table): "<table>\(table.rows.count)</table>\n"
        }
    }

    private func list(_ start: Int?, _ items: String) -> String {
        guard let start else { return "<ul>\n\(items)</ul>\n" }
        return "<ol\(start == 1 ? "" : " start=\"\(start)\"")>\n\(items)</ol>\n"
    }

    private func item(_ blocks: [Block], _ isTight: Bool) -> String {
        var text = ""
        for (index, block) in blocks.enumerated() {
            var isParagraph = false
            if case .paragraph = block { isParagraph = true }
            let part = html(block, isTight: isTight)
            if isTight && isParagraph {
                text += index == blocks.count - 1 ? String(part.dropLast()) : part
            } else {
                text += (text.isEmpty ? "\n" : "") + part
            }
        }
        return "<li>\(text)</li>\n"
    }

    private func html(_ spans: [Span]) -> String {
        spans.map { span in
            switch span {
            case .text(let text): escaped(text)
            case .code(let text): "<code>\(escaped(text))</code>"
            case .emphasis(let spans): "<em>\(html(spans))</em>"
            case .strong(let spans): "<strong>\(html(spans))</strong>"
            case .strike(let spans): "<del>\(html(spans))</del>"
            case .link(let spans, let target, let title):
                "<a href=\"\(url(target))\"\(attribute(title))>\(html(spans))</a>"
            case .image(let spans, let source, let title, _):
                "<img src=\"\(url(source))\" alt=\"\(escaped(spans.plainText))\"\(attribute(title)) />"
            case .element(_, let spans): html(spans)
            case .checkbox: escaped([span].plainText)
            case .hardBreak: "<br />\n"
            case .softBreak: "\n"
            case .html(let text): text
            }
        }.joined()
    }

    private func attribute(_ title: String?) -> String { title.map { " title=\"\(escaped($0))\"" } ?? "" }

    private func url(_ text: String) -> String {
        let safe = Set("-_.+!*'(),%#@?=;:/&$~[]".utf8)
        return text.utf8.map { byte -> String in
            if byte == UInt8(ascii: "&") { return "&amp;" }
            let isPlain = byte < 0x80 && (UnicodeScalar(byte).properties.isAlphabetic || (0x30...0x39).contains(byte))
            if isPlain || safe.contains(byte) && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "]") {
                return String(UnicodeScalar(byte))
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
