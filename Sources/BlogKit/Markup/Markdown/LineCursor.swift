/// A position in a line, with a tab stop at every fourth column.
struct LineCursor {
    let bytes: [UInt8]
    private(set) var index = 0
    private(set) var column = 0
    /// The remaining columns of a partly consumed tab at `index`.
    private var tabRest = 0
    /// The index and column after the white space at `index`, cached because every open block needs them.
    private var textIndex = 0
    private var textColumn = 0
    /// The end of the line before trailing white space.
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.lastIndex { !$0.isASCIIWhitespace }.map { $0 + 1 } ?? 0
        findText()
    }

    /// The rest of the line, ignoring a partly consumed tab.
    var rest: ArraySlice<UInt8> { bytes[index...] }

    /// The rest of the line, with a partly consumed tab as spaces.
    var content: [UInt8] {
        tabRest > 0 ? [UInt8](repeating: .space, count: tabRest) + bytes[(index + 1)...] : Array(rest)
    }

    var isBlank: Bool { index >= end }

    /// The next character that isn't white space; nil at the end.
    var next: UInt8? { textIndex < bytes.count ? bytes[textIndex] : nil }

    /// The number of columns of white space at the cursor.
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

    /// Skips to the next character that isn't white space.
    mutating func skipIndent() { (index, column, tabRest) = (textIndex, textColumn, 0) }

    /// Skips `count` characters, none of them white space.
    mutating func skip(characters count: Int) {
        index += count
        column += count
        tabRest = 0
        findText()
    }

}
