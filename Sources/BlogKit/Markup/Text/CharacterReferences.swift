import BlogEssentials

/// Character references: `&lt;`, `&nbsp;`, `&#8212;`, `&#x2014;`.
///
/// HTML, Markdown and XML share one table, as feeds use HTML's names without declaring them. Only HTML has names without
/// a semicolon. An `&` that doesn't begin a reference is text.
package enum CharacterReferences {
    package enum Context {
        /// XML and Markdown, where every reference ends with a semicolon.
        case xml
        /// Text in HTML, where some legacy names need no semicolon.
        case html
        /// An attribute in HTML, where a legacy name without a semicolon may be part of an address: `?a=1&copy=2`.
        case htmlAttribute
    }

    /// Appends UTF-8 text to a buffer with its references replaced.
    package static func append(
        _ text: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8], as context: Context = .xml
    ) {
        var start = 0
        while let ampersand = text.offset(of: UInt8(ascii: "&"), from: start) {
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<ampersand]))
            if let (characters, length) = reference(UnsafeBufferPointer(rebasing: text[ampersand...]), as: context) {
                buffer.append(contentsOf: characters.utf8)
                start = ampersand + length
            } else {
                buffer.append(UInt8(ascii: "&"))
                start = ampersand + 1
            }
        }
        buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    /// UTF-8 text with its references replaced.
    package static func replaced(in text: UnsafeBufferPointer<UInt8>, as context: Context = .xml) -> String {
        guard text.contains(UInt8(ascii: "&")) else { return text.text }
        var buffer: [UInt8] = []
        append(text, to: &buffer, as: context)
        return buffer.text
    }

    /// A text with its references replaced.
    package static func replaced(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var text = text
        return text.withUTF8 { replaced(in: $0) }
    }

    /// The characters of the reference at the beginning of a text and its length in bytes; nil if it doesn't begin with one.
    package static func reference(
        _ text: UnsafeBufferPointer<UInt8>, as context: Context = .xml
    ) -> (characters: String, length: Int)? {
        guard text.first == UInt8(ascii: "&") else { return nil }
        let name = text.dropFirst().prefix(maxLength).prefix {
            $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "#")
        }
        let next = name.endIndex < text.endIndex ? text[name.endIndex] : nil
        if next == UInt8(ascii: ";") {
            let length = name.count + 2
            if name.first != UInt8(ascii: "#") {
                if let characters = predefined(name) ?? names.all[name.text] { return (characters, length) }
            } else if let code = code(name.dropFirst()) {
                if let pair = pair(code, before: text.dropFirst(length)) {
                    return (pair.characters, length + pair.length)
                }
                return (String(scalar(code)), length)
            }
        }
        switch context {
        case .xml: return nil
        case .html: return legacyReference(name)
        case .htmlAttribute:
            guard next != UInt8(ascii: "="), let found = legacyReference(name), found.length == name.count + 1 else {
                return nil
            }
            return found
        }
    }

    /// The longest legacy name, which needs no semicolon, at the beginning of some letters and digits.
    private static func legacyReference(
        _ name: Slice<UnsafeBufferPointer<UInt8>>
    ) -> (characters: String, length: Int)? {
        for length in (2...maxLegacyLength).reversed() where length <= name.count {
            if let characters = names.legacy[name.prefix(length).text] { return (characters, length + 1) }
        }
        return nil
    }

    private static let maxLegacyLength = 6

    /// The longest name has 31 letters, more than any number has digits.
    private static let maxLength = 33

    /// The five names of XML, which are nearly all in use, without building the table.
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

    /// A number in decimal, or in hexadecimal after an `x`; nil if it has more significant digits than CommonMark allows.
    private static func code(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
        let isHex = number.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let digits = isHex ? number.dropFirst() : number
        guard digits.drop(while: { $0 == UInt8(ascii: "0") }).count <= (isHex ? 6 : 7) else { return nil }
        return UInt32(digits.text, radix: isHex ? 16 : 10)
    }

    /// The character that two references stand for together, each to half of a surrogate pair, as programs that count in
    /// UTF-16 write an emoji; nil if they don't.
    private static func pair(
        _ code: UInt32, before rest: Slice<UnsafeBufferPointer<UInt8>>
    ) -> (characters: String, length: Int)? {
        guard UTF16.isLeadSurrogate(UInt16(truncatingIfNeeded: code)), code <= UInt16.max,
            rest.starts(with: "&#".utf8), let end = rest.prefix(maxLength).firstIndex(of: UInt8(ascii: ";"))
        else { return nil }
        guard let other = Self.code(rest[(rest.startIndex + 2)..<end]), other <= UInt16.max,
            UTF16.isTrailSurrogate(UInt16(other))
        else { return nil }
        let units = [UInt16(code), UInt16(other)]
        return (String(decoding: units, as: UTF16.self), end + 1 - rest.startIndex)
    }

    /// The character with a number.
    ///
    /// As in https://html.spec.whatwg.org/#numeric-character-reference-end-state, 128 to 159 mean the characters that
    /// windows-1252 has there, and invalid numbers mean U+FFFD.
    private static func scalar(_ code: UInt32) -> Unicode.Scalar {
        if (0x80...0x9F).contains(code) { return windows1252[Int(code - 0x80)] }
        return code == 0 ? "\u{FFFD}" : Unicode.Scalar(code) ?? "\u{FFFD}"
    }

    private static let windows1252 = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    /// Split as bytes: splitting the table as characters takes as long as the rest of a short command.
    private static let names: (all: [String: String], legacy: [String: String]) = {
        var all: [String: String] = [:]
        var legacy: [String: String] = [:]
        for entry in EntityNames.table.utf8.split(whereSeparator: { $0 <= 0x20 }) {
            guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let codes = entry[entry.index(after: equals)...].split(separator: UInt8(ascii: ","))
            let scalars = codes.compactMap { UInt32(Substring($0), radix: 16).flatMap(Unicode.Scalar.init) }
            let characters = String(String.UnicodeScalarView(scalars))
            let isLegacy = entry[..<equals].last == UInt8(ascii: "*")
            let name = String(Substring(isLegacy ? entry[..<equals].dropLast() : entry[..<equals]))
            all[name] = characters
            if isLegacy { legacy[name] = characters }
        }
        return (all, legacy)
    }()
}
