import BlogModel
import BlogRendering
import BlogTestSupport
import Foundation
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogStore
@testable import BlogTerminal

@Suite("Typing ahead in blog browse") struct TypingAheadTests {
    private var controls: BrowseControls
    private var state: BrowseState { controls.state }
    private let list: Int

    init() throws {
        let dates = DateText(now: Date(timeIntervalSince1970: 1_767_225_600), timeZone: .gmt)
        let (state, effects) = BrowseState.start(
            ListRequest(.query(Query(), .everything)), listName: "All posts", size: ScreenSize(columns: 44, rows: 6),
            dates: dates, refreshes: false)
        controls = BrowseControls(state)
        list = try #require(
            effects.compactMap { if case .loadList(_, let number, _) = $0 { number } else { nil } }.first)
    }

    private func post(_ number: Int) -> PostID {
        PostID(source: SourceID(kind: "feed", address: "a"), local: "\(number)")
    }

    private func rows(_ numbers: Range<Int>) -> [ListRow] {
        numbers.map { ListRow(post($0), nil, fallbackTitle: "\($0)", source: nil, state: nil) }
    }

    private mutating func press(_ keys: String) -> [BrowseEffect] {
        keys.flatMap { controls.handle(.key($0 == "⏎" ? .enter : .character($0))) }
    }

    private mutating func give(_ numbers: Range<Int>, isEnd: Bool = false) -> [BrowseEffect] {
        controls.handle(.rows(rows(numbers), isEnd: isEnd, list: list))
    }

    /// The post that is read, and the number of the reading.
    private func reading(_ effects: [BrowseEffect]) -> (post: PostID, number: Int)? {
        for case .loadPost(let request) in effects { return (request.post, request.number) }
        return nil
    }

    @Test("moves the cursor on to a row that arrives later")
    mutating func resumes() {
        _ = give(0..<100)
        let effects = press(String(repeating: "j", count: 2000))
        #expect(state.list.cursor == 99)
        let wanted = effects.compactMap { if case .loadRows(let count, _) = $0 { count } else { nil } }.last
        #expect(wanted ?? 0 > 2000)
        _ = give(100..<1000)
        _ = give(1000..<3000)
        #expect(state.list.cursor == 2000)
    }

    @Test("drops steps beyond the end of a list")
    mutating func endsAtEnd() {
        _ = give(0..<10)
        _ = press("jjjjjjjjjjjjjjj")
        _ = give(10..<12, isEnd: true)
        #expect(state.list.cursor == 11)
        _ = press("k")
        #expect(state.list.cursor == 10)
    }

    @Test("opens the post that was reached", arguments: [0, 1, 2])
    mutating func opensReached(early: Int) {
        if early > 0 { _ = give(0..<early) }
        let effects = press("jj⏎")
        #expect(reading(effects) == nil)
        #expect(reading(give(early..<9))?.post == post(2))
    }

    @Test("scrolls a post whose text arrives later")
    mutating func scrolls() throws {
        _ = give(0..<2, isEnd: true)
        let number = try #require(reading(press("⏎"))).number
        _ = press(" j")
        let lines = (0..<40).map { StyledText("line \($0)") }
        _ = controls.handle(.lines(Array(lines[..<7]), isSummary: false, request: number))
        _ = controls.handle(.lines(Array(lines[7...]), isSummary: false, request: number))
        #expect(BrowseView(state).frame().text.first?.contains("line 5") == true)
    }

    @Test("doesn't apply keys for one post to the next")
    mutating func forgets() throws {
        _ = give(0..<3, isEnd: true)
        _ = press("⏎ ")
        let next = try #require(reading(press("J")))
        #expect(next.post == post(1))
        _ = controls.handle(.lines((0..<40).map { StyledText("line \($0)") }, isSummary: false, request: next.number))
        #expect(BrowseView(state).frame().text.first?.contains("line 0") == true)
    }

    @Test("doesn't delay quitting")
    mutating func leaves() {
        #expect(press("jQ").last == .quit)
    }
}
