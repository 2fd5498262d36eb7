import BlogLibrary
import BlogEssentials
import BlogMarkup
import BlogRendering

/// Draws pictures as coloured symbols by another program, for terminals without a graphics protocol.
package struct SymbolPainter: Sendable {
    private let program: Program
    private let environment: Environment

    private enum Program: String, CaseIterable {
        case chafa
        case timg
    }

    /// Nil if no such program is installed.
    package init?(_ environment: Environment) {
        guard let program = Program.allCases.first(where: { environment.hasProgram($0.rawValue) }) else { return nil }
        self.program = program
        self.environment = environment
    }

    /// The lines of a picture, at most `columns` wide; nil if it can't be drawn.
    package func lines(of picture: LoadedPicture, _ place: PicturePlace, columns: Int) -> [StyledText]? {
        let columns = min(place.columns, columns)
        let rows = min(place.rows ?? .max, Self.maxRows)
        guard let path = picture.path,
            let frame = PictureFrame(of: picture.size, columns: columns, rows: rows, .usual)
        else { return nil }
        return lines(ofFile: path, frame)?.map(TerminalGraphics.styled)
    }

    /// The lines of a picture with escape sequences for colours; nil if the program can't draw it.
    func lines(ofFile path: String, _ frame: PictureFrame) -> [String]? {
        let size = "\(frame.columns)x\(frame.rows)"
        let arguments =
            switch program {
            case .chafa: ["--format", "symbols", "--animate", "off", "--size", size, path]
            case .timg: ["-pq", "--frames=1", "-g\(size)", path]
            }
        guard let data = ChildProcess.output(of: program.rawValue, arguments, environment) else { return nil }
        let lines = TerminalGraphics.symbols(String(decoding: data, as: UTF8.self))
        return lines.isEmpty ? nil : lines
    }

    /// Low enough to leave space for text.
    private static let maxRows = 16
}
