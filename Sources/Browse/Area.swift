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
    /// Writes a line in an area; what doesn't fit is cut off.
    mutating func write(_ text: StyledText, line: Int, in area: Area, margin: Int = 0, isReversed: Bool = false) {
        guard (0..<area.height).contains(line) else { return }
        write(
            text, row: area.row + line, column: area.column + margin, end: area.end, isReversed: isReversed)
    }
}
