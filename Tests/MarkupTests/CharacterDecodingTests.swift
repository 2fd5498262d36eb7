import BlogMarkup
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogRendering

@Suite("The encoding of a feed") struct CharacterDecodingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var declared: String?
        var charset: String?
        let bytes: [UInt8]
        let text: String
        var testDescription: String { name }
    }

    @Test(
        "is determined by the declaration, the header or the bytes",
        arguments: [
            Case(name: "UTF-8", bytes: [0xC3, 0xA9], text: "é"),
            Case(
                name: "UTF-8 with surrogates", bytes: [0x61, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0xED, 0x95, 0x9C],
                text: "a😀한"),
            Case(
                name: "UTF-8 with a surrogate alone", charset: "utf-8", bytes: [0xED, 0xA0, 0xBD, 0x62],
                text: "\u{FFFD}\u{FFFD}\u{FFFD}b"),
            Case(name: "windows-1252", bytes: [0xE9, 0x80], text: "é€"),
            Case(name: "declared Latin 1", declared: "ISO-8859-1", bytes: [0xE9, 0x93], text: "é“"),
            Case(name: "declared before header", declared: "koi8-r", charset: "utf-8", bytes: [0xC1], text: "а"),
            Case(name: "header", charset: "windows-1251", bytes: [0xE0, 0xFF], text: "ая"),
            Case(name: "valid UTF-8", declared: "windows-1251", charset: "utf-8", bytes: [0xC3, 0xBC], text: "ü"),
            Case(
                name: "valid UTF-8 by the declaration", declared: "utf-8", charset: "koi8-r", bytes: [0xC3, 0xBC],
                text: "ü"),
            Case(
                name: "unknown name, then header", declared: "x-nothing", charset: "iso-8859-2", bytes: [0xB1],
                text: "ą"),
            Case(
                name: "UTF-8 with the wrong declaration", declared: "iso-8859-1",
                bytes: [0xC3, 0xBC, 0xE2, 0x82, 0xAC],
                text: "ü€"),
            Case(
                name: "UTF-8 with two wrong labels", declared: "us-ascii", charset: "win-1251", bytes: [0xD0, 0xB0],
                text: "а"),
            Case(
                name: "header after UTF-8 by name only", declared: "utf-8", charset: "windows-1251",
                bytes: [0xCF, 0xF0, 0xE8], text: "При"),
            Case(
                name: "unknown header after UTF-8 by name only", declared: "utf-8", charset: "x-nothing", bytes: [0xE9],
                text: "é"),
            Case(
                name: "UTF-8 with one stray byte before the header", declared: "utf-8", charset: "iso-8859-1",
                bytes: [0xC3, 0xA9, 0xC3, 0xA8, 0xFF], text: "éè\u{FFFD}"),
            Case(
                name: "windows-1251 without a label",
                bytes: Array(
                    "\u{CF}\u{F0}\u{E8}\u{E2}\u{E5}\u{F2}, \u{FD}\u{F2}\u{EE} \u{F2}\u{E5}\u{F1}\u{F2} \u{B8}\u{EB}\u{EA}\u{E8}"
                        .unicodeScalars.map { UInt8($0.value) }),
                text: "Привет, это тест ёлки"),
            Case(
                name: "KOI8-R with a wrong label", declared: "utf-8",
                bytes: Array(
                    "\u{F0}\u{D2}\u{C9}\u{D7}\u{C5}\u{D4}, \u{DC}\u{D4}\u{CF} \u{D4}\u{C5}\u{D3}\u{D4} \u{D3}\u{CC}\u{CF}\u{D7}"
                        .unicodeScalars.map { UInt8($0.value) }),
                text: "Привет, это тест слов"),
            Case(
                name: "Shift_JIS without a label",
                bytes: [
                    0x82, 0xB1, 0x82, 0xEA, 0x82, 0xCD, 0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x82, 0xC5, 0x82, 0xB7,
                    0x81, 0x42, 0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x83, 0x79, 0x81, 0x5B, 0x83, 0x57,
                    0x82, 0xF0, 0x93, 0xC7, 0x82, 0xDD, 0x82, 0xDC, 0x82, 0xB7, 0x81, 0x42,
                ],
                text: "これはテストです。日本語のページを読みます。"),
            Case(
                name: "EUC-JP with a wrong label", declared: "utf-8",
                bytes: [
                    0xA4, 0xB3, 0xA4, 0xEC, 0xA4, 0xCF, 0xA5, 0xC6, 0xA5, 0xB9, 0xA5, 0xC8, 0xA4, 0xC7, 0xA4, 0xB9,
                    0xA1, 0xA3, 0xC6, 0xFC, 0xCB, 0xDC, 0xB8, 0xEC, 0xA4, 0xCE, 0xA5, 0xDA, 0xA1, 0xBC, 0xA5, 0xB8,
                    0xA4, 0xF2, 0xC6, 0xC9, 0xA4, 0xDF, 0xA4, 0xDE, 0xA4, 0xB9, 0xA1, 0xA3,
                ],
                text: "これはテストです。日本語のページを読みます。"),
            Case(
                name: "windows-1252 with many accents",
                bytes: Array(
                    "h\u{E9}l\u{E9}na d\u{E9}\u{E7}ue \u{E0} l'\u{E9}t\u{E9} pr\u{E9}f\u{E9}r\u{E9} o\u{F9} \u{E9}l\u{E8}ve \u{E0} r\u{EA}ver"
                        .unicodeScalars.map { UInt8($0.value) }),
                text: "héléna déçue à l'été préféré où élève à rêver"),
            Case(name: "Shift_JIS", declared: "Shift_JIS", bytes: [0x93, 0xFA, 0x96, 0x7B, 0x87, 0x40], text: "日本①"),
            Case(name: "EUC-KR", declared: "EUC-KR", bytes: [0xC7, 0xD1], text: "한"),
            Case(name: "GB2312 as GBK", declared: "gb2312", bytes: [0xD6, 0xD0, 0xE9, 0x46], text: "中镕"),
            Case(name: "misspelt UTF-8", declared: "utf8", bytes: [0xC3, 0xA9], text: "é"),
            Case(name: "UTF-8 by name only", declared: "UTF-8", bytes: [0xE9], text: "é"),
            Case(name: "UTF-8 with one stray byte", bytes: [0xC3, 0xA9, 0xC3, 0xA8, 0xFF], text: "éè\u{FFFD}"),
            Case(
                name: "windows-1252 among UTF-8", declared: "utf-8",
                bytes: [0x93, 0xE9, 0x6C, 0xE8, 0x76, 0x65, 0x94, 0x20, 0xC3, 0xA9, 0xE2, 0x82, 0xAC],
                text: "“élève” é€"),
            Case(name: "UTF-16 by name only", declared: "UTF-16", bytes: [0xC3, 0xA9], text: "é"),
            Case(
                name: "bytes that are no character", declared: "shift_jis", bytes: [0x93, 0xFA, 0xFF, 0x41],
                text: "日\u{FFFD}A"),
        ])
    func encodings(_ sample: Case) throws {
        let declaration = sample.declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
        let bytes =
            Array("\(declaration)<rss><channel><title>".utf8) + sample.bytes + Array("</title></channel></rss>".utf8)
        #expect(try FeedSample.parse(bytes, charset: sample.charset).title == sample.text)
    }

    @Test(
        "may be named in several ways",
        arguments: [
            ("latin5", [0x93], "“"), ("ISO-8859-9", [0xF0], "ğ"), ("l1", [0x93], "“"), ("us-ascii", [0x93], "“"),
            ("ISO-8859-11", [0xA1], "ก"), ("x-sjis", [0x87, 0x40], "①"), ("korean", [0xC7, 0xD1], "한"),
            ("ks_c_5601-1987", [0xC7, 0xD1], "한"), ("cn-big5", [0xA4, 0xA4], "中"), ("x-euc-jp", [0xC6, 0xFC], "日"),
            ("chinese", [0xE9, 0x46], "镕"), ("windows-1253", [0xE1], "α"), ("cp-1251", [0xE0, 0x2E], "а."),
            ("win-1251", [0xE0, 0x2E], "а."), ("win1251", [0xE0, 0x2E], "а."), ("CP1253", [0xE1], "α"),
            ("koi8-u", [0xD0, 0xB0], "а"), ("windows-1250", [0xC3, 0xA9], "é"),
            ("'UTF8'", [0xC3, 0xA9], "é"),
        ])
    func names(label: String, bytes: [UInt8], text: String) {
        #expect(String(decoding: CharacterDecoding.utf8(bytes, charset: label), as: UTF8.self) == text)
    }

    @Test(
        "is decoded correctly across chunk boundaries",
        arguments: [("windows-1251", [0xFF], "я"), ("shift_jis", [0x93, 0xFA], "日")])
    func long(encoding: String, character: [UInt8], text: String) throws {
        // The letter in front shifts the characters across every chunk boundary.
        for start in ["", "x"] {
            let bytes = Array("<?xml version='1.0' encoding='\(encoding)'?><rss><channel><title>\(start)".utf8)
            let long = Array(repeatElement(character, count: 30_000).joined())
            let title = try FeedSample.parse(bytes + long + Array("</title></channel></rss>".utf8)).title
            #expect(title == start + String(repeating: text, count: 30_000))
        }
    }

    @Test("may be UTF-16 or UTF-32, with or without a BOM", arguments: [true, false])
    func wide(hasMark: Bool) throws {
        let text =
            (hasMark ? "\u{FEFF}" : "")
            + "<?xml version='1.0' encoding='utf-16'?><rss><channel><title>é😀</title></channel></rss>"
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let wide = text.unicodeScalars.flatMap {
            [UInt8($0.value & 0xFF), UInt8($0.value >> 8 & 0xFF), UInt8($0.value >> 16), 0]
        }
        for bytes in [little, big, wide, little + [0x41]] {
            #expect(FeedParser.isFeed(bytes))
            #expect(try FeedSample.parse(bytes).title == "é😀")
        }
    }
}
