import BlogMarkup
import BlogModel
import BlogTestSupport
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogTerminal

@Suite("A post in blog browse") struct BrowsePostTests {
    private static let lines = (1...20).map { "line \($0)" }

    /// A session in which one of three posts is open, with 5 lines on the screen.
    private func reading(_ keys: String = "enter", lines: [String]? = lines, columns: Int = 44) -> BrowseSession {
        var session = BrowseSession(ListRow.samples(["One", "Two", "Three"]), columns: columns)
        session.press(keys)
        if let lines { session.give(lines: lines) }
        _ = session.takeWork()
        return session
    }

    /// Keys, the line below a picture, and the top of the screen with it.
    static let pictures: [(keys: String, line: Int, top: [String])] = [
        ("", 0, [" picture", " picture", " line 1"]), ("", 1, [" line 1", " picture", " picture"]),
        ("j j", 1, [" line 3", " line 4", " line 5"]), ("j j", 2, [" picture", " picture", " line 3"]),
    ]

    @Test("shows a late picture, unless it is above the screen, which then doesn't move", arguments: pictures)
    func latePicture(keys: String, line: Int, top: [String]) {
        var session = reading()
        session.press(keys)
        let rows = [StyledText("picture"), StyledText("picture")]
        session.give(.picture(rows, line: line, request: session.reading))
        #expect(Array(session.screen[..<3]) == top)
    }

    @Test(
        "can be opened and left", arguments: ["enter", "l", "right", "space"], ["q", "h", "left", "esc", "backspace"])
    func opening(key: String, back: String) {
        var session = BrowseSession(ListRow.samples(["One", "Two"]))
        #expect(session.press("j \(key)") == ["read 2 at 42"])
        #expect(session.screen[..<3] == [" Two", "", " Loading…"])
        session.give(lines: ["The text."])
        #expect(session.screen[0] == " The text.")
        #expect(session.status == "100% · 2/2 · Two                     ?: keys")
        #expect(BrowseView(session.state).windowTitle == "Two – blog")
        #expect(session.press(back) == ["stop reading"])
        #expect(session.screen[1] == "       3h  Two")
        #expect(BrowseView(session.state).windowTitle == "All posts – blog")
    }

    @Test("gives the window its title only while it is shown")
    func hidden() {
        var session = BrowseSession(ListRow.samples(["One"]), columns: 150)
        session.press("enter tab")
        #expect(BrowseView(session.state).windowTitle == "One – blog")
        session.resize(44, 6)
        #expect(session.state.post != nil && BrowseView(session.state).windowTitle == "All posts – blog")
    }

    @Test("ignores lines of another post")
    func stale() {
        var session = BrowseSession(ListRow.samples(["One", "Two"]))
        session.press("enter")
        let old = session.reading
        session.press("J")
        session.give(.lines(["Old"], isSummary: false, request: old))
        session.give(.postFailed("Too late", request: old))
        session.give(.postLoaded("Too late", request: old))
        #expect(session.screen[..<3] == [" Two", "", " Loading…"])
        #expect(session.state.notice == nil)
        #expect(session.state.list.rows.map(\.isRead) == [false, false])
    }

    // MARK: Moving

    /// Keys, with the resulting first line on the screen, of 20 on 5 rows.
    static let moves: [(keys: String, first: Int)] = [
        ("j", 2), ("down down", 3), ("j k", 1), ("k", 1), ("j j up", 2), ("G", 16), ("end", 16), ("G j", 16),
        ("G k", 15), ("G g", 1), ("end home", 1), ("pgdn", 5), ("ctrl-f ctrl-f", 9), ("space space", 9),
        ("G pgup", 12), ("G b b", 8), ("G ctrl-b", 12), ("d", 3), ("ctrl-d d", 5), ("G u", 14), ("G ctrl-u u", 12),
    ]

