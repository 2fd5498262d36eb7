import BlogRendering
import BlogTestSupport
import Testing
@testable import BlogTerminal

@Suite("A painted frame") struct FramePainterTests {
    private let plain = FramePainter(capabilities: ScreenCapabilities())
    /// With all capabilities of a terminal, and their overhead.
    private let full = FramePainter(
        capabilities: ScreenCapabilities(hasHyperlinks: true, hasSynchronizedOutput: true, hasClusters: true))

    private func frame(_ lines: [StyledText], _ size: ScreenSize = ScreenSize(columns: 80, rows: 24)) -> Frame {
        var frame = Frame(size)
        for (row, line) in lines.enumerated() { frame.write(line, row: row) }
        return frame
    }

    private func text(_ painter: FramePainter, from previous: Frame?, to next: Frame) -> String {
        String(decoding: painter.bytes(from: previous, to: next), as: UTF8.self).replacing("\u{1B}", with: "^")
    }

    // MARK: Bytes

    @Test("sends nothing if it is already shown")
    func unchanged() {
        let shown = frame(["one", StyledText("two", .strong)])
        #expect(full.bytes(from: shown, to: shown).isEmpty)
    }

    @Test("has only the beginning of an endless character in a cell")
    func endless() {
        let shown = frame([StyledText("a" + String(repeating: "\u{1F469}\u{200D}", count: 100_000) + "b")])
        #expect(full.bytes(from: nil, to: shown).count < 2000)
    }

    private static let changes: [(StyledText, StyledText, String)] = [
        ("one two", "one three", "^[1;6Hhree"), ("one two", "one", "^[1;5H   "), ("one second", "one", "^[1;4H^[K"),
        ("abcdefghij", "xbcdefghiy", "^[Hx^[10Gy"), ("abcdef", "xbcdey", "^[Hxbcdey"), ("", "a", "^[Ha"),
        ("one", StyledText("one", .strong), "^[H^[1mone^[m"),
        (StyledText("one", .strong), StyledText("one", .author), "^[H^[36mone^[m"),
        (StyledText("one two", .strong), "one" + StyledText(" two", .strong), "^[Hone"),
        ("x", StyledText("a", .strong) + StyledText("b", .muted) + "c", "^[H^[1ma^[0;2mb^[mc"),
        ("日本", "日木", "^[1;3H木"), ("a日b", "ab", "^[1;2Hb  "), ("ab", "日b", "^[H日b"),
        // An error in width is confined to its own cells.
        ("👩‍🌾 a", "👩‍🌾 b", "^[H👩‍🌾^[3G b^[K"), ("a 👩‍🌾 b", "x 👩‍🌾 b", "^[Hx"), ("👩‍🌾", "ab", "^[Hab^[K"),
        ("a", StyledText("a").linked(to: "https://x.y"), "^[H^]8;;https://x.y^\\a^]8;;^\\"),
    ]

    @Test("sends little more than what has changed", arguments: changes)
    func difference(before: StyledText, after: StyledText, expected: String) {
        let painter = FramePainter(capabilities: ScreenCapabilities(hasHyperlinks: true))
        #expect(text(painter, from: frame([before]), to: frame([after])) == expected)
    }

    @Test("has no colours or links if they are turned off, but all other attributes")
    func noColor() {
        let painter = FramePainter(capabilities: ScreenCapabilities(isColored: false))
        let next = frame([StyledText("a", .hit) + StyledText("b", .author).linked(to: "https://x.y")])
        #expect(text(painter, from: frame([]), to: next) == "^[H^[1ma^[mb")
    }

    @Test("uses synchronized output if the terminal supports it")
    func synchronized() {
        #expect(text(full, from: frame(["a"]), to: frame(["b"])) == "^[?2026h^[Hb^[?2026l")
    }

    @Test("needs no cursor movement after a grapheme cluster if the terminal counts clusters")
    func clusters() {
        let (before, after) = (frame(["👩‍🌾 a"]), frame(["👩‍🌾 b"]))
        #expect(text(full, from: before, to: after) == "^[?2026h^[1;4Hb^[?2026l")
    }

