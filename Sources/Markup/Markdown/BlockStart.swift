/// How blocks are known by their first line; what is looked at has no indent.
enum BlockStart {
    /// The level of `# heading` and what stands in it.
    static func heading(_ line: ArraySlice<UInt8>) -> (level: Int, text: [UInt8])? {
        let level = line.prefix { $0 == UInt8(ascii: "#") }.count
        let rest = line.dropFirst(level)
        guard (1...6).contains(level), rest.first?.isSpaceOrTab ?? true else { return nil }
        var text = rest.trimmed
        // A closing run of # is none of the heading's text where a space stands before it.
        let closed = text.reversed().drop { $0 == UInt8(ascii: "#") }
        if closed.isEmpty {
            text = []
        } else if closed.first?.isSpaceOrTab == true {
            text = text.prefix(closed.count).trimmed
        }
        return (level, Array(text))
    }

    /// The level of a heading that the line before it becomes: `===` or `---`.
    static func underline(_ line: ArraySlice<UInt8>) -> Int? {
        let text = line.trimmed
        guard let first = text.first, let level = [UInt8(ascii: "="): 1, UInt8(ascii: "-"): 2][first],
            text.allSatisfy({ $0 == first }), line.first == first
        else { return nil }
        return level
    }

    /// Whether a line is a rule: three or more of one of `*-_`.
    static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first, [UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(first) else {
            return false
        }
        var count = 0
        for byte in line {
            if byte == first {
                count += 1
            } else if !byte.isASCIIWhitespace {
                return false
            }
        }
        return count >= 3
    }

    /// The fence that a line begins.
    static func fence(_ line: ArraySlice<UInt8>, indent: Int) -> Fence? {
        guard let first = line.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return nil }
        let length = line.prefix { $0 == first }.count
        let info = line.dropFirst(length).trimmed
        guard length >= 3, first == UInt8(ascii: "~") || !info.contains(first) else { return nil }
        return Fence(character: first, length: length, indent: indent, info: InlineText.unescaped(Array(info)))
    }

    /// Whether a line ends a fenced block.
    static func ends(_ fence: Fence, _ line: ArraySlice<UInt8>) -> Bool {
        let length = line.prefix { $0 == fence.character }.count
        return length >= fence.length && line.dropFirst(length).isBlank
    }

    /// The marker of a list's item and how many characters it has.
    static func item(_ line: ArraySlice<UInt8>) -> (marker: ListMarker, length: Int)? {
        guard let first = line.first else { return nil }
        var (marker, length) = (ListMarker(character: first, number: nil), 1)
        if first.isDigit {
            let digits = line.prefix { $0.isDigit }
            guard digits.count <= 9, let end = line.dropFirst(digits.count).first,
                end == UInt8(ascii: ".") || end == UInt8(ascii: ")")
            else { return nil }
            (marker, length) = (ListMarker(character: end, number: Int(digits.text)), digits.count + 1)
        } else if ![UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*")].contains(first) {
            return nil
        }
        guard line.dropFirst(length).first?.isASCIIWhitespace ?? true else { return nil }
        return (marker, length)
    }
}

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