    @Test("can be scrolled", arguments: moves)
    func scrolling(keys: String, first: Int) {
        var session = reading()
        #expect(session.press(keys) == [])
        #expect(session.screen[0] == " line \(first)")
    }

    @Test("is opened where it was left, at any width, unless that was its end or the user has moved")
    func place() throws {
        var session = reading()
        session.press("space j j")
        let top = session.screen[0]
        let left = try #require(session.press("q").first { $0.hasPrefix("left 1 at ") })
        let letters = try #require(Int(left.dropFirst("left 1 at ".count)))
        for hasMoved in [false, true] {
            session.press("enter")
            session.give(.lettersRead(letters, request: session.reading))
            if hasMoved { session.give(lines: Array(Self.lines.prefix(10)), isEnd: false) }
            if hasMoved { session.press("g") }
            session.give(lines: hasMoved ? Array(Self.lines.dropFirst(10)) : Self.lines)
            #expect((session.screen[0] == top) != hasMoved || top == " line 1")
            if !hasMoved {
                session.resize(60, 6)
                session.give(lines: Self.lines)
                #expect(session.screen[0] == top)
                session.press("G")
            }
            #expect(session.press("q").contains("left 1 at no place"))
        }
    }

    @Test("has no place if it is short, or was left at its beginning")
    func noPlace() {
        for (lines, keys) in [(Array(Self.lines.prefix(8)), "j"), (Self.lines, "")] {
            var session = reading(lines: lines)
            session.press(keys)
            #expect(session.press("q") == ["stop reading"])
        }
    }

    @Test("shows how much of it was seen")
    func percent() {
        var session = reading()
        #expect(session.status == "25% · 1/3 · One                      ?: keys")
        session.press("G")
        #expect(session.status == "100% · 1/3 · One                     ?: keys")
    }

    @Test("shows that more of it is loading")
    func loading() {
        var session = reading(lines: nil)
        session.give(lines: Self.lines, isEnd: false)
        #expect(session.status == "loading · 1/3 · One                  ?: keys")
    }

    @Test("can be replaced with its neighbours")
    func neighbours() {
        var session = reading()
        #expect(session.press("J") == ["stop reading", "read 2 at 42"])
        #expect(session.press("K") == ["stop reading", "read 1 at 42"])
        #expect(session.press("K") == [])
        #expect(session.status == "This is the first post")
        #expect(session.press("J J J").count == 4)
        #expect(session.status == "This is the last post")
    }

    /// Keys on the second of three posts, with the work.
    static let keysAndWork: [(keys: String, work: [String])] = [
        ("o", ["page of 2"]), ("v", ["page of 2"]), ("c", ["discussion of 2"]), ("y", ["page of 2 copied"]),
        ("s", ["mark saved 2"]), ("m", ["mark unread 2"]), ("m m", ["mark unread 2", "mark read 2"]),
        ("A", ["mark read 1 3"]), ("[", ["mark read 1"]), ("]", ["mark read 3"]), ("U", ["undo"]),
        ("r", ["stop reading", "read 2 again at 42"]),
        ("R", ["refresh everything"]), ("ctrl-l", ["redraw"]), ("ctrl-z", ["suspend"]),
        ("Q", ["stop reading", "quit"]),
        ("ctrl-c", ["stop reading", "quit"]), ("7", []), ("0", []), ("n", ["stop reading", "read 3 at 42"]),
        ("N", ["stop reading", "read 1 at 42"]), ("z", []),
        ("Z", []), ("}", []), ("{", []), ("tab", []), ("enter", []), ("tab enter", []),
        ("| w c enter", ["2 to “wc”"]), ("| enter", []), ("| w esc", []),
        ("F x enter", ["stop reading", "list everything with “x”, 500 rows", "count"]),
    ]

    @Test("requests the right work for each key", arguments: keysAndWork)
    func keys(keys: String, work: [String]) {
        var session = reading("j enter", lines: ["Text"])
        #expect(session.press(keys) == work)
    }

