/// A line that is read from left to right, with tabs that reach to the next fourth column.
struct LineCursor {
    let bytes: [UInt8]
    private(set) var index = 0
    private(set) var column = 0
    /// How many columns of a tab at `index` are still to be read, where it is not read from its beginning.
    private var tabRest = 0
    /// Where the white space at `index` ends, and in which column: found once, as each block that is open asks for it.
    private var textIndex = 0
    private var textColumn = 0
    /// Where the line ends without white space.
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.lastIndex { !$0.isASCIIWhitespace }.map { $0 + 1 } ?? 0
        findText()
    }

    /// What is left, without regard to half a tab.
    var rest: ArraySlice<UInt8> { bytes[index...] }

    /// What is left, half a tab as spaces.
    var content: [UInt8] {
        tabRest > 0 ? [UInt8](repeating: .space, count: tabRest) + bytes[(index + 1)...] : Array(rest)
    }

    var isBlank: Bool { index >= end }

    /// The next character that is no space, or nil.
    var next: UInt8? { textIndex < bytes.count ? bytes[textIndex] : nil }

    /// How many columns of white space come next.
    var indent: Int { textColumn - column }

    private mutating func findText() {
        (textIndex, textColumn) = (index, column)
        while textIndex < bytes.count, bytes[textIndex].isSpaceOrTab {
            textColumn += bytes[textIndex] == .tab ? 4 - textColumn % 4 : 1
            textIndex += 1
        }
    }

    /// Skips at most `columns` columns of white space.
    mutating func skip(columns: Int) {
        var left = columns
        while left > 0, index < textIndex {
            guard bytes[index] == .tab else {
                index += 1
                column += 1
                left -= 1
                continue
            }
            let width = tabRest > 0 ? tabRest : 4 - column % 4
            let taken = min(width, left)
            column += taken
            left -= taken
            tabRest = width - taken
            if tabRest == 0 { index += 1 }
        }
    }

    /// Skips to the next character that is not a space.
    mutating func skipIndent() { (index, column, tabRest) = (textIndex, textColumn, 0) }

    /// Skips `count` characters, none of them white space.
    mutating func skip(characters count: Int) {
        index += count
        column += count
        tabRest = 0
        findText()
    }

    /// Skips one space or one column of a tab, if that is next.
    mutating func skipSpace() { skip(columns: 1) }
}
