import BlogCommandLine
import BlogModel
import BlogTestSupport
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogTerminal

@Suite("The links of an open post in blog browse") struct BrowseLinkTests {
    /// A session with post 1 open, whose lines have the links 1 to 12, three to a line.
    private func session(rows: Int = 6) -> BrowseSession {
        var session = BrowseSession(ListRow.samples(["One", "Two"]), columns: 60, rows: rows)
        session.press("enter")
        let links = (0..<4).map { line in (1...3).map { "word[\(line * 3 + $0)]" }.joined(separator: " ") }
        session.give(lines: links)
        _ = session.takeWork()
        return session
    }

    /// Keys, with the link that Enter reads then.
    static let digits: [(keys: String, link: Int?)] = [
        ("3", 3), ("1 2", 12), ("1 1", 11), ("4 2", nil), ("4 2 2", 2), ("1 3", nil), ("1 2 3", nil), ("1 0", 10),
        ("0", nil),
        ("1 tab", 2),
        ("3 esc", nil), ("1 j 2", 2), ("9 9", nil),
    ]

    @Test("are selected by their numbers, of any number of digits", arguments: digits)
    func numbers(keys: String, link: Int?) {
        var session = session()
        session.press(keys)
        #expect(session.state.post?.link?.number == link)
        #expect(session.press("enter") == (link.map { ["read link \($0) of 1"] } ?? []))
    }

    @Test("have numbers that may be unknown")
    func unknown() {
        var session = BrowseSession(ListRow.samples(1), columns: 60)
        session.press("enter")
        session.give(lines: ["no links"])
        session.press("7")
        #expect(session.status.hasPrefix("No link 7 in this post"))
    }

    @Test("are scrolled to")
    func scrolled() {
        var session = session(rows: 3)
        session.press("1 2")
        #expect(session.screen[..<2].contains { $0.contains("[12]") })
    }

    @Test(
        "take the keys that otherwise apply to the post",
        arguments: [
            ("o", "link 2 of 1"), ("y", "link 2 of 1 copied"), ("s", "save link 2 of 1"), ("f", "look up link 2 of 1"),
        ])
    func keys(key: String, work: String) {
        var session = session()
        session.press("2")
        #expect(session.press(key) == [work])
        session.press("esc")
        #expect(session.press(key) != [work])
    }

    // MARK: Reading here

    @Test("open a post over the one with the link, and back returns to its place")
    func stack() {
        var session = session(rows: 3)
        session.press("j 5 enter")
        let place = session.screen[..<2]
        #expect(session.give(.linked(.sample("9", "Nine"), number: session.wrongLink)) == [])
        #expect(session.give(.linked(.sample("9", "Nine"), number: session.link)) == ["stop reading", "read 9 at 58"])
        #expect(session.give(lines: ["Text of nine"]) == ["9 is read"])
        #expect(session.open == "9")
        #expect(session.press("q") == ["stop reading"])
        #expect(session.open == "1" && session.screen[..<2] == place)
        session.press("esc q")
        #expect(session.state.focus == .list && session.state.post == nil)
    }

    @Test("that lead to the page of the post show its article, once")
    func ownPage() {
        var session = session()
        session.press("2 enter")
        #expect(session.give(.linkedToOwnPage(number: session.wrongLink)) == [])
        #expect(session.give(.linkedToOwnPage(number: session.link)) == ["read 1 at 58, article: always"])
    }

    @Test("are marked and saved as posts of their own")
    func marks() {
        var session = session()
        session.press("1 enter")
        session.give(.linked(.sample("9", "Nine"), number: session.link))
        session.give(lines: ["Text of nine"])
        #expect(session.press("s") == ["mark saved 9"])
        #expect(session.press("s") == ["mark unsaved 9"])
        #expect(session.press("m") == ["mark unread 9"])
        session.press("q esc q")
        #expect(session.current == "1")
    }

    @Test("are forgotten when the post is left before the page has arrived")
    func left() {
        var session = session()
        session.press("1 enter esc q")
        #expect(session.give(.linked(.sample("9", "Nine"), number: session.link)) == [])
        #expect(session.state.post == nil)
    }

    @Test("lead to the next post of the list as ever")
    func next() {
        var session = session()
        session.press("1 enter")
        session.give(.linked(.sample("9", "Nine"), number: session.link))
        session.give(lines: ["Text of nine"])
        #expect(session.press("J") == ["stop reading", "read 2 at 58"])
        session.press("q")
        #expect(session.state.focus == .list)
    }
}
