import Essentials

/// Converts text to UTF-8, with the C library's iconv: Foundation lacks half of the encodings of feeds and pages.
package enum CharacterDecoding {
    /// The text of a feed in UTF-8; invalid bytes are U+FFFD, or repaired when a String is made of them.
    ///
    /// Its encoding is that of a byte order mark, or else of its XML declaration, or else of the response's header
    /// (https://www.rfc-editor.org/rfc/rfc7303#section-3). Without any of these, or if they are plainly wrong, it is
    /// UTF-8 or windows-1252.
    package static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8] {
        utf8(bytes, names: [declaredEncoding(bytes), charset])
    }

    /// The text of a web page, with U+FFFD for invalid bytes.
    ///
    /// Its encoding is that of a byte order mark, or else of the response's header, or else of a `meta` near the
    /// beginning (https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding). Without any
    /// of these, or if they are plainly wrong, it is UTF-8 or windows-1252.
    package static func page(_ bytes: [UInt8], charset: String?) -> String {
        utf8(bytes, names: [charset, metaEncoding(bytes), declaredEncoding(bytes)]).text
    }

    private static func utf8(_ bytes: [UInt8], names: [String?]) -> [UInt8] {
        if let (encoding, length) = byteOrder(bytes) {
            let text = Array(bytes[length...])
            return encoding == "UTF-8" ? repaired(text) : converted(text, from: encoding) ?? repaired(text)
        }
        for name in names.compactMap({ $0 }) {
            let encoding = canonical(name)
            if encoding == "UTF-8" { break }
            // A declaration in UTF-16 could not have been read, and text without zeros isn't UTF-16.
            if encoding.hasPrefix("UTF-16") || encoding.hasPrefix("UTF-32") { continue }
            if let text = converted(bytes, from: encoding) { return text }
        }
        // Invalid bytes are repaired when a String is made of them.
        return isPlausibleUTF8(bytes) ? bytes : converted(bytes, from: "CP1252") ?? repaired(bytes)
    }

    /// The encoding by the first bytes of a text, and the length of its byte order mark.
    private static func byteOrder(_ bytes: [UInt8]) -> (encoding: String, markLength: Int)? {
        let marks: [([UInt8], String)] = [
            ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"), ([0, 0, 0xFE, 0xFF], "UTF-32BE"),
            ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
        ]
        if let mark = marks.first(where: { bytes.starts(with: $0.0) }) { return (mark.1, mark.0.count) }
        // Without a mark, the first characters are ASCII.
        switch bytes.prefix(4).map({ $0 == 0 }) {
        case [true, false, true, false]: return ("UTF-16BE", 0)
        case [false, true, false, true]: return ("UTF-16LE", 0)
        case [true, true, true, false]: return ("UTF-32BE", 0)
        case [false, true, true, true]: return ("UTF-32LE", 0)
        default: return nil
        }
    }

    /// The encoding in the XML declaration near the beginning.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        let start = bytes.prefix(2048).map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }.text
        guard let declaration = start.firstRange(of: "<?xml"),
            let end = start[declaration.upperBound...].firstRange(of: ">"),
            let name = start[declaration.upperBound..<end.lowerBound].firstRange(of: "encoding")
        else { return nil }
        let value = start[name.upperBound..<end.lowerBound].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    /// The encoding in a `meta` near the beginning of a page.
    private static func metaEncoding(_ bytes: [UInt8]) -> String? {
        bytes.prefix(4096).withUnsafeBufferPointer { start in
            var scanner = TagScanner(start)
            while let token = scanner.next() {
                guard case .open(let name, _) = token else { continue }
                let tag = scanner.lowercased(name)
                if HTMLToken.scripts.contains(tag) { scanner.skipContent(of: name) }
                guard tag == "meta" else { continue }
                let values = scanner.attributes.map { (scanner.lowercased($0.name), scanner.lowercased($0.value)) }
                let attributes = Dictionary(values) { first, _ in first }
                if let name = attributes["charset"], !name.isEmpty { return name }
                guard attributes["http-equiv"] == "content-type",
                    let label = attributes["content"]?.split(separator: "charset=").dropFirst().first
                else { continue }
                return label.split { "\"'; ".contains($0) }.first.map(String.init)
            }
            return nil
        }
    }

    /// The name of an encoding for iconv.
    ///
    /// As in https://encoding.spec.whatwg.org/#names-and-labels, old names mean the supersets that replaced them.
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
        case "x-euc-jp": return "EUC-JP"
        case "iso-8859-8-i", "logical": return "ISO-8859-8"
        default:
            if let page = label.firstRange(of: "windows-") { return "CP" + label[page.upperBound...].uppercased() }
            return label.uppercased()
        }
    }

    // MARK: UTF-8

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.text.utf8) }

    /// Whether there are more valid characters than invalid bytes: a text cut within a character is still UTF-8.
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

    /// The end of the ASCII text at an index, checking eight bytes at a time.
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

    /// The text in UTF-8; nil if the encoding is unknown.
    private static func converted(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
        guard let conversion = iconv_open("UTF-8", encoding), Int(bitPattern: conversion) != -1 else { return nil }
        defer { iconv_close(conversion) }
        let unit = encoding.hasPrefix("UTF-16") ? 2 : encoding.hasPrefix("UTF-32") ? 4 : 1
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 4)
        bytes.withUnsafeBytes { source in
            withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { chunk in
                // iconv takes a mutable pointer, but only reads from it.
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
