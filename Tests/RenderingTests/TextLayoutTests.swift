import BlogMarkup
import Testing
@testable import BlogRendering

@Suite("Text on a terminal") struct TextLayoutTests {
    /// The widths of wcwidth 0.7 (https://pypi.org/project/wcwidth), which terminals use.
    static let widths: [(String, Int)] = [
        ("a", 1), ("é", 1), ("e\u{301}", 1), ("ñ", 1), ("Ω", 1), ("…", 1), ("—", 1), ("①", 1), ("ﷺ", 1), ("\u{AD}", 1),
        ("中", 2), ("あ", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("한국어", 6),
        ("नि", 2), ("क्षि", 2), ("क्ष", 2), ("ก็", 1), ("กำ", 2), ("ｶﾞ", 2), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FEFF}", 0),
        ("😀", 2), ("🫠", 2),
        ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("☎\u{FE0E}", 1), ("1️⃣", 2), ("〰️", 2),
        ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2), ("a中é😀", 6),
        ("abc", 3), ("日本", 4), ("👩‍👩‍👧", 2), ("✈️", 2), ("✈", 1), ("한글", 4), ("”", 1), ("", 0),
    ]

    @Test("has the width that terminals give it", arguments: widths)
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test(
        "is wrapped at spaces, between CJK characters, and within a word only if it must be",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one", 3, ["one"]), ("", 5, [""]),
            ("abcdefgh", 3, ["abc", "def", "gh"]), ("静かなサーバー", 6, ["静かな", "サーバ", "ー"]),
            ("a\n\nb", 5, ["a", "", "b"]), ("    code x", 20, ["    code x"]), ("aa bb", 4, ["aa", "bb"]),
            ("静か。な", 4, ["静", "か。", "な"]), ("x  y", 10, ["x  y"]),
            ("ななな「か」", 8, ["なな", "な「か」"]), ("🇩🇪🇩🇪🇩🇪", 4, ["🇩🇪🇩🇪", "🇩🇪"]),
            ("long-word next", 4, ["long", "-wor", "d", "next"]),
        ])
    func wrap(text: String, width: Int, lines: [String]) {
        #expect(TextLayout.wrap(text, width: width) == lines)
    }

    @Test(
        "is never wider than its limit, except for an address, and loses no text", arguments: [1, 2, 3, 7, 20, 50])
    func fits(width: Int) {
        let text = "Grüße, 你好, مرحبا: Room for Every Greeting 🚀🚀 https://example.org/a/long/path?q=1 静かなサーバーの作り方"
        let lines = TextLayout.wrap(text, width: width)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= max(width, 2) || $0.contains("://") })
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test("is truncated with an ellipsis", arguments: [("abcdef", 4, "abc…"), ("abc", 3, "abc"), ("日本語", 4, "日…")])
    func truncate(text: String, width: Int, cut: String) {
        #expect(TextLayout.truncate(text, width: width) == cut)
    }
}
