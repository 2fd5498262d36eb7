import BlogCommandLine
import BlogMarkup
import BlogModel
import BlogTestSupport
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogTerminal

@Suite("The panes of blog browse") struct BrowseLayoutTests {
    /// A session with sources in a folder, two posts, and the first one open.
    private func session(_ columns: Int, rows: Int = 5, keys: String = "enter") -> BrowseSession {
        var session = BrowseSession(
            [.sample("1", "One", named: "A"), .sample("2", "Two", named: "B")], columns: columns, rows: rows)
        session.give(.sources([.sample("a", folder: "F", unread: 1), .sample("b", folder: "F"), .sample("c")]))
        session.press(keys)
        session.give(lines: ["Text of the post"])
        _ = session.takeWork()
        return session
    }

    /// The panes from left to right.
    private func panes(_ session: BrowseSession) -> String {
        let screen = session.screen[..<(session.screen.count - 1)].joined()
        return [("sources", "All posts"), ("list", "3h"), ("post", "Text of")].filter { screen.contains($0.1) }
            .map(\.0).joined(separator: " ")
    }

    /// Columns and keys, with the resulting panes.
    static let layouts: [(columns: Int, keys: String, panes: String)] = [
        (50, "", "list"), (50, "enter", "post"), (50, "w enter", "post"), (50, "\\", "sources"),
        (50, "enter \\", "sources"), (50, "enter \\ \\", "post"), (50, "enter \\ q", "post"), (50, "\\ q", "list"),
        (69, "w enter", "post"), (69, "\\", "sources"), (70, "w enter", "list post"), (70, "\\", "sources list"),
        (80, "enter", "post"), (80, "enter w", "list post"), (80, "enter w w", "post"),
        (80, "\\ q enter", "sources post"), (100, "enter", "post"), (100, "\\ q enter", "sources post"),
        (139, "enter", "post"), (140, "", "list"), (140, "enter", "list post"), (140, "enter w", "post"),
        (140, "enter \\", "sources list post"), (140, "enter tab", "list post"), (140, "enter q", "list"),
        (179, "enter", "list post"), (180, "", "sources list"), (180, "enter", "sources list post"),
        (180, "enter \\", "list post"), (180, "enter \\ w", "post"), (200, "enter w", "sources post"),
        (200, "\\ \\", "sources list"),
    ]

    @Test("are as many as fit, and can be turned on and off", arguments: layouts)
    func shown(columns: Int, keys: String, panes: String) {
        #expect(self.panes(session(columns, keys: keys)) == panes)
    }

    /// Columns, with the lines of the screen.
    static let screens: [(columns: Int, lines: [String])] = [
        (50, [" Text of the post", "", "", "", "100% · 1/2 · One                           ?: keys"]),
        (
            80,
            [
                " Text of the post", "", "", "",
                "100% · 1/2 · One" + space(10) + "space: continue  q: back  s: save  x: article  ?: keys",
            ]
        ),
        (
            140,
            [
                "       3h  One                                          │ Text of the post",
                "●      3h  Two                                          │", space(56) + "│", space(56) + "│",
                "100% · 1/2 · One" + space(58) + "space: continue  q: back  s: save  x: article  o: browser  ?: keys",
            ]
        ),
        (
            200,
            [
                "All posts                  1│            3h  A                    One" + space(45)
                    + "│  Text of the post",
                "C                           │●           3h  B                    Two" + space(45) + "│",
                "F                          1│" + space(85) + "│", "  A                        1│" + space(85) + "│",
                "100% · 1/2 · One" + space(118) + "space: continue  q: back  s: save  x: article  o: browser  ?: keys",
            ]
        ),
    ]

    private static func space(_ count: Int) -> String { String(repeating: " ", count: count) }

    @Test("are side by side", arguments: screens)
    func drawn(columns: Int, lines: [String]) {
        #expect(session(columns).screen == lines)
    }

