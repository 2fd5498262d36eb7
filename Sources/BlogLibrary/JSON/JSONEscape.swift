/// An escape in a JSON string, and the second half of a character of two.
struct JSONEscape {
    /// How many bytes of an escape have been read; 0 outside of one.
    private var count = 0
    /// The number behind `\u` so far.
    private var code: UInt32 = 0
    /// The first half of a character that is written in two.
    private var high: UInt32?

    /// Whether all there was so far are escapes that JSON has.
    private(set) var isSound = true

    var isOpen: Bool { count > 0 }

    /// The text of a string literal; nil if it has an invalid escape or invalid UTF-8.
    static func resolved(_ string: UnsafeBufferPointer<UInt8>) -> String? {
        var text: [UInt8] = []
        var escape = JSONEscape()
        text.reserveCapacity(string.count)
        var index = 0
        while index < string.count {
            let byte = string[index]
            if !escape.isOpen, let code = code(in: string, at: index) {
                escape.code = code
                escape.write(into: &text)
                index += 6
                continue
            }
            if escape.isOpen || byte == UInt8(ascii: "\\") {
                escape.add(byte, into: &text)
            } else {
                escape.finish(into: &text)
                text.append(byte)
            }
            index += 1
        }
        escape.finish(into: &text)
        return escape.isSound ? text.withUnsafeBufferPointer(\.validText) : nil
    }

    /// The number of a `\uXXXX` at an index, as which some servers write all their text; nil for anything else.
    private static func code(in string: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
        guard index + 6 <= string.count, string[index] == UInt8(ascii: "\\"), string[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var code: UInt32 = 0
        for offset in 2..<6 {
            guard let digit = hexDigit(string[index + offset]) else { return nil }
            code = code << 4 | digit
        }
        return code
    }

    /// Takes the next byte of an escape, and writes what it stands for when that is known.
    mutating func add(_ byte: UInt8, into text: inout [UInt8]) {
        count += 1
        switch count {
        case 1: break
        case 2 where byte == UInt8(ascii: "u"): code = 0
        case 2:
            finish(into: &text)
            isSound = isSound && Self.letters.contains(byte)
            text.append(Self.meaning(of: byte))
            count = 0
        default:
            let digit = Self.hexDigit(byte)
            isSound = isSound && digit != nil
            code = code << 4 | (digit ?? 0)
            guard count == 6 else { return }
            write(into: &text)
            count = 0
        }
    }

    /// Writes what a first half without a second stands for.
    mutating func finish(into text: inout [UInt8]) {
        guard high != nil else { return }
        high = nil
        text += Self.unknown
    }

    private mutating func write(into text: inout [UInt8]) {
        if let first = high, (0xDC00...0xDFFF).contains(code) {
            high = nil
            return Self.write(0x10000 + (first - 0xD800) << 10 + (code - 0xDC00), into: &text)
        }
        finish(into: &text)
        if (0xD800...0xDBFF).contains(code) { high = code } else { Self.write(code, into: &text) }
    }

    private static func write(_ code: UInt32, into text: inout [UInt8]) {
        guard code >= 0x80 else { return text.append(UInt8(code)) }
        // The encoder of the standard library takes several times as long.
        func follow(_ shift: UInt32) { text.append(UInt8(0x80 | code >> shift & 0x3F)) }
        switch code {
        case 0xD800...0xDFFF: return text += unknown
        case ..<0x800: text.append(UInt8(0xC0 | code >> 6))
        case ..<0x10000:
            text.append(UInt8(0xE0 | code >> 12))
            follow(6)
        default:
            text.append(UInt8(0xF0 | code >> 18))
            follow(12)
            follow(6)
        }
        follow(0)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x41 + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x61 + 10
        default: nil
        }
    }

    private static func meaning(of byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: byte
        }
    }

    private static let letters = Array(#""\/bfnrt"#.utf8)
    private static let unknown = Array("\u{FFFD}".utf8)
}
