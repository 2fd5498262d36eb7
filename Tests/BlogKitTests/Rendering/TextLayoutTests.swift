import Testing
@testable import Rendering

@Suite("Text on a terminal") struct TextLayoutTests {
    @Test(
        "takes as many columns as the terminal gives it",
        arguments: [
            ("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("✈️", 2), ("✈", 1),
            ("ｱ", 1), ("Ａ", 2), ("한글", 4), ("👍🏽", 2), ("\u{200B}", 0), ("”", 1), ("", 0),
        ])
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test(
        "is wrapped at spaces, between CJK characters, and in a word only where it must",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one", 3, ["one"]), ("", 5, [""]),
            ("abcdefgh", 3, ["abc", "def", "gh"]), ("静かなサーバー", 6, ["静かな", "サーバ", "ー"]),
            ("a\n\nb", 5, ["a", "", "b"]), ("    code x", 20, ["    code x"]), ("aa bb", 4, ["aa", "bb"]),
            ("静か。な", 4, ["静", "か。", "な"]), ("x  y", 10, ["x  y"]), ("🇩🇪🇩🇪🇩🇪", 4, ["🇩🇪🇩🇪", "🇩🇪"]),
            ("long-word next", 4, ["long", "-wor", "d", "next"]),
        ])
    func wrap(text: String, width: Int, lines: [String]) {
        #expect(TextLayout.wrap(text, width: width) == lines)
    }

    @Test(
        "is never wider than the given width except for an address, and loses nothing", arguments: [1, 2, 3, 7, 20, 50])
    func fits(width: Int) {
        let text = "Grüße, 你好, مرحبا: Room for Every Greeting 🚀🚀 https://example.org/a/long/path?q=1 静かなサーバーの作り方"
        let lines = TextLayout.wrap(text, width: width)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= max(width, 2) || $0.contains("://") })
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test("is cut with an ellipsis", arguments: [("abcdef", 4, "abc…"), ("abc", 3, "abc"), ("日本語", 4, "日…")])
    func truncate(text: String, width: Int, cut: String) {
        #expect(TextLayout.truncate(text, width: width) == cut)
    }
}