    @Test("show text of at most 80 columns, centered", arguments: [(50, 48), (80, 78), (82, 80), (200, 80)])
    func width(columns: Int, width: Int) {
        var session = BrowseSession(ListRow.samples(1), columns: columns)
        #expect(session.press("enter") == ["read 1 at \(width)"])
    }

    @Test("have the text read again for its new width")
    func split() {
        var session = session(100)
        #expect(session.press("w") == ["stop reading", "read 1 at 47"])
        #expect(session.press("w") == ["stop reading", "read 1 at 80"])
    }

    @Test(
        "get the focus in turn",
        arguments: [("tab", "sources"), ("tab tab", "list"), ("tab tab tab", "post"), ("shift-tab", "list")])
    func focus(keys: String, pane: String) {
        var session = session(200)
        session.press(keys)
        #expect("\(session.state.focus)" == pane)
    }

    @Test("have a selected link only while the post has the focus")
    func deselectedLink() {
        var session = session(140)
        session.give(lines: ["a[1]"])
        #expect(session.press("tab enter") == ["read link 1 of 1"])
        session.press("tab")
        #expect(session.state.focus == .list)
        session.press("tab")
        #expect(session.state.focus == .post)
        #expect(session.state.post?.link == nil)
        #expect(session.press("enter") == [])
    }

    @Test("mark the list's post if the list has the focus beside an open post")
    func besidePost() {
        var session = session(140)
        session.press("tab")
        #expect(session.press("j s") == ["mark saved 2"])
        #expect(session.open == "1")
        #expect(session.press("enter") == ["stop reading", "read 2 at 80"])
    }

    // MARK: Sizes

    @Test("come and go with the size, and the focus moves to one that is shown")
    func resizing() {
        var session = session(200)
        session.press("shift-tab shift-tab")
        #expect(session.state.focus == .sources)
        session.resize(60, 5)
        #expect(session.state.focus == .post)
        session.resize(200, 5)
        session.give(lines: ["Text of the post"])
        #expect(panes(session) == "sources list post")
    }

    @Test("come and go with the sources, and so does the focus")
    func noSources() {
        var session = session(200, keys: "shift-tab")
        #expect(session.state.focus == .sources)
        session.give(.sources([]))
        #expect(session.state.focus == .list)
        #expect(panes(session) == "list")
    }

    @Test(
        "fit any screen, however small",
        arguments: [(1, 1), (2, 1), (1, 2), (20, 2), (3, 3), (69, 1), (70, 2), (180, 1), (300, 80)],
        ["", "enter", "\\", "?", "/ a b c", "enter z tab", "w enter"])
    func sizes(size: (columns: Int, rows: Int), keys: String) {
        var session = session(size.columns, rows: size.rows, keys: keys)
        session.give(comment: "ann")
        session.press("j")
        let frame = BrowseView(session.state).frame()
        #expect(frame.rows.count == size.rows)
        #expect(frame.rows.allSatisfy { $0.count == size.columns })
    }

    // MARK: Sources

    /// Keys among the sources, with the list that is requested.
    static let sourceKeys: [(keys: String, work: [String])] = [
        ("enter", ["list everything, 500 rows", "count"]), ("j enter", ["list c, 500 rows", "count"]),
        ("j j l", ["list folder F, 500 rows", "count"]), ("G space", ["list b, 500 rows", "count"]),
        ("G k right", ["list a, 500 rows", "count"]), ("G g enter", ["list everything, 500 rows", "count"]),
        ("pgdn pgup enter", ["list everything, 500 rows", "count"]),
        ("d d u enter", ["list c, 500 rows", "count"]),
        ("q", []), ("esc", []), ("n", []), ("z", []), ("J", []),
    ]

    @Test("open the list of a source or folder", arguments: sourceKeys)
    func sources(keys: String, work: [String]) {
        var session = session(60, keys: "\\")
        #expect(session.press(keys) == work)
        #expect(session.state.focus == .list || keys.count == 1)
    }

