import Foundation

/// A program that draws pictures with coloured symbols, for terminals that take none.
enum SymbolProgram: String, CaseIterable, Sendable {
    case chafa
    case timg

    /// The one that is installed; nil for none.
    static func installed(_ environment: Environment) -> SymbolProgram? {
        allCases.first { environment.hasProgram($0.rawValue) }
    }

    /// The lines of a picture; nil if the program can't draw it.
    func lines(ofFile path: String, _ frame: PictureFrame, _ environment: Environment) -> [String]? {
        let size = "\(frame.columns)x\(frame.rows)"
        let arguments =
            switch self {
            case .chafa: ["--format", "symbols", "--animate", "off", "--size", size, path]
            case .timg: ["-pq", "--frames=1", "-g\(size)", path]
            }
        guard let data = OtherProgram.output(of: rawValue, arguments, environment) else { return nil }
        let lines = TerminalGraphics.symbols(String(decoding: data, as: UTF8.self))
        return lines.isEmpty ? nil : lines
    }
}
