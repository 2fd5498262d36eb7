import BlogEssentials
import BlogMarkup
import BlogRendering

/// Escape sequences for pictures.
///
/// They contain no text from servers, only numbers and base64 of a file that was recognized as a picture.
enum TerminalGraphics {
    /// A file in iTerm2's protocol (https://iterm2.com/documentation-images.html), fitted into a box of cells.
    static func inline(_ file: Data, _ frame: PictureFrame) -> [UInt8] {
        let arguments = [
            "inline=1", "size=\(file.count)", "width=\(frame.columns)", "height=\(frame.rows)", "preserveAspectRatio=1",
        ]
        return Array("\(escape)]1337;File=\(arguments.joined(separator: ";")):".utf8) + file.base64EncodedData() + [
            bell
        ]
    }

    /// A PNG file in kitty's protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/), at the cursor.
    static func kitty(png: Data, _ frame: PictureFrame) -> [UInt8] {
        let control = "a=T,f=100,q=2,c=\(frame.columns),r=\(frame.rows),"
        let text = png.base64EncodedData()
        let starts = stride(from: 0, to: max(text.count, 1), by: chunkSize)
        // The first chunk contains the control data.
        return starts.flatMap { start in
            let isLast = start + chunkSize >= text.count
            let head = "\(start == 0 ? control : "")m=\(isLast ? 0 : 1);"
            return Array("\(escape)_G\(head)".utf8) + text.dropFirst(start).prefix(chunkSize)
                + Array("\(escape)\\".utf8)
        }
    }

    // MARK: Symbols

    /// The lines of a picture from a program's output, reduced to text and colours.
    static func symbols(_ output: String) -> [String] {
        let parts = output.split(separator: escape + "[", omittingEmptySubsequences: false).map(String.init)
        let text = Sanitizer.output(parts[0]) + parts.dropFirst().map(colored).joined()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.reversed().drop { $0.isEmpty }.reversed().map { $0 + escape + "[0m" }
    }

    /// The text after the beginning of a control sequence, with that sequence if it selects a colour.
    private static func colored(_ part: String) -> String {
        let parameters = part.utf8.prefix { (0x30...0x3F).contains($0) }
        let rest = part.utf8.dropFirst(parameters.count)
        let text = Sanitizer.output(String(decoding: rest.dropFirst(), as: UTF8.self))
        let isColor = rest.first == UInt8(ascii: "m") && parameters.allSatisfy { (0x30...0x3B).contains($0) }
        return isColor ? "\(escape)[\(String(decoding: parameters, as: UTF8.self))m\(text)" : text
    }

    /// Turns colour sequences of a line into styles, and drops other sequences.
    static func styled(_ line: String) -> StyledText {
        let parts = line.split(separator: escape + "[", omittingEmptySubsequences: false).map(String.init)
        var text = StyledText(Sanitizer.line(parts[0]))
        var colors = PictureColors()
        for part in parts.dropFirst() {
            let parameters = part.prefix { $0.isNumber || $0 == ";" }
            let rest = part.dropFirst(parameters.count)
            if rest.first == "m" { colors.apply(parameters.split(separator: ";").map { Int($0) ?? 0 }[...]) }
            let shown = Sanitizer.line(String(rest.dropFirst()))
            text += colors == PictureColors() ? StyledText(shown) : StyledText(shown, .picture(colors))
        }
        return text
    }

    private static let escape = "\u{1B}"
    private static let bell: UInt8 = 0x07
    private static let chunkSize = 4096
}

extension PictureColors {
    /// Applies "Select Graphic Rendition" (ECMA-48, 8.3.117).
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
    /// A colour of xterm's 256-colour palette.
    fileprivate init?(indexed index: Int) {
        switch index {
        case 0..<16:
            let level: UInt8 = index < 8 ? 0xCD : 0xFF
            func part(_ bit: Int) -> UInt8 { index & bit == 0 ? 0 : level }
            self.init(red: part(1), green: part(2), blue: part(4))
        case 16..<232:
            func part(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + 40 * step) }
            let steps = index - 16
            self.init(red: part(steps / 36), green: part(steps / 6 % 6), blue: part(steps % 6))
        case 232..<256:
            let grey = UInt8(8 + 10 * (index - 232))
            self.init(red: grey, green: grey, blue: grey)
        default: return nil
        }
    }
}
