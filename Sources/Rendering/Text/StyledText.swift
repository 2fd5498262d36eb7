import Essentials
import Markup

/// Text with styles, which only the console turns into escape sequences.
package struct StyledText: Sendable, Equatable {
    /// A piece of text in the same styles.
    package struct Run: Sendable, Equatable {
        package fileprivate(set) var text: String
        /// The styles, outermost first.
        package fileprivate(set) var styles: [Style]
        /// The target on terminals with hyperlinks; nil for none.
        package fileprivate(set) var link: String?
        /// The picture above the line, in a run without text.
        package var picture: PicturePlace? { if case .picture(let place) = attachment { place } else { nil } }
        private let attachment: Attachment

        /// Indirect, because few runs have a picture and a text may have a run for each word.
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

        /// Another text in the same style.
        func with(_ text: String) -> StyledText {
            var run = self
            run.text = text
            return text.isEmpty ? StyledText() : StyledText(run: run)
        }

        /// The part between two UTF-8 offsets.
        fileprivate func part(_ range: Range<Int>) -> Run {
            guard range != 0..<text.utf8.count else { return self }
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            let end = text.utf8.index(start, offsetBy: range.count)
            return Run(text: String(text[start..<end]), styles: styles, link: link)
        }
    }

    /// The runs in order.
    ///
    /// Adjacent ones differ in style, and only those with a picture are empty.
    package private(set) var runs: [Run] = []

    package init() {}

    /// Text in some styles, outermost first.
    package init(_ text: String, _ styles: Style...) {
        if !text.isEmpty { runs = [Run(text: text, styles: styles)] }
    }

    /// Text in some styles, outermost first, with the target of a link; nil for none.
    package init(_ text: String, _ styles: [Style], link: String?) {
        if !text.isEmpty { runs = [Run(text: text, styles: styles, link: link)] }
    }

    private init(run: Run) {
        runs = [run]
    }

    /// The place of a picture above the line that it is added to.
    package init(_ picture: PicturePlace) {
        runs = [Run(text: "", styles: [], picture: picture)]
    }

    /// The text without its styles.
    package var plain: String { runs.count == 1 ? runs[0].text : runs.map(\.text).joined() }

    package var isEmpty: Bool { runs.isEmpty }

    /// The width in columns.
    package var width: Int { DisplayWidth.of(plain) }

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
        // In place, because a copy of the last run would make every append copy its text.
        if !runs.isEmpty, runs[runs.count - 1].looks(like: run) {
            runs[runs.count - 1].text += run.text
        } else {
            runs.append(run)
        }
    }

    /// The same with a style added to all runs.
    package func styled(_ style: Style) -> StyledText {
        mapRuns { if !$0.styles.contains(style) { $0.styles.insert(style, at: 0) } }
    }

    /// The same with a target for runs that have none.
    package func linked(to address: String) -> StyledText {
        mapRuns { $0.link = $0.link ?? address }
    }

    private func mapRuns(_ change: (inout Run) -> Void) -> StyledText {
        var text = self
        for index in text.runs.indices { change(&text.runs[index]) }
        return text
    }

    /// The same, padded with spaces to a width.
    package func padded(to columns: Int, isRightAligned: Bool = false) -> StyledText {
        let space = StyledText(String(repeating: " ", count: max(columns - width, 0)))
        return isRightAligned ? space + self : self + space
    }

    // MARK: Fitting

    /// The lines of the text, broken as by ``TextLayout``; spaces before a break are dropped.
    package func wrapped(to width: Int) -> [StyledText] {
        guard !isEmpty else { return [self] }
        let text = mapRuns { $0.text = $0.text.replacing(scalar: "\t", with: "    ") }
        return text.parts(TextLayout.lineRanges(text.plain, width: width))
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

    /// The first lines of the text, with "…" at the end if there are more.
    package func wrapped(to width: Int, atMost count: Int) -> [StyledText] {
        let lines = wrapped(to: width)
        guard lines.count > count, count > 0 else { return lines }
        let rest = lines[(count - 1)...].joined(separator: " ")
        return lines.prefix(count - 1) + [rest.truncated(to: width)]
    }

    /// The text on one line, cut with "…" if it is wider than `columns`.
    package func truncated(to columns: Int) -> StyledText {
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

    /// The same with a style added in some UTF-8 ranges, which ascend and don't overlap.
    func styling(_ ranges: [Range<Int>], _ style: Style) -> StyledText {
        guard !ranges.isEmpty else { return self }
        var (pieces, end) = ([Range<Int>](), 0)
        for range in ranges {
            pieces += [end..<range.lowerBound, range]
            end = range.upperBound
        }
        let texts = parts(pieces + [end..<byteCount])
        return texts.enumerated().map { $0 % 2 == 1 ? $1.styled(style) : $1 }.joined()
    }

    /// The pieces in some ascending UTF-8 ranges.
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
    /// The elements joined with a separator.
    package func joined(separator: StyledText = StyledText()) -> StyledText {
        var all = StyledText()
        for (index, text) in enumerated() {
            if index > 0 { all += separator }
            all += text
        }
        return all
    }

    /// The elements as lines that end in a line feed.
    package var lines: StyledText {
        var all = StyledText()
        for line in self {
            all += line
            all += "\n"
        }
        return all
    }
}

/// Cuts text that comes in pieces into lines.
package struct LineCutter: Sendable {
    /// The line that has not ended.
    private var line = StyledText()
    private var lineCount = 0
    /// The places of pictures, each with the number of the line below it.
    package private(set) var pictures: [(place: PicturePlace, line: Int, margin: Int)] = []

    package init() {}

    /// The lines that end in a piece.
    package mutating func lines(of piece: StyledText) -> [StyledText] {
        var lines: [StyledText] = []
        for run in piece.runs {
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

    /// The last line, if it did not end.
    package mutating func rest() -> [StyledText] {
        defer { line = StyledText() }
        return line.isEmpty ? [] : [line]
    }
}

/// The colours of a piece of a picture that is drawn with symbols; nil for the terminal's own.
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
    /// Some lines of a text, perhaps with a picture above.
    package struct Part: Sendable, Equatable {
        /// The picture; nil for none.
        package let picture: PicturePlace?
        /// The columns to the left of the picture.
        package let margin: Int
        package let text: StyledText
    }

    /// The places of pictures in the text, in order.
    package var pictures: [PicturePlace] { runs.compactMap(\.picture) }

    /// The text, cut before each line with a picture.
    package var cutAtPictures: [Part] {
        guard runs.contains(where: { $0.picture != nil }) else { return [Part(picture: nil, margin: 0, text: self)] }
        var parts: [Part] = []
        var (picture, margin) = (PicturePlace?.none, 0)
        // The lines so far, and the unfinished one.
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

/// The meaning of a piece of output; the console decides how it looks.
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
    case strike
    /// A place on a map.
    case mapMark
    /// A branch of a thread.
    case branch(depth: Int)
    /// A piece of a picture.
    case picture(PictureColors)

    /// The marks around such text in a body without colour.
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