    @Test("mark no posts while none are on the screen", arguments: ["m", "s", "[", "]", "o", "c", "y", "|"])
    func hiddenPosts(key: String) {
        var session = session(60, keys: "\\")
        #expect(session.press(key) == [])
        #expect(session.state.prompt == nil)
        #expect(session.status == "No posts on the screen")
    }

    @Test("mark the posts of a source or folder as read, also without posts on the screen")
    func markAll() {
        var session = session(60, keys: "\\")
        #expect(session.press("A") == ["mark all in everything"])
    }

    @Test("count the posts of a folder with those of the folders in it")
    func nestedFolders() {
        var session = session(60, rows: 9, keys: "\\")
        session.give(
            .sources([
                .sample("a", folder: "F", unread: 1), .sample("b", folder: "F/G", unread: 2),
                .sample("c", folder: "Fo", unread: 4),
            ]))
        func count(_ name: String) -> String? {
            session.screen.first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.map(String.init)
        }
        #expect([count("F"), count("F/G"), count("Fo")] == ["3", "2", "4"])
    }

    @Test("have saved searches above the folders, whose posts count once")
    func searches() {
        var session = session(60, rows: 9, keys: "\\")
        session.give(
            .sources([
                .sample("a", folder: "F", unread: 1), .sample("b", unread: 2),
                .search("rusty", "rust -beta", unread: 3),
                .search("any", "points:", unread: 0),
            ]))
        let names = session.screen[..<6].map { $0.split(separator: " ").joined(separator: " ") }
        #expect(names == ["All posts 3", "any", "rusty 3", "B 2", "F 1", "A 1"])
        session.press("j j e")
        #expect(session.status == "rusty: --as rusty --title none")
        session.press("esc")
        #expect(session.press("enter") == ["list rust -beta, 500 rows", "count"])
        // Their posts are those of sources, so the next list is another source's.
        #expect(session.state.sources.unread(after: .sources([.sample("b")]))?.name == "F")
        #expect(session.state.sources.unread(after: .sources([.sample("a")]))?.name == "B")
    }

    @Test("lead Tab from the sources back to the open post")
    func backToPost() {
        var session = session(100, rows: 9)
        session.press("\\")
        session.give(lines: ["Text of the post"])
        #expect(panes(session) == "sources post")
        #expect(session.state.focus == .sources)
        session.press("tab")
        #expect(session.state.focus == .post)
    }

