import BlogMarkup

/// Fits text to the width of a terminal.
package enum TextLayout {
    /// Wraps text to lines of at most `width` columns, at spaces and between CJK characters.
    ///
    /// Words are broken only if they are wider than a line, and addresses never, because a broken address can't be used.
    /// Line breaks and indentation are kept, spaces at breaks aren't.
    package static func wrap(_ text: String, width: Int) -> [String] {
        // Splitting bytes is several times faster than splitting characters.
        expandingTabs(text).utf8.split(separator: .lineFeed, omittingEmptySubsequences: false).flatMap { line in
            let line = String(Substring(line))
            guard line.utf8.count > width else { return [line] }
            return lineRanges(line, width: width).map { range in
                let start = line.utf8.index(line.startIndex, offsetBy: range.lowerBound)
                return String(line[start..<line.utf8.index(start, offsetBy: range.count)])
            }
        }
    }

    /// Facts separated by dots, wrapped between facts if possible.
    package static func wrap(facts: [String], width: Int) -> [String] {
        var lines: [String] = []
        for fact in facts {
            if let last = lines.last, DisplayWidth.of(last) + DisplayWidth.of(fact) + 3 <= width {
                lines[lines.count - 1] = last + " · " + fact
            } else {
                lines += wrap(fact, width: width)
            }
        }
        return lines
    }

    static func expandingTabs(_ text: String) -> String { text.replacing(scalar: "\t", with: "    ") }

    /// The UTF-8 ranges of the lines of ``wrap(_:width:)`` in a text without tabs, without trailing spaces.
    static func lineRanges(_ text: String, width: Int) -> [Range<Int>] {
        var start = 0
        return text.utf8.split(separator: .lineFeed, omittingEmptySubsequences: false).flatMap { line in
            defer { start += line.count + 1 }
            let kept = line.count - line.reversed().prefix { $0 == UInt8(ascii: " ") }.count
            guard kept > width else { return [start..<start + kept] }
            let cells = Cells(String(Substring(line.prefix(kept))))
            return cells.utf8Ranges(breaks(of: cells, width: max(1, width))).map { range in
                start + range.lowerBound..<start + range.upperBound
            }
        }
    }

    /// The text on one line, cut with "…" if it is wider than `width` columns.
    package static func truncate(_ text: String, width: Int) -> String {
        var (columns, kept, isCut) = (0, 0, false)
        DisplayWidth.forEachCluster(of: text) { cluster, columnsOfCluster in
            columns += columnsOfCluster
            if columns < width { kept += cluster.utf8.count }
            isCut = columns > width
            return !isCut
        }
        return isCut ? String(Substring(text.utf8.prefix(kept))) + "…" : text
    }

    /// Cuts a line every `width` columns and keeps all of its characters, for code.
    static func cut(_ line: String, width: Int) -> [String] {
        guard DisplayWidth.of(line) > width else { return [line] }
        var (parts, part, columns) = ([String](), "", 0)
        for character in line {
            let next = DisplayWidth.of(character)
            if columns + next > max(width, 2) {
                parts.append(part)
                (part, columns) = ("", 0)
            }
            part.append(character)
            columns += next
        }
        return parts + [part]
    }

    /// The cells of each line, without the spaces at breaks.
    ///
    /// If a cell doesn't fit, the line ends at the last possible break.
    private static func breaks(of cells: Cells, width: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        var columns = 0
        // The end of the line at the last possible break, and the start of the next.
        var breakPoint: (end: Int, next: Int)?
        // Leading spaces are indentation, after which a line isn't broken.
        var hasText = false
        var lastText = 0
        for index in 0..<cells.count {
            if cells.isSpace(index) {
                columns += 1
                continue
            }
            if hasText && lastText < index - 1 {
                breakPoint = (lastText + 1, index)
            } else if hasText && cells.mayBreak(before: index) {
                breakPoint = (index, index)
            }
            while columns + cells.width(index) > width && index > start
                && (breakPoint != nil || !cells.isInAddress(index))
            {
                let end = breakPoint ?? (index, index)
                // A line of only spaces would be too wide.
                lines.append(start..<(hasText ? end.end : min(end.end, start + width)))
                start = end.next
                breakPoint = nil
                columns = (start..<index).reduce(0) { $0 + cells.width($1) }
            }
            columns += cells.width(index)
            hasText = true
            lastText = index
        }
        lines.append(start..<(hasText ? lastText + 1 : min(cells.count, width)))
        return lines
    }
}

/// The characters of a line with their widths, computed once for wrapping.
struct Cells {
    private let line: String
    /// Nil if all characters are ASCII.
    private let cells: [Cell]?
    /// The ranges of addresses, in order.
    private let addresses: [Range<Int>]

    /// What wrapping needs to know of a character, in half the size of one.
    private struct Cell {
        let byteCount: Int32
        let width: UInt8
        let isSpace: Bool
        let mayBreakBefore: Bool

