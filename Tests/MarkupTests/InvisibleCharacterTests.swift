import BlogMarkup
import BlogTestSupport
import Testing

@Suite("Characters that people can't see") struct InvisibleCharacterTests {
    /// "hide" in tag characters.
    private static let tags = "\u{E0068}\u{E0069}\u{E0064}\u{E0065}"
    private static let england = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"

    @Test(
        "are removed from what is shown, but for those that choose a flag or a form",
        arguments: [
            ("a\(tags)b", "ab"), ("\u{E0001}\(tags)\u{E007F}", ""), (england, england),
            ("\u{1F3F4}\(tags)b", "\u{1F3F4}b"), ("\u{1F3F4}\(tags)\(tags)\u{E007F}b", "\u{1F3F4}b"),
            ("\u{1F3F4}\u{E007F}", "\u{1F3F4}"), ("\u{1F3F4}\u{E0020}\u{E0021}\u{E007F}", "\u{1F3F4}"),
            ("\(england)\(tags)", england), ("葛\u{E0100}城", "葛\u{E0100}城"), ("葛\u{E0100}\u{E0101}城", "葛\u{E0100}城"),
            ("a\u{E0100}b\u{E01EF}", "ab"), ("❤\u{FE0F}", "❤\u{FE0F}"), ("Donau\u{AD}dampf", "Donaudampf"),
            ("¡ÀÉ! \u{F3}", "¡ÀÉ! \u{F3}"),
        ])
    func removed(text: String, shown: String) {
        for sanitized in [Sanitizer.line(text), Sanitizer.block(text), InvisibleCharacters.removed(from: text)] {
            #expect(Array(sanitized.unicodeScalars) == Array(shown.unicodeScalars))
        }
    }

    @Test(
        "take time in proportion to the text", arguments: ["\u{1F3F4}\u{E0061}", "\u{E0061}", "\u{AD}", "葛\u{E0100}"])
    func growth(unit: String) {
        let growth = Growth.ofEightfoldInput(enough: 20, from: 4096) { count in
            _ = InvisibleCharacters.removed(from: String(repeating: unit, count: count))
        }
        #expect(growth < 20)
    }
}