    @Test("places the cursor, and hides it while painting")
    func cursor() {
        var (before, after) = (frame(["a"]), frame(["b"]))
        after.cursor = Frame.Position(row: 3, column: 4)
        #expect(text(plain, from: before, to: after) == "^[Hb^[4;5H^[?25h")
        before.cursor = Frame.Position(row: 0, column: 0)
        #expect(text(plain, from: before, to: after) == "^[?25l^[Hb^[4;5H^[?25h")
        #expect(text(plain, from: before, to: frame(["a"])) == "^[?25l")
    }

    @Test("has wide characters whole or not at all")
    func wide() {
        var frame = frame(["日本語"], ScreenSize(columns: 7, rows: 1))
        frame.write("x", row: 0, column: 1)
        #expect(frame.text == [" x本語"])
        frame.reverse(row: 0, columns: 1..<3)
        #expect(
            frame.rows[0].map { $0.look.attributes == .reversed } == [false, true, true, true, false, false, false])
        frame.write("yz", row: 0, column: 3)
        #expect(frame.text == [" x yz"] && frame.rows[0].allSatisfy { $0.width == 1 })
    }

    // MARK: Sizes

    private static let sizes = [ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 200, rows: 50)]

    /// A list of posts, one of them marked.
    private func list(marked: Int, first: Int = 0, _ size: ScreenSize) -> Frame {
        var frame = Frame(size)
        for row in 0..<size.rows - 1 {
            let (number, isMarked) = (first + row, first + row == marked)
            let title = StyledText("A title of a post as long as they are, number \(number)", .title)
            let end = frame.write(
                (isMarked ? "▶ " : "  ") + title, row: row, end: size.columns - 20)
            let all = frame.write(StyledText(" · Some Author", .author), row: row, column: end)
            if isMarked { frame.reverse(row: row, columns: 0..<all) }
        }
        frame.write(StyledText("tech · \(marked + 1) of 340", .muted), row: size.rows - 1)
        return frame
    }

    /// A page of an article with lines of the greatest length.
    private func article(from first: Int, _ size: ScreenSize) -> Frame {
        var random = SplitMix(state: 1)
        let words = [
            "of", "the", "reader", "terminal", "a", "which", "scrolls", "under", "quickly", "and", "post", "is",
        ]
        var frame = Frame(size)
        let margin = (size.columns - 76) / 2
        for line in 0..<first + size.rows - 1 {
            var text = ""
            while text.count < 70 { text += (words.randomElement(using: &random) ?? "") + " " }
            if line >= first, line % 7 != 6 {
                frame.write(StyledText(String(text.prefix(76))), row: line - first, column: margin)
            }
        }
        frame.write(StyledText("A title of a post · \(first * 100 / 340) %", .muted), row: size.rows - 1)
        return frame
    }

    @Test("takes at most 250 bytes for a step in a list", arguments: sizes)
    func listStep(size: ScreenSize) {
        for row in 0..<size.rows - 2 {
            let count = full.bytes(from: list(marked: row, size), to: list(marked: row + 1, size)).count
            #expect(count <= 250)
        }
    }

    @Test("takes at most 250 bytes for a step that scrolls a list", arguments: sizes)
    func listScroll(size: ScreenSize) {
        let last = size.rows - 2
        let (before, after) = (list(marked: last, size), list(marked: last + 1, first: 1, size))
        #expect(full.bytes(from: before, to: after).count <= 250)
        #expect(full.bytes(from: after, to: before).count <= 250)
    }

    @Test("takes at most 150 bytes for a line of an article, up or down", arguments: sizes)
    func articleLine(size: ScreenSize) {
        for line in 0..<20 {
            let (before, after) = (article(from: line, size), article(from: line + 1, size))
            #expect(full.bytes(from: before, to: after).count <= 150)
            #expect(full.bytes(from: after, to: before).count <= 150)
        }
    }

    /// In the middle of a wide screen, the cursor has to be moved to each line.
    @Test("takes little more than its text for a page", arguments: zip(sizes, [1.1, 1.15]))
    func page(size: ScreenSize, most: Double) {
        let (before, after) = (article(from: 0, size), article(from: size.rows - 2, size))
        let visible = after.text.map { $0.drop { $0 == " " }.utf8.count }.reduce(0, +)
        #expect(Double(full.bytes(from: before, to: after).count) <= most * Double(visible))
    }

    // MARK: The same screen

    /// A terminal, and the frame that it shows.
    private struct Shown {
        var terminal: ScreenTerminal
        var frame: Frame?

        mutating func show(_ next: Frame, _ painter: FramePainter) {
            terminal.take(painter.bytes(from: frame, to: next))
            frame = next
        }
    }

    private static func spots(_ frame: Frame, _ capabilities: ScreenCapabilities) -> [[ScreenTerminal.Spot]] {
        frame.rows.map { row in
            row.map { cell in
                var look = cell.look
                if !capabilities.isColored { (look.foreground, look.background) = (.usual, .usual) }
                return ScreenTerminal.Spot(
                    text: cell.text, look: look, link: capabilities.hasHyperlinks ? cell.link : nil)
            }
        }
    }

    @Test("looks the same painted as a difference and painted whole", arguments: 0..<8)
    func fuzz(seed: UInt64) {
        var random = RandomFrames(seed: seed)
        var left = Mutation.count(4_000) / 8
        while left > 0 {
            let capabilities = ScreenCapabilities(
                isColored: seed % 5 != 0, hasHyperlinks: seed % 2 == 0, hasSynchronizedOutput: seed % 3 == 0,
                hasClusters: seed % 4 == 0, isConsole: seed == 7)
            let painter = FramePainter(capabilities: capabilities)
            var frame = random.first()
            var shown = Shown(terminal: ScreenTerminal(frame.size))
            shown.terminal.take(ScreenSequences.enter(painter.capabilities))
            for _ in 0..<min(left, 25) {
                shown.show(frame, painter)
                #expect(difference(shown.terminal.spots, Self.spots(frame, capabilities)) == nil)
                #expect(shown.terminal.isAtRest && shown.terminal.cursor == frame.cursor)
                frame = random.next()
            }
            left -= 25
        }
    }

    /// The first difference between two screens; nil if there is none.
    private func difference(_ shown: [[ScreenTerminal.Spot]], _ expected: [[ScreenTerminal.Spot]]) -> String? {
        guard shown != expected, let row = shown.indices.first(where: { shown[$0] != expected[$0] }) else { return nil }
        let columns = shown[row].indices.filter { shown[row][$0] != expected[row][$0] }
        return columns.first.map { "row \(row), column \($0): \(shown[row][$0]) for \(expected[row][$0])" }
    }

    @Test("confines an error in width to its own cells", arguments: 0..<4)
    func otherWidths(seed: UInt64) {
        var random = RandomFrames(seed: 100 + seed, size: ScreenSize(columns: 60, rows: 6))
        var frame = random.first()
        var shown = Shown(terminal: ScreenTerminal(frame.size, width: .scalars))
        shown.terminal.take(ScreenSequences.enter(plain.capabilities))
        for _ in 0..<Mutation.count(800) / 4 {
            shown.show(frame, plain)
            let spots = Self.spots(frame, plain.capabilities)
            for (row, cells) in frame.rows.enumerated() {
                for (column, cell) in cells.enumerated() where !isAmbiguous(cells, column) {
                    #expect(shown.terminal.spots[row][column] == spots[row][column], "\(cell) in \(frame.text[row])")
                }
                for column in cells.indices where cells[column].width == 0 {
                    let (text, own) = (shown.terminal.spots[row][column].text, cells[column - 1].text)
                    let isOwn = text.unicodeScalars.allSatisfy { own.unicodeScalars.contains($0) }
                    #expect(isOwn || text == " ", "“\(text)” remains behind \(own)")
                }
            }
            frame = random.next()
        }
    }

    private func isAmbiguous(_ cells: [Cell], _ column: Int) -> Bool {
        cells[column].width == 0 ? cells[column - 1].hasAmbiguousWidth : cells[column].hasAmbiguousWidth
    }
}

