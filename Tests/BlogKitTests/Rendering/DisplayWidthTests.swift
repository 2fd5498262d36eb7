import Rendering
import Testing

@Suite("The width of text on a terminal") struct DisplayWidthTests {
    /// What wcwidth 0.7 (https://pypi.org/project/wcwidth) says, which terminals go by.
    static let widths: [(String, Int)] = [
        ("a", 1), ("é", 1), ("e\u{301}", 1), ("ñ", 1), ("Ω", 1), ("…", 1), ("—", 1), ("①", 1), ("ﷺ", 1), ("\u{AD}", 1),
        ("中", 2), ("あ", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("한국어", 6),
        ("नि", 2), ("क्षि", 2), ("ก็", 1), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FEFF}", 0), ("😀", 2), ("🫠", 2),
        ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("☎\u{FE0E}", 1), ("1️⃣", 2), ("〰️", 2),
        ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2), ("a中é😀", 6),
    ]

    @Test("is what terminals go by", arguments: widths)
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }
}
