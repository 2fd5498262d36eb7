/// Turns MathML into text with superscripts and subscripts: `(a+b)/2`, `√x`, `x²`.
struct MathBuilder {
    private struct Frame {
        let name: String
        let attributes: ElementAttributes
        var parts: [Part] = []
    }

    private struct Part {
        let spans: [Span]
        var kind = Kind.other
    }

    private enum Kind {
        /// A word, such as the name of a function, which needs a space before a letter.
        case word
        /// Several things next to each other, such as `RC` or `a+b`.
        case row
        case fraction
        case root
        case power
        case other
    }

    private var frames: [Frame]
    /// The formula in TeX; "" if unknown.
    private var source: String
    /// Whether the formula is hard to read on one line, so that TeX is better.
    private var isRough = false

    init(_ attributes: ElementAttributes) {
        frames = [Frame(name: "math", attributes: attributes)]
        source = attributes["alttext"] ?? ""
    }

    mutating func add(text: String) {
        let frame = frames[frames.count - 1]
        if frame.name == "annotation" {
            let isTeX = frame.attributes["encoding"]?.lowercased().contains("tex") ?? false
            if isTeX, frames[0].attributes["alttext"] == nil { source += text }
            return
        }
        // Invisible operators, such as multiplication.
        let visible = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { !(0x2061...0x2064).contains($0.value) }))
        let words = visible.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !words.isEmpty else { return }
        let (start, end) = (visible.first?.isWhitespace == true, visible.last?.isWhitespace == true)
        let shown = frame.name == "mtext" ? (start ? " " : "") + words + (end ? " " : "") : words
        frames[frames.count - 1].parts.append(Part(spans: [.text(shown)]))
    }

    mutating func open(_ name: String, _ attributes: ElementAttributes) {
        if name == "mspace" { frames[frames.count - 1].parts.append(Part(spans: [.text(" ")])) }
        guard !Self.empty.contains(name), frames.count < InlineBuilder.maxDepth else { return }
        if Self.rough.contains(name) { isRough = true }
        frames.append(Frame(name: name, attributes: attributes))
    }

    /// Handles an end tag; true if it ends the formula.
    mutating func close(_ name: String) -> Bool {
        guard let index = frames.lastIndex(where: { $0.name == name }) else { return false }
        guard index > 0 else { return true }
        while frames.count > index { closeLast() }
        return false
    }

    mutating func finish() -> [Span] {
        while frames.count > 1 { closeLast() }
        var spans = joined(frames[0].parts)
        if case .text(let text)? = spans.first { spans[0] = .text(String(text.drop { $0 == " " })) }
        if case .text(let text)? = spans.last, text.last == " " {
            spans[spans.count - 1] = .text(String(text.dropLast()))
        }
        let source = Self.withoutWrapper(source)
        return source.isEmpty || !isRough && !spans.isEmpty ? spans : [.text(source)]
    }

    private mutating func closeLast() {
        let frame = frames.removeLast()
        guard !Self.hidden.contains(frame.name) else { return }
        let spans = self.spans(frame)
        frames[frames.count - 1].parts.append(Part(spans: spans, kind: kind(of: frame, spans)))
    }

    private func kind(of frame: Frame, _ spans: [Span]) -> Kind {
        switch frame.name {
        case "mfrac": return .fraction
        case "msqrt", "mroot": return .root
        case "msup", "msubsup": return .power
        case _ where Self.groups.contains(frame.name): return kind(ofRow: frame.parts)
        case _ where Self.tokens.contains(frame.name):
            let text = spans.plainText
            return text.count > 1 && text.allSatisfy(\.isLetter) ? .word : .other
        default: return .other
        }
    }

    /// The kind of an element that only holds others: that of what it holds alone, if it does.
    private func kind(ofRow parts: [Part]) -> Kind {
        let shown = parts.filter { !$0.spans.isEmpty }
        return shown.count > 1 ? .row : shown.first?.kind ?? .other
    }

    // MARK: Elements

    private func spans(_ frame: Frame) -> [Span] {
        let parts = frame.parts
        func part(_ index: Int) -> [Span] { index < parts.count ? parts[index].spans : [] }
        switch frame.name {
        case "semantics": return part(0)
        case "msqrt": return [.text("√")] + grouped(joined(parts), kind(ofRow: parts))
        case "mfenced": return fenced(frame)
        case "mtable": return joined(parts, separator: "; ")
        case "mtr", "mlabeledtr": return joined(parts, separator: ", ")
        case "mfrac" where parts.count == 2:
            let isBinomial = ["0", "0px", "0pt", "0em"].contains(frame.attributes["linethickness"] ?? "")
            return grouped(part(0)) + [.text(isBinomial ? " choose " : "/")] + grouped(part(1), parts[1].kind)
        case "mroot" where parts.count == 2:
            return script(.superscript, part(1)) + [.text("√")] + grouped(part(0), parts[0].kind)
        case "msup" where parts.count == 2: return base(parts[0]) + script(.superscript, part(1))
        case "mover" where parts.count == 2:
            return accented(part(0), part(1)) ?? part(0) + script(.superscript, part(1))
        case "msub" where parts.count == 2, "munder" where parts.count == 2:
            return part(0) + script(.subscript, part(1))
        case "msubsup" where parts.count == 3, "munderover" where parts.count == 3:
            return base(parts[0]) + script(.subscript, part(1)) + script(.superscript, part(2))
        default: return joined(parts)
        }
    }

    private func script(_ element: InlineElement, _ inner: [Span]) -> [Span] {
        // A prime is already raised.
        if inner.isEmpty || inner.count == 1 && ["′", "″", "'"].contains(inner.plainText) { return inner }
        return [.element(element, inner)]
    }

    private func fenced(_ frame: Frame) -> [Span] {
        let (open, close) = (frame.attributes["open"] ?? "(", frame.attributes["close"] ?? ")")
        let separator = frame.attributes["separators"] ?? ","
        return [.text(open)] + joined(frame.parts, separator: separator.first.map { "\($0) " } ?? "") + [.text(close)]
    }

    /// A part of a fraction or root, in parentheses unless it is a single word or number.
    ///
    /// - Parameter kind: `row` for what would be taken apart without them, as in `1/RC`.
    private func grouped(_ spans: [Span], _ kind: Kind = .other) -> [Span] {
        let isWord =
            kind != .row
            && spans.plainText.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "√" || $0 == "^" }
        return isWord ? spans : enclosed(spans)
    }

    /// What a power is of, in parentheses unless the exponent can't be taken for that of its last part alone.
    private func base(_ part: Part) -> [Span] {
        switch part.kind {
        case .row, .fraction, .root, .power: enclosed(part.spans)
        case .word, .other: part.spans
        }
    }

    /// Spans in parentheses, unless they are in some already.
    private func enclosed(_ spans: [Span]) -> [Span] {
        spans.plainText.isEnclosed ? spans : [.text("(")] + spans + [.text(")")]
    }

    /// A letter with a combining accent, such as a bar or an arrow; nil for anything else.
    private func accented(_ base: [Span], _ accent: [Span]) -> [Span]? {
        guard let mark = Self.accents[accent.plainText], case .text(let text)? = base.first, base.count == 1,
            text.unicodeScalars.count == 1
        else { return nil }
        return [.text(text + mark)]
    }

    /// The parts joined, with a space only where a word needs one: `sin x`, `xy`.
    private func joined(_ parts: [Part], separator: String = "") -> [Span] {
        // Elements that only nest would copy all that is in them.
        guard parts.count != 1 else { return parts[0].spans }
        var result: [Span] = []
        // Pending text, as appending to the last span would copy it each time.
        var text = ""
        var last = Kind.other
        for part in parts where !part.spans.isEmpty {
            let isFirst = text.isEmpty && result.isEmpty
            let starts = part.spans.first.map(\.startsWithLetter) ?? false
            let ends = text.last.map { $0.isLetter || $0.isNumber } == true
            // "1/2 x", as "1/2x" would divide by x.
            let isApart =
                ends && starts && [last, part.kind].contains(.word) || last == .fraction && starts
                || part.kind == .fraction && ends
            text += isFirst ? "" : separator.isEmpty && isApart ? " " : separator
            last = part.kind
            for span in part.spans {
                if case .text(let more) = span {
                    text += more
                } else {
                    if !text.isEmpty { result.append(.text(text)) }
                    result.append(span)
                    text = ""
                }
            }
        }
        return text.isEmpty ? result : result + [.text(text)]
    }

    /// TeX without the wrapper that Wikipedia adds.
    static func withoutWrapper(_ source: String) -> String {
        let text = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let style = ["{\\displaystyle ", "{\\textstyle "].first(where: text.hasPrefix), text.hasSuffix("}") else {
            return text
        }
        return String(text.dropFirst(style.count).dropLast())
    }

    private static let tokens: Set<String> = ["mi", "mn", "mo", "mtext", "ms"]
    /// Elements that only hold others.
    private static let groups: Set<String> = ["mrow", "mstyle", "mpadded", "semantics", "menclose"]
    private static let empty: Set<String> = ["mspace", "none", "mprescripts", "maligngroup", "malignmark"]
    private static let hidden: Set<String> = ["annotation", "annotation-xml", "mphantom"]
    /// Elements that are easier to read in TeX.
    private static let rough: Set<String> = ["mtable", "mmultiscripts"]
    private static let accents = [
        "¯": "\u{304}", "‾": "\u{304}", "^": "\u{302}", "ˆ": "\u{302}", "~": "\u{303}", "˜": "\u{303}",
        "→": "\u{20D7}", "˙": "\u{307}", "¨": "\u{308}",
    ]
}

extension String {
    /// Whether it is in brackets or bars as a whole: `(a+b)`, but not `(a)(b)`.
    fileprivate var isEnclosed: Bool {
        guard let first, let closing = Self.brackets[first], last == closing else { return false }
        var depth = 0
        for character in dropFirst().dropLast() {
            if character == closing { depth -= 1 } else if character == first { depth += 1 }
            if depth < 0 { return false }
        }
        return depth == 0
    }

    private static let brackets: [Character: Character] = [
        "(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉", "|": "|", "‖": "‖",
    ]
}

extension Span {
    fileprivate var startsWithLetter: Bool {
        if case .text(let text) = self { text.first.map { $0.isLetter || $0.isNumber } ?? false } else { false }
    }
}
