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
        for byte in string {
            if escape.isOpen || byte == UInt8(ascii: "\\") {
                escape.add(byte, into: &text)
            } else {
                escape.finish(into: &text)
                text.append(byte)
            }
        }
        escape.finish(into: &text)
        return escape.isSound ? String(validating: text, as: UTF8.self) : nil
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
            let digit = Character(UnicodeScalar(byte)).hexDigitValue
            isSound = isSound && digit != nil
            code = code << 4 | UInt32(digit ?? 0)
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
        if let scalar = UnicodeScalar(code) {
            text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        } else {
            text += unknown
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
