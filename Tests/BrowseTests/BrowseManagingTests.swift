import BlogCommandLine
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogTerminal

@Suite("Managing sources in blog browse") struct BrowseManagingTests {
    /// A session with the posts 1 of source a and 2 of source b, which is in a folder.
    private func session(keys: KeyMap = KeyMap()) -> BrowseSession {
        var session = BrowseSession(
            [.sample("1", "One", of: "a", named: "A"), .sample("2", "Two", of: "b", named: "B")], columns: 90, rows: 8,
            keys: keys)
        session.give(.sources([.sample("a"), .sample("b", folder: "My folder")]))
        return session
    }

    private static let found = FollowProposal(
        address: "example.org", title: "An Example", name: "example", posts: 3, isFollowed: false)

    @Test("loads the list again when the first source is followed, which replaces the default one, and back")
    func firstFollowed() {
        var session = BrowseSession([.sample("1", "One")], columns: 90, rows: 8)
        let usual = SourceState(SourceID(kind: "blog", address: "http://localhost:8106"), isSubstitute: true)
        session.give(.sources([usual]))
        session.give(.sources([.sample("a", title: "A blog")]))
        session.give(rows: [.sample("2", "Two", of: "a", named: "A")])
        #expect(session.screen[0].hasSuffix("Two"))
        #expect(session.status.hasPrefix("A blog"))
        session.give(.sources([.sample("a", title: "A blog"), .sample("b")]))
        #expect(session.screen[0].hasSuffix("Two"))
        session.give(.sources([usual]))
        session.give(rows: [.sample("1", "One")])
        #expect(session.screen[0].hasSuffix("One"))
        #expect(session.status.hasPrefix("blog"))
    }

    @Test("lists labels above the sources, and opens and marks their posts")
    func labels() {
        var session = session()
        session.give(
            .sources([.sample("a"), .sample("b")], labels: [LabelCounts(label: "to read", posts: 2, unread: 1)]))
        session.press("\\")
        #expect(session.screen[1].hasPrefix("# to read"), "\(session.screen)")
        session.press("j")
        #expect(session.press("A") == ["mark all in a source"])
        session.press("e")
        #expect(session.status == "Select a source, not a folder or a label")
        #expect(session.press("enter").first?.contains("label to read") == true)
    }

    @Test("gives the post a label, and removes it again")
    func labelled() {
        var session = session()
        session.give(.sources([.sample("a")], labels: [LabelCounts(label: "to read", posts: 2, unread: 1)]))
        session.press("t")
        #expect(session.status == "Add or remove label:")
        session.press("t tab")
        #expect(session.status == "Add or remove label: to read")
        #expect(session.press("enter").contains("mark labelled to read 1"))
        #expect(session.status == "1 post labelled “to read”")
        #expect(session.screen[0].contains("One · to read"), "\(session.screen)")
        #expect(session.press(":").isEmpty)
        #expect(session.enter("label TO READ").contains("mark unlabelled to read 1"))
        #expect(session.status == "“to read” removed from 1 post")
        #expect(!session.screen[0].contains("to read"))
        session.press("t")
        session.enter("a\"b")
        #expect(session.status.hasPrefix("Invalid label"))
        #expect(session.press("t enter").isEmpty)
    }