    @Test("keep the same source selected when its counts change")
    func sourceCounts() {
        var session = session(60, keys: "\\ j")
        session.give(.sources([.sample("0"), .sample("a", folder: "F"), .sample("c", unread: 1234)]))
        #expect(
            session.screen[..<4] == ["All posts" + Self.space(46) + "1,234", "0", "C" + Self.space(54) + "1,234", "F"])
        #expect(session.press("enter") == ["list c, 500 rows", "count"])
    }

    // MARK: Text

    @Test("are replaced with the help, which leaves out actions without keys")
    func helpOfKeys() {
        var keys = KeyMap()
        keys.assign([.character("s")], to: .toggleRead)
        let help = TextPane.help(keys, in: .list, width: 80).lines.map(\.plain)
        #expect(help.contains { $0.hasSuffix(Action.toggleRead.help) })
        // What has no key can be typed.
        #expect(help.contains { $0.hasPrefix("  :save ") })
    }

    @Test("are replaced with the help, which lists the view's keys first and can be searched")
    func help() {
        var session = session(60, rows: 6)
        session.press("?")
        #expect(session.screen[0] == "The keys to begin with")
        #expect(session.screen[1] == "  j down                  move down")
        #expect(session.status == "Keys                                                 q: back")
        session.press("G")
        #expect(session.screen.suffix(6).contains { $0.hasSuffix("show saved posts") })
        session.press("g /")
        session.enter("undo the last")
        #expect(session.screen[0].hasPrefix("  U "))
        #expect(session.press("n o s A") == [])
        #expect(session.press("q") == [])
        #expect(session.screen[0] == "Text of the post" || session.screen[0] == " Text of the post")
        #expect(session.takeWork() == [])
    }

    @Test("stay if a command is stopped")
    func stopped() {
        var session = session(60, rows: 6)
        session.press("|")
        session.enter("sleep 9")
        #expect(session.status.hasPrefix("Running “sleep 9”"))
        #expect(session.press("q") == ["stop the command"])
        session.give(.output(["line"], command: "sleep 9"))
        #expect(session.screen[0] == " Text of the post")
    }

    @Test("are replaced with the output of a command, and come back")
    func output() {
        var session = session(60, rows: 6)
        session.press("|")
        #expect(session.enter("wc -l") == ["1 to “wc -l”"])
        session.give(.output((1...9).map { "line \($0)" }, command: "wc -l"))
        #expect(session.status.hasPrefix("| wc -l  "))
        #expect(session.press("space space k") == [])
        #expect(session.screen[0] == "line 4")
        session.press("/")
        session.enter("line 9")
        session.press("n n")
        #expect(session.screen[4] == "line 9")
        session.press("/")
        session.enter("zzz")
        #expect(session.status == "Not found")
        session.press("esc")
        #expect(session.screen[0] == " Text of the post")
    }

    // MARK: Prompts

    /// Keys in a prompt that has "abc def" in it, and the resulting text.
    static let edits: [(keys: String, text: String)] = [
        ("x", "abc defx"), ("backspace", "abc de"), ("left x", "abc dexf"), ("home x", "xabc def"),
        ("ctrl-a del", "bc def"), ("ctrl-a ctrl-d", "bc def"), ("home end x", "abc defx"),
        ("ctrl-a ctrl-e x", "abc defx"),
        ("ctrl-w", "abc "), ("ctrl-w ctrl-w", ""), ("ctrl-u", ""), ("left left ctrl-u", "ef"),
        ("home backspace", "abc def"),
        ("right x", "abc defx"), ("ctrl-b ctrl-b ctrl-f x", "abc dexf"), ("del", "abc def"), ("ctrl-d", "abc def"),
        ("up down pgup tab shift-tab", "abc def"), ("home left ctrl-w x", "xabc def"), ("space", "abc def "),
        ("? q", "abc def?q"),
    ]

    @Test("have a prompt below them, with line editing", arguments: edits)
    func editing(keys: String, text: String) {
        var session = session(60)
        session.press("/")
        for character in "abc def" { session.give(.key(.character(character))) }
        session.press(keys)
        #expect(session.state.prompt?.text == text)
        #expect(session.screen[0] == " Text of the post")
    }

    @Test("have a prompt that accepts a paste as one sanitized line")
    func paste() {
        var session = session(60, keys: "/")
        session.give(.paste("one\ntwo\u{1B}[31m\tthree\u{202E}\u{9B}2J"))
        #expect(session.state.prompt?.text == "one two three")
        #expect(session.status == "Search: one two three")
        session.press("esc")
        session.give(.paste("q\nQ"))
        #expect(session.status.hasPrefix("All posts"))
    }

    @Test("have a prompt that shows the cursor, and the end of a long line")
    func cursor() {
        var session = session(20, keys: "F")
        #expect(BrowseView(session.state).frame().cursor == Frame.Position(row: 4, column: 8))
        session.give(.paste("日本語"))
        #expect(BrowseView(session.state).frame().cursor == Frame.Position(row: 4, column: 14))
        session.press("left")
        #expect(BrowseView(session.state).frame().cursor == Frame.Position(row: 4, column: 12))
        session.give(.paste("0123456789"))
        #expect(session.status == "Filter: 0123456789語" || session.status == "Filter: 123456789語")
        #expect(BrowseView(session.state).frame().cursor.map { $0.column < 20 } == true)
        session.press("enter")
        #expect(BrowseView(session.state).frame().cursor == nil)
    }

    @Test(
        "have a prompt with a label", arguments: [("/", "Search: "), ("F", "Filter: "), ("|", "Pipe to: ")])
    func label(key: String, label: String) {
        var session = session(60, keys: "")
        session.press(key)
        #expect(session.status + " " == label)
        session.press("esc enter /")
        #expect(session.status == "Find:")
    }

    @Test("can be suspended and redrawn during a prompt")
    func promptKeys() {
        var session = session(60, keys: "/")
        #expect(session.press("ctrl-z ctrl-l") == ["suspend", "redraw"])
        #expect(session.state.prompt != nil)
    }

    // MARK: The user's keys

    @Test("obey the user's keys")
    func remapped() {
        var keys = KeyMap()
        keys.assign([.character("S"), .control("s")], to: .toggleSaved)
        keys.assign([.character("j")], to: .quit)
        var session = BrowseSession(ListRow.samples(3), columns: 60, rows: 60, keys: keys)
        #expect(session.press("S") == ["mark saved 1"])
        #expect(session.press("ctrl-s") == ["mark unsaved 1"])
        #expect(session.press("s") == [])
        #expect(session.status == "s does nothing (? shows all keys)")
        #expect(session.press("down") == [])
        #expect(session.current == "2")
        session.press("?")
        #expect(session.screen.contains { $0.hasPrefix("  S ctrl-s ") && $0.contains("  save or unsave the post") })
        #expect(session.screen.contains { $0.hasPrefix("  down ") && $0.hasSuffix(" move down") })
        #expect(session.press("j") == ["quit"])
    }

    @Test("show the user's keys in their hints")
    func remappedHints() {
        var keys = KeyMap()
        keys.assign([.character("H")], to: .help)
        keys.assign([.control("u")], to: .undo)
        var session = BrowseSession(ListRow.samples(3), columns: 60, keys: keys)
        #expect(session.status.hasSuffix("H: keys"))
        session.press("A")
        #expect(session.status == "3 posts marked as read (ctrl-u to undo)")
    }

    // MARK: Hostile text

    private static let hostile =
        "a\u{1B}]0;evil\u{7}b\u{1B}[2J\u{9B}31mc\u{202E}d\u{2066}\n\r\te\u{0}\u{7F}\u{85}\u{2028}f👩‍🌾\u{FE0F}\u{301}"

    @Test(
        "show nothing that could control a terminal, whatever titles, comments and outputs contain",
        arguments: [60, 200])
    func hostileText(columns: Int) {
        let text = Self.hostile
        let row = ListRow.sample("1", text, named: text, group: text, rank: 1, author: text)
        let request = ListRequest(.query(Query(), .everything), search: text)
        var session = BrowseSession([row, row], columns: columns, rows: 30, request: request)
        var frames = [BrowseView(session.state).frame()]
        func look() { frames.append(BrowseView(session.state).frame()) }
        session.give(.sources([.sample(text, title: text, folder: text, unread: 1)]))
        look()
        session.press("\\")
        look()
        session.press("\\ enter")
        session.give(lines: [text, text])
        session.give(comment: text, depth: 1, text)
        look()
        session.give(.postFailed(Message(text), request: session.reading))
        look()
        session.give(.output([text], command: text))
        look()
        session.press("q |")
        session.give(.paste(text))
        look()
        session.press("esc")
        session.give(.notice(Message(text)))
        look()
        session.give(.undone(.sample(.unread, text)))
        look()
        for frame in frames {
            #expect(frame.rows.joined().allSatisfy { $0.text.unicodeScalars.allSatisfy(Self.isHarmless) })
            #expect(frame.rows.allSatisfy { $0.count == columns })
        }
        #expect(BrowseView(session.state).windowTitle.unicodeScalars.allSatisfy(Self.isHarmless))
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        return value >= 0x20 && !(0x7F...0x9F).contains(value) && !(0x2028...0x202E).contains(value)
            && !(0x2066...0x2069).contains(value)
    }
}
