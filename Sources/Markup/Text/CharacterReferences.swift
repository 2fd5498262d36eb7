import Essentials

/// Characters written as `&lt;`, `&nbsp;`, `&#8212;` or `&#x2014;`.
///
/// HTML, Markdown and XML are read alike, except that HTML has names without a semicolon: feeds use the names of HTML
/// without declaring them. An `&` that begins no reference is text.
package enum CharacterReferences {
    /// Where a text with references is from.
    package enum Context {
        /// Markdown and XML, where each reference ends with a semicolon.
        case other
        /// The text of HTML, in which some old names need no semicolon.
        case html
        /// An attribute of HTML, in which an old name without a semicolon may belong to an address: `?a=1&copy=2`.
        case htmlAttribute
    }

    /// Appends UTF-8 to a buffer, with its references replaced.
    package static func append(
        _ text: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8], in context: Context = .other
    ) {
        var start = 0
        while start < text.count, let base = text.baseAddress,
            let found = memchr(base + start, Int32(UInt8(ascii: "&")), text.count - start)
        {
            let place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
            if let (characters, length) = reference(UnsafeBufferPointer(rebasing: text[place...]), in: context) {
                buffer.append(contentsOf: characters.utf8)
                start = place + length
            } else {
                buffer.append(UInt8(ascii: "&"))
                start = place + 1
            }
        }
        buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// UTF-8 with its references replaced.
    package static func replaced(in text: UnsafeBufferPointer<UInt8>, of context: Context = .other) -> String {
        guard text.contains(UInt8(ascii: "&")) else { return text.text }
        var buffer: [UInt8] = []
        append(text, to: &buffer, in: context)
        return buffer.text
    }

    /// A text with its references replaced.
    package static func replaced(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var text = text
        return text.withUTF8 { replaced(in: $0) }
    }

    /// The characters of the reference at the beginning of a text, and its length in bytes; nil if there is none.
    package static func reference(
        _ text: UnsafeBufferPointer<UInt8>, in context: Context = .other
    ) -> (characters: String, length: Int)? {
        guard text.first == UInt8(ascii: "&") else { return nil }
        let name = text.dropFirst().prefix(maxLength).prefix {
            $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "#")
        }
        let next = name.endIndex < text.endIndex ? text[name.endIndex] : nil
        if next == UInt8(ascii: ";") {
            let characters =
                name.first == UInt8(ascii: "#")
                ? scalar(name.dropFirst()).map { String($0) } : predefined(name) ?? names.all[name.text]
            if let characters { return (characters, name.count + 2) }
        }
        switch context {
        case .other: return nil
        case .html: return unended(name)
        case .htmlAttribute:
            guard next != UInt8(ascii: "="), let found = unended(name), found.length == name.count + 1 else {
                return nil
            }
            return found
        }
    }

    /// The character of the longest old name at the beginning of some letters and digits.
    private static func unended(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> (characters: String, length: Int)? {
        for length in (2...maxOldLength).reversed() where length <= name.count {
            if let characters = names.old[name.prefix(length).text] { return (characters, length + 1) }
        }
        return nil
    }

    private static let maxOldLength = 6

    /// The longest name has 31 letters, and no number needs as many digits.
    private static let maxLength = 33

    /// The five names of XML: nearly all that are used, and found without the table.
    private static func predefined(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        func has(_ text: StaticString) -> Bool {
            text.utf8CodeUnitCount == name.count
                && zip(name, 0..<name.count).allSatisfy { $0 == text.utf8Start[$1] }
        }
        return switch name.count {
        case 2: has("lt") ? "<" : has("gt") ? ">" : nil
        case 3: has("amp") ? "&" : nil
        case 4: has("quot") ? "\"" : has("apos") ? "'" : nil
        default: nil
        }
    }

    /// The character with a number, in decimal or after an `x`; nil for more digits than CommonMark allows, besides
    /// leading zeros.
    ///
    /// As in https://html.spec.whatwg.org/#numeric-character-reference-end-state, 128 to 159 are the characters that
    /// windows-1252 has there, and a number that no character has is U+FFFD.
    private static func scalar(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
        let isHex = number.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = isHex ? number.dropFirst() : number
        guard digits.drop(while: { $0 == UInt8(ascii: "0") }).count <= (isHex ? 6 : 7),
            let code = UInt32(digits.text, radix: isHex ? 16 : 10)
        else { return nil }
        if (0x80...0x9F).contains(code) { return windows1252[Int(code - 0x80)] }
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    private static let windows1252 = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// Made from bytes: splitting the names as characters takes as long as the rest of a short command.
    private static let names: (all: [String: String], old: [String: String]) = {
        var all: [String: String] = [:]
        var old: [String: String] = [:]
        for entry in EntityNames.table.utf8.split(whereSeparator: { $0 <= 0x20 }) {
            guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let codes = entry[entry.index(after: equals)...].split(separator: UInt8(ascii: ","))
            let scalars = codes.compactMap { UInt32(Substring($0), radix: 16).flatMap(Unicode.Scalar.init) }
            let characters = String(String.UnicodeScalarView(scalars))
            let isOld = entry[..<equals].last == UInt8(ascii: "*")
            let name = String(Substring(isOld ? entry[..<equals].dropLast() : entry[..<equals]))
            all[name] = characters
            if isOld { old[name] = characters }
        }
        return (all, old)
    }()
}
