/// Text fitted to the width of a terminal.
package enum TextLayout {
    /// The lines of a text, each at most `width` columns, broken at spaces, between CJK characters, and inside a word
    /// only where it is wider than a line.
    ///
    /// Line breaks in the text stay; nothing but spaces at a break is lost.
    package static func wrap(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrapLine($0, width: max(1, width)) }
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

    private static func wrapLine(_ text: Substring, width: Int) -> [String] {
        let line = String(text.replacing("\t", with: "    "))
        if line.utf8.count <= width { return [line] }
        // Spaces at the start are layout of the text's own, as in code.
        let indent = line.prefix { $0 == " " }
        var lines: [String] = []
        var current = indent.count < width ? String(indent) : ""
        var columns = current.count
        var isEmpty = true
        for piece in pieces(of: line[indent.endIndex...]) {
            let pieceColumns = DisplayWidth.of(piece.word)
            if !isEmpty && columns + piece.spaces + pieceColumns > width {
                lines.append(current)
                (current, columns, isEmpty) = ("", 0, true)
            }
            if !isEmpty {
                current += String(repeating: " ", count: piece.spaces)
                columns += piece.spaces
            }
            for character in piece.word {
                let next = DisplayWidth.of(character)
                if columns + next > width && columns > 0 {
                    lines.append(current)
                    (current, columns) = ("", 0)
                }
                current.append(character)
                columns += next
            }
            isEmpty = false
        }
        lines.append(current)
        return lines
    }

    private struct Piece {
        let spaces: Int
        let word: Substring
    }

    /// The parts of a line that stay together, each with how many spaces are before it.
    private static func pieces(of line: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var spaces = 0
        var start = line.startIndex
        var index = start
        func end(_ index: Substring.Index) {
            if start < index {
                pieces.append(Piece(spaces: spaces, word: line[start..<index]))
                spaces = 0
            }
        }
        while index < line.endIndex {
            let next = line.index(after: index)
            if line[index] == " " {
                end(index)
                spaces += 1
                start = next
            } else if start < index && breaks(between: line[line.index(before: index)], line[index]) {
                end(index)
                start = index
            }
            index = next
        }
        end(line.endIndex)
        return pieces
    }

    /// CJK text has no spaces and may be broken between any two characters, but closing marks stay with what is before.
    private static func breaks(between left: Character, _ right: Character) -> Bool {
        guard DisplayWidth.of(left) == 2 || DisplayWidth.of(right) == 2 else { return false }
        return !right.isPunctuation && !opening.contains(left) && !right.unicodeScalars.contains("\u{200D}")
    }

    private static let opening: Set<Character> = ["(", "[", "{", "「", "『", "（", "【", "《", "〈", "“", "‘"]
}
