import Foundation

/// Random texts of characters that have a meaning in formats and on terminals, joined as Unicode joins them: a quote
/// followed by a combining mark is one Character.
package enum HostileText {
    package static let marks = [
        "\"", "\"\"", "'", "|", "\\", ",", "[", "]", "(", ")", "<", ">", "*", "**", "`", "``", "#", "_", "~", "-", "+",
        "=", "!", "&", "&amp;", ":", ";", "1.", "2)", "](", "author:", "in:", "NOT", "AND", "NEAR(", "^", "{title}",
    ]
    package static let joiners = [
        "\u{200D}", "\u{301}", "\u{20DD}", "\u{FE0F}", "\u{600}", "\u{1F1E6}", "\u{1161}", "\u{93F}", "\u{E48}",
        "\u{200B}", "\u{FEFF}", "\u{AD}",
    ]
    package static let letters = ["a", "word", "e", "é", "天", "한", "👩", "ไ", " ", " ", "  "]
    package static let controls = [
        "\n", "\r", "\r\n", "\t", "\u{B}", "\u{C}", "\u{0}", "\u{7}", "\u{1B}", "\u{1B}[31m",
        "\u{1B}]8;;http://x\u{1B}\\", "\u{7F}", "\u{85}", "\u{9B}", "\u{9D}", "\u{9B}2J", "\u{2028}", "\u{2029}",
        "\u{202E}", "\u{202A}", "\u{2066}", "\u{2069}", "\u{FFF9}", "\u{206A}", "\u{2}",
    ]

    /// The next text.
    package static func next(_ random: inout SplitMix, hasControls: Bool = true) -> String {
        let alphabets = [marks, marks, joiners, letters] + (hasControls ? [controls] : [])
        var text = ""
        for _ in 0..<Int.random(in: 0...10, using: &random) {
            text += alphabets.randomElement(using: &random)?.randomElement(using: &random) ?? ""
        }
        return text
    }

    /// Whether a text has nothing that could control a terminal or reorder text, except for the allowed scalars.
    package static func isHarmless(_ text: String, but allowed: Set<Unicode.Scalar> = ["\n"]) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            let isHarmful =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            return !isHarmful || allowed.contains(scalar)
        }
    }
}

/// Compares texts by their scalars, since to Swift's `==` both spellings of "é" are equal.
package func scalars(_ texts: [String]) -> [[Unicode.Scalar]] { texts.map { Array($0.unicodeScalars) } }