/// Frames with everything that frames can have, the same in every run.
private struct RandomFrames {
    private var random: SplitMix
    private let givenSize: ScreenSize?
    private var size = ScreenSize(columns: 1, rows: 1)
    private var lines: [Line] = []

    private struct Line {
        var text = StyledText("")
        var column = 0
        var isReversed = false
        /// The number of columns that are reversed once more.
        var reversed = 0
    }

    init(seed: UInt64, size: ScreenSize? = nil) {
        random = SplitMix(state: seed)
        givenSize = size
    }

    /// A frame of any size, usually a small one.
    mutating func first() -> Frame {
        size = givenSize ?? ScreenSize(columns: length(300), rows: length(80))
        lines = []
        for _ in 0..<size.rows { lines.append(line()) }
        return frame()
    }

    /// A frame with a change: of text, looks, the order of rows or the cursor.
    mutating func next() -> Frame {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: for row in lines.indices where Bool.random(using: &random) { lines[row] = line() }
        case 1: scroll()
        case 2: lines[row()].reversed = Int.random(in: 0...size.columns, using: &random)
        case 3: break
        default: for _ in 0..<Int.random(in: 1...4, using: &random) { lines[row()] = line() }
        }
        return frame()
    }

    private mutating func frame() -> Frame {
        var frame = Frame(size)
        for (row, line) in lines.enumerated() {
            let end = frame.write(line.text, row: row, column: line.column)
            if line.isReversed { frame.reverse(row: row, columns: min(line.column, end)..<end) }
            // Over a part of the line.
            if line.column % 5 == 1 { frame.write("日x", row: row, column: line.column + 3) }
            frame.reverse(row: row, columns: 0..<line.reversed)
        }
        let column = Int.random(in: 0..<size.columns, using: &random)
        frame.cursor = Bool.random(using: &random) ? nil : Frame.Position(row: row(), column: column)
        return frame
    }

    private mutating func row() -> Int { Int.random(in: 0..<size.rows, using: &random) }

    private mutating func length(_ most: Int) -> Int {
        let part = Double.random(in: 0...1, using: &random)
        let rare = part * part * part
        return 1 + Int(Double(most - 1) * rare * rare)
    }

    /// Moves rows up or down, except for a few at the end.
    private mutating func scroll() {
        let (distance, kept) = (Int.random(in: -5...5, using: &random), Int.random(in: 0...2, using: &random))
        let old = lines
        for row in 0..<max(size.rows - kept, 0) {
            lines[row] = old.indices.contains(row + distance) ? old[row + distance] : line()
        }
    }

    private mutating func line() -> Line {
        var line = Line()
        line.column = Bool.random(using: &random) ? 0 : Int.random(in: 0..<size.columns, using: &random)
        line.isReversed = Int.random(in: 0..<6, using: &random) == 0
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let word = StyledText(Self.words.randomElement(using: &random) ?? "")
            let style = Self.styles.randomElement(using: &random) ?? nil
            let part = style.map { word.styled($0) } ?? word
            let isLink = Int.random(in: 0..<6, using: &random) == 0
            line.text += isLink ? part.linked(to: "https://x.y/\(line.column)") : part
        }
        return line
    }

    private static let styles: [Style?] = [
        nil, nil, .strong, .muted, .author, .link, .strike, .heading(level: 1), .hit,
    ]
    private static let words = [
        "a", "word ", " and more of them, a long run ", "    ", "é", "日本語", "─ · …", "👩‍🌾", "🙂", "❤️", "🇩🇪", "e\u{301}",
        "שלום", "ｶﾅ",
        String(repeating: "x", count: 60), String(repeating: " ", count: 90), "नि",
    ]
}
