import Foundation
import Markup

/// Characters written as `&lt;`, `&nbsp;` or `&#8212;` in XML: the names of HTML are known without a declaration, since
/// feeds use them so, and an `&` that begins none is text.
enum CharacterReferences {
    /// Adds a text to a buffer, its references replaced.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8]) {
        var start = 0
        while start < text.count, let base = text.baseAddress,
            let found = memchr(base + start, Int32(UInt8(ascii: "&")), text.count - start)
        {
            let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
            start = place + (appendReference(UnsafeBufferPointer(rebasing: text[place...]), to: &buffer) ?? 0)
            if start == place {
                buffer.append(UInt8(ascii: "&"))
                start += 1
            }
        }
        buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// The text with its references replaced.
    static func text(_ text: UnsafeBufferPointer<UInt8>) -> String {
        guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
        var buffer: [UInt8] = []
        append(text, to: &buffer)
        return buffer.text
    }

    /// Whether there is a reference at the beginning of a text.
    static func isReference(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var buffer: [UInt8] = []
        return appendReference(text, to: &buffer) != nil
    }

    private static let longestName = 33

    /// Adds what the reference at the beginning stands for, and gives its length; nil for none.
    private static func appendReference(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8]) -> Int? {
        guard text.count > 2 else { return nil }
        let limit = min(text.count, longestName + 2)
        var end = 1
        while end < limit, text[end] != UInt8(ascii: ";") {
            guard text[end].isASCIILetter || text[end].isDigit || text[end] == UInt8(ascii: "#") else { return nil }
            end += 1
        }
        guard end < limit else { return nil }
        let name = text[1..<end]
        if name.first == UInt8(ascii: "#") {
            guard let scalar = scalar(name.dropFirst()) else { return nil }
            buffer.append(contentsOf: Array(String(scalar).utf8))
        } else if let byte = predefined(name) {
            buffer.append(byte)
        } else {
            guard let entity = Entities.entity(Array(text[...end])[...]) else { return nil }
            buffer.append(contentsOf: Array(entity.text.utf8))
        }
        return end + 1
    }

    /// The five that XML itself has, which are nearly all that there are.
    private static func predefined(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> UInt8? {
        func has(_ text: StaticString) -> Bool {
            text.utf8CodeUnitCount == name.count
                && zip(name, 0..<name.count).allSatisfy { $0 == text.utf8Start[$1] }
        }
        return switch name.count {
        case 2: has("lt") ? UInt8(ascii: "<") : has("gt") ? UInt8(ascii: ">") : nil
        case 3: has("amp") ? UInt8(ascii: "&") : nil
        case 4: has("quot") ? UInt8(ascii: "\"") : has("apos") ? UInt8(ascii: "'") : nil
        default: nil
        }
    }

    /// The character with a number, in decimal or after an `x`; what no text can hold becomes U+FFFD.
    private static func scalar(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
        let isHex = number.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = isHex ? number.dropFirst() : number
        guard !digits.isEmpty else { return nil }
        var code: UInt32 = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue, isHex || value < 10 else { return nil }
            code = min(code * (isHex ? 16 : 10) + UInt32(value), 0x11_0000)
        }
        return Entities.scalar(code)
    }
}
