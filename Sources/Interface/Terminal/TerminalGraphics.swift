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
        chunks(of: png, "a=T,f=100,q=2,c=\(frame.columns),r=\(frame.rows)").flatMap(\.self)
    }

    // MARK: In tmux

    /// A PNG file for kitty inside tmux: the file bypasses tmux, and the cells where it is shown are text to tmux
    /// (https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders).
    ///
    /// - Parameter number: identifies the picture.
    static func placeholders(png: Data, _ frame: PictureFrame, number: UInt16) -> (file: [UInt8], lines: [[UInt8]]) {
        // The colour, which can't be 0, is the lowest byte of the ID, the third mark the highest.
        let (color, high) = (Int(number % 255) + 1, Int(number / 255) % marks.count)
        let id = high << 24 | color
        let control = "a=T,U=1,f=100,q=2,i=\(id),c=\(frame.columns),r=\(frame.rows)"
        let lines = (0..<min(frame.rows, marks.count)).map { row in
            // A cell without marks continues the one on its left.
            let first = placeholder + [row, 0, high].map { String(marks[$0]) }.joined()
            let rest = String(repeating: placeholder, count: max(frame.columns - 1, 0))
            return Array("\(escape)[38;5;\(color)m\(first)\(rest)\(escape)[39m".utf8)
        }
        return (chunks(of: png, control).flatMap(passthrough), lines)
    }

    /// A sequence that tmux passes through to its terminal, if the user allows that: escape characters are doubled.
    private static func passthrough(_ sequence: [UInt8]) -> [UInt8] {
        let doubled = sequence.flatMap { $0 == 0x1B ? [$0, $0] : [$0] }
        return Array("\(escape)Ptmux;".utf8) + doubled + Array("\(escape)\\".utf8)
    }

    /// A file in base64, in chunks of 4,096 bytes; the first one contains the control data.
    private static func chunks(of file: Data, _ control: String) -> [[UInt8]] {
        let text = file.base64EncodedData()
        let starts = stride(from: 0, to: max(text.count, 1), by: chunkSize)
        return starts.map { start in
            let isLast = start + chunkSize >= text.count
            let head = start == 0 ? control + "," : ""
            let chunk = text.dropFirst(start).prefix(chunkSize)
            return Array("\(escape)_G\(head)m=\(isLast ? 0 : 1);".utf8) + chunk + Array("\(escape)\\".utf8)
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

    // MARK: Queries

    /// Queries the terminal's name (XTVERSION), then its attributes (DA1), which all terminals report:
    /// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html.
    static let nameQuery = Array("\(escape)[>q\(escape)[c".utf8)

    /// Whether a response to ``nameQuery`` is complete.
    static func isComplete(_ response: [UInt8]) -> Bool {
        guard let start = response.firstRange(of: Array("\(escape)[?".utf8)) else { return false }
        return response[start.upperBound...].contains(UInt8(ascii: "c"))
    }

    /// The terminal's name in a response; nil if there is none.
    static func name(in response: [UInt8]) -> String? {
        guard let start = response.firstRange(of: Array("\(escape)P>|".utf8)) else { return nil }
        let rest = response[start.upperBound...]
        return rest.firstIndex(of: 0x1B).map { String(decoding: rest[..<$0], as: UTF8.self) }
    }

    private static let escape = "\u{1B}"
    private static let bell: UInt8 = 0x07
    private static let chunkSize = 4096
    /// The character that kitty replaces with a part of a picture.
    private static let placeholder = "\u{10EEEE}"
    /// The combining marks that encode the row, column and ID of a placeholder: the first of kitty's table
    /// (https://sw.kovidgoyal.net/kitty/_downloads/f0a0de9ec8d9ff4456206db8e0814937/rowcolumn-diacritics.txt).
    private static let marks: [Unicode.Scalar] = [
        0x0305, 0x030D, 0x030E, 0x0310, 0x0312, 0x033D, 0x033E, 0x033F, 0x0346, 0x034A, 0x034B, 0x034C,
        0x0350, 0x0351, 0x0352, 0x0357, 0x035B, 0x0363, 0x0364, 0x0365, 0x0366, 0x0367, 0x0368, 0x0369,
        0x036A, 0x036B, 0x036C, 0x036D, 0x036E, 0x036F, 0x0483, 0x0484, 0x0485, 0x0486, 0x0487, 0x0592,
        0x0593, 0x0594, 0x0595, 0x0597, 0x0598, 0x0599, 0x059C, 0x059D, 0x059E, 0x059F, 0x05A0, 0x05A1,
        0x05A8, 0x05A9, 0x05AB, 0x05AC, 0x05AF, 0x05C4, 0x0610, 0x0611, 0x0612, 0x0613, 0x0614, 0x0615,
        0x0616, 0x0617, 0x0657, 0x0658,
    ].compactMap { Unicode.Scalar($0) }
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