    // MARK: Space alone

    @Test("is read with the rest of its list by pressing only Space")
    func space() {
        var session = BrowseSession(ListRow.samples(["One", "-Two", "Three"]), rows: 4)
        session.press("j j")
        var steps: [String] = []
        for _ in 0..<6 {
            let work = session.press("space")
            if work.contains(where: { $0.hasPrefix("read") }) { session.give(lines: ["a", "b", "c", "d", "e"]) }
            steps.append("\(session.open) \(session.screen[0].dropFirst()) \(session.status.prefix(16))")
        }
        #expect(
            steps == [
                "3 a 60% · 3/3 · Thre", "3 c 100% · 3/3 · Thr", "1 a 60% · 1/3 · One ", "1 c 100% · 1/3 · One",
                "1 c No more unread p", "1 c No more unread p",
            ])
    }

    @Test(
        "is followed by the next source if n or Space is pressed again, but not after another key",
        arguments: [("n n", "b"), ("n space", "b"), ("space n", "b"), ("n j n", "a"), ("space j space", "a")])
    func offer(keys: String, list: String) {
        let request = ListRequest(.query(Query(), .sources([.sample("a")])))
        var session = BrowseSession(ListRow.samples(1), request: request)
        session.give(.sources([.sample("a"), .sample("b", unread: 1)]))
        session.press("enter")
        session.give(lines: ["Text"])
        session.press(keys)
        #expect(session.state.list.request.scope == .sources([.sample(list)]))
    }

    @Test("is followed by the first source with unread posts after the last one")
    func firstSource() {
        let request = ListRequest(.query(Query(), .sources([.sample("c")])))
        var session = BrowseSession(ListRow.samples(1), columns: 60, request: request)
        session.give(.sources([.sample("a"), .sample("b", unread: 2), .sample("c")]))
        session.press("space")
        session.give(lines: ["Text"])
        session.press("space")
        #expect(session.status == "No more unread posts here. Press again to go on to B")
    }

    @Test("is followed by the next source with unread posts, after a second Space")
    func nextSource() {
        let request = ListRequest(.query(Query(), .sources([.sample("a")])))
        var session = BrowseSession(ListRow.samples(1), columns: 60, request: request)
        session.give(.sources([.sample("a"), .sample("b"), .sample("c", unread: 2), .sample("d", unread: 1)]))
        session.press("space")
        session.give(lines: ["Text"])
        // Only after a second Space, since the user may have wanted this source only.
        #expect(session.press("space") == ["sources"])
        #expect(session.status == "No more unread posts here. Press again to go on to C")
        #expect(session.press("space") == ["stop reading", "list c, 500 rows", "count"])
        #expect(session.status == "Now in C")
        #expect(
            session.give(rows: [.sample("7", "-Seven"), .sample("8", "Eight")], isEnd: false).first == "read 8 at 58")
        session.give(rows: [])
        session.give(lines: ["Text"])
        session.press("k")
        #expect(session.press("space") == ["sources"])
        #expect(session.press("space") == ["stop reading", "list d, 500 rows", "count"])
        // It was read elsewhere meanwhile.
        session.give(rows: [])
        #expect(session.status == "No more unread posts here. Press again to go on to C")
    }

    @Test("is skipped by Space if it can't be read")
    func spaceOverFailure() {
        var session = reading(lines: nil)
        session.give(.postFailed("No text", request: session.reading))
        #expect(session.press("space") == ["stop reading", "read 2 at 42"])
        session.give(lines: ["Text"])
        #expect(session.press("space") == ["stop reading", "read 3 at 42"])
        session.give(lines: ["Text"])
        #expect(session.press("space") == ["stop reading", "read 1 at 42"])
        session.give(.postFailed("No text", request: session.reading))
        #expect(session.press("space") == [])
        #expect(session.status == "No more unread posts here")
    }

    @Test("isn't left by Space while more of it is loading")
    func spaceWhileLoading() {
        var session = reading(lines: nil)
        #expect(session.press("space space") == [])
        session.give(lines: ["Text"], isEnd: false)
        #expect(session.press("space") == [])
        #expect(session.open == "1")
    }

    @Test(
        "is followed by an unread post that arrives later, unless Esc was pressed meanwhile", arguments: [true, false])
    func spaceToLaterRows(waits: Bool) {
        var session = BrowseSession(ListRow.samples(1), isEnd: false)
        session.press("enter")
        session.give(lines: ["Text"])
        #expect(session.press("space") == ["2001 rows"])
        if !waits { session.press("esc") }
        let work = session.give(rows: [.sample("2", "-Two"), .sample("3", "Three")])
        #expect(work == (waits ? ["stop reading", "read 3 at 42"] : []))
    }

    @Test("is paged down by Space as soon as more of it arrives")
    func typingAhead() {
        var session = reading(lines: nil)
        session.press("space")
        session.give(lines: Self.lines, isEnd: false)
        #expect(session.screen[0] == " line 5")
        session.press("G space j")
        session.give(lines: Self.lines, isEnd: false)
        #expect(session.screen[0] == " line 1")
    }

    // MARK: Marked as read

    @Test("is marked as read once its text is on the screen")
    func read() {
        var session = reading(lines: nil)
        #expect(session.takeWork() == [])
        #expect(session.state.list.current?.isRead == false)
        session.give(lines: ["a"], isEnd: false)
        session.give(lines: ["b"])
        #expect(session.takeWork() == ["1 is read"])
        #expect(session.state.list.current?.isRead == true)
    }

    @Test("isn't marked as read if only its summary arrived")
    func summary() {
        var session = reading(lines: nil)
        session.give(lines: ["A summary."], isSummary: true, isEnd: false)
        session.give(.postFailed("Timed out", request: session.reading))
        session.resize(60, 6)
        #expect(session.takeWork().filter { $0.hasSuffix("is read") } == [])
        #expect(session.state.list.current?.isRead == false)
    }

    @Test("isn't marked as read if it was left before its text arrived", arguments: ["q", "J", "/ esc q", "F x enter"])
    func leftEarly(keys: String) {
        var session = reading(lines: nil)
        let number = session.reading
        session.press(keys)
        session.give(.lines(["Text"], isSummary: false, request: number))
        #expect(session.takeWork().filter { $0.hasSuffix("is read") } == [])
    }

    @Test("is marked as read once the help no longer covers it")
    func behindHelp() {
        var session = reading(lines: nil)
        session.press("?")
        session.give(lines: ["Text"])
        #expect(session.takeWork() == [])
        #expect(session.press("q") == ["1 is read"])
        #expect(session.press("? q j k") == [])
    }

    @Test("is marked as read once, so that a resize doesn't undo marking it as unread")
    func once() {
        var session = reading()
        #expect(session.press("m") == ["mark unread 1"])
        #expect(session.resize(30, 6) == ["stop reading", "read 1 at 28"])
        #expect(session.give(lines: Self.lines) == [])
        #expect(session.state.list.current?.isRead == false)
        session.press("q")
        session.press("enter")
        #expect(session.give(lines: Self.lines) == ["1 is read"])
    }

    @Test("is unread again after an undo")
    func undo() {
        var session = reading()
        session.give(.undone(.sample(.unread, "One")))
        #expect(session.state.list.current?.isRead == false)
        #expect(session.takeWork() == [])
    }

    @Test("updates the unread counts of sources that are shown")
    func sourceCounts() {
        var session = BrowseSession(ListRow.samples(2), columns: 200)
        session.give(.sources([.sample("a", unread: 2)]))
        session.press("enter")
        #expect(session.give(lines: ["Text"]) == ["1 is read", "sources"])
        #expect(session.press("m") == ["mark unread 1", "sources"])
    }

    // MARK: Failures

    @Test("says below its summary why its text is missing")
    func failure() {
        var session = reading(lines: nil)
        session.give(lines: ["A summary."], isSummary: true, isEnd: false)
        session.give(.postFailed("Could not fetch it: timed out", request: session.reading))
        #expect(session.screen[..<4] == [" A summary.", "", " Could not fetch it: timed out", ""])
    }

    @Test("says what is missing once everything else has arrived")
    func missing() {
        var session = reading(lines: nil)
        session.give(lines: ["Text"], isEnd: false)
        session.give(.postLoaded("3 comments could not be fetched", request: session.reading))
        #expect(session.status == "3 comments could not be fetched")
    }

    // MARK: Finding

    /// A text and keys, with the resulting first line on the screen, of 20 on 5 rows, and the status.
    static let finds: [(text: String, keys: String, first: Int, status: String)] = [
        ("line 7", "", 7, "next “line 7”"), ("LINE 1", "", 1, ""), ("line 1", "n", 10, ""), ("line 1", "n n", 11, ""),
        ("line 1", "n n N", 10, ""), ("line 1", "N", 16, ""), ("line 19", "", 16, ""), ("line 2", "n n", 2, ""),
        ("line 2", "n n n", 16, ""),
        ("line 2", "n N N", 16, ""), ("zzz", "", 1, "Not found"), ("zzz", "n", 1, "Not found"), ("", "", 1, ""),
        ("line 1", "n n n n n n n n n n n", 1, ""), ("line 18", "n g n", 16, ""), ("line 7", "G n", 7, ""),
        ("line 1", "n g n", 10, ""),
    ]

    @Test("can be searched, wrapping around at its end", arguments: finds)
    func finding(text: String, keys: String, first: Int, status: String) {
        var session = reading()
        session.press("/")
        session.enter(text)
        session.press(keys)
        #expect(session.screen[0] == " line \(first)")
        #expect(status.isEmpty || session.status.contains(status))
        #expect(session.takeWork() == [])
    }

    @Test("ends a search before it is left")
    func endOfFind() {
        var session = reading()
        session.press("/")
        session.enter("line 7")
        #expect(session.press("esc") == [])
        #expect(session.press("n") == ["stop reading", "left 1 at 30", "read 2 at 42"])
    }

    // MARK: Links

    private static let links = [
        "See a[1] and b", "[2].", "", "[7] not one", "", "", "", "c[3]", "[1] https://a.example", "x[12345] nor this",
    ]

    /// Keys, with the number of the selected link, and the work of Enter.
    static let linkKeys: [(keys: String, link: Int?, work: [String])] = [
        ("tab", 1, ["read link 1 of 1"]), ("tab tab", 2, ["read link 2 of 1"]),
        ("tab tab tab", 3, ["read link 3 of 1"]),
        ("tab tab tab tab", 3, ["read link 3 of 1"]), ("tab tab shift-tab", 1, ["read link 1 of 1"]), ("", nil, []),
        ("tab esc", nil, []), ("G shift-tab", 3, ["read link 3 of 1"]), ("tab G tab", 3, ["read link 3 of 1"]),
    ]

    @Test("has links that can be selected and opened", arguments: linkKeys)
    func links(keys: String, link: Int?, work: [String]) {
        var session = reading(lines: Self.links)
        session.press(keys)
        #expect(session.state.post?.link?.number == link)
        #expect(session.press("enter") == work)
        #expect(session.open == "1")
    }

    @Test("has links with up to four digits, and selects none after a picture has moved them")
    func longNumber() {
        var session = reading(lines: ["a[1234]", "b[7]"])
        session.press("tab")
        #expect(session.state.post?.link?.number == 1234)
        session.give(.picture(["picture"], line: 0, request: session.reading))
        #expect(session.state.post?.link == nil && session.press("enter") == [])
    }

    @Test("copies the selected link, else the post's, and says so")
    func copiedLink() {
        var session = BrowseSession(ListRow.samples(1), columns: 80)
        session.press("enter")
        session.give(lines: ["a[1]", "b[2]"])
        #expect(session.press("y") == ["page of 1 copied"])
        #expect(session.press("tab tab y") == ["link 2 of 1 copied"])
        #expect(session.status.contains("enter: read the link  o: browser"))
    }

    @Test("scrolls to the selected link")
    func linkOnScreen() {
        var session = reading(lines: Self.links)
        session.press("tab tab tab")
        #expect(session.screen.contains(" c[3]"))
    }

    // MARK: Sizes

    @Test("is read again for another width, but not for another height")
    func resizing() {
        var session = reading(columns: 120)
        #expect(session.resize(100, 30) == [])
        #expect(session.resize(60, 30) == ["stop reading", "read 1 at 58"])
        #expect(session.resize(90, 30) == ["stop reading", "read 1 at 80"])
    }

    @Test(
        "keeps its place when it is laid out again, repeatedly and in pieces of any size",
        arguments: [1, 2, 5], [20, 50, 51, 53, 60])
    func place(resizes: Int, piece: Int) {
        let words = (1...200).map { "word\($0)" }
        func lines(of count: Int) -> [String] {
            stride(from: 0, to: words.count, by: count).map { words[$0..<min($0 + count, 200)].joined(separator: " ") }
        }
        var session = reading(lines: lines(of: 4))
        for _ in 0..<25 { session.press("j") }
        #expect(session.screen[0].hasPrefix(" word101 "))
        for number in 1...resizes { session.resize(44 - 2 * number, 6) }
        session.give(lines: Array(lines(of: 2)[..<piece]), isEnd: false)
        session.give(lines: Array(lines(of: 2)[piece...]))
        #expect(session.screen[0] == " word101 word102")
    }

    @Test(
        "stays where it was scrolled to while it was laid out again, if that moved it",
        arguments: [("j", " line 2"), ("space", " line 5"), ("j k", " line 1"), ("g", " line 1"), ("k", " line 13")])
    func scrolledEarly(keys: String, first: String) {
        let lines = (1...40).map { "line \($0)" }
        var session = reading(lines: lines)
        session.press("space space space")
        #expect(session.screen[0] == " line 13")
        session.resize(42, 6)
        session.give(lines: Array(lines[..<12]), isEnd: false)
        session.press(keys)
        session.give(lines: Array(lines[12...]))
        #expect(session.screen[0] == first)
    }

    // MARK: Named posts

    private static let named = ListRequest(.these(["7", "8", "9"].map { PostID(source: .sample("a"), local: $0) }))

    @Test("is opened at once if posts were named, and followed by the next one")
    func named() {
        let rows = [ListRow.sample("7", "-Seven"), .sample("8", "-Eight"), .sample("9", "Nine")]
        var session = BrowseSession(rows, request: Self.named, opensFirst: true)
        #expect(session.takeWork() == ["list these 7 8 9, 500 rows", "count", "sources", "read 7 at 42"])
        session.give(lines: ["Text"])
        #expect(session.takeWork() == ["7 is read"])
        #expect(session.press("J") == ["stop reading", "read 8 at 42"])
        session.give(lines: ["Text"])
        #expect(session.press("space") == ["stop reading", "read 9 at 42"])
        session.give(lines: ["Text"])
        #expect(session.press("space") == [])
        #expect(session.press("q q") == ["stop reading", "quit"])
    }

    @Test("isn't opened at once if Esc was pressed before the rows arrived")
    func namedButBusy() {
        var session = BrowseSession(nil, request: Self.named, opensFirst: true)
        session.press("esc")
        session.give(rows: ListRow.samples(3))
        #expect(session.open == "-")
    }
}
