/// Reads JSON forward, a token at a time.
///
/// It takes only what is well-formed beyond doubt; the rest is for a decoder to judge.
struct JSONScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next token is looked for.
    private(set) var index: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int = 0) {
        self.bytes = bytes
        self.index = index
    }

    /// Whether nothing but white space is left.
    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return index == bytes.count
        }
    }

    /// Goes past a character, if that is what comes next.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Goes past `null`, if that is what comes next.
    mutating func takeNull() -> Bool {
        skipSpace()
        guard index + 4 <= bytes.count, bytes[index..<index + 4].elementsEqual("null".utf8) else { return false }
        index += 4
        return true
    }

    /// The text of a string; nil for another token or a string with a fault in it.
    mutating func string() -> String? {
        guard take("\"") else { return nil }
        let start = index
        var hasEscape = false
        var isASCII = true
        while true {
            index = bytes.endOfPlainText(from: index)
            guard index < bytes.count, bytes[index] != UInt8(ascii: "\"") else { break }
            switch bytes[index] {
            case 0..<0x20: return nil
            case UInt8(ascii: "\\"):
                hasEscape = true
                index += 1
            case 0x80...: isASCII = false
            default: break
            }
            index += 1
        }
        guard index < bytes.count else { return nil }
        let encoded = UnsafeBufferPointer(rebasing: bytes[start..<index])
        index += 1
        if hasEscape { return JSONEscape.resolved(encoded) }
        // What is no UTF-8 comes out as something else. `String(validating:)` takes several times as long.
        let text = String(decoding: encoded, as: UTF8.self)
        return isASCII || text.utf8.elementsEqual(encoded) ? text : nil
    }

    /// Goes through an object, field by field; whether all of it was taken.
    mutating func object(_ field: (String, inout JSONScanner) -> Bool) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            guard let name = string(), take(":"), field(name, &self) else { return false }
        } while take(",")
        return take("}")
    }

    /// Where a value is, of which only brackets and quotes are looked at; nil where it doesn't end.
    mutating func extent(from start: Int) -> Range<Int>? {
        index = start
        skipSpace()
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

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] <= 0x20, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }
}
