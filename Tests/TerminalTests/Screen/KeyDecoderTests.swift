import BlogTestSupport
import Testing
@testable import BlogTerminal

@Suite("A terminal's input") struct KeyDecoderTests {
    private static let escape = "\u{1B}"

    /// The events of some bytes, and of the pause after them.
    private func events(_ pieces: [[UInt8]]) -> [ScreenEvent] {
        var decoder = KeyDecoder()
        return pieces.flatMap { decoder.decode($0) } + decoder.flush()
    }

    private static let keys: [(String, [Key])] = [
        ("a", [.character("a")]), ("A ~", [.character("A"), .character(" "), .character("~")]),
        ("é", [.character("é")]), ("日🙂", [.character("日"), .character("🙂")]),
        ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
        ("\u{3}", [.control("c")]), ("\u{1A}", [.control("z")]), ("\u{1}", [.control("a")]),
        ("\u{0}\u{1C}\u{1F}", []), ("\u{85}\u{9B}x", [.character("x")]),
        ("\(escape)", [.escape]), ("\(escape)\(escape)", [.escape, .escape]),
        // Alt
        ("\(escape)jk", [.character("k")]), ("\(escape)\rk", [.character("k")]), ("\(escape)éA", [.character("A")]),
        ("\(escape)[A\(escape)[B\(escape)[C\(escape)[D", [.up, .down, .right, .left]),
        ("\(escape)OA\(escape)OB\(escape)OC\(escape)OD", [.up, .down, .right, .left]),
        ("\(escape)[1;5A\(escape)[1;2B\(escape)[1;3C", [.up, .down, .right]),
        ("\(escape)[H\(escape)OH\(escape)[1~\(escape)[7~\(escape)[1;5H", [.home, .home, .home, .home, .home]),
        ("\(escape)[F\(escape)OF\(escape)[4~\(escape)[8~", [.end, .end, .end, .end]),
        ("\(escape)[5~\(escape)[6~\(escape)[3~\(escape)[6;5~", [.pageUp, .pageDown, .delete, .pageDown]),
        ("\(escape)[Z\(escape)OM", [.backTab, .enter]), ("\(escape)\(escape)[A", [.escape, .up]),
        // Keys that aren't used: Insert, F1 to F12, F1 of the Linux console.
        ("\(escape)[2~\(escape)OP\(escape)[15~\(escape)[24;2~\(escape)[P\(escape)[[Aj", [.character("j")]),
        // The kitty protocol.
        ("\(escape)[27u\(escape)[27;1u\(escape)[27;2:1u", [.escape, .escape, .escape]),
        ("\(escape)[99;5u\(escape)[122;5u\(escape)[100;69u", [.control("c"), .control("z"), .control("d")]),
        (
            "\(escape)[9;2u\(escape)[13;2u\(escape)[127;5u\(escape)[32;2u",
            [.backTab, .enter, .backspace, .character(" ")]
        ),
        ("\(escape)[105;5u\(escape)[109;5u\(escape)[104;5u\(escape)[91;5u", [.tab, .enter, .backspace, .escape]),
        (
            "\(escape)[57399u\(escape)[57408u\(escape)[57414u\(escape)[57419u",
            [.character("0"), .character("9"), .enter, .up]
        ),
        ("\(escape)[57410u\(escape)[57425u\(escape)[57426u", [.character("/"), .delete]),
        (
            "\(escape)[97;3u\(escape)[97;9u\(escape)[57441u\(escape)[1074;5u\(escape)[4294967296u\(escape)[55555555555u",
            []
        ),
        ("\(escape)[27;5;99~", [.control("c")]),
        // Responses that arrive late.
        ("\(escape)[?62;22ca", [.character("a")]), ("\(escape)[?2026;2$y\(escape)[?1ub", [.character("b")]),
        ("\(escape)[24;80R\(escape)[0nc", [.character("c")]),
        ("\(escape)]11;rgb:0000/0000/0000\(escape)\\d", [.character("d")]),
        ("\(escape)]52;c;AAAA\u{7}e", [.character("e")]), ("\(escape)P>|XTerm(390)\(escape)\\f", [.character("f")]),
        ("\(escape)_Gi=1;OK\(escape)\\g", [.character("g")]),
        // Sequences that are cut off.
        ("\(escape)[12\rj", [.enter, .character("j")]), ("\(escape)]abc\u{3}", [.control("c")]),
        ("\(escape)Pabc\(escape)[A", [.up]), ("\(escape)[", []), ("\(escape)O", []), ("\(escape)]x", []),
    ]

