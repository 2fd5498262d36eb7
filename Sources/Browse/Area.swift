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

    /// Marks a line of an area as the one with the cursor: its text, or its first column where the keys are for another
    /// pane.
    ///
    /// Of a very long text the beginning is enough, so that few bytes are written for a step of the cursor.
    mutating func mark(line: Int, in area: Area, upTo end: Int, hasFocus: Bool) {
        let width = hasFocus ? min(max(end - area.column, 1), Layout.listWidth) : 1
        reverse(row: area.row + line, columns: area.column..<area.column + width)
    }
}
