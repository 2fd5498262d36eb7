import Foundation

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
        // As https://html.spec.whatwg.org/#numeric-character-reference-end-state has it: meant are those of windows-1252.
        if (0x80...0x9F).contains(code) { return windows1252[Int(code - 0x80)] }
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    private static let windows1252 = Array(
        ("\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}"
            + "\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}")
            .unicodeScalars)
}
