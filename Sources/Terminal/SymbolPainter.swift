import BlogLibrary
import Foundation
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
            let frame = PictureFrame(of: picture.size, columns: room, rows: min(place.rows ?? .max, Self.maxRows), .usual)
        else { return nil }
        return program.lines(ofFile: path, frame, environment)?.map(Self.styled)
    }

    /// So high that text is seen beside it.
    private static let maxRows = 16

    /// A line with colours as escape sequences as styled text; other sequences are dropped.
    static func styled(_ line: String) -> StyledText {
        let pieces = line.components(separatedBy: "\u{1B}[")
        var text = StyledText(Sanitizer.line(pieces[0]))
        var colors = PictureColors()
        for piece in pieces.dropFirst() {
            let parameters = piece.prefix { $0.isNumber || $0 == ";" }
            let rest = piece.dropFirst(parameters.count)
            if rest.first == "m" { colors.apply(parameters.split(separator: ";").map { Int($0) ?? 0 }[...]) }
            let part = Sanitizer.line(String(rest.dropFirst()))
            text += colors == PictureColors() ? StyledText(part) : StyledText(part, .picture(colors))
        }
        return text
    }
}

extension PictureColors {
    /// Changes the colours as "Select Graphic Rendition" (ECMA-48, 8.3.117) says.
    fileprivate mutating func apply(_ parameters: ArraySlice<Int>) {
        var rest = parameters.isEmpty ? [0] : parameters
        while let first = rest.popFirst() {
            switch first {
            case 0: self = PictureColors()
            case 7: swap(&foreground, &background)
            case 38: foreground = Self.color(&rest)
            case 48: background = Self.color(&rest)
            case 39: foreground = nil
            case 49: background = nil
            case 30...37: foreground = RGB(indexed: first - 30)
            case 40...47: background = RGB(indexed: first - 40)
            case 90...97: foreground = RGB(indexed: first - 82)
            case 100...107: background = RGB(indexed: first - 92)
            default: break
            }
        }
    }

    private static func color(_ rest: inout ArraySlice<Int>) -> RGB? {
        switch rest.popFirst() {
        case 5: return rest.popFirst().flatMap { RGB(indexed: $0) }
        case 2:
            guard rest.count >= 3 else { return nil }
            let values = rest.prefix(3).map { UInt8(clamping: $0) }
            rest = rest.dropFirst(3)
            return RGB(red: values[0], green: values[1], blue: values[2])
        default: return nil
        }
    }
}

extension PictureColors.RGB {
    /// A colour of xterm's palette of 256.
    fileprivate init?(indexed index: Int) {
        switch index {
        case 0..<16:
            let level: UInt8 = index < 8 ? 0xCD : 0xFF
            func part(_ bit: Int) -> UInt8 { index & bit == 0 ? 0 : level }
            self.init(red: part(1), green: part(2), blue: part(4))
        case 16..<232:
            func part(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + 40 * step) }
            let place = index - 16
            self.init(red: part(place / 36), green: part(place / 6 % 6), blue: part(place % 6))
        case 232..<256:
            let grey = UInt8(8 + 10 * (index - 232))
            self.init(red: grey, green: grey, blue: grey)
        default: return nil
        }
    }
}
