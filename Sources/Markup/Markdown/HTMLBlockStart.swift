/// The seven kinds of HTML block of https://spec.commonmark.org/0.30/#html-blocks, by how they begin.
struct HTMLBlockStart {
    /// What ends the block; nil for a blank line.
    private let end: [[UInt8]]?

    /// The block that a line begins; nil for none.
    ///
    /// - Parameter interrupts: whether it would end a paragraph, which a tag of an unknown name doesn't.
    init?(_ line: ArraySlice<UInt8>, interrupts: Bool) {
        guard line.first == UInt8(ascii: "<"), let second = line.dropFirst().first else { return nil }
        let lower = line.prefix(Self.maxNameLength).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        func begins(_ text: String) -> Bool { lower.starts(with: Array(text.utf8)) }
        if let name = Self.raw.first(where: { begins("<" + $0) && Self.endsName(lower, $0.utf8.count + 1) }) {
            _ = name
            end = Self.raw.map { Array("</\($0)>".utf8) }
        } else if begins("<!--") {
            end = [Array("-->".utf8)]
        } else if second == UInt8(ascii: "?") {
            end = [Array("?>".utf8)]
        } else if begins("<![cdata[") {
            end = [Array("]]>".utf8)]
        } else if second == UInt8(ascii: "!"), line.dropFirst(2).first?.isASCIILetter == true {
            end = [[UInt8(ascii: ">")]]
        } else if Self.hasBlockName(lower) {
            end = nil
        } else if !interrupts, Self.isTag(line) {
            end = nil
        } else {
            return nil
        }
    }

    /// Whether a blank line ends it.
    var endsAtBlankLine: Bool { end == nil }

    /// Whether it ends with a line.
    func ends(with line: [UInt8]) -> Bool {
        guard let end else { return false }
        let lower = line.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return end.contains { lower.position(of: $0) != nil }
    }

    private static func endsName(_ line: [UInt8], _ index: Int) -> Bool {
        index >= line.count || line[index].isASCIIWhitespace || line[index] == UInt8(ascii: ">")
    }

    private static func isTag(_ line: ArraySlice<UInt8>) -> Bool {
        var scanner = InlineHTML()
        return scanner.tagLength(line).map { line.dropFirst($0).isBlank } ?? false
    }

    private static func hasBlockName(_ line: [UInt8]) -> Bool {
        let start = line.dropFirst().first == UInt8(ascii: "/") ? 2 : 1
        let name = line.dropFirst(start).prefix { $0.isASCIILetter || $0.isDigit }
        let rest = line.dropFirst(start + name.count)
        let isEnded = rest.first.map { $0.isASCIIWhitespace || $0 == UInt8(ascii: ">") } ?? true
        return (isEnded || rest.starts(with: Array("/>".utf8))) && names.contains(name.text)
    }

    private static let maxNameLength = 32
    private static let raw = ["script", "pre", "style", "textarea"]
    private static let names: Set<String> = [
        "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup",
        "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
        "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend",
        "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param",
        "section", "source", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
    ]
}
