import BlogMarkup
import BlogModel
import BlogTestSupport
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogStore
@testable import BlogTerminal

@Suite("A list in blog browse") struct BrowseListTests {
    private static let five: [ListRow] = ListRow.samples(["One", "-Two", "*Three", "-*Four", "Five"])

    @Test("shows marks, ages and titles, and a status line")
    func rows() {
        let session = BrowseSession(Self.five, rows: 7)
        #expect(
            session.screen == [
                "●      3h  One",
                "       3h  Two",
                "●★     3h  Three",
                " ★     3h  Four",
                "●      3h  Five",
                "",
                "All posts · 3 unread of 5            ?: keys",
            ])
    }

    @Test("tells photos apart by their photographers in a list of a single source", arguments: [nil, "A site"])
    func photos(source: String?) throws {
        let photo = StoredPost(metadata: try sample(details: .photo(Photo())), source: .sample("a"), group: nil)
        #expect(ListRow(photo, source: source, group: nil).source == source ?? "Kerri Lane")
    }

    @Test("shows the titles of sources from 60 columns on")
    func sources() {
        let rows = [
            ListRow.sample("1", "One", named: "A Blog"), .sample("2", "Two", named: "A blog with a very long title"),
        ]
        #expect(
            BrowseSession(rows, columns: 60, rows: 3).screen == [
                "●           3h  A Blog         One", "●           3h  A blog with …  Two",
                "All posts · 2 unread of 2                            ?: keys",
            ])
        #expect(BrowseSession(rows, columns: 59, rows: 3).screen[0] == "●      3h  One")
    }

    @Test("of a ranking fetches more posts at its end, once each time the cursor gets there")
    func neverFetched() {
        let rows = (1...30).map { (rank: Int) in ListRow.sample("\(rank)", "Post \(rank)", rank: rank) }
        var session = BrowseSession(rows)
        session.give(.counts(ListCounts(posts: 200, unread: 200), list: session.state.list.number))
        #expect(session.press("j") == [])
        #expect(session.press("G") == ["fetch 130"])
        #expect(session.press("k j") == [])
        #expect(session.give(.rankingFetched(129)) == ["list everything, 500 rows", "count"])
        session.give(rows: (1...129).map { (rank: Int) in ListRow.sample("\(rank)", "Post \(rank)", rank: rank) })
        session.give(.counts(ListCounts(posts: 200, unread: 200), list: session.state.list.number))
        // One was removed at its source, and all others have arrived.
        #expect(session.press("G") == ["fetch 230"])
        #expect(session.give(.rankingFetched(129)) == [])
        #expect(session.press("G") == [])
    }

    @Test("shows ranks, points and comments of a ranking")
    func ranked() {
        let rows = [
            ListRow.sample("1", "One", rank: 1, points: 111, comments: 22), .sample("2", "-Two", rank: 2),
        ]
        #expect(
            BrowseSession(rows, rows: 3).screen == [
                "●    1.  111p   22c      3h  One", "     2.                  3h  Two",
                "All posts · 1 unread of 2            ?: keys",
            ])
        #expect(BrowseSession(rows, columns: 43, rows: 3).screen[0] == "●      3h  One")
    }

    @Test("opens a source in its own order, unless another one was chosen", arguments: ["", "title"])
    func ownOrders(typed: String) {
        var session = BrowseSession(Self.five, rows: 9)
        session.press("S ctrl-u")
        session.enter(typed)
        session.give(.sources([.sample("a"), .sample(LinkedSource.sourceID, "linked")]))
        let chosen = typed.isEmpty ? nil : "by title"
        func open(_ keys: String) -> String? {
            session.press("\\ home \(keys) enter")
            return session.state.list.request.order
        }
        #expect(open("j") == chosen ?? "by rank")
        session.give(rows: [.sample("1", "One", rank: 1)])
        #expect(session.screen.contains { $0.contains(" 1.  ") })
        #expect(open("j j") == chosen ?? "newest first")
        session.give(rows: [.sample("1", "One")])
        #expect(!session.screen.contains { $0.contains(" 1.  ") })
        #expect(session.screen.contains { $0.hasSuffix("3h  One") })
    }

    @Test("has headings that the cursor skips, each visible with its first post")
    func groups() {
        let rows = [("1", "May"), ("2", "May"), ("3", "June"), ("4", "July")].map {
            ListRow.sample($0, "Post \($0)", group: $1)
        }
        var session = BrowseSession(rows, rows: 4)
        #expect(session.screen[..<3] == ["May", "●      3h  Post 1", "●      3h  Post 2"])
        session.press("j j")
        #expect(session.current == "3")
        #expect(session.screen[..<3] == ["●      3h  Post 2", "June", "●      3h  Post 3"])
        session.press("G")
        #expect(session.screen[..<3] == ["●      3h  Post 3", "July", "●      3h  Post 4"])
        session.press("g")
        #expect(session.screen[..<3] == ["May", "●      3h  Post 1", "●      3h  Post 2"])
    }

    // MARK: Moving

    /// Keys, with the number of the post under the cursor afterwards, of 40, and that of the first one on the screen,
    /// which has 10.
    static let moves: [(keys: String, cursor: String, first: String)] = [
        ("", "1", "1"), ("j", "2", "1"), ("down down", "3", "1"), ("j k", "1", "1"), ("k", "1", "1"),
        ("j j up", "2", "1"), ("G", "40", "31"), ("end", "40", "31"), ("G g", "1", "1"), ("end home", "1", "1"),
        ("G k", "39", "31"), ("G j", "40", "31"), ("pgdn", "10", "1"), ("ctrl-f ctrl-f", "19", "10"),
        ("G pgup", "31", "31"), ("G b b", "22", "22"), ("G ctrl-b", "31", "31"), ("d", "5", "1"),
        ("ctrl-d d d", "13", "4"), ("G u", "36", "31"), ("G ctrl-u u u", "28", "28"), ("J", "2", "1"),
        ("J J K", "2", "1"), ("j j j j j j j j j j", "11", "2"),
    ]

    @Test("moves its cursor", arguments: moves)
    func moving(keys: String, cursor: String, first: String) {
        var session = BrowseSession(ListRow.samples(40), rows: 11)
        #expect(session.press(keys) == [])
        #expect(session.current == cursor)
        #expect(session.screen[0] == "●      3h  Post \(first)")
    }

    @Test("keeps the cursor visible on a smaller screen, and fills a larger one")
    func resized() {
        var session = BrowseSession(ListRow.samples(40), rows: 11)
        session.press("G k k")
        session.resize(44, 4)
        #expect(session.screen[..<3] == ["●      3h  Post 36", "●      3h  Post 37", "●      3h  Post 38"])
        session.resize(44, 51)
        #expect(session.screen[..<2] == ["All posts · newest first", "●      3h  Post 1"])
        #expect(session.current == "38")
    }

    @Test("says for a key without a meaning how to list the keys")
    func unknownKey() {
        var session = BrowseSession(Self.five, columns: 60)
        #expect(session.press("X") == [])
        #expect(session.status == "X does nothing (? shows all keys)")
        session.press("j")
        #expect(session.status.hasPrefix("All posts"))
    }

    // MARK: Keys with work

    /// The work of keys in a list of five with the cursor on the third post.
    static let keysAndWork: [(keys: String, work: [String], status: String)] = [
        ("o", ["page of 3"], ""), ("v", ["page of 3"], ""), ("c", ["discussion of 3"], ""),
        ("y", ["page of 3 copied"], ""), ("R", ["refresh everything"], ""), ("r", ["refresh everything"], ""),
        ("U", ["undo"], ""), ("ctrl-l", ["redraw"], ""), ("ctrl-z", ["suspend"], ""), ("Q", ["quit"], ""),
        ("ctrl-c", ["quit"], ""), ("q", ["quit"], ""), ("s", ["mark unsaved 3"], "No longer saved"),
        ("k s", ["mark saved 2"], "Saved"), ("m", ["mark read 3"], ""), ("m m", ["mark read 3", "mark unread 3"], ""),
        ("s s", ["mark unsaved 3", "mark saved 3"], "Saved"),
        ("A", ["mark read 1 3 5"], "3 posts marked as read (U to undo)"),
        ("A A", ["mark read 1 3 5"], "No unread posts to mark"),
        ("[", ["mark read 1"], "1 post marked as read (U to undo)"),
        ("]", ["mark read 5"], "1 post marked as read (U to undo)"),
        ("g [", [], "No unread posts to mark"), ("G ]", [], "No unread posts to mark"),
        ("n", [], ""), ("z", [], ""), ("Z", [], ""), ("}", [], ""), ("{", [], ""), ("tab", [], ""),
        ("shift-tab", [], ""),
    ]

    @Test("requests the right work for each key", arguments: keysAndWork)
    func keys(keys: String, work: [String], status: String) {
        var session = BrowseSession(Self.five, columns: 60)
        session.press("j j")
        #expect(session.press(keys) == work)
        #expect(status.isEmpty || session.status == status)
    }

    @Test(
        "ignores keys for posts if it has none",
        arguments: ["m", "s", "o", "c", "y", "|", "enter", "space", "J"])
    func noPosts(key: String) {
        var session = BrowseSession([])
        #expect(session.press(key) == [])
        #expect(session.state.prompt == nil)
        #expect(session.state.focus == .list)
    }

    @Test("shows marks at once")
    func marks() {
        var session = BrowseSession(Self.five, rows: 7)
        session.press("m s")
        #expect(session.screen[0] == " ★     3h  One")
        session.press("A")
        #expect(session.screen[..<5].allSatisfy { $0.hasPrefix(" ") })
    }

    // MARK: Unread posts

    /// Keys in a list in which 2, 4 and 5 are read, and the resulting cursor.
    static let unreadKeys: [(keys: String, cursor: String, status: String)] = [
        ("n", "3", ""), ("n n", "6", ""), ("n n n", "1", ""), ("G N", "3", ""), ("G N N", "1", ""),
        ("N", "1", "No unread posts above"), ("m n m n m n", "6", "No more unread posts here"),
    ]

    @Test("jumps to unread posts, and wraps around going forward", arguments: unreadKeys)
    func unread(keys: String, cursor: String, status: String) {
        var session = BrowseSession(ListRow.samples(["One", "-Two", "Three", "-Four", "-Five", "Six"]), columns: 60)
        #expect(session.press(keys).allSatisfy { $0.hasPrefix("mark") })
        #expect(session.current == cursor)
        #expect(status.isEmpty || session.status == status)
    }

    // MARK: Back

    /// Keys for going back, pressed in a list, with the work.
    static let backKeys: [(key: String, work: [String])] = [
        ("q", ["quit"]), ("esc", []), ("left", []), ("h", []), ("backspace", []),
    ]

    @Test("quits with q, but not with other keys for going back", arguments: backKeys)
    func back(key: String, work: [String]) {
        var session = BrowseSession(Self.five)
        #expect(session.press(key) == work)
    }

    @Test("goes back with q from other posts to those that were asked for", arguments: ["2", "3", "H"])
    func backFromOthers(keys: String) {
        var session = BrowseSession(Self.five, columns: 60)
        session.press(keys)
        session.give(rows: Self.five)
        #expect(session.press("q").contains { $0.hasPrefix("list everything") })
        session.give(rows: Self.five)
        #expect(session.press("q") == ["quit"])
    }

    @Test("still has only unread posts after another source was chosen")
    func unreadOfSource() {
        var session = BrowseSession(Self.five)
        session.give(.sources([.sample("a"), .sample("b")]))
        session.press("2")
        session.give(rows: Self.five)
        #expect(session.press("\\ G enter").contains("list b unread, 500 rows"))
    }

    @Test("gives the focus to the sources with the keys that go left", arguments: ["esc", "left", "h", "backspace"])
    func left(key: String) {
        var session = BrowseSession(Self.five)
        session.give(.sources([.sample("a", unread: 4), .sample("b")]))
        #expect(session.press(key) == ["sources"])
        #expect(session.state.focus == .sources)
        #expect(session.screen[0].hasPrefix("All posts"))
        session.press("q")
        #expect(session.state.focus == .list)
    }

    // MARK: Rows that arrive later

    @Test("says that it is loading, then that it has no posts")
    func loading() {
        var session = BrowseSession(nil)
        #expect(session.screen[0] == "Loading…")
        session.give(rows: [])
        #expect(session.screen[0] == "No posts. f follows a feed or page.")
    }

    /// The messages of empty lists.
    static let emptyLists: [(keys: String, typed: String?, sentence: String)] = [
        ("1", nil, "No posts. f follows a feed or page."), ("2", nil, "No unread posts. 1 shows all posts."),
        ("3", nil, "No saved posts. s saves a post."),
        ("F", "swift", "No matching posts."), ("/", "swift", "No matching stored posts."),
    ]

    @Test("says why it is empty", arguments: emptyLists)
    func empty(keys: String, typed: String?, sentence: String) {
        var session = BrowseSession(Self.five, columns: 60)
        session.press(keys)
        if let typed { session.enter(typed) }
        session.give(rows: [])
        #expect(session.screen[0] == sentence)
    }

    @Test("says during a refresh that nothing is stored yet")
    func refreshingEmpty() {
        var session = BrowseSession([])
        session.give(.refreshing(done: 0, count: 3))
        #expect(session.screen[0] == "No stored posts yet. Refreshing…")
        #expect(session.status == "All posts · 0 of 3 refreshed         ?: keys")
    }

    @Test("requests more rows before the cursor gets to the end, many at a time")
    func more() {
        var session = BrowseSession(ListRow.samples(500), isEnd: false)
        #expect(session.press("j") == ["1000 rows"])
        #expect(session.press("j j j pgdn") == [])
        session.give(rows: ListRow.samples(500, from: 501), isEnd: false)
        #expect(session.press("j") == [])
    }

    @Test("jumps to its end once that has arrived")
    func end() {
        var session = BrowseSession(ListRow.samples(500), isEnd: false)
        #expect(session.press("G") == ["all rows"])
        session.give(rows: ListRow.samples(500, from: 501), isEnd: false)
        #expect(session.current == "1")
        session.give(rows: ListRow.samples(10, from: 1001))
        #expect(session.current == "1010")
    }

    @Test("doesn't jump to its end if Esc or Ctrl-C was pressed meanwhile", arguments: ["esc", "ctrl-c"])
    func endCancelled(key: String) {
        var session = BrowseSession(ListRow.samples(500), isEnd: false)
        session.press("G j")
        #expect(session.press(key) == [])
        session.press("j")
        session.give(rows: ListRow.samples(10, from: 501))
        #expect(session.current == "2")
    }

    /// Keys that are pressed before any rows arrive, with the work once they do.
    static let typedAhead: [(keys: String, work: [String])] = [
        ("j enter", ["read 2 at 42"]), ("G k s", ["mark unsaved 4"]), ("A U", ["mark read 1 3 5", "undo"]),
        ("j / q enter", ["list everything for “q”, 500 rows", "count"]),
    ]

    @Test("loses no key that is typed before its rows arrive", arguments: typedAhead)
    func typingAhead(keys: String, work: [String]) {
        var session = BrowseSession(nil)
        #expect(session.press(keys) == [])
        #expect(session.give(rows: Self.five) == work)
    }

    @Test("can be left with Ctrl-C even if no rows arrive")
    func leavingEarly() {
        var session = BrowseSession(nil)
        #expect(session.press("j ctrl-c") == ["quit"])
    }

    @Test("handles keys that were typed while it requested more rows")
    func typingAheadOfMore() {
        var session = BrowseSession(ListRow.samples(500), isEnd: false)
        session.press("G k k s")
        #expect(session.give(rows: ListRow.samples(10, from: 501)) == ["mark saved 508"])
    }

    @Test("jumps to unread posts that haven't arrived yet, even past the end")
    func unreadLater() {
        let read = (1...500).map { ListRow.sample("\($0)", $0 == 1 ? "First" : "-Read") }
        var session = BrowseSession(read, isEnd: false)
        #expect(session.press("n") == ["2500 rows"])
        session.give(rows: (501...2500).map { .sample("\($0)", "-Read") }, isEnd: false)
        #expect(session.takeWork() == ["2500 rows", "4500 rows"])
        session.give(rows: [.sample("2501", "-Read")])
        #expect(session.current == "1")
    }

    /// Keys that wait for all rows, with the resulting marks: the cursor is on the second of three.
    static let pendingMarks: [(key: String, marks: String)] = [("A", "mark read 1 2 3 4 5"), ("]", "mark read 3 4 5")]

    @Test("marks all rows, even those that haven't arrived yet", arguments: pendingMarks)
    func pending(key: String, marks: String) {
        var session = BrowseSession(ListRow.samples(3), isEnd: false)
        session.press("j")
        #expect(session.press(key) == ["all rows"])
        #expect(session.give(rows: [.sample("4", "Four")], isEnd: false) == [])
        #expect(session.give(rows: [.sample("5", "Five")]) == [marks])
    }

    @Test("marks nothing if Esc was pressed meanwhile", arguments: ["A", "]"])
    func noLongerPending(key: String) {
        var session = BrowseSession(ListRow.samples(3), isEnd: false)
        session.press(key + " esc")
        #expect(session.give(rows: [.sample("4", "Four")]) == [])
    }

    @Test("needs no more rows to mark those above the cursor")
    func above() {
        var session = BrowseSession(ListRow.samples(3), isEnd: false)
        session.press("j j")
        #expect(session.press("[") == ["mark read 1 2"])
    }

    @Test("ignores results of an earlier list")
    func stale() {
        var session = BrowseSession(Self.five)
        let old = session.list
        session.press("2")
        session.give(.rows(Self.five, isEnd: true, list: old))
        session.give(.counts(ListCounts(posts: 77, unread: 7), list: old))
        session.give(.listFailed("Too late", list: old))
        #expect(session.state.list.isStale)
        #expect(session.status == "All posts (unread)                   ?: keys")
    }

    @Test("says why it can't be read, and stops waiting")
    func failed() {
        var session = BrowseSession(nil)
        session.give(.listFailed("The store is gone", list: session.list))
        #expect(session.status == "The store is gone")
        #expect(session.screen[0] == "The store is gone")
        #expect(session.press("G") == [])
    }

    @Test("counts unread posts, and marks change that")
    func counts() {
        var session = BrowseSession(Self.five)
        session.give(.counts(ListCounts(posts: 5, unread: 3), list: session.list))
        #expect(session.status == "All posts · 3 unread of 5            ?: keys")
        session.press("m j m j")
        #expect(session.status == "All posts · 3 unread of 5            ?: keys")
        session.press("s j s s k")
        #expect(session.status == "All posts · 3 unread of 5            ?: keys")
        session.press("A j")
        #expect(session.status == "All posts · 0 unread of 5            ?: keys")
        // What was counted before these marks lacks them.
        let counts = BrowseEvent.counts(ListCounts(posts: ListCounts.limit, unread: 4000), list: session.list)
        #expect(session.give(counts) == ["count"])
        #expect(session.status == "All posts · 0 unread of 5            ?: keys")
        #expect(session.give(counts).isEmpty)
        #expect(session.status == "All posts · 4,000 unread of 10,000+  ?: keys")
    }

    // MARK: Other lists

    /// Keys and what is typed into the prompt, with the work and the status line.
    static let otherLists: [(keys: String, typed: String?, work: String, status: String)] = [
        ("2", nil, "list everything unread, 500 rows", "All posts (unread)"),
        ("3", nil, "list everything saved, 500 rows", "All posts (saved)"),
        ("2 1", nil, "list everything all, 500 rows", "All posts"),
        ("F", "swift tag:x", "list everything with “swift tag:x”, 500 rows", "All posts (swift tag:x)"),
        ("2 F", "swift", "list everything unread with “swift”, 500 rows", "All posts (unread) (swift)"),
        ("/", "swift", "list everything for “swift”, 500 rows", "Search: swift"),
    ]

    @Test("can be replaced with another, and stays until that arrives", arguments: otherLists)
    func others(keys: String, typed: String?, work: String, status: String) {
        var session = BrowseSession(Self.five)
        for key in keys.split(separator: " ") {
            session.give(rows: Self.five)
            session.press(String(key))
        }
        if let typed { session.enter(typed) }
        #expect(session.takeWork().suffix(2) == [work, "count"])
        #expect(session.status.hasPrefix(status + "  "))
        // The old rows stay on the screen until others arrive.
        #expect(session.screen[0] == "●      3h  One")
        session.give(rows: [.sample("9", "Nine")], isEnd: false)
        #expect(session.screen[..<2] == ["●      3h  Nine", ""])
    }

    @Test("keeps the cursor on the same post in another list that has it")
    func samePost() {
        var session = BrowseSession(Self.five)
        session.press("j j 2")
        session.give(rows: [Self.five[0], Self.five[2], Self.five[4]])
        #expect(session.current == "3")
        session.press("3")
        session.give(rows: [Self.five[3]])
        #expect(session.current == "4")
    }

    @Test("keeps the cursor on a post far below, and requests enough rows for that")
    func samePostBelow() {
        var session = BrowseSession(ListRow.samples(3000))
        session.press("G")
        #expect(session.press("1") == ["list everything all, 3099 rows", "count"])
        session.give(rows: ListRow.samples(1000), isEnd: false)
        session.give(rows: ListRow.samples(2000, from: 1001))
        #expect(session.current == "3000")
    }

    @Test("leaves the cursor where the user moved it before the same post arrived")
    func movedMeanwhile() {
        var session = BrowseSession(ListRow.samples(10))
        session.press("G 1")
        session.give(rows: ListRow.samples(5), isEnd: false)
        // The nearest to it so far.
        #expect(session.current == "5")
        session.press("k")
        session.give(rows: ListRow.samples(5, from: 6))
        #expect(session.current == "4")
    }

    @Test("keeps the cursor near a post that has left it", arguments: [("j j", "4"), ("G", "4"), ("G k", "5")])
    func neighbor(keys: String, current: String) {
        var session = BrowseSession(Self.five)
        session.press(keys)
        let gone = session.current
        session.press("1")
        session.give(rows: Self.five.filter { $0.id.local != gone })
        #expect(session.current == current)
    }

    @Test("has the author and the summary after the title, as far as there is room")
    func authorAndSummary() {
        let row = ListRow.sample("1", "One", author: "Kerri Lane", summary: "What\nhappened to the pier, at length.")
        func line(_ columns: Int) -> String { BrowseSession([row], columns: columns, rows: 3).screen[0] }
        #expect(line(80) == "●           3h  One · Kerri Lane · What happened to the pier, at length.")
        #expect(line(60) == "●           3h  One · Kerri Lane · What happened to the pie…")
        #expect(line(30) == "●      3h  One")
    }

    @Test("names the list that a search is in, and where else there are hits")
    func searchedPlace() {
        var session = BrowseSession(Self.five)
        session.press("2")
        session.give(rows: Self.five)
        session.press("/")
        session.enter("pier")
        #expect(session.give(rows: []).contains("count elsewhere everything all for “pier”"))
        #expect(session.status.hasPrefix("Search in All posts (unread): pier"))
        session.give(.countedElsewhere(3, list: session.list))
        #expect(session.screen[0] == "No matching posts in All posts (unread). 3")
        #expect(session.press("1").first == "list everything all for “pier”, 500 rows")
        session.give(rows: Self.five)
        #expect(session.status.hasPrefix("Search: pier"))
    }

    @Test("shows posts that another process has stored at once while the cursor is at the top")
    func newFromElsewhere() {
        var session = BrowseSession(Self.five)
        session.give(.counts(ListCounts(posts: 5, unread: 3), list: session.list))
        func check() -> [String] {
            session.give(.storeChanged)
            return session.give(.checked([:], ListCounts(posts: 6, unread: 4), list: session.list))
        }
        #expect(check() == ["list everything, 500 rows", "count"])
        session.give(rows: Self.five)
        session.give(.counts(ListCounts(posts: 5, unread: 3), list: session.list))
        session.press("j")
        #expect(check() == [])
        #expect(session.status.contains("1 new"))
    }

    @Test("drops its filter with an empty one, or by going back")
    func endOfFilter() {
        for keys in ["F ctrl-u enter", "esc", "q", "left"] {
            var session = BrowseSession(Self.five)
            session.press("F")
            session.enter("x")
            session.give(rows: [])
            #expect(session.press(keys) == ["list everything, 500 rows", "count"])
        }
    }

    /// What is typed as an order, with the words for it.
    static let orders: [(typed: String, words: String)] = [
        ("title", "by title"), ("date --reverse", "oldest first"), ("author --reverse", "by author, reversed"),
        ("score", "most points first"), ("title --group author", "by title, grouped by author"),
        ("date --group folder --reverse-groups", "newest first, grouped by folder"),
    ]

    @Test("is sorted and grouped in the words of blog list", arguments: orders)
    func sorted(typed: String, words: String) {
        var session = BrowseSession(Self.five, columns: 60)
        session.press("S")
        #expect(session.status == "Sort by (now date):")
        session.press("ctrl-u")
        #expect(session.enter(typed) == ["list everything \(words), 500 rows", "count"])
        session.give(rows: Self.five)
        session.press(":")
        #expect(session.enter("sort \(typed)") == ["list everything \(words), 500 rows", "count"])
        session.give(rows: Self.five)
        session.press("S")
        #expect(session.status == "Sort by (now \(typed)):")
    }

    @Test("has its own order again if no words are typed")
    func ownOrder() {
        var session = BrowseSession(Self.five, columns: 60)
        session.press("S")
        #expect(session.enter("") == [])
        session.press("S")
        session.enter("title")
        session.give(rows: Self.five)
        session.press("S")
        #expect(session.enter("") == ["list everything, 500 rows", "count"])
    }

    @Test("is sorted by date if only other words are typed")
    func sortedByDefault() {
        var session = BrowseSession(Self.five)
        session.press("S ctrl-u")
        #expect(
            session.enter(" --group=author  --reverse ")
                == ["list everything oldest first, grouped by author, 500 rows", "count"])
    }

    @Test("keeps its order in the list of another source, but not in a search, which has its own")
    func keptOrder() {
        var session = BrowseSession(Self.five, columns: 60)
        session.press("S ctrl-u")
        session.enter("title")
        session.give(rows: Self.five)
        session.press("/")
        #expect(session.enter("swift") == ["list everything for “swift”, 500 rows", "count"])
        session.give(rows: Self.five)
        session.press("S")
        #expect(session.status == "Sort by (now relevance):")
        session.press("ctrl-u")
        #expect(session.enter("date") == ["list everything newest first for “swift”, 500 rows", "count"])
        session.give(rows: Self.five)
        session.press("esc 2")
        session.give(rows: Self.five)
        session.press("S")
        #expect(session.status == "Sort by (now title):")
    }

    /// What can't be an order, with the beginning of the message in place of the prompt's label.
    static let wrongOrders = [
        ("titel", "Invalid value “titel” for --sort"), ("title author", "Unexpected argument “author”: "),
        ("title --unread", "Unknown option --unread. Did you mean --sort, "),
        ("title --nonsense", "Unknown option --nonsense"),
        ("--sort", "--sort needs a value: "), ("title --group x", "Invalid value “x” for --group"),
    ]

    @Test("asks again for an order that doesn't exist", arguments: wrongOrders)
    func wrongOrder(typed: String, message: String) {
        var session = BrowseSession(Self.five, columns: 120)
        session.press("S ctrl-u")
        #expect(session.enter(typed) == [])
        // A long message is above the prompt.
        #expect(session.screen.contains { $0.hasPrefix(message) }, "\(session.screen)")
        #expect(session.status.hasSuffix(typed))
    }

    @Test("of chosen posts can't be sorted")
    func chosen() {
        var session = BrowseSession(Self.five, request: ListRequest(.these(Self.five.map(\.id))))
        session.press("S")
        #expect(session.status.hasPrefix("These posts stay in the order given"))
    }

    @Test("is restored after a search, with the marks made meanwhile")
    func search() {
        var session = BrowseSession(Self.five, columns: 60)
        session.press("j j j /")
        session.enter("swift")
        session.give(rows: [Self.five[4], .sample("9", "Nine")])
        session.press("m s j m")
        // Another process may have marked some, too.
        #expect(session.press("esc") == ["check"])
        #expect(session.current == "4")
        #expect(session.status.hasPrefix("All posts"))
        session.press("G")
        #expect(session.state.list.current?.isRead == true)
        #expect(session.state.list.current?.isSaved == true)
    }

    @Test("is one step back from any number of searches")
    func searches() {
        var session = BrowseSession(Self.five)
        for words in ["one", "two"] {
            session.press("/")
            session.enter(words)
            session.give(rows: Self.five)
        }
        #expect(session.status.hasPrefix("Search: two "))
        session.press("esc")
        #expect(session.status.hasPrefix("All posts "))
    }

    @Test(
        "stays after an empty search, or a prompt that was left",
        arguments: ["enter", "esc", "ctrl-c", "backspace"])
    func noSearch(key: String) {
        var session = BrowseSession(Self.five)
        #expect(session.press("/ \(key)") == [])
        #expect(session.state.prompt == nil)
        #expect(session.screen[0] == "●      3h  One")
    }

    @Test("searches everything stored, even from posts that were named")
    func searchFromNamed() {
        let named = ListRequest(.these([PostID(source: .sample("a"), local: "1")]))
        var session = BrowseSession(ListRow.samples(1), request: named)
        session.press("/")
        session.enter("x")
        #expect(session.takeWork() == ["list everything for “x”, 500 rows", "count"])
    }

    // MARK: Refreshing

    @Test("refreshes sources that are due at the start")
    func start() {
        var session = BrowseSession(nil, refreshes: true)
        #expect(session.takeWork() == ["list everything, 500 rows", "count", "sources", "refresh everything if due"])
        session.give(.refreshing(done: 3, count: 18))
        #expect(session.status == "All posts · 3 of 18 refreshed        ?: keys")
    }

    @Test("shows new posts at once while the cursor is at the top")
    func newAtTop() {
        var session = BrowseSession(Self.five)
        #expect(session.give(.refreshed(new: 2, nil)) == ["sources", "list everything, 500 rows", "count"])
        session.give(rows: [])
        #expect(session.give(.refreshed(new: 0, nil)) == ["sources", "list everything, 500 rows", "count"])
        session.give(rows: Self.five)
        #expect(session.give(.refreshed(new: 0, nil)) == ["sources"])
    }

    /// The lists that a refresh changes, and their first posts.
    @Test(
        "is loaded again when it is refreshed: posts may have left it, or have other titles",
        arguments: [Filter(isUnread: true), Filter(isSaved: true), Filter()], [["-*One", "*Two"], ["One", "Two"]])
    func outdated(filter: Filter, titles: [String]) {
        let request = ListRequest(.query(Query(filter: filter), .everything))
        var session = BrowseSession(ListRow.samples(titles), request: request)
        session.give(posts: 2)
        session.press("r")
        #expect(session.endRefresh(new: 0, posts: 2).contains { $0.hasPrefix("list ") })
        #expect(session.status == "No new posts")
    }

    @Test("keeps a post that was read in a list of unread ones while others arrive")
    func readAtTop() {
        let request = ListRequest(.query(Query(filter: Filter(isUnread: true)), .everything))
        var session = BrowseSession(ListRow.samples(["-One", "Two"]), columns: 100, request: request)
        session.give(.counts(ListCounts(posts: 1, unread: 1), list: session.list))
        #expect(session.give(.checked([:], ListCounts(posts: 2, unread: 2), list: session.list)).isEmpty)
        #expect(session.status.contains("1 new"))
    }

    /// Keys after which new posts aren't shown at once.
    static let elsewhere = ["j", "enter", "/", "F", "|"]

    @Test("only announces new posts if the user is busy elsewhere", arguments: elsewhere)
    func newElsewhere(key: String) {
        var session = BrowseSession(Self.five, columns: 60)
        session.give(posts: 5)
        session.press(key)
        #expect(session.endRefresh(new: 2, posts: 7) == ["sources", "check"])
        // The others are in other lists.
        #expect(session.endRefresh(new: 4, posts: 8) == ["sources", "check"])
        if session.state.prompt != nil { session.press("esc") }
        #expect(session.status.contains(" · 3 new (r to show)"))
        #expect(session.press("r") == ["list everything, 500 rows", "count"])
        #expect(!session.status.contains("new"))
    }

    @Test("counts a post once that was seen to arrive before its refresh ended")
    func newDuringRefresh() {
        var session = BrowseSession(Self.five, columns: 100)
        session.give(posts: 5)
        session.press("j")
        session.give(.refreshing(done: 1, count: 2))
        #expect(session.give(.storeChanged).first == "sources")
        session.give(.checked([:], ListCounts(posts: 7, unread: 7), list: session.list))
        #expect(session.status.contains(" · 2 new (r to show)"))
        session.endRefresh(new: 3, posts: 8)
        #expect(session.status.contains(" · 3 new (r to show)"))
    }

    @Test("asks what is new at the end of a refresh if the list was loaded during it")
    func loadedDuringRefresh() {
        var session = BrowseSession(Self.five, columns: 100)
        session.press("j")
        session.give(.refreshing(done: 1, count: 2))
        session.press("r")
        session.give(rows: Self.five)
        session.press("j")
        #expect(session.give(.refreshed(new: 3, nil)).last == "check")
        #expect(!session.status.contains("new"))
    }

    @Test("shows with r what has arrived while others are still being refreshed")
    func refreshDuringRefresh() {
        var session = BrowseSession(Self.five)
        session.press("j")
        session.give(.refreshing(done: 1, count: 2))
        #expect(session.press("r") == ["list everything, 500 rows", "count"])
    }

    @Test("shows new posts beside a message, which goes after a minute")
    func oldNotice() {
        var session = BrowseSession(Self.five, columns: 60)
        session.give(posts: 5)
        session.press("j s")
        #expect(session.status == "Saved")
        session.endRefresh(new: 2, posts: 7)
        session.give(.checked([:], ListCounts(posts: 7, unread: 7), list: session.list))
        #expect(session.status == "Saved · 2 new (r to show)")
        session.give(.minutePassed)
        #expect(session.status.hasPrefix("Saved"))
        session.give(.minutePassed)
        #expect(!session.status.contains("Saved") && session.status.contains("2 new"))
    }

    @Test("keeps the cursor on the same post when r shows new ones")
    func newOnRequest() {
        var session = BrowseSession(Self.five)
        session.give(posts: 5)
        session.press("j j")
        session.endRefresh(new: 1, posts: 6)
        session.press("r")
        session.give(rows: [.sample("9", "New")] + Self.five)
        #expect(session.current == "3")
    }

    @Test("keeps the cursor on the open post, even the first one")
    func newUnderPost() {
        var session = BrowseSession(Self.five)
        session.press("enter")
        session.give(posts: 5)
        session.give(lines: ["text"])
        session.endRefresh(new: 1, posts: 6)
        session.give(.checked([:], ListCounts(posts: 6, unread: 5), list: session.list))
        session.press("r")
        session.give(rows: [.sample("9", "New")] + Self.five)
        #expect(session.current == "1")
    }

    @Test("ends titles that are cut with an ellipsis")
    func cutTitles() {
        let session = BrowseSession(ListRow.samples(["A title of thirty-four characters", "Short"]), columns: 40)
        #expect(session.screen[0] == "●      3h  A title of thirty-four chara…")
        #expect(session.screen[1] == "●      3h  Short")
    }

    // MARK: What other processes change

    /// A session after another process has changed the marks of posts and the numbers of all and of unread ones.
    private func changed(
        _ states: [String: PostState], posts: Int, unread: Int, show: Filter = Filter(), _ keys: String = "j"
    ) -> BrowseSession {
        var session = BrowseSession(
            Self.five, columns: 80, rows: 7, request: ListRequest(.query(Query(filter: show), .everything)))
        session.give(.counts(ListCounts(posts: 5, unread: 3), list: session.list))
        session.press(keys)
        #expect(session.give(.storeChanged) == ["sources", "check"])
        let known = Dictionary(uniqueKeysWithValues: states.map { (PostID(source: .sample("a"), local: $0), $1) })
        session.give(.checked(known, ListCounts(posts: posts, unread: unread), list: session.list))
        return session
    }

    @Test("shows the marks that another process has made, without moving anything")
    func otherMarks() {
        let session = changed(
            ["1": PostState(isRead: true, isSaved: true), "2": PostState(isRead: false, isSaved: false)],
            posts: 5, unread: 3)
        #expect(session.screen.prefix(3) == [" ★          3h  One", "●           3h  Two", "●★          3h  Three"])
        #expect(session.current == "2")
        #expect(session.status.hasPrefix("All posts · 3 unread of 5  "))
    }

    @Test(
        "tells how many posts another process has stored, and r shows them",
        arguments: [(Filter(), 8, 6), (Filter(isUnread: true), 3, 6), (Filter(isUnread: true), 4, 6)])
    func otherPosts(filter: Filter, posts: Int, unread: Int) {
        var session = changed([:], posts: posts, unread: unread, show: filter)
        #expect(session.status.contains(" · 3 new (r to show)"))
        #expect(session.press("r").contains { $0.hasPrefix("list ") })
        session.give(rows: [.sample("9", "New")] + Self.five)
        #expect(session.current == "2" && !session.status.contains("new"))
    }

    @Test("shows the posts that another process has stored in an empty list at once")
    func otherFirstPosts() {
        var session = BrowseSession([])
        session.give(.counts(ListCounts(posts: 0, unread: 0), list: session.list))
        session.give(.storeChanged)
        let work = session.give(.checked([:], ListCounts(posts: 1, unread: 1), list: session.list))
        #expect(work.contains { $0.hasPrefix("list ") })
    }

    @Test("checks marks again if the user has marked a post meanwhile, and ignores those of an earlier list")
    func marksMeanwhile() {
        var session = BrowseSession(Self.five)
        session.give(.storeChanged)
        session.press("s")
        let old: [PostID: PostState] = [
            PostID(source: .sample("a"), local: "1"): PostState(isRead: false, isSaved: false)
        ]
        #expect(session.give(.checked(old, nil, list: session.list)) == ["check"])
        #expect(session.screen[0].hasPrefix("●★"))
        #expect(session.give(.checked(old, nil, list: BrowseSession.wrongNumber)).isEmpty)
        #expect(session.screen[0].hasPrefix("●★"))
    }

    @Test("no longer says that there are no new posts when another process has stored some")
    func newPostsElsewhere() {
        var session = BrowseSession(ListRow.samples(3), columns: 80)
        session.give(.counts(ListCounts(posts: 3, unread: 3), list: session.list))
        session.press("j r")
        session.endRefresh(new: 0, posts: 3)
        session.give(rows: ListRow.samples(3))
        session.give(posts: 3)
        #expect(session.status.hasPrefix("No new posts"))
        session.give(.checked([:], ListCounts(posts: 4, unread: 4), list: session.list))
        #expect(session.status.contains("1 new"))
    }

    @Test("says that posts have left the list, whose source another process has unfollowed, and drops them on r")
    func lostPosts() {
        var session = BrowseSession(ListRow.samples(3), columns: 80)
        session.give(.counts(ListCounts(posts: 3, unread: 3), list: session.list))
        session.give(.checked([:], ListCounts(posts: 2, unread: 2), list: session.list))
        #expect(session.status.hasPrefix("All posts · 2 unread of 2 · changed (r to show)"))
        #expect(session.press("r").first?.hasPrefix("list everything") == true)
        session.give(rows: ListRow.samples(2))
        #expect(!session.status.contains("changed"))
    }

    @Test("loads a list of more posts than are counted again on r, as others may have stored some")
    func uncounted() {
        var session = changed([:], posts: ListCounts.limit, unread: 3)
        session.press("r")
        session.give(rows: Self.five)
        session.give(.storeChanged)
        session.give(.checked([:], ListCounts(posts: ListCounts.limit, unread: 3), list: session.list))
        session.press("r")
        #expect(session.endRefresh(new: 0, posts: ListCounts.limit).contains { $0.hasPrefix("list ") })
    }

    // MARK: Sources

    @Test("marks the posts of the source or folder under the cursor, and no post that isn't")
    func markSource() {
        var session = BrowseSession(Self.five, columns: 80)
        session.give(.sources([.sample("a", unread: 4), .sample("b")]))
        session.press("\\ j")
        #expect(session.press("A") == ["mark all in a source"])
        let report = MarkingReport.sample(.read, "One", "Five")
        #expect(session.give(.allMarked(report)) == ["sources", "check"])
        #expect(session.status.hasPrefix("2 posts marked as read (U to undo)"))
        for key in ["m", "s", "[", "]", "o", "y", "|"] {
            #expect(session.press(key).isEmpty)
            #expect(session.status.hasPrefix("No post is selected (tab goes to the list)"))
        }
    }

    @Test("offers the next source with unread posts in an empty list, and goes on to it")
    func emptyList() {
        var session = BrowseSession([], request: ListRequest(.query(Query(), .sources([.sample("a")]))))
        session.give(.sources([.sample("a"), .sample("b", unread: 2)]))
        #expect(session.press("space") == ["sources"])
        #expect(session.screen.suffix(2).joined(separator: " ").hasPrefix("No more unread posts here. Press again"))
        #expect(session.press("space").contains { $0.hasPrefix("list b") })
    }

    @Test("says that there are no new posts only if the user asked")
    func nothingNew() {
        var session = BrowseSession(Self.five)
        session.give(posts: 5)
        session.press("R")
        session.endRefresh(new: 0, posts: 5)
        session.give(rows: Self.five)
        session.give(posts: 5)
        #expect(session.status == "No new posts")
        session.press("j")
        session.endRefresh(new: 0, posts: 5)
        #expect(session.status.hasPrefix("All posts"))
        session.press("R")
        session.endRefresh(new: 3, posts: 5)
        #expect(session.status == "No new posts here, 3 elsewhere")
    }

    @Test("shows with r what another refresh has stored, as that of a post does")
    func storedMeanwhile() {
        var session = BrowseSession(Self.five, columns: 80)
        session.give(posts: 5)
        session.press("j r")
        session.endRefresh(new: 0, posts: 7)
        #expect(session.status.contains(" · 2 new (r to show)") && !session.status.contains("No new"))
    }

    @Test("shows the text of a post without a title once")
    func untitled() {
        let rows = [
            ListRow.sample(
                "1", "The fog horn has been mended, and…", summary: "The fog horn has been mended, and nobody slept")
        ]
        #expect(!BrowseSession(rows, columns: 200).screen[0].contains("nobody"))
    }

    @Test("shows the numbers of now when there is room for the sources again")
    func shownSources() {
        var session = BrowseSession(Self.five, columns: 80)
        session.give(.sources([.sample("a", unread: 4), .sample("b")]))
        #expect(session.give(.resized(ScreenSize(columns: 200, rows: 20))).contains("sources"))
        #expect(!session.give(.resized(ScreenSize(columns: 210, rows: 20))).contains("sources"))
    }

    @Test("shows posts again that had left a list of the unread ones when their marks are undone")
    func undoneAway() {
        var session = BrowseSession(
            Self.five, request: ListRequest(.query(Query(filter: Filter(isUnread: true)), .everything)))
        session.press("A")
        session.press("r")
        session.endRefresh(new: 0, posts: 5, unread: 0)
        session.give(rows: [])
        #expect(session.screen.contains { $0.hasPrefix("No unread posts. 1 shows all posts.") })
        session.press("U")
        let report = MarkingReport.sample(.unread, "One", "Three", "Five")
        #expect(session.give(.undone(report)).contains { $0.hasPrefix("list ") })
    }

    @Test("finds a source by its title and by its name")
    func foundSource() {
        var session = BrowseSession(Self.five, columns: 80)
        session.give(
            .sources([.sample("garden", title: "Der Küchengarten"), .sample("tide", title: "The Tidewater Reader")]))
        for text in ["tidewater", "tide", "The T"] {
            session.press("\\ /")
            session.enter(text)
            #expect(session.state.sources.current.name == "The Tidewater Reader", "\(text)")
            session.press("g \\")
        }
    }

    @Test("ends with what ends vim", arguments: ["q", "q!", "wq", "quit"])
    func vim(typed: String) {
        var session = BrowseSession(Self.five)
        session.press(":")
        #expect(session.enter(typed).contains("quit"))
    }

    @Test("loads a search again on r, as its posts aren't counted, and says only that")
    func refreshedSearch() {
        var session = BrowseSession(Self.five, columns: 80)
        session.press("/")
        session.enter("kettle")
        session.give(rows: Self.five)
        session.press("j r")
        session.give(.refreshed(new: 0, nil))
        #expect(session.give(.checked([:], nil, list: session.list)).contains { $0.hasPrefix("list ") })
        #expect(session.status.hasPrefix("Refreshed"))
    }

    @Test("drops read posts from a list of unread ones also if something can't be refreshed, and counts what it shows")
    func failedRefreshOfUnread() {
        let request = ListRequest(.query(Query(filter: Filter(isUnread: true)), .everything))
        var session = BrowseSession(ListRow.samples(["-One", "Two"]), columns: 80, request: request)
        session.give(.counts(ListCounts(posts: 1, unread: 1), list: session.list))
        #expect(session.status.contains("1 unread of 2"))
        session.press("j R")
        session.give(.refreshed(new: 0, "Could not refresh a: timed out"))
        let counts = ListCounts(posts: 1, unread: 1)
        #expect(session.give(.checked([:], counts, list: session.list)).contains { $0.hasPrefix("list ") })
        #expect(session.status.hasPrefix("Could not refresh a"))
    }

    @Test("returns from a filter to the same post, also if it was the first one there")
    func filtered() {
        var session = BrowseSession(Self.five)
        session.press("j j F")
        session.enter("three")
        session.give(rows: [Self.five[2]])
        session.press("esc")
        session.give(rows: Self.five)
        #expect(session.current == "3")
    }

    @Test("returns to its post after a list without it, unless the cursor was moved there")
    func narrowed() {
        for (keys, current) in [("3", "4"), ("3 j", "1")] {
            var session = BrowseSession(Self.five)
            session.press("j j j")
            for key in keys.split(separator: " ") {
                session.press(String(key))
                if key == "3" { session.give(rows: [.sample("8", "Eight"), .sample("9", "Nine")]) }
            }
            session.press("1")
            session.give(rows: Self.five)
            #expect(session.current == current)
        }
    }

    @Test("leaves failures of a refresh that nobody asked for to the marks of the sources, unless there are no posts")
    func quietFailure() {
        var session = BrowseSession(Self.five)
        session.give(.refreshed(new: 0, "Could not refresh a: timed out"))
        #expect(session.status.hasPrefix("All posts"))
        var empty = BrowseSession([])
        empty.give(.refreshed(new: 0, "Could not refresh a: timed out"))
        #expect(empty.screen.contains { $0.contains("Could not refresh a: timed out") })
    }

    @Test("says what couldn't be refreshed")
    func failedRefresh() {
        var session = BrowseSession(Self.five)
        session.press("R")
        session.give(.refreshing(done: 1, count: 2))
        session.give(.refreshed(new: 0, "Could not refresh a: timed out"))
        #expect(session.status == "Could not refresh a: timed out")
        session.press("j")
        #expect(session.status == "All posts · 3 unread of 5            ?: keys")
    }

    // MARK: Undo

    @Test("undoes its own marks, any number of them")
    func undo() {
        var session = BrowseSession(Self.five, columns: 70)
        session.press("A s j s")
        #expect(session.press("U") == ["undo"])
        #expect(session.give(.undone(.sample(.unsaved, "Two"))) == [])
        #expect(session.status == "1 post marked as unsaved again: “Two”")
        #expect(session.state.list.rows.map(\.isSaved) == [true, false, true, true, false])
        session.give(.undone(.sample(.unsaved, "One")))
        #expect(session.give(.undone(.sample(.unread, "One", "Three", "Five"))) == [])
        #expect(session.status == "3 posts marked as unread again: “One” and 2 more")
        #expect(session.state.list.rows.map(\.isRead) == [false, true, false, true, false])
        #expect(session.state.list.rows.map(\.isSaved) == [false, false, true, true, false])
        session.give(.undone(nil))
        #expect(session.status == "Nothing to undo")
    }

    @Test("is read again after an undo of as many marks as were made elsewhere")
    func undoMore() {
        var session = BrowseSession(Self.five, columns: 70)
        session.press("j k m")
        #expect(session.give(.undone(.sample(.unread, "One", "Three"))) == ["list everything, 500 rows", "count"])
        #expect(session.status == "2 posts marked as unread again: “One” and 1 more")
    }

    @Test("is read again after an undo of marks made elsewhere")
    func undoElsewhere() {
        var session = BrowseSession(Self.five)
        session.press("j m")
        #expect(session.give(.undone(.sample(.unsaved, "Four"))) == ["list everything, 500 rows", "count"])
        session.give(rows: Self.five)
        #expect(session.current == "2")
        #expect(session.give(.undone(.sample(.read, "Two"))) == ["list everything, 500 rows", "count"])
    }
}
