import BlogEssentials

/// Makes text from a server safe to display: removes control characters, terminal escape sequences, bidi overrides,
/// ``InvisibleCharacters``, and combining marks beyond 30 on a letter.
///
/// Harmless direction marks (U+200E, U+200F, U+061C) and joiners stay, as right-to-left text and emoji need them.
package enum Sanitizer {
    /// Sanitizes text for one line: line breaks and tabs become spaces.
    package static func line(_ text: String) -> String { sanitized(text, keepsLines: false) { _ in false } }

    /// Sanitizes text of several lines: `\n` and tabs stay, and other control characters that break lines become `\n`.
    package static func block(_ text: String) -> String { sanitized(text, keepsLines: true, allows: isBreak) }

    /// Sanitizes output as a last resort, in case a renderer forgot to; line breaks, tabs and form feeds pass, and invisible
    /// characters, which bodies in JSON have as published.
    package static func output(_ text: String) -> String {
        sanitized(text, keepsLines: true, removesInvisible: false, allows: isPrinted)
    }

    /// Sanitizes output in UTF-8, which must be valid.
    package static func output(_ data: [UInt8]) -> [UInt8] {
        data.withUnsafeBufferPointer { isClean($0, removesInvisible: false, allows: isPrinted) }
            ? data : Array(clean(data.text, keepsLines: true).utf8)
    }

    /// Whether UTF-8 text has control characters besides white space of ASCII.
    package static func hasControls(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Those beyond ASCII begin with C2.
        var index = bytes.endOfText(from: 0, without: 0xC2, 0xC2)
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if byte == 0xC2 ? (0x80..<0xA0).contains(next) : !byte.isASCIIWhitespace { return true }
            index = bytes.endOfText(from: index + 1, without: 0xC2, 0xC2)
        }
        return false
    }

    /// A text without control characters, escape sequences and bidi overrides; breaks of lines become `\n`, and tabs stay.
    package static func withoutControls(_ text: String) -> String { clean(text, keepsLines: true) }

    private static func isBreak(_ code: UInt32) -> Bool {
        code == 0x09 || code == 0x0A || (0x2028...0x2029).contains(code)
    }

    private static func isPrinted(_ code: UInt32) -> Bool { isBreak(code) || code == 0x0C }

    /// Whether a character is a bidi override, embedding or isolate.
    package static func isBidiControl(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// Whether a character is in C0 or C1, or is DEL.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// The code point at `index` if it is a control character, a line separator or a bidi control, else nil; and the number
    /// of bytes to advance.
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

    /// Checks the UTF-8 bytes first, because nearly all text is clean and a body can have many megabytes.
    @inline(__always)
    private static func sanitized(
        _ text: String, keepsLines: Bool, removesInvisible: Bool = true, allows: (UInt32) -> Bool
    ) -> String {
        var text = text
        let wasClean = text.withUTF8 { isClean($0, removesInvisible: removesInvisible, allows: allows) }
        if wasClean { return text }
        return clean(removesInvisible ? InvisibleCharacters.removed(from: text) : text, keepsLines: keepsLines)
    }

    /// - Parameter allows: whether a harmful character is allowed.
    @inline(__always)
    private static func isClean(
        _ bytes: UnsafeBufferPointer<UInt8>, removesInvisible: Bool, allows: (UInt32) -> Bool
    ) -> Bool {
        var (index, isASCII) = (bytes.endOfPrintableText(from: 0), true)
        while index < bytes.count {
            if allows(UInt32(bytes[index])) {
                index += 1
            } else {
                isASCII = false
                // Harmful characters begin with a control byte, C2 or E2.
                index = bytes.endOfText(from: index, without: 0xC2, 0xE2)
                guard index < bytes.count else { break }
                let (code, length) = harmfulScalar(bytes, index)
                if let code, !allows(code) { return false }
                index += length
            }
            index = bytes.endOfPrintableText(from: index)
        }
        return isASCII
            || CombiningMarks.areFew(in: bytes) && (!removesInvisible || InvisibleCharacters.areNone(in: bytes))
    }

    private static func clean(_ text: String, keepsLines: Bool) -> String {
        let scalars = Array(CombiningMarks.limited(text).unicodeScalars)
        var cleaned: [UInt8] = []
        cleaned.reserveCapacity(text.utf8.count)
        func add(_ scalar: Unicode.Scalar) {
            if scalar.isASCII { cleaned.append(UInt8(scalar.value)) } else { cleaned += String(scalar).utf8 }
        }
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
            case "\n", "\r", "\u{85}", "\u{0B}", "\u{0C}": add(keepsLines ? "\n" : " ")
            case "\u{2028}", "\u{2029}": add(keepsLines ? scalar : " ")
            case "\t": add(keepsLines ? "\t" : " ")
            case _ where isControl(scalar) || isBidiControl(scalar): break
            default: add(scalar)
            }
            index += 1
        }
        return cleaned.text
    }
}

/// Finds complete escape sequences, so that their letters aren't left behind as text.
///
/// ECMA-48, sections 5.4 and 5.6: control sequences (`ESC [ … letter`) and control strings (`ESC ] … BEL` or
/// `ESC ] … ESC \`), also introduced by a C1 character.
private struct EscapeSequences {
    /// No control string ends before this index: remembered so that many unterminated ones take linear time.
    private var searched = 0

    /// The end of the sequence that begins at `start`; nil if none does, or it is unterminated and therefore text.
    mutating func end(in text: [Unicode.Scalar], from start: Int) -> Int? {
        let isEscape = text[start] == "\u{1B}" && start + 1 < text.count
        // A C1 character stands for ESC and another character.
        let introducer = isEscape ? text[start + 1] : Unicode.Scalar(text[start].value &- 0x40)
        guard isEscape || (0x80...0x9F).contains(text[start].value), let introducer else { return nil }
        let content = start + (isEscape ? 2 : 1)
        switch introducer {
        case "[": return endOfControlSequence(text, content)
        case "P", "X", "]", "^", "_": return endOfControlString(text, content)
        default: return nil
        }
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
