/// Spans as lines of text for a terminal.
///
/// Styles are wrapped as marks of no width and become colours afterwards, so that what is counted is what is seen.
struct SpanLines {
    let isColored: Bool
    let mode: LinkMode
    /// The targets of the links so far, each once.
    private(set) var targets: [String] = []
    /// Those that stand in the text itself.
    private(set) var shownWhole: Set<String> = []

    init(isColored: Bool, mode: LinkMode) {
        self.isColored = isColored
        self.mode = mode
    }

    /// The lines, each at most `width` columns.
    mutating func lines(_ spans: [Span], width: Int, in style: InlineStyle? = nil) -> [String] {
        let text = style.map { styled(marked(spans), $0) } ?? marked(spans)
        return painted(TextLayout.wrap(Self.trimmedAtBreaks(text), width: width), links: linkOrder(spans))
    }

    // MARK: Marks

    private mutating func marked(_ spans: [Span]) -> String {
        var text = ""
        for span in spans {
            switch span {
            case .text(let part): text += Self.clean(part)
            case .code(let part): text += styled(Self.clean(part), .code)
            case .emphasis(let inner): text += styled(marked(inner), .emphasis)
            case .strong(let inner): text += styled(marked(inner), .strong)
            case .strike(let inner): text += styled(marked(inner), .strike)
            case .link(let inner, let target, _): text += link(marked(inner), target)
            case .image(let inner, let source, _):
                let alt = Self.clean(inner.plainText)
                text += link(styled(alt.isEmpty ? "image" : alt, .image), source)
            case .hardBreak: text += "\n"
            case .softBreak: text += " "
            case .html(let tag): text += tag.lowercased().hasPrefix("<br") ? "\n" : ""
            }
        }
        return text
    }

    /// Space in front of a line break can't be seen, but would make the line wider.
    private static func trimmedAtBreaks(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\n")) else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private static func clean(_ text: String) -> String {
        InlineStyle.withoutMarks(Sanitizer.line(text))
    }

    private func styled(_ text: String, _ style: InlineStyle) -> String {
        guard !isColored else { return String(style.mark) + text + String(InlineStyle.endMark) }
        let (start, end) = style.plainMarks
        return start + text + end
    }

    private mutating func link(_ text: String, _ target: String) -> String {
        let safe = LinkTarget.safe(target)
        guard let shown = safe ?? LinkTarget.relative(target) else { return text }
        let number = targets.firstIndex(of: shown) ?? targets.count
        if number == targets.count { targets.append(shown) }
        let mark = mode.numbers(shown) ? " [\(number + 1)]" : ""
        // Hacker News shortens addresses; the full ones can be used, and are not repeated at the end.
        let isCut = text.hasSuffix("...") && shown.hasPrefix(text.dropLast(3))
        if mode == .numbered, isCut || text == shown || "mailto:" + text == shown {
            shownWhole.insert(shown)
            return shown + mark
        }
        return styled(text, .link) + mark
    }

    // MARK: Colours

    private func linkOrder(_ spans: [Span]) -> [String] {
        spans.flatMap { span -> [String] in
            switch span {
            case .emphasis(let inner), .strong(let inner), .strike(let inner): linkOrder(inner)
            case .link(let inner, let target, _): self.target(target) + linkOrder(inner)
            case .image(_, let source, _): target(source)
            default: []
            }
        }
    }

    private func target(_ target: String) -> [String] {
        (LinkTarget.safe(target) ?? LinkTarget.relative(target)).map { [$0] } ?? []
    }

    private func painted(_ lines: [String], links: [String]) -> [String] {
        guard isColored else { return lines }
        var open: [(style: InlineStyle, target: String?)] = []
        var waiting = links[...]
        return lines.map { line in
            var result = start(of: open)
            for character in line {
                if let style = InlineStyle.byMark[character] {
                    open.append((style, style == .link ? waiting.popFirst() : nil))
                    result += start(of: [open[open.count - 1]])
                } else if character == InlineStyle.endMark {
                    result += end(of: open) + start(of: open.dropLast())
                    _ = open.popLast()
                } else {
                    result.append(character)
                }
            }
            return result + end(of: open)
        }
    }

    private func start(of open: some Collection<(style: InlineStyle, target: String?)>) -> String {
        let target = open.compactMap(\.target).last { !mode.numbers($0) }
        return Style.start(open.map(\.style.style)) + (target.map(Style.linkStart) ?? "")
    }

    private func end(of open: some Collection<(style: InlineStyle, target: String?)>) -> String {
        let hasLink = open.compactMap(\.target).contains { !mode.numbers($0) }
        return (hasLink ? Style.linkEnd : "") + (open.isEmpty ? "" : Style.reset)
    }
}

/// How links of a body are shown.
package enum LinkMode: Sendable {
    /// As OSC 8 hyperlinks (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
    case hyperlinks
    /// With a number after the text, and a list of the targets at the end.
    case numbered

    /// Whether a link to this target gets a number: also where a terminal follows links, it can't follow one that
    /// doesn't say to which site it leads.
    func numbers(_ target: String) -> Bool { self == .numbered || LinkTarget.safe(target) == nil }
}