    @Test("is decoded as keys, however it is split", arguments: keys)
    func typed(input: String, expected: [Key]) {
        let (bytes, events) = (Array(input.utf8), expected.map { ScreenEvent.key($0) })
        #expect(self.events([bytes]) == events)
        #expect(self.events(bytes.map { [$0] }) == events)
        for cut in bytes.indices { #expect(self.events([Array(bytes[..<cut]), Array(bytes[cut...])]) == events) }
    }

    /// The bytes of one key or response each.
    private static let single: [(String, Key?)] = [
        ("\(escape)[A", .up), ("\(escape)OB", .down), ("\(escape)[1;5C", .right), ("\(escape)[3~", .delete),
        ("\(escape)[27;5;99~", .control("c")), ("\(escape)[100;69u", .control("d")), ("\(escape)OP", nil),
        ("\(escape)[[A", nil), ("é", .character("é")), ("🙂", .character("🙂")),
        ("\(escape)[?62;22c", nil), ("\(escape)[?2026;2$y", nil), ("\(escape)[24;80R", nil),
        ("\(escape)]11;rgb:abcd/dada/aaaa\(escape)\\", nil), ("\(escape)]4;1;rgb:abcd/dada/aaaa\u{7}", nil),
        ("\(escape)P>|XTerm(390)\(escape)\\", nil),
    ]

    // A slow line marked a whole list as read: ESC, a pause, and "[A".
    @Test(
        "is at most an Esc more if a slow line splits a key or a response anywhere, for up to a second",
        arguments: single, [10, 60, 400, 1000])
    func slow(piece: (input: String, key: Key?), pause: Int32) {
        let bytes = Array(piece.input.utf8)
        for cut in 1..<bytes.count {
            var decoder = KeyDecoder()
            var events = decoder.decode(bytes[..<cut])
            events += decoder.waiting(pause)
            events += decoder.decode(bytes[cut...])
            events += decoder.waiting(60_000) + decoder.decode([UInt8(ascii: "j")])
            let isEscape = cut == 1 && bytes[0] == 0x1B && pause > 30
            let expected = (isEscape ? [Key.escape] : []) + (piece.key.map { [$0] } ?? []) + [.character("j")]
            #expect(events == expected.map { .key($0) }, "cut at \(cut)")
        }
    }

    @Test("keeps the keys after Esc, but for those that begin sequences", arguments: ["j", "a", "q", "/", "\r"])
    func afterEscape(key: String) {
        var decoder = KeyDecoder()
        var events = decoder.decode([0x1B]) + decoder.waiting(100)
        events += decoder.decode(Array(key.utf8))
        #expect(events.count == 2 && events.first == .key(.escape))
        #expect(decoder.timeout == -1)
    }

    private static let pastes: [(String, String)] = [
        ("", ""), ("two words", "two words"), ("one\rtwo\r\nthree\nfour", "one\ntwo\nthree\nfour"),
        ("q\u{3}\u{1B}[A", "q"), ("\u{1B}[201\u{1B}[20", "[201[20"), ("日本", "日本"), ("\u{202E}a\u{9B}", "a"),
    ]

    @Test("is one text if it was pasted, without control characters", arguments: pastes)
    func pasted(input: String, expected: String) {
        let bytes = Array("a\u{1B}[200~\(input)\u{1B}[201~b".utf8)
        let events: [ScreenEvent] = [.key(.character("a")), .paste(expected), .key(.character("b"))]
        #expect(self.events([bytes]) == events)
        #expect(self.events(bytes.map { [$0] }) == events)
    }

    @Test("loses the end of a paste that is too long, and goes on after it")
    func longPaste() {
        let text = String(repeating: "words ", count: KeyDecoder.maxPaste / 5)
        let events = events([Array("\u{1B}[200~\(text)\u{1B}[201~q".utf8)])
        #expect(events.first == .paste(String(text.prefix(KeyDecoder.maxPaste))))
        #expect(events.dropFirst() == [.key(.character("q"))])
    }

    @Test("is a paste even if its end never arrives")
    func endlessPaste() {
        #expect(events([Array("\u{1B}[200~abc".utf8)]) == [.paste("abc")])
    }

    @Test("is decoded without its invalid bytes")
    func invalid() {
        let bytes: [UInt8] = [0xFF, 0x61, 0xC3, 0x62, 0xE2, 0x82, 0x63, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0x64, 0x9B, 0x41]
        #expect(events([bytes]) == ["a", "b", "c", "d", "A"].map { .key(.character($0)) })
        #expect(events(bytes.map { [$0] }) == ["a", "b", "c", "d", "A"].map { .key(.character($0)) })
    }

    @Test("waits for more after an ESC, but not otherwise")
    func timeouts() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("j\u{1B}[A".utf8)).count == 2 && decoder.timeout == -1)
        #expect(decoder.decode([0x1B]).isEmpty && decoder.timeout == 30)
        #expect(decoder.decode([UInt8(ascii: "[")]).isEmpty && decoder.timeout > 30)
        #expect(decoder.flush().isEmpty && decoder.timeout == -1)
    }

    @Test("reports the terminal's capabilities")
    func responses() {
        var decoder = KeyDecoder()
        #expect(decoder.responses == TerminalResponses())
        _ = decoder.decode(Array("\u{1B}[?2026;2$y\u{1B}[?2027;0$y\u{1B}[?0u".utf8))
        #expect(decoder.responses.hasSynchronizedOutput && !decoder.responses.hasClusters)
        #expect(!decoder.responses.isComplete)
        _ = decoder.decode(Array("\u{1B}[?2027;3$y\u{1B}[?62c".utf8))
        #expect(decoder.responses.hasClusters && decoder.responses.isComplete)
    }

    @Test(
        "reports the terminal's colours, however the response ends",
        arguments: ["\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", "\u{1B}]11;rgb:ff/ff/ff\u{7}"])
    func colors(response: String) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array((response + "j").utf8)) == [.key(.character("j"))])
        #expect(decoder.responses.colors.replacements[.yellow] == .indexed(94))
    }

    @Test("gives no more events than bytes if it is random")
    func anything() {
        var random = SplitMix(state: 5)
        let pieces: [[UInt8]] = [
            [0x1B], Array("[".utf8), Array("]".utf8), Array("200~".utf8), Array("201~".utf8), [0x3B],
        ]
        for _ in 0..<Mutation.count(500) {
            var (decoder, taken, given) = (KeyDecoder(), 0, 0)
            for _ in 0..<50 {
                let isPiece = Bool.random(using: &random)
                let bytes =
                    isPiece ? pieces.randomElement(using: &random) ?? [] : [.random(in: 0...255, using: &random)]
                taken += bytes.count
                given += decoder.decode(bytes).count
            }
            given += decoder.flush().count
            #expect(given <= taken && decoder.flush().isEmpty && decoder.decode([0x6A]) == [.key(.character("j"))])
        }
    }
}

extension KeyDecoder {
    /// The events of a pause, in milliseconds.
    fileprivate mutating func waiting(_ pause: Int32) -> [ScreenEvent] {
        var (rest, events) = (pause, [ScreenEvent]())
        while timeout >= 0, rest >= timeout {
            rest -= timeout
            events += flush()
        }
        return events
    }
}
