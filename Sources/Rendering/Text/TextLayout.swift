/// Text fitted to the width of a terminal.
package enum TextLayout {
    /// The lines of a text, each at most `width` columns, broken at spaces, between CJK characters, and inside a word
    /// only where it is wider than a line, and never inside an address, which would be useless in two pieces.
    ///
    /// Line breaks in the text stay; nothing but spaces at a break is lost.
    package static func wrap(_ text: String, width: Int) -> [String] {
        // Bytes are split several times faster than characters, and a line feed is one of either.
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .flatMap { wrapLine(Substring($0), width: max(1, width)) }
    }

    /// Where the lines of ``wrap(_:width:)`` are in a text without tabs, as UTF-8 offsets; space at their ends is lost.
    static func lineRanges(_ text: String, width: Int) -> [Range<Int>] {
        var start = 0
        return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).flatMap { line in
            defer { start += line.count + 1 }
            let kept = line.count - line.reversed().prefix { $0 == UInt8(ascii: " ") }.count
            guard kept > width else { return [start..<start + kept] }
            let cells = Cells(String(Substring(line.prefix(kept))))
            return cells.utf8Ranges(breaks(of: cells, width: max(1, width))).map { range in
                start + range.lowerBound..<start + range.upperBound
            }
        }
    }

    /// A paragraph for one line, cut with "…" where it is wider than `width` columns.
    package static func truncate(_ text: String, width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        var kept = ""
        var columns = 0
        for character in text {
            let next = DisplayWidth.of(character)
            guard columns + next <= width - 1 else { break }
            kept.append(character)
            columns += next
        }
        return kept + "…"
    }

    /// A line in pieces of `width` columns, none of its characters lost: for code, where spaces matter.
    package static func cut(_ line: String, width: Int) -> [String] {
        guard DisplayWidth.of(line) > width else { return [line] }
        var (pieces, piece, columns) = ([String](), "", 0)
        for character in line {
            let next = DisplayWidth.of(character)
            if columns + next > max(width, 2) {
                pieces.append(piece)
                (piece, columns) = ("", 0)
            }
            piece.append(character)
            columns += next
        }
        return pieces + [piece]
    }

    private static func wrapLine(_ text: Substring, width: Int) -> [String] {
        let hasTabs = text.utf8.contains(UInt8(ascii: "\t"))
        let line = String(hasTabs ? text.replacing("\t", with: "    ") : text)
        if line.utf8.count <= width { return [line] }
        let cells = Cells(line)
        return breaks(of: cells, width: width).map { cells.text($0) }
    }

    /// Which cells each line has; only spaces at a break belong to none.
    ///
    /// One pass from left to right: a line ends at the last place where it may, once the next cell doesn't fit.
    private static func breaks(of cells: Cells, width: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        var columns = 0
        // Where the line may end, and where the next begins then.
        var breakPoint: (end: Int, next: Int)?
        // Spaces at the start are layout of the text's own, as in code; it may not be broken after them.
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
                // A line of nothing but space would be as wide as the space.
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
