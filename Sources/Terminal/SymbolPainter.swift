import BlogLibrary
import Essentials
import Markup
import Rendering

/// Draws pictures as lines of coloured symbols, by another program.
package struct SymbolPainter: Sendable {
    private let program: SymbolProgram
    private let environment: Environment

    /// Nil if no such program is installed.
    package init?(_ environment: Environment) {
        guard let program = SymbolProgram.installed(environment) else { return nil }
        self.program = program
        self.environment = environment
    }

    /// The lines of a picture, at most so many columns wide; nil if it can't be drawn.
    package func lines(of picture: LoadedPicture, _ place: PicturePlace, columns: Int) -> [StyledText]? {
        let room = min(place.columns, columns)
        guard let path = picture.path,
            let frame = PictureFrame(
                of: picture.size, columns: room, rows: min(place.rows ?? .max, Self.maxRows), .usual)
        else { return nil }
        return program.lines(ofFile: path, frame, environment)?.map(TerminalGraphics.styled)
    }

    /// So high that text is seen beside it.
    private static let maxRows = 16
}