        init(_ character: Character, after previous: (character: Character, cell: Cell)?) {
            byteCount = Int32(character.utf8.count)
            width = UInt8(DisplayWidth.of(character))
            isSpace = character == " "
            // CJK text may be broken anywhere, except before closing and after opening punctuation.
            mayBreakBefore =
                if let previous, width == 2 || previous.cell.width == 2 {
                    !character.isPunctuation && !Self.opening.contains(previous.character)
                } else { false }
        }

        private static let opening: Set<Character> = ["(", "[", "{", "「", "『", "（", "【", "《", "〈", "“", "‘"]
    }

    init(_ line: String) {
        self.line = line
        cells = line.utf8.allSatisfy { $0 < 0x80 } ? nil : Self.cells(of: line)
        // Most lines have no colon, and searching for one byte takes a tenth of the time.
        let mayHaveAddress = line.utf8.count > Self.minAddressLength && line.utf8.contains(UInt8(ascii: ":"))
        addresses = mayHaveAddress && line.contains("://") ? Self.addresses(in: line) : []
    }

    private static func cells(of line: String) -> [Cell] {
        var previous: (Character, Cell)?
        return line.map { character in
            let cell = Cell(character, after: previous)
            previous = (character, cell)
            return cell
        }
    }

    var count: Int { cells?.count ?? line.utf8.count }

    /// Whether a character is part of an address like `https://example.org`.
    func isInAddress(_ index: Int) -> Bool {
        var (low, high) = (0, addresses.count)
        while low < high {
            let middle = (low + high) / 2
            if addresses[middle].upperBound <= index { low = middle + 1 } else { high = middle }
        }
        return low < addresses.count && addresses[low].contains(index)
    }

    private static func addresses(in line: String) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        for word in line.split(separator: " ", omittingEmptySubsequences: false) {
            let count = word.count
            if word.contains("://") { found.append(start..<start + count) }
            start += count + 1
        }
        return found
    }

    private static let minAddressLength = 10

    func width(_ index: Int) -> Int { cells.map { Int($0[index].width) } ?? 1 }

    func isSpace(_ index: Int) -> Bool {
        if let cells { return cells[index].isSpace }
        return line.utf8[line.utf8.index(line.utf8.startIndex, offsetBy: index)] == UInt8(ascii: " ")
    }

    /// Whether a line may be broken before a character that doesn't follow a space.
    func mayBreak(before index: Int) -> Bool { cells.map { $0[index].mayBreakBefore } ?? false }

    /// Converts ascending ranges of characters to UTF-8 ranges.
    func utf8Ranges(_ ranges: [Range<Int>]) -> [Range<Int>] {
        guard let cells else { return ranges }
        var (index, offset) = (0, 0)
        func utf8Offset(_ end: Int) -> Int {
            offset += cells[index..<end].reduce(0) { $0 + Int($1.byteCount) }
            index = end
            return offset
        }
        return ranges.map { utf8Offset($0.lowerBound)..<utf8Offset($0.upperBound) }
    }
}

/// Counts terminal columns.
package enum DisplayWidth {
    /// The columns of a text without line breaks; a tab counts as one.
    package static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        var columns = 0
        forEachCluster(of: String(text)) {
            columns += $1
            return true
        }
        return columns
    }

    /// Calls a function with each grapheme cluster of a text without line breaks, and its columns, until it returns false.
    package static func forEachCluster(of text: String, _ body: (Substring, Int) -> Bool) {
        var start = text.startIndex
        while start < text.endIndex {
            // Nearly all text is ASCII, where each byte is a cluster, unless a mark follows it.
            let next = text.utf8.index(after: start)
            let isAlone = text.utf8[start] < 0x80 && (next == text.endIndex || text.utf8[next] < 0x80)
            let end = isAlone ? next : text.index(after: start)
            guard body(text[start..<end], isAlone ? 1 : of(text[start])) else { return }
            start = end
        }
    }

    /// The columns of a character: 0, 1 or 2.
    package static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        guard let base = scalars.first(where: { !isZeroWidth($0) }) else { return 0 }
        if isWide(base) { return 2 }
        // An emoji selector (U+FE0F) and the second half of a flag make a narrow base wide.
        let isFlag = (0x1F1E6...0x1F1FF).contains(base.value) && scalars.count > 1
        if isFlag || scalars.contains("\u{FE0F}") { return 2 }
        // Spacing vowel signs of Indic scripts have a column of their own, as have other letters of a cluster, such as
        // the Thai vowel of กำ and the voicing mark of ｶﾞ.
        return scalars.contains { $0.properties.generalCategory == .spacingMark }
            || scalars.dropFirst().contains(where: isLetter) ? 2 : 1
    }

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        // Terminals show a soft hyphen.
        if scalar == "\u{AD}" { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        default: (0x1160...0x11FF).contains(scalar.value)
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return (category == .otherLetter || category == .modifierLetter) && !isZeroWidth(scalar)
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(scalar.value)
            || wide.contains { $0.contains(scalar.value) }
    }

    /// East Asian wide and full-width characters, from Unicode's EastAsianWidth.txt; ranges with only unassigned code
    /// points between them are merged.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1F200...0x1F320, 0x20000...0x3FFFD,
    ]
}
