import BlogEssentials
import BlogMarkup

/// Lays out spans as lines of text for a terminal.
struct SpanLines {
    let isColored: Bool
    let mode: LinkMode
    /// The base addresses of links and of pictures; nil if unknown.
    var linkBase: URL?
    var pictureBase: URL?
    /// The distinct link targets so far.
    private(set) var targets: [String] = []
    private var indexes: [String: Int] = [:]
    /// The targets that are spelled out in the text.
    private(set) var spelledOut: Set<String> = []

    init(isColored: Bool, mode: LinkMode) {
        self.isColored = isColored
        self.mode = mode
    }

    mutating func lines(_ spans: [Span], width: Int, in style: Style? = nil) -> [StyledText] {
        let text = text(spans.withoutTags)
        return (style.map { styled(text, $0) } ?? text).wrapped(to: width)
    }

    private mutating func text(_ spans: [Span]) -> StyledText {
        var text = StyledText()
        for span in spans {
            switch span {
            case .text(let part): text += StyledText(Sanitizer.line(part))
            case .code(let part): text += styled(StyledText(Sanitizer.line(part)), .code)
            case .emphasis(let inner): text += marked(inner, .emphasis)
            case .strong(let inner): text += marked(inner, .strong)
            case .strike(let inner): text += marked(inner, .strike)
            case .link(let inner, let target, _): text += link(self.text(inner), target)
            case .image(let inner, let source, let title, _):
                let alt = Sanitizer.line(inner.plainText)
                text += link(styled(StyledText(alt.isEmpty ? "image" : alt), .image), pictureAddress(source))
                // A title of one word is the name of a file.
                if let title = title.map(Sanitizer.line)?.trimmed, title.contains(" "), title != alt {
                    text += StyledText(" “\(title)”")
                }
            case .hardBreak: text += "\n"
            case .element(let kind, let inner): text += self.text(kind.spans(inner))
            case .checkbox: text += StyledText([span].plainText)
            case .softBreak: text += " "
            case .html: break
            }
        }
        return text
    }

    /// Text in a style, whose marks are beside words: editors put spaces and line breaks into it.
    private mutating func marked(_ spans: [Span], _ style: Style) -> StyledText {
        guard !isColored else { return text(spans).styled(style) }
        let start = spans.prefix(while: \.isWhiteSpace)
        let end = spans.dropFirst(start.count).reversed().prefix(while: \.isWhiteSpace).reversed()
        var inner = Array(spans[start.count..<spans.count - end.count])
        guard !inner.isEmpty else { return text(spans) }
        let (before, after) = (inner.takeSpace(atEnd: false), inner.takeSpace(atEnd: true))
        return text(Array(start)) + StyledText(before) + styled(text(inner), style) + StyledText(after)
            + text(Array(end))
    }

    /// The address of a picture, resolved if possible.
    func pictureAddress(_ source: String) -> String { LinkTarget.safe(source, base: pictureBase) ?? source }

    private func styled(_ text: StyledText, _ style: Style) -> StyledText {
        guard !isColored else { return text.styled(style) }
        let (start, end) = style.plainMarks
        return StyledText(start) + text + StyledText(end)
    }

    private mutating func link(_ text: StyledText, _ target: String) -> StyledText {
        // A part of the post isn't one of the page that other links are relative to.
        guard target.trimmed.first != "#",
            let shown = LinkTarget.shown(target, base: linkBase)
        else { return text }
        let index = index(of: shown)
        guard mode.numbers(shown) else {
            return canRepeat(shown, in: text) ? styled(text, .link).linked(to: shown) : styled(text, .link)
        }
        let (plain, written) = (text.plain, HostName.shown(in: shown))
        // Hacker News shortens addresses. They are spelled out instead, and not repeated at the end.
        let isCut = plain.hasSuffix("...") && shown.hasPrefix(plain.dropLast(3))
        let number = StyledText(" [\(index + 1)]", .muted)
        if mode != .hyperlinks, isCut || [shown, written].contains(plain) || "mailto:" + plain == shown {
            spelledOut.insert(shown)
            return StyledText(written, .link) + (mode == .selectable ? number : "")
        }
        return styled(text, .link) + number
    }

    /// Whether a hyperlink isn't too long: its address is repeated on each line, so a long address on many lines would
    /// take many times the length of the text.
    private func canRepeat(_ address: String, in text: StyledText) -> Bool {
        let lines = text.plain.utf8.count { $0 == .lineFeed } + text.byteCount / 40
        return lines <= 8 || lines * address.utf8.count <= 4096
    }

    private mutating func index(of target: String) -> Int {
        if let index = indexes[target] { return index }
        targets.append(target)
        indexes[target] = targets.count - 1
        return targets.count - 1
    }
}

extension Span {
    /// Whether there is nothing to mark.
    fileprivate var isWhiteSpace: Bool {
        switch self {
        case .text(let text): text.utf8.allSatisfy(\.isASCIIWhitespace)
        case .hardBreak, .softBreak: true
        default: false
        }
    }
}

extension [Span] {
    /// Removes the white space at an end of the first or last text, and returns a space if there was any.
    fileprivate mutating func takeSpace(atEnd: Bool) -> String {
        let index = atEnd ? count - 1 : 0
        guard case .text(let text) = self[index] else { return "" }
        let words = text.utf8.trimmed
        let rest = atEnd ? text[..<words.endIndex] : text[words.startIndex...]
        guard rest.utf8.count < text.utf8.count else { return "" }
        self[index] = .text(String(rest))
        return " "
    }
}

/// How links in a body are shown.
package enum LinkMode: Sendable {
    /// As OSC 8 hyperlinks (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
    case hyperlinks
    /// With a number after the text, and a list of the targets at the end.
    case numbered
    /// The same, also after addresses that are spelled out: links are selected by their numbers.
    case selectable

    /// Whether a link to this target gets a number; on terminals with hyperlinks, only those that can't be opened do.
    func numbers(_ target: String) -> Bool { self != .hyperlinks || LinkTarget.safe(target) == nil }
}
