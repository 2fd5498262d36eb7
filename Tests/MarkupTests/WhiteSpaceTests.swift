import BlogTestSupport
import Testing

@testable import BlogMarkup

@Suite("White space in HTML") struct WhiteSpaceTests {
    @Test(
        "is one space if it is ASCII, and nothing else is",
        arguments: [
            ("a b", "a b"), ("a  b", "a b"), (" a ", "a "), ("a\r\n\t b\u{0B}c\u{0C}d", "a b c d"), ("", ""),
            (" \n ", ""),
            ("a\u{1680}b\u{2003}c\u{205F}d\u{3000}e", "a\u{1680}b\u{2003}c\u{205F}d\u{3000}e"),
            ("\u{3000}\u{3000}a \u{2003} b", "\u{3000}\u{3000}a \u{2003} b"),
            ("a\u{A0} \u{A0}b", "a\u{A0} \u{A0}b"), ("a \u{301}b", "a \u{301}b"), ("a\u{200B} “b”", "a\u{200B} “b”"),
            ("\u{3042}\u{3000}\u{1100} \u{C2}", "\u{3042}\u{3000}\u{1100} \u{C2}"),
        ])
    func table(text: String, shown: String) {
        #expect(WhiteSpace.collapsed(text, afterSpace: true).text.unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test("is collapsed as it would be scalar by scalar")
    func plainWay() {
        var random = SplitMix(state: 3)
        let scalars: [Unicode.Scalar] = [
            " ", " ", "a", "b", "\n", "\u{85}", "\u{A0}", "\u{1680}", "\u{180E}", "\u{1FFF}", "\u{2000}", "\u{200B}",
            "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{3001}", "\u{301}", "\u{1F600}", "\u{C2}", "\u{E1}",
        ]
        for _ in 0..<5_000 {
            let length = Int.random(in: 0...12, using: &random)
            let text = String(
                String.UnicodeScalarView((0..<length).map { _ in scalars.randomElement(using: &random)! }))
            let isAfterSpace = Bool.random(using: &random)
            let collapsed = WhiteSpace.collapsed(text, afterSpace: isAfterSpace)
            let plain = Self.collapsed(text, afterSpace: isAfterSpace)
            #expect(collapsed.text.utf8.elementsEqual(plain.text.utf8), "\(Array(text.unicodeScalars))")
            #expect(collapsed.endsInSpace == plain.endsInSpace, "\(Array(text.unicodeScalars))")
        }
    }

    private static func collapsed(_ text: String, afterSpace: Bool) -> (text: String, endsInSpace: Bool) {
        var (result, isSpace) = (String.UnicodeScalarView(), afterSpace)
        for scalar in text.unicodeScalars {
            let wasSpace = isSpace
            isSpace = scalar.isASCII && scalar.properties.isWhitespace
            if !isSpace { result.append(scalar) } else if !wasSpace { result.append(" ") }
        }
        return (String(result), isSpace)
    }

    @Test(
        "is all there is in a blank text", arguments: [("", true), (" \n\u{2003}", true), (" a", false), ("é", false)])
    func blank(text: String, isBlank: Bool) {
        #expect(text.isBlank == isBlank)
    }
}
