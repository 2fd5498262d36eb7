import Foundation
import Markup

/// Text in whatever encoding, as UTF-8.
///
/// With the C library's iconv: Foundation's String has no encoding for half of what feeds are written in.
enum CharacterDecoding {
    /// The text in UTF-8, with U+FFFD for what is no character.
    ///
    /// Its encoding is what a byte order mark says, or else its XML declaration, or else the header of the response, as
    /// https://www.rfc-editor.org/rfc/rfc7303#section-3 has it for what has no mark. Without any of these, or where it
    /// plainly is not what they say, it is UTF-8 or windows-1252.
    static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8] {
        if let (encoding, length) = byteOrder(bytes) {
            let text = Array(bytes[length...])
            return encoding == "UTF-8" ? repaired(text) : converted(text, from: encoding) ?? repaired(text)
        }
        for name in [declaredEncoding(bytes), charset].compactMap({ $0 }) {
            let encoding = canonical(name)
            if encoding == "UTF-8" { break }
            // In UTF-16 its declaration could not have been read, and a header of UTF-16 without any zeros is wrong.
            if encoding.hasPrefix("UTF-16") || encoding.hasPrefix("UTF-32") { continue }
            if let text = converted(bytes, from: encoding) { return text }
        }
        // A stray byte is repaired where a String is made of it.
        return isPlausibleUTF8(bytes) ? bytes : converted(bytes, from: "CP1252") ?? repaired(bytes)
    }

    /// The encoding that the beginning of a text shows, and the length of its mark.
    private static func byteOrder(_ bytes: [UInt8]) -> (encoding: String, markLength: Int)? {
        let marks: [([UInt8], String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
            ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
        ]
        if let mark = marks.first(where: { bytes.starts(with: $0.0) }) { return (mark.1, mark.0.count) }
        // Without a mark the first character, which is one of ASCII, shows it.
        switch bytes.prefix(4).map({ $0 == 0 }) {
        case [true, false, true, false]: return ("UTF-16BE", 0)
        case [false, true, false, true]: return ("UTF-16LE", 0)
        case [true, true, true, false]: return ("UTF-32BE", 0)
        case [false, true, true, true]: return ("UTF-32LE", 0)
        default: return nil
        }
    }

    /// What the XML declaration near the beginning says.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let start = bytes.prefix(2048).map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }.text
        guard let declaration = start.range(of: "<?xml"),
            let end = start.range(of: ">", range: declaration.upperBound..<start.endIndex),
            let name = start.range(of: "encoding", range: declaration.upperBound..<end.lowerBound)
        else { return nil }
        let value = start[name.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    /// The name that iconv knows an encoding by.
    ///
    /// What was called by the older name is read as what it grew into, as
    /// https://encoding.spec.whatwg.org/#names-and-labels has it.
    private static func canonical(_ name: String) -> String {
        let label = name.lowercased().filter { $0.isLetter || $0.isNumber || "-_:".contains($0) }
            .replacing("_", with: "-")
        switch label {
        case "utf8", "utf-8", "unicode-1-1-utf-8", "x-unicode20utf8": return "UTF-8"
        case "iso-8859-1", "iso8859-1", "iso88591", "latin1", "latin-1", "l1", "ascii", "us-ascii": return "CP1252"
        case "iso-8859-9", "latin5": return "CP1254"
        case "iso-8859-11", "tis-620": return "CP874"
        case "gb2312", "gb-2312", "gb-2312-80", "gbk", "x-gbk", "euc-cn", "chinese": return "GB18030"
        case "shift-jis", "sjis", "x-sjis", "shift-jisx0213", "ms-kanji": return "CP932"
        case "euc-kr", "korean", "ks-c-5601-1987", "ksc5601", "ksc-5601": return "CP949"
        case "big5", "x-x-big5", "cn-big5": return "BIG5-HKSCS"
        case "x-mac-roman", "macroman": return "MACINTOSH"
        default:
            if let page = label.firstRange(of: "windows-") { return "CP" + label[page.upperBound...].uppercased() }
            return label.uppercased()
        }
    }

    // MARK: UTF-8

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.text.utf8) }

    /// Whether there are more characters of UTF-8 than bytes that can't be any: a text that was cut in the middle of a
    /// character is still UTF-8.
    private static func isPlausibleUTF8(_ bytes: [UInt8]) -> Bool {
        var (characters, strays) = (0, 0)
        var index = 0
        while true {
            index = endOfASCII(bytes, from: index)
            guard index < bytes.count else { break }
            let lead = bytes[index]
            index += 1
            let length = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0
            let end = min(index + length, bytes.count)
            let isWhole = length > 0 && bytes[index..<end].allSatisfy { $0 & 0xC0 == 0x80 }
            if isWhole { characters += 1 } else { strays += 1 }
            if isWhole { index = end }
        }
        return strays == 0 || characters > strays
    }

    /// The end of the ASCII that starts at an index, looked at eight bytes at a time.
    private static func endOfASCII(_ bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { bytes in
            var index = start
            while index + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            }
            while index < bytes.count, bytes[index] < 0x80 { index += 1 }
            return index
        }
    }

    // MARK: Other encodings

    /// The text converted; nil where the encoding is unknown.
    private static func converted(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
        guard let conversion = iconv_open("UTF-8", encoding), Int(bitPattern: conversion) != -1 else { return nil }
        defer { iconv_close(conversion) }
        let unit = encoding.hasPrefix("UTF-16") ? 2 : encoding.hasPrefix("UTF-32") ? 4 : 1
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 4)
        bytes.withUnsafeBytes { source in
            withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { chunk in
                // iconv wants to be able to write what it only reads.
                var input = UnsafeMutablePointer(mutating: source.bindMemory(to: CChar.self).baseAddress)
                var rest = source.count
                while rest > 0 {
                    var output = chunk.bindMemory(to: CChar.self).baseAddress
                    var space = chunk.count
                    let result = iconv(conversion, &input, &rest, &output, &space)
                    let reason = errno
                    text.append(contentsOf: chunk[..<(chunk.count - space)])
                    guard result == -1, reason != E2BIG else { continue }
                    text += Array("\u{FFFD}".utf8)
                    let skipped = min(unit, rest)
                    input = input.map { $0 + skipped }
                    rest -= skipped
                }
            }
        }
        return text
    }
}
