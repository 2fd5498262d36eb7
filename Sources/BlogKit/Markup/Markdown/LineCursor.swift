/// A line that is read from left to right, with tabs that reach to the next fourth column.
struct LineCursor {
    let bytes: [UInt8]
    private(set) var index = 0
    private(set) var column = 0
    /// How many columns of a tab at `index` are still to be read, where it is not read from its beginning.
    private var tabRest = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What is left, without regard to half a tab.
    var rest: ArraySlice<UInt8> { bytes[index...] }

    /// What is left, half a tab as spaces.
    var content: [UInt8] {
        tabRest > 0 ? [UInt8](repeating: .space, count: tabRest) + bytes[(index + 1)...] : Array(rest)
    }

    var isBlank: Bool { rest.isBlank }

    /// The next character that is no space, or nil.
    var next: UInt8? { rest.first { !$0.isSpaceOrTab } }

    /// How many columns of white space come next.
    var indent: Int {
        var (columns, at) = (0, column)
        for (place, byte) in rest.enumerated() {
            if byte == .space {
                columns += 1
            } else if byte == .tab {
                columns += place == 0 && tabRest > 0 ? tabRest : 4 - at % 4
            } else {
                break
            }
            at = column + columns
        }
        return columns
    }

    /// Skips at most `columns` columns of white space.
    mutating func skip(columns: Int) {
        var left = columns
        while left > 0, index < bytes.count, bytes[index].isSpaceOrTab {
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
    mutating func skipIndent() { skip(columns: .max) }

    /// Skips `count` characters, none of them white space.
    mutating func skip(characters count: Int) {
        index += count
        column += count
        tabRest = 0
    }

    /// Skips one space or one column of a tab, if that is next.
    mutating func skipSpace() { skip(columns: 1) }
}
