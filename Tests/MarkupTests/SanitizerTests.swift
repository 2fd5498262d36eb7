import BlogMarkup
import BlogTestSupport
import Testing

@Suite("Text from a server") struct SanitizerTests {
    @Test(
        "loses control characters and escape sequences in single-line text",
        arguments: [
            ("plain", "plain"), ("a\nb\tc\r\nd", "a b c d"), ("\u{1B}[31mred\u{1B}[0m", "red"), ("a\u{0}b", "ab"),
            ("\u{1B}]0;title\u{7}x", "x"), ("\u{1B}]8;;http://a\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
            ("\u{9B}31mred", "red"), ("a\u{7F}\u{85}b", "a b"), ("\u{202E}evil\u{202C}", "evil"),
            ("\u{2066}x\u{2069}", "x"), ("a\u{2028}b\u{2029}c", "a b c"), ("\u{1B}", ""), ("\u{1B}[", "["),
            ("\u{1B}]never ends", "]never ends"), ("\u{8}\u{8}\u{8}", ""), ("مرحبا\u{200F}", "مرحبا\u{200F}"),
            ("👩‍👩‍👧 ✈️", "👩‍👩‍👧 ✈️"), ("", ""), ("Â ÿ – “”", "Â ÿ – “”"),
        ])
    func line(text: String, cleaned: String) {
        #expect(Array(Sanitizer.line(text).unicodeScalars) == Array(cleaned.unicodeScalars))
    }

    @Test("loses control sequences with all their parameters and intermediate bytes", arguments: ["\u{1B}[", "\u{9B}"])
    func controlSequences(start: String) {
        // ECMA-48, section 5.4: the bytes allowed between the start and the final byte, which is of columns 04 to 07.
        for final in (0x40...0x7E as ClosedRange<UInt8>).map({ Character(Unicode.Scalar($0)) }) {
            for middle in ["", "2", "?25", "38;5;1", "38:2::1:2:3", "!", " ", "2 ", "0$", "<=>", "1;2\"", "*", "/"] {
                #expect(Sanitizer.line("a\(start)\(middle)\(final)b") == "ab", "\(middle)\(final)")
            }
        }
        #expect(Sanitizer.line("\(start)1\u{301}m") == "\(start == "\u{9B}" ? "" : "[")1\u{301}m")
    }

    @Test(
        "has line separators replaced with spaces in single-line text",
        arguments: ["\n", "\r", "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func separators(separator: String) {
        for text in ["One\(separator)Two", "\u{1B}[1mOne\(separator)Two", "One\(separator)Two\u{202E}"] {
            #expect(Sanitizer.line(text) == "One Two")
        }
    }

    @Test(
        "loses control strings with their contents",
        arguments: [
            "\u{1B}P", "\u{1B}X", "\u{1B}]", "\u{1B}^", "\u{1B}_", "\u{90}", "\u{98}", "\u{9D}", "\u{9E}", "\u{9F}",
        ],
        ["\u{7}", "\u{9C}", "\u{1B}\\"])
    func controlStrings(start: String, end: String) {
        #expect(Sanitizer.line("a\(start)0;secret\(end)b") == "ab")
        #expect(Sanitizer.output("a\(start)0;secret\(end)b\n") == "ab\n")
    }

    @Test(
        "keeps line breaks and tabs in multi-line text",
        arguments: [
            ("a\r\nb\rc\nd\te", "a\nb\nc\nd\te"), ("x\u{C}y\u{B}z", "x\ny\nz"), ("\u{1B}[2J\n", "\n"),
            ("a\u{2028}b", "a\u{2028}b"),
        ])
    func block(text: String, cleaned: String) {
        #expect(Sanitizer.block(text) == cleaned)
    }

    @Test(
        "is sanitized again on output, in case a renderer forgot",
        arguments: [
            ("\u{1B}[1;34mTitle\u{1B}[0m\n", "Title\n"), ("a\u{C}b\u{2028}", "a\u{C}b\u{2028}"),
            ("\u{1B}[2J", ""), ("\u{1B}[31", "[31"), ("\u{202E}x", "x"),
        ])
    func output(text: String, cleaned: String) {
        #expect(Sanitizer.output(text) == cleaned)
        #expect(Sanitizer.output(Array(text.utf8)) == Array(cleaned.utf8))
    }

    @Test("loses a harmful character wherever it is", arguments: ["x", "я", "\u{2019}", "x\n", "\t", "é "])
    func place(piece: String) {
        for harmful in ["\u{7}", "\u{7F}", "\u{80}", "\u{85}", "\u{202E}", "\u{2066}"] {
            for count in 0...40 {
                let (start, end) = (String(repeating: piece, count: count), String(repeating: "y", count: 40 - count))
                let cleaned = Sanitizer.output(start + harmful + end)
                #expect(cleaned == start + (harmful == "\u{85}" ? "\n" : "") + end)
                #expect(Sanitizer.output(Array((start + harmful + end).utf8)) == Array(cleaned.utf8))
                #expect(
                    !Sanitizer.line(start + harmful + end).unicodeScalars.contains {
                        harmful.unicodeScalars.contains($0)
                    })
            }
        }
    }

    @Test("never contains control or bidi characters afterwards")
    func everything() {
        let all = (0..<0x3000).compactMap { Unicode.Scalar($0) }
        for first in all {
            let text = "\u{1B}[\(Character(first))x\u{9D}\(Character(first))"
            let quiet = "Nothing else in this text would have to be taken out: \(Character(first))."
            for cleaned in [
                Sanitizer.line(text), Sanitizer.output(text), Sanitizer.line(quiet), Sanitizer.block(quiet),
                Sanitizer.output(Array(text.utf8)).text,
            ] {
                let harmful = cleaned.unicodeScalars.contains { scalar in
                    (Sanitizer.isControl(scalar) && scalar != "\n" && scalar != "\t") || Sanitizer.isBidiControl(scalar)
                }
                #expect(!harmful, "U+\(String(first.value, radix: 16))")
            }
        }
    }

    @Test("is sanitized in linear time, even if its sequences are unterminated", arguments: hostile)
    func growth(piece: String) {
        let growth = Growth.ofEightfoldInput(enough: 20, from: 1 << 14) { length in
            let text = String(repeating: piece, count: length / piece.utf8.count)
            for cleaned in [Sanitizer.line(text), Sanitizer.block(text), Sanitizer.output(text)] {
                #expect(cleaned.utf8.count <= 3 * text.utf8.count)
            }
        }
        #expect(growth < 20)
    }

    static let hostile = ["\u{1B}]", "\u{1B}[", "\u{1B}P", "\u{1B}_\u{1B}", "\u{9D}", "\u{202E}", "e\u{301}", "\r\n"]
}
