import Model

/// Makes text from a server safe to show, by removing control characters, terminal escape sequences, bidi overrides and
/// more than 30 marks on a letter.
///
/// Harmless direction marks (U+200E, U+200F, U+061C) and joiners stay: right-to-left text and emoji need them.
package enum Sanitizer {
    /// Text for one line: line breaks and tabs become spaces.
    package static func line(_ text: String) -> String {
        isClean(text, keepsLines: false) ? text : clean(text, keepsLines: false)
    }

    /// Text of several lines: `\n` and tabs stay, and other line breaks that are control characters become `\n`.
    package static func block(_ text: String) -> String {
        isClean(text, keepsLines: true) ? text : clean(text, keepsLines: true)
    }

    /// Any output, in case a renderer forgot one of the above; line breaks, tabs and form feeds pass.
    package static func output(_ text: String) -> String {
        var text = text
        let isSafe = text.withUTF8 { bytes in
            isClean(bytes, keepsLines: true) { $0 == 0x0A || $0 == 0x09 || $0 == 0x0C }
                && CombiningMarks.areFew(in: bytes)
        }
        return isSafe ? text : block(text)
    }

    /// Whether a character changes the direction of the text after it: an override, an embedding or an isolate.
    package static func isBidiControl(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// Whether a character is of C0, DEL or C1.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// The code of the character at `index` if it is a control character, a line separator or a bidi control, else nil;
    /// and the number of bytes to advance.
    package static func harmfulScalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (code: UInt32?, length: Int)
    {
        switch bytes[index] {
        case 0..<0x20, 0x7F: return (UInt32(bytes[index]), 1)
        case 0xC2: return bytes[index + 1] < 0xA0 ? (UInt32(bytes[index + 1]), 2) : (nil, 2)
        case 0xE2:
            let code = 0x2000 | UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
            let isHarmful = (0x2028...0x2029).contains(code) || Unicode.Scalar(code).map(isBidiControl) == true
            return isHarmful ? (code, 3) : (nil, 3)
        default: return (nil, 1)
        }
    }

    /// Checks bytes, because nearly all text is clean and a body can have many megabytes: C1 is C2 80…9F, the bidi
    /// controls are E2 80 AA…AE after the line separators A8 and A9, the isolates E2 81 A6…A9.
    private static func isClean(_ text: String, keepsLines: Bool) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            isClean(bytes, keepsLines: keepsLines) { keepsLines && ($0 == 0x0A || $0 == 0x09) }
                && CombiningMarks.areFew(in: bytes)
        }
    }

    /// Whether there is nothing to remove from UTF-8, given the control bytes that are allowed.
    @inline(__always)
    private static func isClean(
        _ bytes: UnsafeBufferPointer<UInt8>, keepsLines: Bool, allows: (UInt8) -> Bool
    ) -> Bool {
        let firstHarmful: UInt8 = keepsLines ? 0xAA : 0xA8
        var index = endOfHarmless(bytes, from: 0)
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0..<0x20, 0x7F: if !allows(byte) { return false }
            case 0xC2: if bytes[index + 1] < 0xA0 { return false }
            case 0xE2:
                let last = bytes[index + 2]
                if bytes[index + 1] == 0x80 && (firstHarmful...0xAE).contains(last) { return false }
                if bytes[index + 1] == 0x81 && (0xA6...0xA9).contains(last) { return false }
            default: break
            }
            index = endOfHarmless(bytes, from: index + 1)
        }
        return true
    }

    /// The end of text without control bytes or the first bytes of C1 and bidi controls.
    @inline(__always)
    private static func endOfHarmless(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        bytes.endOfText(from: start, without: 0xC2, 0xE2)
    }

    private static func clean(_ text: String, keepsLines: Bool) -> String {
        let scalars = Array(CombiningMarks.limited(text).unicodeScalars)
        var cleaned = String.UnicodeScalarView()
        var sequences = EscapeSequences()
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if let end = sequences.end(in: scalars, from: index) {
                index = end
                continue
            }
            switch scalar {
            case "\r" where index + 1 < scalars.count && scalars[index + 1] == "\n": break
            case "\n", "\r", "\u{85}", "\u{0B}", "\u{0C}": cleaned.append(keepsLines ? "\n" : " ")
            case "\u{2028}", "\u{2029}": cleaned.append(keepsLines ? scalar : " ")
            case "\t": cleaned.append(keepsLines ? "\t" : " ")
            case _ where isControl(scalar) || isBidiControl(scalar): break
            default: cleaned.append(scalar)
            }
            index += 1
        }
        return String(cleaned)
    }
}

/// Finds whole escape sequences, so that their letters aren't left behind as text.
///
/// ECMA-48, sections 5.4 and 5.6: control sequences (`ESC [ … letter`) and control strings (`ESC ] … BEL` or
/// `ESC ] … ESC \`), also with C1 characters instead of their first two.
private struct EscapeSequences {
    /// No control string ends before this index, as an earlier search has shown; so many unfinished ones take linear
    /// time.
    private var searched = 0

    /// The index after the sequence that begins at `start`; nil if there is none, or it is unfinished and so text.
    mutating func end(in text: [Unicode.Scalar], from start: Int) -> Int? {
        let first = text[start]
        let second = start + 1 < text.count ? text[start + 1] : nil
        if first == "\u{9B}" { return endOfControlSequence(text, start + 1) }
        if ["\u{90}", "\u{98}", "\u{9D}", "\u{9E}", "\u{9F}"].contains(first) {
            return endOfControlString(text, start + 1)
        }
        guard first == "\u{1B}", let second else { return nil }
        if second == "[" { return endOfControlSequence(text, start + 2) }
        return ["P", "X", "]", "^", "_"].contains(second) ? endOfControlString(text, start + 2) : nil
    }

    private func endOfControlSequence(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
        for index in start..<min(start + Self.maxParameterLength, text.count) {
            if (0x40...0x7E).contains(text[index].value) { return index + 1 }
            guard (0x20...0x3F).contains(text[index].value) else { return nil }
        }
        return nil
    }

    private mutating func endOfControlString(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
        guard start >= searched else { return nil }
        for index in start..<text.count {
            switch text[index] {
            case "\u{07}", "\u{9C}": return index + 1
            case "\u{1B}" where index + 1 < text.count && text[index + 1] == "\\": return index + 2
            case "\n", "\u{1B}":
                searched = index
                return nil
            default: continue
            }
        }
        searched = text.count
        return nil
    }

    private static let maxParameterLength = 64
}
