/// Parses the text of a block into spans, as described in the appendix of https://spec.commonmark.org.
struct InlineParser {
    private let source: [UInt8]
    private let references: LinkReferences
    /// The number of nodes after which all is text, on one line.
    private let maxNodes: Int
    private var index = 0
    private var nodes = InlineNodes()
    /// Plain text that hasn't become a node yet.
    private var pending: [UInt8] = []
    private var brackets: [Bracket] = []
    /// The number of brackets, from the first, that can't open a link any more.
    private var inactive = 0
    private var html = RawHTML()
    /// The index of the last run of backticks of each length, so that a missing closer isn't searched for repeatedly.
    private var backticks: [Int: Int]?

    private struct Bracket {
        let node: Int
        let isImage: Bool
        /// The index after the bracket.
        let start: Int
        /// The number of delimiter runs before the bracket.
        let delimiters: Int
        var hasBracketAfter = false
    }

    init(_ source: [UInt8], references: LinkReferences, maxNodes: Int) {
        self.source = source
        self.references = references
        self.maxNodes = maxNodes
    }

    /// The spans, and the number of nodes that they are made of.
    consuming func spans() -> (spans: [Span], nodes: Int) {
        while index < source.count, nodes.total < maxNodes { step() }
        if index < source.count { pending += source[index...].map { $0 == .lineFeed ? .space : $0 } }
        flush()
        nodes.resolveDelimiters(from: 0)
        let total = nodes.total
        return (nodes.spans(), total)
    }

