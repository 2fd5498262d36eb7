/// Characters written as `&name;`, `&#8212;` or `&#x2014;`.
package enum Entities {
    /// The characters that an entity at the beginning of a text stands for, and how many bytes it has; nil for none.
    package static func entity(_ text: ArraySlice<UInt8>) -> (text: String, length: Int)? {
        let body = text.dropFirst().prefix(maxNameLength + 1)
        guard text.first == UInt8(ascii: "&"), let end = body.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = body[body.startIndex..<end]
        let length = end + 1 - text.startIndex
        guard name.first == UInt8(ascii: "#") else {
            return names[name.text].map { ($0, length) }
        }
        let isHex = name.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = name.dropFirst(isHex ? 2 : 1)
        guard (1...(isHex ? 6 : 7)).contains(digits.count), digits.first != UInt8(ascii: "+"),
            let code = UInt32(digits.text, radix: isHex ? 16 : 10)
        else { return nil }
        return (String(scalar(code)), length)
    }

    /// The character with a number; U+FFFD for a number that no character has.
    ///
    /// As https://html.spec.whatwg.org/#numeric-character-reference-end-state has it, 128 to 159 are the characters that
    /// windows-1252 has there.
    package static func scalar(_ code: UInt32) -> Unicode.Scalar {
        if (0x80...0x9F).contains(code) { return windows1252[Int(code - 0x80)] }
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    private static let windows1252 = Array(
        ("\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}"
            + "\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}")
            .unicodeScalars)

    private static let maxNameLength = 33

    /// Made of bytes: taken apart as characters, the names take as long as all else that a short command does.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for entry in (EntityNames.first + " " + EntityNames.second).utf8.split(whereSeparator: { $0 <= 0x20 }) {
            guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let codes = entry[entry.index(after: equals)...].split(separator: UInt8(ascii: ","))
            let scalars = codes.compactMap { UInt32(Substring($0), radix: 16).flatMap(Unicode.Scalar.init) }
            names[String(Substring(entry[..<equals]))] = String(String.UnicodeScalarView(scalars))
        }
        return names
    }()
}
