import BlogEssentials
import BlogMarkup

/// Text with styles, which only the console turns into escape sequences.
package struct StyledText: Sendable, Equatable {
    package struct Run: Sendable, Equatable {
        package fileprivate(set) var text: String
        /// The styles, outermost first.
        package fileprivate(set) var styles: [Style]
        /// The target of a hyperlink.
        package fileprivate(set) var link: String?
        /// The picture above the line, in a run without text.
        package var picture: PicturePlace? { if case .picture(let place) = attachment { place } else { nil } }
        private let attachment: Attachment

        /// Indirect, because few runs have a picture, and a text may have a run for each word.
        private indirect enum Attachment: Equatable, Sendable {
            case none
            case picture(PicturePlace)
        }

        fileprivate init(text: String, styles: [Style], link: String? = nil, picture: PicturePlace? = nil) {
            self.text = text
            self.styles = styles
            self.link = link
            attachment = picture.map { .picture($0) } ?? .none
        }

        fileprivate func looks(like other: Run) -> Bool {
            picture == nil && other.picture == nil && styles == other.styles && link == other.link
        }

        /// Other text in the same style.
        func with(_ text: String) -> StyledText {
            StyledText(text, styles, link: link)
        }

        /// The part in a UTF-8 range.
        fileprivate func part(_ range: Range<Int>) -> Run {
            guard range != 0..<text.utf8.count else { return self }
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            let end = text.utf8.index(start, offsetBy: range.count)
            return Run(text: String(text[start..<end]), styles: styles, link: link)
        }
    }

    /// The runs; adjacent ones differ in style, and only those with a picture are empty.
    package private(set) var runs: [Run] = []

    package init() {}

    /// - Parameter styles: the styles, outermost first.
    package init(_ text: String, _ styles: Style...) {
        self.init(text, styles, link: nil)
    }

    /// - Parameters:
    ///   - styles: the styles, outermost first.
    ///   - link: the target of a hyperlink.
    package init(_ text: String, _ styles: [Style], link: String?) {
        if !text.isEmpty { runs = [Run(text: text, styles: styles, link: link)] }
    }

    /// A picture above the line that this is added to.
    package init(_ picture: PicturePlace) {
        runs = [Run(text: "", styles: [], picture: picture)]
    }

    /// The text without its styles.
    package var plain: String { runs.count == 1 ? runs[0].text : runs.map(\.text).joined() }

    package var isEmpty: Bool { runs.isEmpty }

    /// The width in columns.
    package var width: Int { runs.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    /// The length in UTF-8 bytes.
    package var byteCount: Int { runs.reduce(0) { $0 + $1.text.utf8.count } }

    // MARK: Composing

    package static func += (text: inout StyledText, other: StyledText) {
        guard text.runs.count > 0 || other.runs.count > 1 else { return text.runs = other.runs }
        for run in other.runs { text.append(run) }
    }

    package static func + (text: StyledText, other: StyledText) -> StyledText {
        var text = text
        text += other
        return text
    }

    private mutating func append(_ run: Run) {
        guard !run.text.isEmpty || run.picture != nil else { return }
        // In place: with a copy of the last run, every append would copy its text.
        if !runs.isEmpty, runs[runs.count - 1].looks(like: run) {
            runs[runs.count - 1].text += run.text
        } else {
            runs.append(run)
        }
    }

    /// Adds a style around all runs.
    package func styled(_ style: Style) -> StyledText {
        mapRuns { if !$0.styles.contains(style) { $0.styles.insert(style, at: 0) } }
    }

    /// Adds a hyperlink to runs without one.
    package func linked(to address: String) -> StyledText {
        mapRuns { $0.link = $0.link ?? address }
    }

    private func mapRuns(_ change: (inout Run) -> Void) -> StyledText {
        var text = self
        for index in text.runs.indices { change(&text.runs[index]) }
        return text
    }

    /// Pads the text with spaces to a width.
    package func padded(to columns: Int, isRightAligned: Bool = false) -> StyledText {
        let space = StyledText(String(repeating: " ", count: max(columns - width, 0)))
        return isRightAligned ? space + self : self + space
    }

    // MARK: Fitting

    /// The lines of the text as wrapped by ``TextLayout/wrap(_:width:)``.
    package func wrapped(to width: Int) -> [StyledText] {
        guard !isEmpty else { return [self] }
        let plain = plain
        guard !plain.utf8.contains(.tab) else {
            return mapRuns { $0.text = TextLayout.expandingTabs($0.text) }.wrapped(to: width)
        }
        let lines = TextLayout.lineRanges(plain, width: width)
        return lines == [0..<plain.utf8.count] ? [self] : parts(lines)
    }

    /// The text without trailing spaces.
    package var trimmed: StyledText {
        var text = self
        while let last = text.runs.last, last.picture == nil, last.text.utf8.last == UInt8(ascii: " ") {
            text.runs.removeLast()
            text.append(last.part(0..<last.text.utf8.count - last.text.utf8.reversed().prefix { $0 == 0x20 }.count))
        }
        return text
    }

    /// The first lines of the wrapped text, with "…" at the end if there are more.
    package func wrapped(to width: Int, atMost count: Int) -> [StyledText] {
        let lines = wrapped(to: width)
        guard lines.count > count, count > 0 else { return lines }
        let rest = lines[(count - 1)...].joined(separator: " ")
        return lines.prefix(count - 1) + [rest.truncated(to: width)]
    }

    /// The text on one line, cut with "…" if it is too wide.
    package func truncated(to columns: Int) -> StyledText {
        // No character has more columns than bytes.
        guard byteCount > columns else { return self }
        let plain = plain
        let cut = TextLayout.truncate(plain, width: columns)
        guard cut != plain else { return self }
        let kept = parts([0..<cut.utf8.count - "…".utf8.count])[0]
        var end = kept.runs.last ?? runs[0]
        end.text = "…"
        var result = kept
        result.append(end)
        return result
    }

    /// Adds a style in UTF-8 ranges, which ascend and don't overlap.
    func styling(_ ranges: [Range<Int>], _ style: Style) -> StyledText {
        guard !ranges.isEmpty else { return self }
        var (all, end) = ([Range<Int>](), 0)
        for range in ranges {
            all += [end..<range.lowerBound, range]
            end = range.upperBound
        }
        return parts(all + [end..<byteCount]).enumerated().map { $0 % 2 == 1 ? $1.styled(style) : $1 }.joined()
    }

    /// The parts in ascending UTF-8 ranges.
    private func parts(_ ranges: [Range<Int>]) -> [StyledText] {
        var (first, start) = (0, 0)
        return ranges.map { range in
            while first < runs.count - 1, start + runs[first].text.utf8.count <= range.lowerBound,
                runs[first].picture == nil || start < range.lowerBound
            {
                start += runs[first].text.utf8.count
                first += 1
            }
            var (part, index, offset) = (StyledText(), first, start)
            while index < runs.count, offset < range.upperBound {
                let count = runs[index].text.utf8.count
                part.append(runs[index].part(max(range.lowerBound - offset, 0)..<min(range.upperBound - offset, count)))
                offset += count
                index += 1
            }
            return part
        }
    }
}

extension StyledText: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension Sequence where Element == StyledText {
    package func joined(separator: StyledText = StyledText()) -> StyledText {
        var all = StyledText()
        for (index, text) in enumerated() {
            if index > 0 { all += separator }
            all += text
        }
        return all
    }

    /// The elements as lines, each with a line feed at its end.
    package var lines: StyledText {
        var all = StyledText()
        for line in self {
            all += line
            all += "\n"
        }
        return all
    }
}

extension [StyledText] {
    /// The lines with a hanging indent: `first` precedes the first line, and the others are indented.
    func hanging(from first: StyledText, indent: Int) -> [StyledText] {
        let margin = StyledText(String(repeating: " ", count: indent))
        return enumerated().map { ($0 == 0 ? first : margin) + $1 }
    }
}

/// Splits a stream of text into lines.
package struct LineCutter: Sendable {
    /// The unfinished line.
    private var line = StyledText()
    private var lineCount = 0
    /// The pictures, each with the number of the line below it.
    package private(set) var pictures: [(place: PicturePlace, line: Int, margin: Int)] = []

    package init() {}

    /// Appends text and returns the lines that it completes.
    package mutating func lines(of text: StyledText) -> [StyledText] {
        var lines: [StyledText] = []
        for run in text.runs {
            if let place = run.picture { pictures.append((place, lineCount, line.width)) }
            for (number, part) in run.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if number > 0 {
                    lines.append(line)
                    lineCount += 1
                    line = StyledText()
                }
                line += run.with(String(part))
            }
        }
        return lines
    }

    /// The last line, if it has no line feed.
    package mutating func rest() -> [StyledText] {
        defer { line = StyledText() }
        return line.isEmpty ? [] : [line]
    }
}

