import Testing
@testable import BlogBrowse

@Suite("A thread in blog browse") struct BrowseThreadTests {
    /// A post of two lines with its comments: ann, with bob and, below him, cid; dan; eve with fay.
    private func thread(rows: Int = 24, isEnd: Bool = true) -> BrowseSession {
        var session = BrowseSession(ListRow.samples(["Story", "Next"]), rows: rows)
        session.press("enter")
        session.give(lines: ["Story", "Text"], isEnd: false)
        for (id, depth) in [("ann", 0), ("bob", 1), ("cid", 2), ("dan", 0), ("eve", 0), ("fay", 1)] {
            session.give(comment: id, depth: depth)
        }
        if isEnd { session.give(.postLoaded(nil, request: session.reading)) }
        _ = session.takeWork()
        return session
    }

    /// The headers of the comments on the screen, with "▸" before the one that keys apply to.
    private func heads(_ session: BrowseSession) -> [String] {
        session.screen.filter { $0.contains(" · 3h") }.map { line in
            let text = line.filter { !"│ ".contains($0) }.replacing("·3h", with: "")
            return text.replacing("[+", with: " +").replacing("]", with: "")
        }
    }

    @Test("shows comments below the post, with bars for their depth")
    func comments() {
        let session = BrowseThreadTests().thread()
        #expect(
            session.screen[..<11] == [
                " Story", " Text", "", "▸ann · 3h", " says ann", " │", " │ bob · 3h", " │ says bob", " │ │",
                " │ │ cid · 3h",
                " │ │ says cid",
            ])
    }

    /// Keys, with the comments on the screen.
    static let folds: [(keys: String, heads: [String])] = [
        ("", ["▸ann", "bob", "cid", "dan", "eve", "fay"]), ("z", ["▸ann +2", "dan", "eve", "fay"]),
        ("z z", ["▸ann", "bob", "cid", "dan", "eve", "fay"]), ("Z", ["▸ann +2", "dan", "eve +1"]),
        ("Z Z", ["▸ann", "bob", "cid", "dan", "eve", "fay"]), ("z Z", ["▸ann +2", "dan", "eve +1"]),
    ]

    @Test("can be folded by branch or as a whole", arguments: folds)
    func folding(keys: String, heads: [String]) {
        var session = thread()
        #expect(session.press(keys) == [])
        #expect(self.heads(session) == heads)
    }

    @Test("folds the comment at the top of the screen, and stays with it")
    func foldingBelow() {
        var session = thread(rows: 5)
        session.press("j j j j j j")
        #expect(heads(session) == ["▸bob", "cid"])
        session.press("z")
        #expect(heads(session) == ["▸bob +1", "dan"])
    }

    @Test("hides replies that arrive while their branch is folded")
    func foldingEarly() {
        var session = thread(rows: 50, isEnd: false)
        session.press("Z")
        session.give(comment: "gus", depth: 1)
        session.give(comment: "hal", depth: 2)
        session.give(comment: "ian")
        #expect(heads(session) == ["▸ann +2", "dan", "eve +3", "ian"])
        session.press("Z")
        #expect(heads(session).suffix(4) == ["fay", "gus", "hal", "ian"])
    }

    @Test("stays folded when it is laid out for another width")
    func foldingAndResizing() {
        var session = thread()
        session.press("z")
        session.resize(30, 24)
        session.give(lines: ["Story", "Text"], isEnd: false)
        for (id, depth) in [("ann", 0), ("bob", 1), ("dan", 0)] { session.give(comment: id, depth: depth) }
        #expect(heads(session) == ["▸ann +1", "dan"])
    }

    /// Keys, with the first line on the screen, which has 4.
    static let jumps: [(keys: String, first: String)] = [
        ("}", ""), ("} j", "▸ann · 3h"), ("} }", ""), ("} } j", "▸dan · 3h"), ("} } } j", "▸eve · 3h"),
        ("} } } } j", "▸eve · 3h"), ("G { {", ""), ("G { { j", "▸dan · 3h"), ("} {", ""), ("{", " Story"),
    ]

    @Test("has jumps between top-level comments", arguments: jumps)
    func jumping(keys: String, first: String) {
        var session = thread(rows: 5)
        session.press(keys)
        #expect(session.screen[0] == first)
    }

    // MARK: Seen

    @Test("reports the comments that have arrived when it is left, so that later ones are new", arguments: [3, 7, 24])
    func seen(rows: Int) {
        var session = thread(rows: rows)
        #expect(session.press("J") == ["stop reading", "ann bob cid dan eve fay of 1 seen", "read 2 at 42"])
        var none = BrowseSession(ListRow.samples(1))
        none.press("enter")
        none.give(lines: ["Text"], isEnd: false)
        #expect(none.press("Q") == ["stop reading", "quit"])
    }

    @Test("still reports them if it is left while it is laid out for another width")
    func seenBefore() {
        var session = thread()
        session.resize(30, 24)
        #expect(session.press("q") == ["stop reading", "ann bob cid dan eve fay of 1 seen"])
    }

    // MARK: Links

    @Test("opens links in comments by their address")
    func links() {
        var session = thread(isEnd: false)
        session.give(comment: "gus", depth: 0, #"<a href="https://a.b/c">here</a>[1]"#)
        session.press("tab")
        #expect(session.press("enter") == ["read https://a.b/c"])
        #expect(session.press("y") == ["https://a.b/c copied"])
    }

    @Test(
        "doesn't open links in comments that aren't for a browser",
        arguments: ["javascript:x", "file:///etc", "-x", "/a"])
    func unsafeLinks(target: String) {
        var session = thread(isEnd: false)
        session.give(comment: "gus", depth: 0, #"<a href="\#(target)">here</a>[1]"#)
        session.press("tab")
        #expect(session.press("enter") == [])
        #expect(session.status.contains("isn't a web address"))
    }

    @Test("deselects a link when its comment is folded")
    func foldedLink() {
        var session = thread(rows: 7, isEnd: false)
        session.give(comment: "gus", depth: 1, #"<a href="https://a.b/c">here</a>[1]"#)
        session.press("tab Z")
        #expect(session.state.post?.link == nil)
        #expect(session.press("enter") == [])
        #expect(session.press("tab shift-tab") == [])
        session.press("Z tab")
        #expect(session.press("enter") == ["read https://a.b/c"])
    }
}
