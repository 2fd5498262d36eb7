import BlogLibrary
import Essentials
import Rendering

/// Paints pictures for this terminal: by its own protocol, or with symbols drawn by another program.
struct PicturePainter: Sendable {
    let graphics: GraphicsProtocol?
    private let symbols: SymbolProgram?
    private let environment: Environment
    private let cell: PictureFrame.Cell
    private let columns: Int
    private let rows: Int

    /// - Parameters:
    ///   - graphics: the terminal's own protocol; nil if it has none.
    ///   - hasSymbols: whether symbols and their colours can be shown.
    init(_ environment: Environment, output: FileStream, graphics: GraphicsProtocol?, hasSymbols: Bool) {
        self.environment = environment
        self.graphics = graphics
        symbols = hasSymbols ? SymbolProgram.installed(environment) : nil
        cell = output.cell ?? .usual
        let size = output.size
        columns = size?.columns ?? 80
        // The caption should be visible together with the picture.
        rows = max((size?.rows ?? 24) - 2, 1)
    }

    /// Whether there is a way to show any picture.
    func canPaint(throughPager: Bool) -> Bool { symbols != nil || graphics != nil && !throughPager }

    /// A picture behind a margin, up to the end of its last line; nil if it can't be shown.
    ///
    /// - Parameter throughPager: whether a pager reads it: that takes lines of text only.
    func paint(_ picture: LoadedPicture, _ place: PicturePlace, margin: Int, throughPager: Bool) -> [UInt8]? {
        let room = min(place.columns, columns - margin)
        guard let frame = PictureFrame(of: picture.size, columns: room, rows: min(place.rows ?? rows, rows), cell)
        else { return nil }
        let space = [UInt8](repeating: UInt8(ascii: " "), count: margin)
        if let graphics, graphics.takes(picture.format), !throughPager {
            return paint(picture.data, frame, by: graphics, space)
        }
        guard let lines = picture.path.flatMap({ symbols?.lines(ofFile: $0, frame, environment) }) else { return nil }
        return lines.flatMap { space + $0.utf8 + Self.lineEnd }
    }

    private func paint(
        _ file: Data, _ frame: PictureFrame, by graphics: GraphicsProtocol, _ space: [UInt8]
    ) -> [UInt8] {
        switch graphics {
        case .iTerm2: return space + TerminalGraphics.inline(file, frame) + Self.lineEnd
        case .kitty: return space + TerminalGraphics.kitty(png: file, frame) + Self.lineEnd
        case .kittyInTmux:
            let number = UInt16.random(in: .min ... .max)
            let picture = TerminalGraphics.placeholders(png: file, frame, number: number)
            return picture.file + picture.lines.flatMap { space + $0 + Self.lineEnd }
        }
    }

    private static let lineEnd = [UInt8(ascii: "\n")]
}

/// The size of a picture in cells.
struct PictureFrame: Hashable {
    let columns: Int
    let rows: Int

    /// The size of a cell in pixels.
    struct Cell: Hashable {
        let width: Int
        let height: Int

        /// A typical size, for terminals that don't tell.
        static let usual = Cell(width: 9, height: 18)
    }
}

extension PictureFrame {
    /// The frame of a picture, at most its own size, or the whole box where that isn't known.
    ///
    /// Nil for a picture of a few pixels, which only counts readers.
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
