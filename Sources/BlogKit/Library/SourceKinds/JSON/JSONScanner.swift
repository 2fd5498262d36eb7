import BlogEssentials
import BlogModel

/// Reads JSON forward, one token at a time.
///
/// It accepts only JSON that is certainly well-formed and leaves the rest to a decoder. The plain way is the decoder
/// alone: see ``RecordReader`` for the cost and the tests.
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of the next token or the white space before it.
    private(set) var index: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int = 0) {
        self.bytes = bytes
        self.index = index
    }

    /// The next byte that isn't white space; nil at the end.
    mutating func peek() -> UInt8? {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            index += 1
        }
        return nil
    }

    /// Consumes a byte, if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    /// Consumes a literal such as `null`, if it is next.
    mutating func take(literal: StaticString) -> Bool {
        guard peek() != nil, index + literal.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<literal.utf8CodeUnitCount where bytes[index + offset] != literal.utf8Start[offset] {
            return false
        }
        index += literal.utf8CodeUnitCount
        return true
    }

    /// The bytes between the quotes of a string, and whether they contain escapes; nil for another token or a malformed
    /// string.
    private mutating func rawString() -> (bytes: UnsafeBufferPointer<UInt8>, hasEscape: Bool)? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = index
        var hasEscape = false
        while true {
            guard index < bytes.count else { return nil }
            // Adjacent escapes have no text in between.
            if bytes[index] != UInt8(ascii: "\\") { index = bytes.endOfUnquotedText(from: index) }
            guard index < bytes.count else { return nil }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return (UnsafeBufferPointer(rebasing: bytes[start..<index - 1]), hasEscape)
            case 0..<0x20: return nil
            case UInt8(ascii: "\\"):
                hasEscape = true
                guard index + 1 < bytes.count else { return nil }
                // An invalid code is detected when the escape is resolved.
                index += bytes[index + 1] == UInt8(ascii: "u") ? 6 : 2
            default: index += 1
            }
        }
    }

    /// The text of a string; nil for another token or a malformed string.
    mutating func string() -> String? {
        guard let (encoded, hasEscape) = rawString() else { return nil }
        return hasEscape ? JSONEscape.resolved(encoded) : encoded.validText
    }

    /// A string or null; nil for another token or a malformed string.
    mutating func stringOrNull() -> String?? {
        take(literal: "null") ? .some(nil) : string().map { .some($0) }
    }

    /// Reads an object, field by field; false if it isn't one, or if a field was rejected.
    mutating func object(_ field: (UnsafeBufferPointer<UInt8>, inout JSONScanner) -> Bool) -> Bool {
        guard take(UInt8(ascii: "{")) else { return false }
        if take(UInt8(ascii: "}")) { return true }
        repeat {
            // Names with escapes are left to the decoder.
            guard let (name, hasEscape) = rawString(), !hasEscape, take(UInt8(ascii: ":")), field(name, &self)
            else { return false }
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}"))
    }

    /// Skips any value; false if it is malformed or nested too deeply.
    mutating func skipValue(depth: Int = 0) -> Bool {
        guard let first = peek(), depth < Self.maxDepth else { return false }
        switch first {
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "{"): return object { _, scanner in scanner.skipValue(depth: depth + 1) }
        case UInt8(ascii: "["):
            index += 1
            if take(UInt8(ascii: "]")) { return true }
            repeat {
                guard skipValue(depth: depth + 1) else { return false }
            } while take(UInt8(ascii: ","))
            return take(UInt8(ascii: "]"))
        case UInt8(ascii: "t"): return take(literal: "true")
        case UInt8(ascii: "f"): return take(literal: "false")
        case UInt8(ascii: "n"): return take(literal: "null")
        default: return skipNumber()
        }
    }

    private mutating func skipNumber() -> Bool {
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        guard skipDigits() else { return false }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard skipDigits(mayBeginWithZero: true) else { return false }
        }
        guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return true }
        index += 1
        if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
        return skipDigits(mayBeginWithZero: true)
    }

    private mutating func skipDigits(mayBeginWithZero: Bool = false) -> Bool {
        let start = index
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
        return index > start && (mayBeginWithZero || index == start + 1 || bytes[start] != 0x30)
    }

    /// The range of the value at an offset, found by its brackets and quotes alone; nil if it isn't complete yet.
    mutating func extent(from start: Int) -> Range<Int>? {
        index = start
        guard peek() != nil else { return nil }
        let first = index
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if depth == 0 { return first..<index }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return first..<index
            default: break
            }
            index += 1
        }
        return nil
    }

    /// The maximum nesting of objects and arrays; a decoder has a limit too.
    private static let maxDepth = 64
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes as UTF-8 text; nil if they are invalid.
    var validText: String? {
        guard !isEmpty else { return "" }
        // Decoding replaces invalid bytes. `String(validating:)` takes several times as long.
        var text = String(decoding: self, as: UTF8.self)
        let isSame = text.withUTF8 { utf8 in
            guard utf8.count == count, let one = utf8.baseAddress, let other = baseAddress else { return false }
            return memcmp(one, other, count) == 0
        }
        return isSame ? text : nil
    }
}

/// An escape in a JSON string, and a pending high surrogate.
struct JSONEscape {
    /// How many bytes of the escape have been read; 0 outside an escape.
    private var count = 0
    /// The code after `\u` so far.
    private var code: UInt32 = 0
    /// The first half of a surrogate pair.
    private var high: UInt32?

    /// Whether all escapes so far were valid.
    private(set) var isValid = true

    var isOpen: Bool { count > 0 }

    /// The text of a string literal; nil if it has an invalid escape or invalid UTF-8.
    static func resolved(_ string: UnsafeBufferPointer<UInt8>) -> String? {
        var text: [UInt8] = []
        var escape = JSONEscape()
        text.reserveCapacity(string.count)
        var index = 0
        while index < string.count {
            // Nearly all of a long text has no escapes, so it is copied in runs.
            if !escape.isOpen, case let end = string.endOfUnquotedText(from: index), end > index {
                escape.finish(into: &text)
                text += string[index..<end]
                index = end
                continue
            }
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
        return escape.isValid ? text.withUnsafeBufferPointer(\.validText) : nil
    }

    /// The code of a `\uXXXX` at an index; nil for anything else.
    ///
    /// A fast path for servers that escape all their text.
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

    /// Adds the next byte of an escape, and writes its character when it is complete.
    mutating func add(_ byte: UInt8, into text: inout [UInt8]) {
        count += 1
        switch count {
        case 1: break
        case 2 where byte == UInt8(ascii: "u"): code = 0
        case 2:
            finish(into: &text)
            isValid = isValid && Self.letters.contains(byte)
            text.append(Self.character(for: byte))
            count = 0
        default:
            let digit = Self.hexDigit(byte)
            isValid = isValid && digit != nil
            code = code << 4 | (digit ?? 0)
            guard count == 6 else { return }
            write(into: &text)
            count = 0
        }
    }

    /// Writes U+FFFD for a high surrogate without a low one.
    mutating func finish(into text: inout [UInt8]) {
        guard high != nil else { return }
        high = nil
        text += Self.replacement
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
        case 0xD800...0xDFFF: return text += replacement
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

    private static func character(for byte: UInt8) -> UInt8 {
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
    private static let replacement = Array("\u{FFFD}".utf8)
}

extension Optional {
    /// Sets a field that has no value yet; false if it has one, or if there is no value to set.
    mutating func setOnce(_ value: Wrapped?) -> Bool {
        guard self == nil, let value else { return false }
        self = value
        return true
    }
}
