import BlogCommandLine
import BlogMarkup
import BlogModel
import BlogTestSupport
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogStore
@testable import BlogTerminal

/// Random keys, results and sizes in any order: 10,000 events from several seeds.
@Suite("A session of blog browse with random events") struct BrowseFuzzTests {
    private static let events = Mutation.count(10_000)
    private static let seeds: [UInt64] = Array(1...20)

    @Test("never crashes, always fills the screen, and can always be left", arguments: seeds)
    func randomEvents(seed: UInt64) {
        var random = SplitMix(state: seed)
        var session = BrowseSession(nil, opensFirst: seed % 5 == 0, refreshes: true)
        for number in 0..<Self.events / Self.seeds.count {
            RandomEvent.give(to: &session, &random)
            if session.takeWork().contains("quit") { session = BrowseSession(nil) }
            // Large screens take long to draw.
            let size = session.state.size
            if size.columns * size.rows < 1000 || number % 20 == 0 { check(session) }
        }
        check(session)
        leave(session)
    }

    private func check(_ session: BrowseSession) {
        let (frame, state) = (BrowseView(session.state).frame(), session.state)
        #expect(frame.rows.count == state.size.rows)
        #expect(frame.rows.allSatisfy { $0.count == state.size.columns })
        if let cursor = frame.cursor {
            #expect((0..<state.size.rows).contains(cursor.row) && (0..<state.size.columns).contains(cursor.column))
        }
        #expect(state.list.rows.isEmpty ? state.list.cursor == 0 : state.list.rows.indices.contains(state.list.cursor))
        #expect(state.focus != .post || state.post != nil)
        #expect(state.focus != .sources || state.layout.sources != nil)
        #expect(state.focus != .list || state.layout.list != nil)
    }

    /// Goes back until that quits; on the way, the list has to accept keys.
    private func leave(_ session: BrowseSession) {
        var session = session
        // Everything awaited arrives, and with it the keys typed ahead.
        for _ in 0..<100 {
            session.give(rows: [.sample("1", "One")])
            session.give(.postLoaded(nil, request: session.reading))
            if session.state.prompt != nil { session.press("esc") }
            if session.takeWork().contains("quit") { return }
        }
        var other = session
        #expect(other.press("Q").last == "quit")
        for _ in 0..<100 {
            if session.state.focus == .list, session.state.text == nil {
                var other = session
                #expect(other.press("1").contains { $0.hasPrefix("list") && $0.contains(" all") })
            }
            let work = session.press("q")
            if work.last == "quit" { return }
            if session.state.list.isStale { session.give(rows: [.sample("1", "One")]) }
        }
        Issue.record("q never quits")
    }
}

/// An event that may happen in the full-screen reader.
private enum RandomEvent {
    private static let keys: [Key] =
        Action.allCases.flatMap(\.defaultKeys) + "aefxyz059!é日".map { .character($0) } + [.enter, .enter, .delete]
    private static let pieces = [
        "a", "word", "[1]", "[22]", " ", "é", "e\u{301}", "日本", "👩‍🌾", "🇩🇪", "\u{200D}", "\u{1B}[2J", "\u{9B}", "\u{202E}",
        "\n", "\t", "\u{600}", "क\u{94D}", "│ ", "x:", "\"", "*",
    ]
    private static let widths = [1, 2, 3, 20, 43, 44, 60, 69, 70, 80, 140, 180, 300]

    static func give(to session: inout BrowseSession, _ random: inout SplitMix) {
        let isRight = Int.random(in: 0..<8, using: &random) > 0
        let list = isRight ? session.list : Int.random(in: -1...session.list, using: &random)
        let reading = isRight ? session.reading : Int.random(in: -1...session.reading, using: &random)
        switch Int.random(in: 0..<42, using: &random) {
        case 0..<20:
            session.give(.key(keys.randomElement(using: &random) ?? .enter))
        case 20: session.give(.paste(text(&random)))
        case 21: session.give(.resized(size(&random)))
        case 22..<26: session.give(.rows(rows(&random), isEnd: .random(using: &random), list: list))
        case 26: session.give(.listFailed(Message(text(&random)), list: list))
        case 27:
            let posts = Int.random(in: 0...20_000, using: &random)
            session.give(.counts(ListCounts(posts: posts, unread: posts / 3), list: list))
        case 28..<31:
            let lines = (0..<Int.random(in: 0...40, using: &random)).map { _ in StyledText(text(&random)) }
            session.give(.lines(lines, isSummary: Int.random(in: 0..<5, using: &random) == 0, request: reading))
        case 31, 32:
            session.give(comment: text(&random), depth: .random(in: 0...4, using: &random), text(&random))
        case 33: session.give(.postLoaded(.random(using: &random) ? nil : Message(text(&random)), request: reading))
        case 34: session.give(.postFailed(Message(text(&random)), request: reading))
        case 35:
            let labels = [LabelCounts(label: text(&random), posts: 2, unread: 1)]
            session.give(.sources(sources(&random), labels: Bool.random(using: &random) ? labels : []))
        case 36: session.give(.refreshing(done: 1, count: .random(in: 0...3, using: &random)))
        case 37: session.give(.refreshed(new: .random(in: 0...2, using: &random), nil))
        case 38:
            let marks = Mark.named.map(\.mark) + [.labelled(text(&random)), .unlabelled("x")]
            let report = MarkingReport.sample(marks.randomElement(using: &random) ?? .read, text(&random))
            session.give(.undone(.random(using: &random) ? report : nil))
        case 39: session.give(.article(request: reading))
        case 40: session.give(.articleFailed(Message(text(&random)), request: reading))
        default:
            let rows = (0..<Int.random(in: 1...5, using: &random)).map { _ in StyledText("▀▀") }
            if Int.random(in: 0..<3, using: &random) == 0 {
                session.give(.output([text(&random), text(&random)], command: "x"))
            } else {
                // A picture is above a line that has arrived.
                let lines = session.state.post?.text.count ?? 0
                session.give(.picture(rows, line: .random(in: 0...lines, using: &random), request: reading))
            }
        }
    }

    private static func text(_ random: inout SplitMix) -> String {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private static func size(_ random: inout SplitMix) -> ScreenSize {
        ScreenSize(
            columns: widths.randomElement(using: &random) ?? 80,
            rows: Int.random(in: 0..<10, using: &random) == 0 ? 80 : .random(in: 1...12, using: &random))
    }

    private static func rows(_ random: inout SplitMix) -> [ListRow] {
        (0..<Int.random(in: 0...30, using: &random)).map { _ in
            .sample(
                "\(Int.random(in: 1...60, using: &random))",
                (["", "-", "*"].randomElement(using: &random) ?? "") + text(&random),
                of: .random(using: &random) ? "a" : "b", named: .random(using: &random) ? text(&random) : nil,
                group: Int.random(in: 0..<4, using: &random) == 0 ? text(&random) : nil)
        }
    }

    private static func sources(_ random: inout SplitMix) -> [SourceState] {
        (0..<Int.random(in: 0...6, using: &random)).map { number in
            .sample(
                ["a", "b", "c", "d", "e", "f"][number], title: text(&random),
                folder: .random(using: &random) ? "" : text(&random), unread: .random(in: 0...3, using: &random))
        }
    }
}
