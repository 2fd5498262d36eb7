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
