import BlogEssentials

/// A terminal's background and its own colours, as far as it tells them, and what to use instead of those that are hard
/// to read.
struct TerminalColors: Hashable, Sendable {
    private var background: RGB?
    private var palette = usualPalette
    /// What replaces colours without enough contrast; empty if the background is unknown.
    private(set) var replacements: [Look.Color: Look.Color] = [:]

    private struct RGB: Hashable, Sendable {
        let red, green, blue: Double

        /// A colour of 24 bits.
        init(_ value: UInt32) {
            let parts = [value >> 16, value >> 8, value].map { Double($0 & 0xFF) / 255 }
            (red, green, blue) = (parts[0], parts[1], parts[2])
        }

        /// Parses `rgb:RRRR/GGGG/BBBB`, with one to four hexadecimal digits each
        /// (https://www.x.org/releases/X11R7.7/doc/libX11/libX11/libX11.html#RGB_Device_String_Specification).
        init?(_ text: Substring) {
            let parts = text.dropFirst(4).split(separator: "/", omittingEmptySubsequences: false).map { digits in
                (1...4).contains(digits.utf8.count)
                    ? Int(digits, radix: 16).map { Double($0) / Double(1 << (4 * digits.utf8.count) - 1) } : nil
            }
            guard text.hasPrefix("rgb:"), parts.count == 3, let red = parts[0], let green = parts[1],
                let blue = parts[2], [red, green, blue].allSatisfy((0...1).contains)
            else { return nil }
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        /// The relative luminance (https://www.w3.org/TR/WCAG21/#dfn-relative-luminance), with 2.2 as the gamma.
        var luminance: Double {
            [(red, 0.2126), (green, 0.7152), (blue, 0.0722)].reduce(0) { $0 + pow($1.0, 2.2) * $1.1 }
        }

        func contrast(to other: RGB) -> Double {
            let (high, low) = (max(luminance, other.luminance), min(luminance, other.luminance))
            return (high + 0.05) / (low + 0.05)
        }
    }

    /// Takes in a response to OSC 4 or OSC 11, such as `11;rgb:ffff/ffff/ffff`; ignores any other text.
    mutating func add(_ response: String) {
        let parts = response.split(separator: ";", omittingEmptySubsequences: false)
        if parts.count == 2, parts[0] == "11", let color = RGB(parts[1]) {
            background = color
        } else if parts.count == 3, parts[0] == "4", let number = Int(parts[1]), let color = RGB(parts[2]),
            palette[number] != nil
        {
            palette[number] = color
        } else {
            return
        }
        replacements = replacementsNeeded
    }

    private var replacementsNeeded: [Look.Color: Look.Color] {
        guard let background else { return [:] }
        let isLight = background.luminance > Self.middle
        var replacements: [Look.Color: Look.Color] = [:]
        for color in Self.colors {
            guard let shown = palette[color.number], shown.contrast(to: background) < Self.enough else { continue }
            replacements[color.color] = .indexed(isLight ? color.dark : color.bright)
        }
        return replacements
    }

    /// The queries: for the colours 1 to 6, and for the background.
    static let query = "4;1;?;2;?;3;?;4;?;5;?;6;?"
    static let backgroundQuery = "11;?"

    /// The contrast that text needs (https://www.w3.org/TR/WCAG21/#contrast-minimum).
    private static let enough = 4.5
    /// The luminance that has the same contrast to black and to white.
    private static let middle = 0.18

    /// The colours in use, with those of the 256 that are readable on a dark and on a light background.
    private static let colors: [(color: Look.Color, number: Int, bright: UInt8, dark: UInt8)] = [
        (.red, 1, 203, 124), (.green, 2, 77, 22), (.yellow, 3, 221, 94), (.blue, 4, 75, 25), (.magenta, 5, 176, 90),
        (.cyan, 6, 80, 23),
    ]
    /// Xterm's, for terminals that tell only their background.
    private static let usualPalette: [Int: RGB] = [
        1: RGB(0xCD0000), 2: RGB(0x00CD00), 3: RGB(0xCDCD00), 4: RGB(0x0000EE), 5: RGB(0xCD00CD), 6: RGB(0x00CDCD),
    ]
}