    @Test("folds folders, finds sources by typing, and hides those without unread posts")
    func sourcesPane() {
        var session = BrowseSession([.sample("1", "One")], columns: 90, rows: 12)
        session.give(
            .sources([
                .sample("alpha", unread: 2), .sample("beta", folder: "Tech", unread: 0),
                .sample("gamma", folder: "Tech", unread: 3),
                .sample("delta", folder: "Zoo", unread: 0),
            ]))
        func names() -> [String] {
            session.screen.prefix(9).map { $0.prefix(27).trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        session.press("\\ n")
        #expect(session.state.sources.current.name == "ALPHA")
        session.press("n")
        #expect(session.state.sources.current.name == "GAMMA")
        session.press("n")
        #expect(session.state.sources.current.name == "ALPHA")
        session.press("home")
        #expect(
            names().map { $0.prefix { $0.isLetter || $0 == " " }.trimmingCharacters(in: .whitespaces) }
                == ["All posts", "ALPHA", "Tech", "BETA", "GAMMA", "Zoo", "DELTA"])
        session.press("Z")
        #expect(names().count == 4 && names()[2].hasPrefix("+ Tech"))
        session.press("/")
        session.enter("amm")
        #expect(session.state.sources.current.name == "GAMMA" && names().count == 6)
        session.press("z")
        #expect(session.state.sources.current.name == "Tech")
        session.press("Z 2")
        #expect(!names().contains { $0.hasPrefix("BETA") || $0.hasPrefix("DELTA") })
        session.press("1")
        #expect(names().count == 7)
        session.press("/")
        session.enter("nothing")
        #expect(session.status.hasPrefix("Not found"))
    }

    @Test("offers a label that was just made")
    func newLabel() {
        var session = session()
        session.press("t")
        session.enter("brand-new")
        #expect(session.state.sources.labels == ["brand-new"])
    }

    @Test("offers no rule about words that any title may have")
    func commonWords() {
        var session = BrowseSession([.sample("1", "What they does with some harbour")], columns: 90, rows: 8)
        session.press("M tab tab")
        #expect(session.status.contains("title:harbour"))
    }

    @Test("makes a rule from the post, and shows what it finds before it is added")
    func rule() {
        var session = BrowseSession(
            [.sample("1", "One", author: "Kerri Lane"), .sample("2", "Two", of: "b", named: "B")], columns: 90, rows: 8)
        session.give(.sources([.sample("a"), .sample("b", folder: "My folder")]))
        session.press("M")
        #expect(session.status.hasPrefix("Rule (Tab: others): author:"), "\(session.status)")
        session.press("ctrl-u")
        for character in "title:one --hide" { session.press(character == " " ? "space" : String(character)) }
        #expect(session.press("enter") == ["test rule title:one --hide"])
        session.give(.followFailed("Invalid value"))
        #expect(session.status == "Invalid value: title:one --hide")
        #expect(session.press("enter") == ["test rule title:one --hide"])
        session.give(.ruleTested("title:one --hide", "Finds 1 of 2 posts"))
        #expect(session.status == "Finds 1 of 2 posts. Enter adds the rule: title:one --hide")
        // What was changed is tested again.
        session.press("!")
        #expect(session.press("enter") == ["test rule title:one --hide!"])
        session.give(.ruleTested("title:one --hide", "Finds 1 of 2 posts"))
        #expect(session.press("enter") == ["add rule title:one --hide"])
        #expect(session.give(.rulesChanged("Rule 1: hide 1 post", added: 1)).contains("count"))
        #expect(session.status == "Rule 1: hide 1 post (U to remove it)")
        session.give(rows: [.sample("2", "Two", of: "b", named: "B")])
        session.press("m")
        #expect(session.press("U") == ["undo"])
        session.give(.undone(.sample(.unread, "Two")))
        #expect(session.press("U") == ["undo"])
        #expect(session.give(.tookBack("Removed the rule.")).contains("count"))
        #expect(session.status == "Removed the rule.")
        session.give(rows: [.sample("1", "One", of: "a", named: "A"), .sample("2", "Two", of: "b", named: "B")])
        #expect(session.press(":").isEmpty)
        #expect(session.enter("rule author:kim --read") == ["test rule author:kim --read"])
    }

    @Test(
        "offers rules for authors by the words of their names",
        arguments: [
            ("O\"Neil -x", "author:\"O Neil -x\" --hide"), ("Kim", "author:Kim --hide"), ("\"--\"", "source:a --hide"),
        ])
    func author(name: String, offer: String) {
        var session = session()
        session.press("1")
        session.give(rows: [.sample("1", "One", of: "a", named: "A", author: name)])
        session.press("M")
        #expect(session.status.hasPrefix("Rule (Tab: others): \(offer)"), "\(session.status)")
    }

    @Test("shows the posts that rules hide")
    func hidden() {
        var session = session()
        #expect(session.press("H").contains { $0.contains("hidden") })
        session.give(rows: [])
        #expect(session.screen.contains { $0.contains("No hidden posts. M makes a rule") }, "\(session.screen)")
    }

    @Test("lets the other feeds of a page be recalled at the prompt for an address", arguments: [true, false])
    func otherFeeds(isFollowed: Bool) {
        var session = session()
        session.press("f")
        session.enter("example.org")
        session.give(
            .found(
                FollowProposal(
                    address: "example.org", title: "An Example", name: "example", posts: 3, isFollowed: isFollowed,
                    others: ["http://example.org/b", "http://example.org/c"])))
        #expect(session.status.contains("f and up for another feed"))
        session.press("esc f up")
        #expect(session.status == "Follow: http://example.org/b")
        session.press("up")
        #expect(session.status == "Follow: http://example.org/c")
    }

    @Test("follows an address after showing what is there")
    func follow() {
        var session = session()
        session.press("f")
        #expect(session.status == "Follow:")
        #expect(session.enter("example.org") == ["look up example.org"])
        session.give(.found(Self.found))
        #expect(session.status == "Follow “An Example” (3 posts) as: example")
        #expect(session.enter("s --folder 'x y'") == ["follow example.org|--as|examples|--folder|x y"])
    }

    @Test("says that a source is followed already")
    func followed() {
        var session = session()
        session.give(.found(FollowProposal(address: "a", title: "A", name: "a", posts: 1, isFollowed: true)))
        #expect(session.status == "Already following A as a")
        #expect(session.state.prompt == nil)
    }

    /// Prompts and what is typed, with the work.
    static let answers: [(keys: String, typed: String, work: [String])] = [
        (": r e n a m e enter ctrl-u", "kern", ["follow a|--as|kern"]),
        (": f o l d e r enter ctrl-u", "My news", ["follow a|--folder|My news"]),
        ("e ctrl-u", "b --title 'x y'", ["follow a|--as|b|--title|x y"]),
        ("e ctrl-u", "--as b --folder 'x y'", ["follow a|--as|b|--folder|x y"]),
        ("e ctrl-u", "kern", ["follow a|--as|kern"]),
    ]

    @Test("takes a name or a folder as it is typed", arguments: answers)
    func answered(keys: String, typed: String, work: [String]) {
        var session = session()
        session.press(keys)
        #expect(session.enter(typed) == work)
    }

    @Test("asks again, with what was typed and what is wrong with it")
    func askedAgain() {
        var session = session()
        session.press("e ctrl-u")
        #expect(session.enter("--folder 'x") == [])
        #expect(session.status == "A quote isn't closed: --folder 'x")
        session.press("ctrl-u")
        session.enter("taken")
        session.give(.followFailed("The name is taken.\nTry another one."))
        #expect(session.status == "The name is taken: taken")
        #expect(session.enter("2") == ["follow a|--as|taken2"])
        session.press("j")
        session.give(.notice("Updated"))
        session.press("esc")
        session.give(.followFailed("Too late"))
        #expect(session.state.prompt?.question == "Too late: taken2")
    }

    @Test("refreshes the source under the cursor")
    func refreshed() {
        var session = session()
        #expect(session.press("\\ G r") == ["sources", "refresh b"])
    }

    @Test("says what came of it, and of what", arguments: [(0, "No new posts in B"), (3, "3 new in B")])
    func refreshedPlace(new: Int, said: String) {
        var session = session()
        session.give(posts: 2)
        session.press("j \\ G r")
        session.endRefresh(new: new, posts: 2)
        #expect(session.status.hasPrefix(said))
    }

    @Test("asks nothing again that is long done", arguments: ["rename b", "follow b", "unfollow"])
    func askedOnce(typed: String) {
        var session = session()
        session.press("e")
        session.press("enter")
        session.give(.notice("Updated"))
        session.press(":")
        session.enter(typed)
        session.give(.followFailed("It failed."))
        #expect(session.state.prompt == nil && session.status.hasPrefix("It failed."))
    }

    @Test("says why the last refresh of the source under the cursor failed")
    func problem() throws {
        var session = session()
        let (url, date) = (try #require(URL(string: "http://a.b/")), Date(timeIntervalSince1970: 1_767_214_800))
        session.give(
            .sources([
                .sample("a"),
                .sample("b").failing(with: HTTPError.status(url, code: 404, retryAfter: nil), at: date),
            ]))
        session.press("\\ G")
        #expect(session.status.hasPrefix("b: HTTP 404 Not Found · failed 3h"))
    }

    @Test("marks a folded folder in which a refresh failed, also while what has nothing unread is hidden")
    func problemInFolder() throws {
        var session = BrowseSession([.sample("1", "One", of: "a")], columns: 80, rows: 8)
        let (url, date) = (try #require(URL(string: "http://a.b/")), Date(timeIntervalSince1970: 1_767_214_800))
        let dead = SourceState.sample("b", folder: "Tech")
        session.give(
            .sources([
                .sample("a"), dead.failing(with: HTTPError.status(url, code: 404, retryAfter: nil), at: date),
            ]))
        session.press("\\")
        func lines(from start: String) -> Int { session.screen.count { $0.hasPrefix(start) } }
        #expect(lines(from: "Tech") == 1 && lines(from: "  ! B") == 1)
        session.press("Z 2")
        #expect(lines(from: "! + Tech") == 1 && lines(from: "  ! B") == 0)
    }

    @Test("says what is wrong with an address beside the options of a source, and asks again")
    func addressBesideOptions() {
        var session = session()
        session.press("e ctrl-u")
        #expect(session.enter("http://a.b/feed --as b").isEmpty)
        #expect(
            session.status.hasPrefix("Unexpected “http://a.b/feed” beside --as: "))
    }

    @Test("shows a source's new title above its list")
    func newTitle() {
        var session = session()
        session.press("\\ j enter")
        session.give(rows: [.sample("1", "One", of: "a", named: "A")])
        #expect(session.give(.sources([.sample("a", title: "New words"), .sample("b")])) == [])
        #expect(session.screen.contains { $0.contains("New words  ") })
        #expect(session.status.hasPrefix("New words"))
    }

    @Test("goes back from the list of a source to the sources, then to all posts, and only quits there")
    func back() {
        var session = session()
        session.press("\\ j enter")
        session.give(rows: [.sample("1", "One", of: "a")])
        // In the sources, there is nothing farther to the left.
        #expect(session.press("q h left") == [])
        #expect(session.press("q").first?.hasPrefix("list everything") == true)
        session.give(rows: [.sample("1", "One", of: "a")])
        #expect(session.press("q") == ["quit"])
    }

    @Test("changes the source of an empty list")
    func emptyList() {
        var session = session()
        session.press("\\ j enter")
        session.give(rows: [])
        session.press("e")
        #expect(session.status.hasPrefix("a: "))
    }

    @Test("begins with the sources if it is told to")
    func beginning() {
        var session = BrowseSession([.sample("1", "One", of: "a")], beginsWithSources: true)
        session.give(.sources([.sample("a"), .sample("b")]))
        #expect(session.screen.contains { $0.contains("All posts") })
        session.press("j")
        #expect(session.press("enter").first?.hasPrefix("list a") == true)
    }

    @Test("interrupts no other prompt with what was found")
    func interrupted() {
        var session = session()
        session.press("/ x")
        session.give(.found(Self.found))
        #expect(session.status == "Search: x")
    }

    /// What is typed after `:`, with the resulting work.
    static let commands: [(typed: String, work: [String])] = [
        ("rename b", ["follow a|--as|b"]), ("folder x y", ["follow a|--folder|x y"]),
        ("follow example.org", ["look up example.org"]), ("unfollow", ["unfollow a"]), ("save", ["mark saved 1"]),
        ("  mark  ", ["mark read 1"]), ("quit", ["quit"]),
        ("filter two", ["list everything with “two”, 500 rows", "count"]), ("", []),
    ]

    @Test("carries out actions by their names", arguments: commands)
    func named(typed: String, work: [String]) {
        var session = session()
        session.press(":")
        #expect(session.enter(typed) == work)
    }

    @Test(
        "says what is wrong with a typed action",
        arguments: [
            ("svae", "“svae” is no action. Did you mean “save”?"), ("quit now", "“quit” takes no words"),
        ])
    func wrong(typed: String, message: String) {
        var session = session()
        session.press(":")
        #expect(session.enter(typed) == [])
        #expect(session.status.hasPrefix(message))
    }

    /// Keys at a prompt after “x y” and “z” were entered, with the text that results.
    static let recalls: [(keys: String, text: String)] = [
        ("up", "z"), ("up up", "x y"), ("up up up", "x y"), ("up down", ""), ("a up down", "a"), ("down", ""),
        ("up up down", "z"), ("up backspace up", "z"), ("a up up b down", "x yb"),
    ]

    @Test("recalls what was entered at earlier prompts of the same kind", arguments: recalls)
    func history(keys: String, text: String) {
        var session = session()
        for entered in ["z", "x y", "z", ""] {
            session.press("/")
            session.enter(entered)
            session.give(rows: [])
        }
        session.press("/ \(keys)")
        #expect(session.status == "Search: \(text)".trimmingCharacters(in: .whitespaces))
        session.press("esc : up")
        #expect(session.status == ":")
    }

    @Test("shows the whole of a long message, over the last rows until the next key")
    func longMessage() {
        var session = session()
        let before = session.screen
        session.give(.notice("Could not fetch a rather long name of a source from an address: connection refused"))
        #expect(session.screen.suffix(2).joined(separator: " ").hasSuffix("from an address: connection refused"))
        #expect(session.screen.joined(separator: " ").contains("Could not fetch a rather long name of a source"))
        session.press("j k")
        #expect(session.screen == before)
    }

    @Test("shows the whole of a long message about what was typed above the prompt")
    func longPromptMessage() {
        var session = session()
        session.press(": s o r t space t i t e l enter")
        let screen = session.screen.joined(separator: " ")
        #expect(screen.contains("Invalid value “titel” for --sort (use author,") || screen.contains("for --sort (use"))
        #expect(session.status == "> titel")
    }

    /// Keys after `:` or in a prompt, with the text that results.
    static let completions: [(keys: String, text: String)] = [
        (": r e n tab", ":rename"), (": f o l tab", ":fold    fold-all  folder  follow"),
        (": f o l tab tab", ":fold-all    fold  folder  follow"),
        (": f o l tab tab tab tab tab", ":fold    fold-all  folder  follow"), (": x x tab", ":xx"),
        (": f o l tab tab d tab", ":fold-alld"),
        (": r e n tab backspace tab", ":rename"),
    ]

    @Test("completes names of actions", arguments: completions)
    func completed(keys: String, text: String) {
        var session = session()
        session.press(keys)
        #expect(session.status == text)
    }

    /// Keys, with the prompt that they open.
    static let prompts: [(keys: String, prompt: String)] = [
        ("e", "a: --as a --title none --folder / --article none --keep none --every none"),
        ("j e", "b: --as b --title none --folder 'My folder' --article none --keep none --every none"),
        ("enter e", "a: --as a --title none --folder / --article none --keep none --every none"),
        (": r e n a m e enter", "New name of a: a"), (": f o l d e r enter", "Folder of a: /"),
        ("\\ G e", "b: --as b --title none --folder 'My folder' --article none --keep none --every none"),
        ("\\ g e", "Select a source, not a folder"),
    ]

    @Test("edits the settings of the source under the cursor, or of the post's", arguments: prompts)
    func edited(keys: String, prompt: String) {
        var session = session()
        session.press(keys)
        #expect(session.status.hasPrefix(prompt))
    }

    @Test("takes back the last change, whichever it is")
    func undo() {
        var session = session()
        session.press(": u n f o l l o w")
        #expect(session.press("enter") == ["unfollow a"])
        session.give(.unfollowed(.sample("a")))
        #expect(session.status.hasPrefix("Unfollowed a (U to undo)"))
        session.give(rows: [.sample("2", "Two", of: "b")])
        #expect(session.press("s") == ["mark saved 2"])
        #expect(session.press("U") == ["undo"])
        session.give(.undone(.sample(.unsaved, "Two")))
        #expect(session.press("U") == ["undo"])
        #expect(session.give(.tookBack("Following a again.")).contains("sources"), "the sources are loaded again")
        #expect(session.status.hasPrefix("Following a again."))
    }

    // MARK: Commands

    private static var withPlayer: KeyMap {
        var keys = KeyMap()
        keys.add(NamedCommand(name: "play", text: "mpv"))
        keys.assign([.character("P")], toCommandNamed: "play")
        return keys
    }

    @Test("runs a command of the user's for the current post and link", arguments: ["P", ": p l tab enter"])
    func command(keys: String) {
        var session = session(keys: Self.withPlayer)
        #expect(session.press(keys.replacing("tab", with: "a y")) == ["play 1"])
        session.press("enter")
        session.give(lines: ["a[1]"])
        #expect(session.press("1 P") == ["play 1, link 1 of 1"])
    }

    @Test("shows the output of a command until the next key, and then only its last line")
    func output() {
        var session = session(keys: Self.withPlayer)
        session.press("P")
        session.give(.output(["one", "two"], command: "play"))
        #expect(session.screen[..<2] == ["one", "two"])
        session.press("q P j")
        session.give(.output(["one", "two", ""], command: "play"))
        #expect(session.status.hasPrefix("play ended: two") && session.state.text == nil)
        session.press("q")
    }

    @Test("does not stop such a command with the key for going back")
    func notStopped() {
        var session = session(keys: Self.withPlayer)
        session.press("enter")
        session.give(lines: ["text"])
        session.press("P")
        #expect(session.press("q") == ["stop reading"])
    }

    @Test("shows the keys to begin with first, and the user's commands last")
    func help() {
        var session = BrowseSession([], columns: 120, rows: 90, keys: Self.withPlayer)
        session.press("?")
        let lines = session.screen.map { $0.trimmingPrefix { $0 == " " } }
        #expect(lines[0] == "The keys to begin with")
        #expect(lines.firstIndex { $0.isEmpty } == 13)
        #expect(lines.contains { $0.hasPrefix(":rename") })
        #expect(lines.contains { $0.hasPrefix("P ") && $0.hasSuffix(" mpv") })
    }
}
