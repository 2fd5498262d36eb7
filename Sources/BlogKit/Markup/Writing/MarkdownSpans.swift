import BlogEssentials

/// Writes the spans of a block as Markdown.
struct MarkdownSpans {
    /// Whether line breaks are written as tags, as in headings and cells.
    let onOneLine: Bool

    func text(_ spans: [Span]) -> String {
        let parts = parts(of: spans)
        let start = parts.firstIndex { !$0.isMargin } ?? parts.endIndex
        let end = parts.lastIndex { !$0.isMargin } ?? start
        // At the end of a block, the backslash of a line break would be text.
        return MarkdownEmphasis(parts[start..<min(end + 1, parts.endIndex)]).text
    }

    private func parts(of spans: [Span], _ styles: MarkdownStyles = []) -> [MarkdownPart] {
        var parts: [MarkdownPart] = []
        add(spans, styles, to: &parts)
        return parts
    }

    private func add(_ spans: [Span], _ styles: MarkdownStyles, to parts: inout [MarkdownPart]) {
        for span in spans {
            func add(_ text: String, isSpace: Bool = false) {
                // Neighbours must be what is read there.
                if !text.isEmpty { parts.append(MarkdownPart(text, styles, isSpace: isSpace)) }
            }
            func add(_ inner: [Span], _ style: MarkdownStyles = []) {
                self.add(inner, styles.union(style), to: &parts)
            }
            switch span {
            case .text(let text): parts += MarkdownPart.text(MarkdownEscape.text(text), styles)
            case .code(let text): if let code = MarkdownPart(code: text, styles) { parts.append(code) }
            case .emphasis(let inner): add(inner, .emphasis)
            case .strong(let inner): add(inner, .strong)
            case .strike(let inner): add(inner, .strike)
            case .link(let inner, let target, _) where LinkTarget.isHarmful(target): add(inner)
            case .link(let inner, let target, let title):
                let inner = self.parts(of: inner, styles)
                parts.append(MarkdownPart(link: inner, "](\(MarkdownEscape.target(target, title: title)))", styles))
            case .image(let inner, let source, let title, _):
                let text = MarkdownEmphasis(self.parts(of: inner)[...], inLinkWith: []).text
                add("![\(text)](\(MarkdownEscape.target(source, title: title)))")
            case .element(let kind, let inner):
                let (start, end) = Self.marks(of: kind)
                add(start)
                add(inner)
                add(end)
            case .checkbox(let isChecked): add(isChecked ? "[x]" : "[ ]")
            case .hardBreak: add(onOneLine ? "<br>" : "\\\n", isSpace: true)
            case .softBreak: add(onOneLine ? " " : "\n", isSpace: true)
            case .html(let text): add(Sanitizer.line(text))
            }
        }
    }

    private static func marks(of kind: InlineElement) -> (start: String, end: String) {
        switch kind {
        case .superscript: ("<sup>", "</sup>")
        case .subscript: ("<sub>", "</sub>")
        case .quotation(let isNested): isNested ? ("‘", "’") : ("“", "”")
        case .keyboard: ("<kbd>", "</kbd>")
        case .marked: ("<mark>", "</mark>")
        case .colored: ("", "")
        case .inserted: ("<ins>", "</ins>")
        case .abbreviation(let title, _): ("<abbr title=\"\(HTMLEscape.text(Sanitizer.line(title)))\">", "</abbr>")
        case .reading(hasParentheses: false): ("(", ")")
        case .ruby, .reading, .parenthesis, .part, .anchor: ("", "")
        }
    }
}

/// What of `*`, `**` and `~~` a text has around it.
struct MarkdownStyles: OptionSet, Hashable {
    let rawValue: UInt8

    // In the order of their marks, from outside, where these are in the same place: `***` reads as `*` outside of `**`.
    static let strike = Self(rawValue: 1)
    static let emphasis = Self(rawValue: 2)
    static let strong = Self(rawValue: 4)
    static let all = [strike, strong, emphasis]

    /// The mark of a single style.
    var mark: String { self == .strike ? "~~" : self == .strong ? "**" : "*" }
}

/// A part of a line of Markdown, without the marks of its styles.
struct MarkdownPart {
    let styles: MarkdownStyles
    /// Whether it is white space or a line break, which marks can't be next to on the inside.
    let isSpace: Bool
    /// The code without its backticks; nil for other parts.
    let code: String?
    private let start: String
    /// The text of a link; nil for other parts.
    private let inner: [MarkdownPart]?
    private let end: String

    /// - Parameter text: not empty.
    init(_ text: String, _ styles: MarkdownStyles, isSpace: Bool) {
        self.styles = styles
        self.isSpace = isSpace
        (code, start, inner, end) = (nil, text, nil, "")
    }

    /// Nil if nothing of the code is shown.
    init?(code: String, _ styles: MarkdownStyles) {
        self.styles = styles
        isSpace = false
        (self.code, start, inner, end) = (code, MarkdownEscape.code(code), nil, "")
        if start.isEmpty { return nil }
    }

    /// - Parameter end: what follows the text of the link.
    init(link inner: [MarkdownPart], _ end: String, _ styles: MarkdownStyles) {
        self.styles = styles
        isSpace = inner.allSatisfy(\.isSpace)
        (code, start, self.inner, self.end) = (nil, "[", inner, end)
    }

    /// Whether it has no meaning at the beginning or end of a block.
    var isMargin: Bool { isSpace && inner == nil && start.unicodeScalars.allSatisfy { $0.isASCII } }

    var isLink: Bool { inner != nil }
    var first: DelimiterSide { DelimiterSide(start.unicodeScalars.first) }
    var last: DelimiterSide { DelimiterSide((inner == nil ? start : end).unicodeScalars.last) }

    /// The Markdown.
    ///
    /// - Parameter outer: the styles that the text of a link has already.
    func text(with outer: MarkdownStyles) -> String {
        inner.map { start + MarkdownEmphasis($0[...], inLinkWith: outer).text + end } ?? start
    }

    /// Text with the white space around it.
    static func text(_ text: String, _ styles: MarkdownStyles) -> [MarkdownPart] {
        let scalars = text.unicodeScalars
        let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
        let last = scalars.lastIndex { !$0.properties.isWhitespace }
        let end = last.map { scalars.index(after: $0) } ?? start
        return [(scalars[..<start], true), (scalars[start..<end], false), (scalars[end...], true)]
            .filter { !$0.0.isEmpty }.map { MarkdownPart(String($0), styles, isSpace: $1) }
    }
}