    private mutating func step() {
        let byte = source[index]
        switch byte {
        case .lineFeed: breakLine()
        case UInt8(ascii: "\\"): escape()
        case UInt8(ascii: "`"): code()
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): delimiters(byte)
        case UInt8(ascii: "["): open(isImage: false)
        case UInt8(ascii: "!") where index + 1 < source.count && source[index + 1] == UInt8(ascii: "["):
            open(isImage: true)
        case UInt8(ascii: "]"): closeBracket()
        case UInt8(ascii: "<"): angle()
        case UInt8(ascii: "&"):
            guard
                let (text, length) = source[index...].withUnsafeBufferPointer({ CharacterReferences.reference($0) })
            else {
                return take(1)
            }
            pending += Array(text.utf8)
            index += length
        default:
            // Looked up once, not for each byte.
            let mayBeMarkup = Self.mayBeMarkup
            take((source[(index + 1)...].firstIndex { mayBeMarkup[Int($0)] } ?? source.endIndex) - index)
        }
    }

    /// Whether each byte may be markup.
    private static let mayBeMarkup: [Bool] = (0...UInt8.max).map { "\n\\`*_~[]!<&".utf8.contains($0) }

    /// Consumes plain text.
    private mutating func take(_ count: Int) {
        pending += source[index..<index + count]
        index += count
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        nodes.append(.text(pending.text))
        pending = []
    }

    private mutating func add(_ span: Span) {
        flush()
        nodes.append(span)
    }

    private mutating func breakLine() {
        let isHard = pending.suffix(2) == [.space, .space]
        while pending.last == .space { pending.removeLast() }
        add(isHard ? .hardBreak : .softBreak)
        index += 1
        skipSpaces()
    }

    private mutating func skipSpaces() {
        while index < source.count, source[index].isSpaceOrTab { index += 1 }
    }

    private mutating func escape() {
        guard index + 1 < source.count else { return take(1) }
        let next = source[index + 1]
        if next == .lineFeed {
            add(.hardBreak)
            index += 2
            skipSpaces()
        } else if next.isASCIIPunctuation {
            pending.append(next)
            index += 2
        } else {
            take(1)
        }
    }

    // MARK: Code

    private mutating func code() {
        let length = source[index...].prefix { $0 == UInt8(ascii: "`") }.count
        if backticks == nil { backticks = lastRuns() }
        guard let last = backticks?[length], last > index else { return take(length) }
        var end = index + length
        while end < source.count {
            guard source[end] == UInt8(ascii: "`") else {
                end += 1
                continue
            }
            let run = source[end...].prefix { $0 == UInt8(ascii: "`") }.count
            if run == length {
                var text = source[(index + length)..<end].map { $0 == .lineFeed ? .space : $0 }
                if text.count > 2, text.first == .space, text.last == .space, !text.allSatisfy({ $0 == .space }) {
                    text = Array(text.dropFirst().dropLast())
                }
                add(.code(text.text))
                index = end + length
                return
            }
            end += run
        }
        take(length)
    }

    private func lastRuns() -> [Int: Int] {
        var runs: [Int: Int] = [:]
        var at = 0
        while at < source.count {
            let run = source[at...].prefix { $0 == UInt8(ascii: "`") }.count
            if run > 0 { runs[run] = at }
            at += max(run, 1)
        }
        return runs
    }

    // MARK: Emphasis

    /// The maximum number of delimiter runs, which bounds memory; no real paragraph has as many.
    private static let maxDelimiters = 50_000

    private mutating func delimiters(_ byte: UInt8) {
        let length = source[index...].prefix { $0 == byte }.count
        guard nodes.delimiterCount < Self.maxDelimiters else { return take(length) }
        let before = source[..<index].suffix(4).text.unicodeScalars.last
        let after = source[(index + length)...].prefix(4).text.unicodeScalars.first
        let sides = DelimiterSides(before: DelimiterSide(before), after: DelimiterSide(after))
        let isUnderscore = byte == UInt8(ascii: "_")
        flush()
        nodes.appendDelimiters(
            byte, count: length,
            opens: sides.areLeft && (!isUnderscore || !sides.areRight || sides.before == .punctuation),
            closes: sides.areRight && (!isUnderscore || !sides.areLeft || sides.after == .punctuation))
        index += length
    }

    // MARK: Links

    private mutating func open(isImage: Bool) {
        flush()
        if !brackets.isEmpty { brackets[brackets.count - 1].hasBracketAfter = true }
        nodes.append(.text(isImage ? "![" : "["))
        index += isImage ? 2 : 1
        brackets.append(
            Bracket(node: nodes.count - 1, isImage: isImage, start: index, delimiters: nodes.delimiterCount))
    }

    private mutating func closeBracket() {
        guard let bracket = brackets.popLast() else { return take(1) }
        let isActive = bracket.isImage || brackets.count >= inactive
        inactive = min(inactive, brackets.count)
        guard isActive, let (target, end) = target(for: bracket) else { return take(1) }
        flush()
        nodes.resolveDelimiters(from: bracket.delimiters)
        let isWrapped = nodes.wrap(from: bracket.node) { inner in
            bracket.isImage
                ? .image(inner, source: target.url, title: target.title)
                : .link(inner, target: target.url, title: target.title)
        }
        guard isWrapped else { return take(1) }
        index = end
        // Links can't contain links.
        if !bracket.isImage { inactive = brackets.count }
    }

    /// The target of the link or image that the `]` ends, and the index after it; nil if the brackets are text.
    private func target(for bracket: Bracket) -> (LinkReferences.Target, Int)? {
        let rest = source[(index + 1)...]
        if let (target, _, end) = LinkScanner.inline(rest) { return (target, end) }
        let text = source[bracket.start..<index]
        if let label = LinkScanner.label(rest), !label.isEmpty {
            return references[label].map { ($0, label.endIndex + 1) }
        }
        guard !bracket.hasBracketAfter, text.count <= 1000, let target = references[text] else { return nil }
        let isCollapsed = rest.starts(with: [UInt8(ascii: "["), UInt8(ascii: "]")])
        return (target, index + (isCollapsed ? 3 : 1))
    }

    // MARK: Angle brackets

    private mutating func angle() {
        if let (url, text, length) = Autolink.link(source[index...]) {
            add(.link([.text(text)], target: url, title: nil))
            index += length
        } else if let length = html.length(source[index...]) {
            add(.html(source[index..<index + length].text))
            index += length
        } else {
            take(1)
        }
    }
}

enum InlineText {
    /// Resolves backslash escapes and character references.
    static func unescaped(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "\\") }) else { return bytes.text }
        let bytes = Array(bytes)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1].isASCIIPunctuation {
                result.append(bytes[index + 1])
                index += 2
            } else if let (text, length) = bytes[index...].withUnsafeBufferPointer({
                CharacterReferences.reference($0)
            }) {
                result += text.utf8
                index += length
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result.text
    }
}

/// A character next to a run of `*`, `_` or `~`, as far as it matters to the run.
package enum DelimiterSide {
    /// White space, as the ends of the text are.
    case space
    case punctuation
    case other

    package init(_ scalar: Unicode.Scalar?) {
        guard let properties = scalar?.properties, !properties.isWhitespace else {
            self = .space
            return
        }
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            self = .punctuation
        default: self = .other
        }
    }
}

/// The characters on both sides of a run of `*`, `_` or `~`.
package struct DelimiterSides {
    package let before: DelimiterSide
    package let after: DelimiterSide

    package init(before: DelimiterSide, after: DelimiterSide) {
        self.before = before
        self.after = after
    }

    /// Whether the run is left-flanking, so `*` can open emphasis.
    package var areLeft: Bool { after != .space && (after != .punctuation || before != .other) }

    /// Whether the run is right-flanking, so `*` can close emphasis.
    package var areRight: Bool { before != .space && (before != .punctuation || after != .other) }
}
