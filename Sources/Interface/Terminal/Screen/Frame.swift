import BlogMarkup
import BlogRendering

package struct ScreenSize: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A character cell of the screen.
package struct Cell: Hashable, Sendable {
    /// A sanitized grapheme cluster; "" in the right half of a wide one.
    package fileprivate(set) var text: String
    package fileprivate(set) var look: Look
    /// The target of a hyperlink; nil for none.
    package fileprivate(set) var link: String?
    /// The columns of ``text``: 1 or 2, and 0 in the right half of a wide character.
    package fileprivate(set) var width: Int8

    static let blank = Cell(text: " ", look: Look(), link: nil, width: 1)

    /// Whether terminals may disagree about its width.
    package var hasAmbiguousWidth: Bool {
        guard text.utf8.count > 1, let scalar = text.unicodeScalars.first else { return false }
        return text.unicodeScalars.count > 1 || scalar.hasAmbiguousWidth || scalar.isWrittenRightToLeft
    }
}

extension Unicode.Scalar {
    /// Whether it is an emoji or half of a flag, unlike ideographs, whose width all terminals agree on.
    fileprivate var hasAmbiguousWidth: Bool {
        properties.isEmojiPresentation || (0x1F000...0x1FBFF).contains(value)
    }

    /// Whether it is in a right-to-left script, which terminals may reorder.
    fileprivate var isWrittenRightToLeft: Bool {
        (0x590...0x8FF).contains(value) || (0xFB1D...0xFEFC).contains(value) || (0x10800...0x10FFF).contains(value)
            || (0x1E800...0x1EFFF).contains(value)
    }
}

/// The contents of a screen: rows of cells.
///
/// Only cells reach the terminal, so text can't affect anything outside of its own.
package struct Frame: Hashable, Sendable {
    package let size: ScreenSize
    /// ``size`` rows, each of ``size`` columns.
    package private(set) var rows: [[Cell]]
    /// The position of the cursor; nil to hide it.
    package var cursor: Position?

    /// A position on the screen, counted from 0.
    package struct Position: Hashable, Sendable {
        package let row: Int
        package let column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    package init(_ size: ScreenSize) {
        self.size = size
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// Writes a line of text, truncated at the end of the row or before the column `end`.
    ///
    /// - Returns: the column after the text.
    @discardableResult
    package mutating func write(_ text: StyledText, row: Int, column: Int = 0, end: Int? = nil) -> Int {
        guard rows.indices.contains(row), column >= 0 else { return column }
        let end = min(end ?? size.columns, size.columns)
        var column = column
        // Cells of a row of its own are changed without asking for each whether the rows are shared.
        var cells: [Cell] = []
        swap(&cells, &rows[row])
        defer { swap(&cells, &rows[row]) }
        for run in text.runs {
            let look = Look(run.styles)
            let link = run.link.flatMap { LinkTarget.safe($0) }
            var isFull = false
            DisplayWidth.forEachCluster(of: Sanitizer.line(run.text)) { cluster, width in
                isFull = column + width > end
                guard !isFull, width > 0 else { return !isFull }
                Self.clearHalves(of: &cells, columns: column..<column + width)
                cells[column] = Cell(text: Self.text(of: cluster), look: look, link: link, width: Int8(width))
                if width == 2 { cells[column + 1] = Cell(text: "", look: look, link: link, width: 0) }
                column += width
                return true
            }
            if isFull { return column }
        }
        return column
    }

    /// A grapheme cluster; the beginning of an endless one, as joiners allow it.
    private static func text(of cluster: Substring) -> String {
        if cluster.utf8.count <= maxScalars { return String(cluster) }
        return String(String.UnicodeScalarView(cluster.unicodeScalars.prefix(maxScalars)))
    }

    /// More than any emoji or letter has.
    private static let maxScalars = 32

    /// Blanks the remaining halves of wide characters when these columns are overwritten.
    private static func clearHalves(of cells: inout [Cell], columns: Range<Int>) {
        if cells[columns.lowerBound].width == 0 { cells[columns.lowerBound - 1] = .blank }
        guard columns.upperBound < cells.count, cells[columns.upperBound].width == 0 else { return }
        cells[columns.upperBound] = .blank
    }

    package mutating func reverse(row: Int, columns: Range<Int>) {
        guard rows.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) {
            // A wide character is reversed with its left half.
            for part in column..<column + Int(rows[row][column].width) {
                rows[row][part].look.attributes.formSymmetricDifference(.reversed)
            }
        }
    }
}