/// The colours of one symbol of a picture; nil for the terminal's default.
package struct PictureColors: Hashable, Sendable {
    package var foreground: RGB?
    package var background: RGB?

    package init(foreground: RGB? = nil, background: RGB? = nil) {
        self.foreground = foreground
        self.background = background
    }

    package struct RGB: Hashable, Sendable {
        package let red: UInt8
        package let green: UInt8
        package let blue: UInt8

        package init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }
    }
}

extension StyledText {
    /// Lines of a text, perhaps with a picture above them.
    package struct Part: Sendable, Equatable {
        package let picture: PicturePlace?
        /// The columns to the left of the picture.
        package let margin: Int
        package let text: StyledText
    }

    package var pictures: [PicturePlace] { runs.compactMap(\.picture) }

    /// The text, cut before each line with a picture.
    package var cutAtPictures: [Part] {
        guard runs.contains(where: { $0.picture != nil }) else { return [Part(picture: nil, margin: 0, text: self)] }
        var parts: [Part] = []
        var (picture, margin) = (PicturePlace?.none, 0)
        // The lines so far, and the unfinished line.
        var (text, line) = (StyledText(), StyledText())
        for run in runs {
            if let next = run.picture {
                if picture != nil || !text.isEmpty { parts.append(Part(picture: picture, margin: margin, text: text)) }
                (picture, margin, text) = (next, line.width, StyledText())
            } else if let end = run.text.utf8.lastIndex(of: UInt8(ascii: "\n")).map(run.text.utf8.index(after:)) {
                text += line + run.with(String(run.text[..<end]))
                line = run.with(String(run.text[end...]))
            } else {
                line += run.with(run.text)
            }
        }
        return parts + [Part(picture: picture, margin: margin, text: text + line)]
    }
}

/// The meaning of a run of text; the console decides how it looks.
package enum Style: Hashable, Sendable {
    case title
    case groupTitle
    case author
    case muted
    case unread
    case saved
    case hit
    case heading(level: Int)
    case link
    case image
    case strong
    case emphasis
    case code
    /// A part of code that its author has coloured.
    case colored(CodeColor)
    case strike
    /// The location marked on a map.
    case mapMark
    /// A branch of a thread.
    case branch(depth: Int)
    /// A symbol of a picture.
    case picture(PictureColors)

    /// The marks around such text in a body without colours.
    var plainMarks: (String, String) {
        switch self {
        case .strong: ("**", "**")
        case .emphasis: ("*", "*")
        case .code: ("`", "`")
        case .strike: ("~~", "~~")
        case .image: ("[", "]")
        default: ("", "")
        }
    }
}
