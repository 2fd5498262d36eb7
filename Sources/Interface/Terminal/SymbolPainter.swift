import BlogEssentials
import BlogModel
import BlogRendering

/// Draws pictures as coloured symbols with `chafa`, for terminals without a graphics protocol.
package struct SymbolPainter: Sendable {
    private let environment: Environment

    /// Nil if `chafa` isn't installed.
    package init?(_ environment: Environment) {
        guard environment.hasProgram(Self.program) else { return nil }
        self.environment = environment
    }

    /// The lines of a picture, at most `columns` wide, or one that says why it isn't shown; nil if it can't be drawn.
    package func lines(of picture: LoadedPicture, _ place: PicturePlace, columns: Int) -> [StyledText]? {
        let size: PixelSize
        switch ShownSize(picture) {
        case .shown(let known): size = known
        case .refused(let reason): return place.isOrnament ? nil : [StyledText(reason, .muted)]
        }
        let columns = min(place.columns, columns)
        let rows = min(place.rows ?? .max, Self.maxRows)
        guard let path = picture.path,
            let frame = PictureFrame(of: size, columns: columns, rows: rows, .usual)
        else { return nil }
        return lines(ofFile: path, frame)?.map(TerminalGraphics.styled)
    }

    /// The lines of a picture with escape sequences for colours; nil if `chafa` can't draw it.
    func lines(ofFile path: String, _ frame: PictureFrame) -> [String]? {
        let size = "\(frame.columns)x\(frame.rows)"
        let arguments = ["--format", "symbols", "--animate", "off", "--size", size, path]
        guard let data = ChildProcess.output(of: Self.program, arguments, environment) else { return nil }
        let lines = TerminalGraphics.symbols(String(decoding: data, as: UTF8.self))
        return lines.isEmpty ? nil : lines
    }

    private static let program = "chafa"
    /// Low enough to leave space for text.
    private static let maxRows = 16
}
