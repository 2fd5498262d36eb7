import Foundation

/// Halves of characters: `\ud800` in JSON without the other half, which RFC 8259 lets servers send (section 8.2) and
/// Foundation takes for an error in the whole text.
enum LoneSurrogates {
    /// The JSON with U+FFFD in the place of each; nil if there is none.
    static func replaced(in json: Data) -> Data? {
        var bytes = [UInt8](json)
        var hasReplaced = false
        var index = 0
        while index + 1 < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard let unit = codeUnit(bytes, index) else {
                // Another escape: what follows the backslash is no beginning of one.
                index += 2
                continue
            }
            if (0xD800...0xDBFF).contains(unit), let next = codeUnit(bytes, index + 6), (0xDC00...0xDFFF).contains(next)
            {
                index += 12
                continue
            }
            if (0xD800...0xDFFF).contains(unit) {
                bytes.replaceSubrange(index..<index + 6, with: Array("\\ufffd".utf8))
                hasReplaced = true
            }
            index += 6
        }
        return hasReplaced ? Data(bytes) : nil
    }

    /// The code unit of a `\uXXXX` at a place, or nil.
    private static func codeUnit(_ bytes: [UInt8], _ index: Int) -> UInt32? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return UInt32(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}
