import Testing
@testable import BlogRendering
@testable import BlogTerminal

@Suite("Styled text for a terminal") struct TerminalTextTests {
    private func encoded(_ text: StyledText, isColored: Bool) -> String {
        text.runs.map { TerminalText.encoded($0, isColored: isColored) }.joined()
    }

    private let text = StyledText("a ") + StyledText("b", .strong).styled(.muted).linked(to: "http://x.y") + " c"

    @Test("has escape sequences for its styles and links in colour only")
    func sequences() {
        let link = "\u{1B}]8;;http://x.y\u{1B}\\b\u{1B}]8;;\u{1B}\\"
        #expect(encoded(text, isColored: true) == "a \u{1B}[2;1m\(link)\u{1B}[0m c")
        #expect(encoded(text, isColored: false) == "a b c")
    }

    @Test(
        "has no other escape sequences, even if a renderer forgot to remove them",
        arguments: ["\u{1B}[2J", "\u{1B}]8;;http://x.y\u{1B}\\", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{202E}"])
    func hostile(sequence: String) {
        #expect(encoded(StyledText(sequence + "a"), isColored: true) == "a")
        #expect(encoded(StyledText(sequence + "a", .strong), isColored: true) == "\u{1B}[1ma\u{1B}[0m")
    }

    @Test("links to safe addresses only", arguments: ["file:///etc", "http://a\u{1B}[2J", "javascript:x", "\u{7}"])
    func links(address: String) {
        let shown = encoded(StyledText("a").linked(to: address), isColored: true)
        #expect(!shown.contains("file:") && !shown.contains("[2J") && !shown.contains("javascript"))
        #expect(shown.hasSuffix("a") || shown.contains("]8;;http://a"))
    }
}
