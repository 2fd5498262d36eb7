import BlogBrowse
import BlogTerminal
import BlogTestSupport
import Testing

@Suite("Typing ahead in blog browse") struct TypingAheadTests {
    /// A session whose list has not arrived.
    private var session = BrowseSession(nil)

    private mutating func press(_ keys: String) -> [String] {
        keys.flatMap { session.give(.key($0 == "⏎" ? .enter : .character($0))) }
    }

    private mutating func give(_ numbers: Range<Int>, isEnd: Bool = false) -> [String] {
        session.give(rows: ListRow.samples(numbers.count, from: numbers.lowerBound), isEnd: isEnd)
    }

    @Test("moves the cursor on to a row that arrives later")
    mutating func resumes() throws {
        _ = give(0..<100)
        let work = press(String(repeating: "j", count: 2000))
        #expect(session.current == "99")
        let wanted = try #require(work.last { $0.hasSuffix(" rows") }?.split(separator: " ").first)
        #expect(Int(wanted) ?? 0 > 2000)
        _ = give(100..<1000)
        _ = give(1000..<3000)
        #expect(session.current == "2000")
    }

    @Test("drops steps beyond the end of a list")
    mutating func endsAtEnd() {
        _ = give(0..<10)
        _ = press("jjjjjjjjjjjjjjj")
        _ = give(10..<12, isEnd: true)
        #expect(session.current == "11")
        _ = press("k")
        #expect(session.current == "10")
    }

    @Test("opens the post that was reached", arguments: [0, 1, 2])
    mutating func opensReached(early: Int) {
        if early > 0 { _ = give(0..<early) }
        #expect(press("jj⏎").allSatisfy { !$0.hasPrefix("read ") })
        #expect(give(early..<9).contains("read 2 at 42"))
    }

    @Test("scrolls a post whose text arrives later")
    mutating func scrolls() {
        _ = give(0..<2, isEnd: true)
        _ = press("⏎ j")
        let lines = (0..<40).map { "line \($0)" }
        session.give(lines: Array(lines[..<7]), isEnd: false)
        session.give(lines: Array(lines[7...]), isEnd: false)
        #expect(session.screen.first?.contains("line 5") == true)
    }

    @Test("doesn't leave a post that has just arrived for the next one")
    mutating func unseenEnd() {
        _ = give(0..<2, isEnd: true)
        _ = press("⏎ ")
        session.give(lines: ["A short text"])
        #expect(session.open == "0")
        #expect(press(" ").contains("read 1 at 42"))
    }

    @Test("doesn't apply keys for one post to the next")
    mutating func forgets() {
        _ = give(0..<3, isEnd: true)
        _ = press("⏎ ")
        #expect(press("J").contains("read 1 at 42"))
        session.give(lines: (0..<40).map { "line \($0)" }, isEnd: false)
        #expect(session.screen.first?.contains("line 0") == true)
    }

    @Test("doesn't delay quitting")
    mutating func leaves() {
        #expect(press("jQ").last == "quit")
    }
}
