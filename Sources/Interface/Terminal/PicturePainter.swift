import BlogEssentials
import BlogModel
import BlogRendering

/// Paints pictures with the terminal's graphics protocol, or else as symbols.
struct PicturePainter: Sendable {
    let graphics: GraphicsProtocol?
    private let symbols: SymbolPainter?
    private let cell: PictureFrame.Cell
    private let columns: Int
    private let rows: Int

    /// - Parameter hasSymbols: whether coloured symbols can be shown.
    init(_ environment: Environment, output: FileStream, hasSymbols: Bool) {
        graphics = GraphicsProtocol(environment)
        symbols = hasSymbols ? SymbolPainter(environment) : nil
        cell = output.cell ?? .usual
        let size = output.size
        columns = size?.columns ?? 80
        // Leave space for the caption.
        rows = max((size?.rows ?? 24) - 2, 1)
    }

    func canPaint(throughPager: Bool) -> Bool { symbols != nil || graphics != nil && !throughPager }

    /// The bytes of a picture after a margin, including the last line break; nil if it can't be shown.
    ///
    /// - Parameter throughPager: whether it is for a pager, which accepts only lines of text.
    func paint(_ picture: LoadedPicture, _ place: PicturePlace, margin: Int, throughPager: Bool) -> [UInt8]? {
        let space = [UInt8](repeating: UInt8(ascii: " "), count: margin)
        let size: PixelSize
        switch ShownSize(picture) {
        case .shown(let known): size = known
        case .refused(let reason): return place.isOrnament ? nil : space + reason.utf8 + Self.lineEnd
        }
        let room = min(place.columns, columns - margin)
        guard let frame = PictureFrame(of: size, columns: room, rows: min(place.rows ?? rows, rows), cell)
        else { return nil }
        if let graphics, graphics.supports(picture.format), !throughPager {
            return space + Self.sequence(picture.data, frame, graphics) + Self.lineEnd
        }
        guard let lines = picture.path.flatMap({ symbols?.lines(ofFile: $0, frame) }) else { return nil }
        return lines.flatMap { space + $0.utf8 + Self.lineEnd }
    }

    private static func sequence(_ file: Data, _ frame: PictureFrame, _ graphics: GraphicsProtocol) -> [UInt8] {
        switch graphics {
        case .iTerm2: TerminalGraphics.inline(file, frame)
        case .kitty: TerminalGraphics.kitty(png: file, frame)
        }
    }

    private static let lineEnd = [UInt8(ascii: "\n")]
}

/// Whether a picture may be decoded: a file of a few bytes can claim a size that takes all memory.
enum ShownSize: Hashable {
    case shown(PixelSize)
    /// It may not, and a line to show in its place.
    case refused(String)

    init(_ picture: LoadedPicture) {
        guard let size = picture.size else {
            self = .refused("(picture not shown: its size can't be read)")
            return
        }
        let text = "\(Counted.number(size.width)) by \(Counted.number(size.height))"
        self =
            size.width <= Self.maxPixels / size.height
            ? .shown(size) : .refused("(picture not shown: \(text) pixels are too many)")
    }

    /// More than any camera takes in one photo for the web, and 200 MB once decoded.
    private static let maxPixels = 50_000_000
}

/// The size of a picture in cells.
struct PictureFrame: Hashable {
    let columns: Int
    let rows: Int

    /// The size of a cell in pixels.
    struct Cell: Hashable {
        let width: Int
        let height: Int

        /// A typical size, for terminals that don't report theirs.
        static let usual = Cell(width: 9, height: 18)
    }
}

extension PictureFrame {
    /// The frame that a picture fills without being enlarged.
    ///
    /// Nil for a picture of a few pixels, which is there to track readers.
    init?(of size: PixelSize, columns: Int, rows: Int, _ cell: Cell) {
        let (maxColumns, maxRows) = (max(columns, 1), max(rows, 1))
        guard max(size.width, size.height) > Self.maxTrackerSize else { return nil }
        func ceiling(_ number: Int, over divisor: Int) -> Int { (number + divisor - 1) / divisor }
        let width = min(ceiling(size.width, over: cell.width), maxColumns)
        let height = ceiling(min(width * cell.width, size.width) * size.height, over: size.width * cell.height)
        self.rows = min(height, maxRows)
        self.columns =
            height <= maxRows ? width : max(maxRows * cell.height * size.width / (size.height * cell.width), 1)
    }

    private static let maxTrackerSize = 4
}
