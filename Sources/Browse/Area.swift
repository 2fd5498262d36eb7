import Rendering
import Terminal

/// A rectangle of the screen.
package struct Area: Hashable, Sendable {
    package var row: Int
    package var column: Int
    package var width: Int
    package var height: Int

    /// The columns behind it.
    var end: Int { column + width }
    var isEmpty: Bool { width <= 0 || height <= 0 }
}

extension Frame {
    /// Writes a line in an area, and returns the column behind it; what doesn't fit is cut off.
    @discardableResult
    mutating func write(_ text: StyledText, line: Int, in area: Area, margin: Int = 0) -> Int {
        guard (0..<area.height).contains(line) else { return area.column }
        return write(text, row: area.row + line, column: area.column + margin, end: area.end)
    }

    /// Marks a line of an area as the one with the cursor: all of its text, or its first column where the keys are for
    /// another pane.
    mutating func mark(line: Int, in area: Area, upTo end: Int, hasFocus: Bool) {
        reverse(row: area.row + line, columns: area.column..<(hasFocus ? max(end, area.column + 1) : area.column + 1))
    }
}
