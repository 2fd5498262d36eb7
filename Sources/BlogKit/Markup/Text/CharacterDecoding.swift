import BlogEssentials

/// Converts text to UTF-8 with the C library's iconv: Foundation lacks half of the encodings that feeds and pages use.
package enum CharacterDecoding {
    /// The text of a feed in UTF-8; invalid bytes become U+FFFD, here or when a String is made of the result.
    ///
    /// The encoding is taken from the byte order mark, then the XML declaration, then the response header
    /// (https://www.rfc-editor.org/rfc/rfc7303#section-3), unless the bytes show that it is wrong. If all are missing
    /// or plainly wrong, it is UTF-8, windows-1252, in Cyrillic windows-1251 or KOI8-R, in Japanese Shift_JIS or EUC-JP.
    package static func utf8(_ bytes: [UInt8], charset: String?) -> [UInt8] {
        utf8(bytes, labels: [declaredEncoding(bytes), charset])
    }

    /// The text of a web page, with U+FFFD for invalid bytes.
    ///
    /// The encoding is taken from the byte order mark, then the response header, then a `meta` near the beginning
    /// (https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding). If all are missing or
    /// plainly wrong, it is as for a feed.
    package static func page(_ bytes: [UInt8], charset: String?) -> String {
        utf8(bytes, labels: [charset, metaEncoding(bytes), declaredEncoding(bytes)]).text
    }

    private static func utf8(_ bytes: [UInt8], labels: [String?]) -> [UInt8] {
        if let (encoding, length) = byteOrder(bytes) {
            let text = Array(bytes[length...])
            return encoding == "UTF-8" ? repaired(text) : converted(text, from: encoding) ?? repaired(text)
        }
        let encodings = labels.compactMap { $0.map(iconvName) }
        if encodings.first ?? "UTF-8" == "UTF-8", isPlausibleUTF8(bytes) { return withoutSurrogates(bytes) }
        // Text in another encoding is hardly ever valid UTF-8, so the label that says so is right; with a byte for each
        // letter it almost never is, so that even all labels together may be wrong.
        if encodings.contains("UTF-8") || encodings.allSatisfy(isSingleByte), bytes.contains(where: { $0 >= 0x80 }),
            String(validating: bytes, as: UTF8.self) != nil
        {
            return bytes
        }
        for encoding in encodings {
            if encoding == "UTF-8" {
                if isPlausibleUTF8(bytes) { return withoutSurrogates(bytes) }
                continue
            }
            // The label was read as ASCII, and without zero bytes the text can't be UTF-16 or UTF-32.
            if encoding.hasPrefix("UTF-16") || encoding.hasPrefix("UTF-32") { continue }
            if let text = converted(bytes, from: encoding) { return text }
        }
        if isPlausibleUTF8(bytes) { return withoutSurrogates(bytes) }
        let encoding = likelyEncoding(bytes)
        return (encoding == singleByte ? mixed(bytes) : converted(bytes, from: encoding)) ?? repaired(bytes)
    }

    /// The encoding of most text that has no label and isn't UTF-8.
    private static let singleByte = "CP1252"

    /// The encoding of text without a true label: in Cyrillic, whole words consist of letters that are rare and apart in
    /// windows-1252.
    private static func likelyEncoding(_ bytes: [UInt8]) -> String {
        if let japanese = japaneseEncoding(bytes) { return japanese }
        var (others, alone, first, second) = (0, 0, 0, 0)
        for index in bytes.indices where bytes[index] >= 0x80 {
            guard bytes[index] >= 0xC0 else {
                others += 1
                continue
            }
            if bytes[index] < 0xE0 { first += 1 } else { second += 1 }
            let neighbors = [index - 1, index + 1].filter(bytes.indices.contains)
            if neighbors.allSatisfy({ bytes[$0] < 0xC0 }) { alone += 1 }
        }
        let letters = first + second
        guard letters >= 16, alone * 4 < letters, others * 8 < letters else { return singleByte }
        // Most letters are small.
        return first > second ? "KOI8-R" : "CP1251"
    }

    /// The Japanese encoding of text without a true label; nil if it isn't Japanese, where every second or third character is
    /// a kana.
    private static func japaneseEncoding(_ bytes: [UInt8]) -> String? {
        var (shiftJIS, eucJP, pairs, index) = (0, 0, 0, 0)
        while index + 1 < bytes.count {
            let (lead, trail) = (bytes[index], bytes[index + 1])
            index += lead < 0x80 ? 1 : 2
            guard lead >= 0x80 else { continue }
            pairs += 1
            switch lead {
            case 0x82 where (0x9F...0xF1).contains(trail), 0x83 where (0x40...0x96).contains(trail): shiftJIS += 1
            case 0xA4 where (0xA1...0xF3).contains(trail), 0xA5 where (0xA1...0xF6).contains(trail): eucJP += 1
            default: break
            }
        }
        guard max(shiftJIS, eucJP) >= 8, max(shiftJIS, eucJP) * 4 > pairs else { return nil }
        return shiftJIS > eucJP ? "CP932" : "EUC-JP"
    }

    /// The encoding that the first bytes reveal, and the length of the byte order mark.
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

    /// The encoding in an XML declaration in the first 2 kB.
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

    /// The encoding in a `meta` in the first 4 kB of a page.
    private static func metaEncoding(_ bytes: [UInt8]) -> String? {
        bytes.prefix(4096).withUnsafeBufferPointer { start in
            var scanner = TagScanner(start)
            while let token = scanner.next() {
                guard case .open(let name, _) = token else { continue }
                let tag = scanner.lowercased(name)
                if HTMLToken.scripts.contains(tag) { scanner.skipContent(of: name) }
                guard tag == "meta" else { continue }
                let attributes = scanner.attributeValues
                if let name = attributes["charset"], !name.isEmpty { return name.lowercased() }
                guard attributes["http-equiv"]?.lowercased() == "content-type",
                    let label = attributes["content"]?.lowercased().split(separator: "charset=").dropFirst().first
                else { continue }
                return label.split { "\"'; ".contains($0) }.first.map(String.init)
            }
            return nil
        }
    }

    /// The name by which iconv knows an encoding.
    ///
    /// As in https://encoding.spec.whatwg.org/#names-and-labels, legacy labels mean the supersets that replaced them.
    private static func iconvName(_ label: String) -> String {
        let label = label.lowercased().filter { $0.isLetter || $0.isNumber || "-_:".contains($0) }
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
            let page = String(label.suffix(4))
            if windowsPages.contains(page), windowsNames.contains(String(label.dropLast(4))) {
                return "CP" + page
            }
            return label.uppercased()
        }
    }

    private static let windowsPages = Set((1250...1258).map { String($0) })

    /// What feeds put before the number of such a page.
    private static let windowsNames: Set<String> = ["cp", "cp-", "x-cp", "x-cp-", "win", "win-", "windows"]

    /// Whether each letter of an encoding is a single byte, by iconv's name.
    private static func isSingleByte(_ encoding: String) -> Bool {
        ["CP125", "ISO-8859-", "ISO8859-", "KOI8-", "CP874"].contains { encoding.hasPrefix($0) }
    }

    // MARK: UTF-8

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] { Array(withoutSurrogates(bytes).text.utf8) }

    /// Text in which pairs of surrogates, each encoded in three bytes, are the character that they stand for (CESU-8,
    /// https://www.unicode.org/reports/tr26/), as old databases and Java write emoji.
    private static func withoutSurrogates(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { source in
            var (text, start, search) = ([UInt8](), 0, 0)
            while let index = source.offset(of: 0xED, from: search) {
                search = index + 1
                guard let scalar = surrogatePair(source, at: index) else { continue }
                text += source[start..<index]
                text += Array(String(scalar).utf8)
                (start, search) = (index + 6, index + 6)
            }
            return start == 0 ? bytes : text + source[start...]
        }
    }

    private static func surrogatePair(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Unicode.Scalar? {
        guard index + 6 <= bytes.count, bytes[index + 1] & 0xF0 == 0xA0, bytes[index + 3] == 0xED,
            bytes[index + 4] & 0xF0 == 0xB0, bytes[index + 2] & 0xC0 == 0x80, bytes[index + 5] & 0xC0 == 0x80
        else { return nil }
        func bits(_ offset: Int) -> UInt32 {
            UInt32(bytes[index + offset] & 0x0F) << 6 | UInt32(bytes[index + offset + 1] & 0x3F)
        }
        return Unicode.Scalar(0x10000 + bits(1) << 10 + bits(4))
    }

    /// Whether valid multibyte characters outnumber invalid bytes: text cut within a character is still UTF-8.
    private static func isPlausibleUTF8(_ bytes: [UInt8]) -> Bool {
        var invalidBytes = 0
        let characters = scanUTF8(bytes) { _ in invalidBytes += 1 }
        return invalidBytes == 0 || characters > invalidBytes
    }

    /// Text in UTF-8 among which other text was put as it was: bytes that belong to no character are read as
    /// windows-1252.
    private static func mixed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let high = converted(Array(0x80...0xFF), from: singleByte) else { return nil }
        let characters = high.text.unicodeScalars.map { Array(String($0).utf8) }
        guard characters.count == 0x80 else { return nil }
        var (text, start) = ([UInt8](), 0)
        text.reserveCapacity(bytes.count + bytes.count / 4)
        _ = scanUTF8(bytes) { invalid in
            text += bytes[start..<invalid]
            text += characters[Int(bytes[invalid]) - 0x80]
            start = invalid + 1
        }
        return text + bytes[start...]
    }

    /// Calls a function with the index of each invalid byte, and returns the number of multibyte characters.
    private static func scanUTF8(_ bytes: [UInt8], invalid: (Int) -> Void) -> Int {
        var characters = 0
        var index = 0
        while true {
            index = endOfASCII(bytes, from: index)
            guard index < bytes.count else { break }
            let lead = bytes[index]
            index += 1
            let length = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0
            let end = min(index + length, bytes.count)
            let isWhole = length > 0 && bytes[index..<end].allSatisfy { $0 & 0xC0 == 0x80 }
            if isWhole {
                characters += 1
                index = end
            } else {
                invalid(index - 1)
            }
        }
        return characters
    }

    /// The end of the ASCII run at an index, found eight bytes at a time.
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

    /// The text in UTF-8; nil if iconv doesn't know the encoding.
    private static func converted(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
        guard let conversion = iconv_open("UTF-8", encoding), Int(bitPattern: conversion) != -1 else { return nil }
        defer { iconv_close(conversion) }
        let unit = encoding.hasPrefix("UTF-16") ? 2 : encoding.hasPrefix("UTF-32") ? 4 : 1
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 4)
        bytes.withUnsafeBytes { source in
            withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { chunk in
                // iconv only reads from its input, although the pointer is mutable.
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
