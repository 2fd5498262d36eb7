import BlogLibrary

/// How many cells of a terminal a picture fills.
struct PictureFrame: Hashable {
    let columns: Int
    let rows: Int

    /// The size of a cell in pixels.
    struct Cell: Hashable {
        let width: Int
        let height: Int

        /// That of a usual font, for terminals that don't tell.
        static let usual = Cell(width: 9, height: 18)
    }
}

extension PictureFrame {
    /// The frame of a picture, at most its own size, or the whole box where that isn't known.
    ///
    /// Nil for a picture of a few pixels, which is there to count readers.
    init?(of size: PixelSize?, columns: Int, rows: Int, _ cell: Cell) {
        let (maxColumns, maxRows) = (max(columns, 1), max(rows, 1))
        guard let size else {
            (self.columns, self.rows) = (maxColumns, maxRows)
            return
        }
        guard max(size.width, size.height) > Self.maxCounter else { return nil }
        func up(_ number: Int, _ divisor: Int) -> Int { (number + divisor - 1) / divisor }
        let width = min(up(size.width, cell.width), maxColumns)
        let height = up(min(width * cell.width, size.width) * size.height, size.width * cell.height)
        self.rows = min(height, maxRows)
        self.columns =
            height <= maxRows ? width : max(maxRows * cell.height * size.width / (size.height * cell.width), 1)
    }

    private static let maxCounter = 4
}
