/// Land drawn with the dots of braille characters.
struct DotMap {
    private let columns: Int
    private let rows: Int
    /// Whether all land is drawn, and not only its coast with a few dots inside.
    private let isFilled: Bool
    /// Row by row, with a frame of one dot around those that are drawn, so that each has neighbours.
    private let isLand: [[Bool]]

    init(columns: Int, rows: Int, isFilled: Bool = false, vector: (_ x: Int, _ y: Int) -> GlobeVector?) {
        (self.columns, self.rows, self.isFilled) = (columns, rows, isFilled)
        isLand = (-1...rows * 4).map { y in
            (-1...columns * 2).map { x in vector(x, y).map(Land.ofEarth.contains) ?? false }
        }
    }

    /// The lines, with a mark in one of the cells.
    func lines(mark: (column: Int, row: Int)) -> [StyledText] {
        (0..<rows).map { row in
            let cells = (0..<columns).map { cell(column: $0, row: row) }
            guard row == mark.row else { return StyledText(String(cells)) }
            return StyledText(String(cells[..<mark.column])) + StyledText("●", .mapMark)
                + StyledText(String(cells[(mark.column + 1)...]))
        }
    }

    private func cell(column: Int, row: Int) -> Character {
        var pattern: UInt32 = 0
        for y in 0..<4 {
            for x in 0..<2 where isDrawn(column * 2 + x, row * 4 + y) { pattern |= Self.bits[y][x] }
        }
        guard pattern > 0, let scalar = Unicode.Scalar(0x2800 + pattern) else { return " " }
        return Character(scalar)
    }

    private static let bits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    private func isDrawn(_ x: Int, _ y: Int) -> Bool {
        guard isLand(x, y) else { return false }
        let isShore = !(isLand(x - 1, y) && isLand(x + 1, y) && isLand(x, y - 1) && isLand(x, y + 1))
        return isFilled || isShore || (x + y) % 4 == 0 && y % 2 == 0
    }

    private func isLand(_ x: Int, _ y: Int) -> Bool { isLand[y + 1][x + 1] }
}
