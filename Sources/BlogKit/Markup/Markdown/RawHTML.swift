import BlogEssentials
import BlogModel

/// Finds raw HTML in a paragraph of Markdown (https://spec.commonmark.org/0.31.2/#raw-html), which is stricter than HTML.
struct RawHTML {
    /// End marks that don't occur any more, so that a text full of unfinished tags takes linear time.
    private var missing: Set<String> = []

    /// The length of the HTML at the beginning of a text; nil if there is none.
    mutating func length(_ text: ArraySlice<UInt8>) -> Int? {
        guard let second = text.dropFirst().first else { return nil }
        switch second {
        case UInt8(ascii: "!"): return declaration(text)
        case UInt8(ascii: "?"): return end(of: text, by: "?>", from: 2)
        default: return tagLength(text)
        }
    }

    private mutating func declaration(_ text: ArraySlice<UInt8>) -> Int? {
        if text.starts(with: Array("<!--".utf8)) {
            let rest = text.dropFirst(4)
            if rest.first == UInt8(ascii: ">") { return 5 }
            if rest.starts(with: Array("->".utf8)) { return 6 }
            return end(of: text, by: "-->", from: 4)
        }
        if text.starts(with: Array("<![CDATA[".utf8)) { return end(of: text, by: "]]>", from: 9) }
        return text.dropFirst(2).first?.isASCIILetter == true ? end(of: text, by: ">", from: 2) : nil
    }

    /// The length up to and including an end mark.
    private mutating func end(of text: ArraySlice<UInt8>, by mark: String, from start: Int) -> Int? {
        guard !missing.contains(mark) else { return nil }
        let bytes = Array(mark.utf8)
        if let position = text.dropFirst(start).position(of: bytes) { return position + bytes.count - text.startIndex }
        missing.insert(mark)
        return nil
    }

    /// The length of the start or end tag at the beginning; nil if there is none.
    mutating func tagLength(_ text: ArraySlice<UInt8>) -> Int? {
        var rest = text.dropFirst()
        let isClosing = rest.first == UInt8(ascii: "/")
        if isClosing { rest.removeFirst() }
        guard text.first == UInt8(ascii: "<"), rest.first?.isASCIILetter == true else { return nil }
        rest = rest.drop { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
        while !isClosing, let attribute = afterAttribute(rest) { rest = attribute }
        rest = rest.drop(while: \.isASCIIWhitespace)
        if !isClosing, rest.first == UInt8(ascii: "/") { rest.removeFirst() }
        guard rest.first == UInt8(ascii: ">") else { return nil }
        return rest.startIndex + 1 - text.startIndex
    }

    private mutating func afterAttribute(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = text.drop(while: \.isASCIIWhitespace)
        guard rest.startIndex > text.startIndex, let first = rest.first,
            first.isASCIILetter || first == UInt8(ascii: "_") || first == UInt8(ascii: ":")
        else { return nil }
        rest = rest.drop { $0.isASCIIAlphanumeric || Self.nameSigns.contains($0) }
        let value = rest.drop(while: \.isASCIIWhitespace)
        guard value.first == UInt8(ascii: "=") else { return rest }
        let start = value.dropFirst().drop(while: \.isASCIIWhitespace)
        guard let quote = start.first else { return nil }
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard let length = end(of: start, by: String(UnicodeScalar(quote)), from: 1) else { return nil }
            return start.dropFirst(length)
        }
        let after = start.drop { !$0.isASCIIWhitespace && !Self.unquotedEnds.contains($0) }
        return after.startIndex > start.startIndex ? after : nil
    }

    private static let nameSigns = Array("_.:-".utf8)
    private static let unquotedEnds = Array("\"'=<>`".utf8)
}

/// The start of an HTML block of one of seven kinds (https://spec.commonmark.org/0.31.2/#html-blocks).
struct HTMLBlockStart {
    /// The marks that end the block; nil if a blank line does.
    private let end: [[UInt8]]?

    /// Nil if a line doesn't begin a block.
    ///
    /// - Parameter interrupts: whether the block would interrupt a paragraph, which only some kinds can.
    init?(_ line: ArraySlice<UInt8>, interrupts: Bool) {
        guard line.first == UInt8(ascii: "<"), let second = line.dropFirst().first else { return nil }
        let lower = line.prefix(Self.maxNameLength).map(\.lowercased)
        func begins(_ text: String) -> Bool { lower.starts(with: Array(text.utf8)) }
        if Self.raw.contains(where: { begins("<" + $0) && Self.endsName(lower, $0.utf8.count + 1) }) {
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

    var endsAtBlankLine: Bool { end == nil }

    /// Whether a line is the last of the block.
    func ends(with line: [UInt8]) -> Bool {
        guard let end else { return false }
        let lower = line.map(\.lowercased)
        return end.contains { lower.position(of: $0) != nil }
    }

    private static func endsName(_ line: [UInt8], _ index: Int) -> Bool {
        index >= line.count || line[index].isASCIIWhitespace || line[index] == UInt8(ascii: ">")
    }

    private static func isTag(_ line: ArraySlice<UInt8>) -> Bool {
        var scanner = RawHTML()
        return scanner.tagLength(line).map { line.dropFirst($0).isBlank } ?? false
    }

    private static func hasBlockName(_ line: [UInt8]) -> Bool {
        let start = line.dropFirst().first == UInt8(ascii: "/") ? 2 : 1
        let name = line.dropFirst(start).prefix { $0.isASCIIAlphanumeric }
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
