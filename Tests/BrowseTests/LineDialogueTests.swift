import BlogModel
import BlogTestSupport
import Testing
@testable import BlogBrowse

@Suite("A dialogue of blog browse --plain") struct LineDialogueTests {
    @Test(
        "applies a command with a number to that post, even if another one is open",
        arguments: [("s 3", "saved 3"), ("m 3", "read 3"), ("o 2", "page of 2"), ("y 2", "page of 2 copied")])
    func means(typed: String, work: String) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One", "Two", "Three"])).state)
        let opensFirst = dialogue.run("1").contains {
            if case .loadPost(let request) = $0 { request.post.local == "1" } else { false }
        }
        #expect(opensFirst)
        #expect(dialogue.run(typed).compactMap(Self.text) == [work])
        #expect(dialogue.state.focus == .post && dialogue.state.list.cursor == 0)
    }

    @Test("says that there is no post with a number", arguments: ["0", "3", "-1", "s 0", "s 3"])
    func noPost(typed: String) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(2)).state)
        #expect(dialogue.run(typed).compactMap(Self.text) == [] && dialogue.state.post == nil)
        #expect(dialogue.output().last == "No post \(typed.split(separator: " ").last ?? "") in this list")
    }

    @Test("says that other words are no command", arguments: ["s 1 2", "2 s", "two words", "wat", "x y 2"])
    func unknown(typed: String) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(2)).state)
        #expect(dialogue.run(typed).compactMap(Self.text) == [])
        #expect(dialogue.output().last == "“\(typed)” isn't a command. To see all commands: ?")
    }

    @Test(
        "finds words in the post or the help that is open, and otherwise searches all posts",
        arguments: [(nil, true), ("?", false), ("1", false)] as [(String?, Bool)])
    func find(open: String?, isSearch: Bool) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One", "Two"])).state)
        if let open { _ = dialogue.run(open) }
        #expect(dialogue.run("/s").map(BrowseSession.text).contains { $0.hasPrefix("list ") } == isSearch)
    }

    @Test("filters the list, and shows all posts again after F alone")
    func filter() {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One", "Two"])).state)
        #expect(dialogue.run("F two").map(BrowseSession.text).contains { $0.hasPrefix("list everything with “two”,") })
        #expect(dialogue.run("F").map(BrowseSession.text).contains { $0.hasPrefix("list everything,") })
    }

    @Test("opens the posts of a numbered source")
    func source() {
        var session = BrowseSession(ListRow.samples(["One"]))
        session.give(.sources([.sample("a"), .sample("b"), .sample("c")]))
        var dialogue = LineDialogue(session.state)
        _ = dialogue.run("sources")
        #expect(dialogue.output().contains { $0.hasPrefix("2. A, ") })
        #expect(dialogue.run("3").map(BrowseSession.text).contains { $0.hasPrefix("list b,") })
    }

    @Test("continues a long post where the last page ended")
    func pages() {
        var session = BrowseSession(ListRow.samples(["One"]))
        session.press("enter")
        let text = (1...60).map { "Line \($0)." }
        session.give(lines: text)
        var dialogue = LineDialogue(session.state)
        var lines = dialogue.output()
        for _ in 1...5 where !lines.contains("End of the post.") {
            _ = dialogue.run("")
            lines += dialogue.output()
        }
        #expect(lines.filter { $0.hasPrefix("Line ") } == text)
    }

    @Test("shows the next ten posts of a list, and says when there are no more", arguments: ["", "more"])
    func more(typed: String) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(25)).state)
        var shown: [[Int]] = []
        for _ in 1...4 {
            shown.append(dialogue.output().compactMap { Int($0.prefix { $0 != "." }) })
            _ = dialogue.run(typed)
        }
        #expect(shown == [Array(1...10), Array(11...20), Array(21...25), []])
        #expect(dialogue.output().contains("No more posts"))
    }

    @Test("writes the output of a command once, and goes back to the post")
    func pipe() {
        var session = BrowseSession(ListRow.samples(["One"]))
        session.press("enter")
        session.give(lines: ["Text"])
        var dialogue = LineDialogue(session.state)
        _ = dialogue.output()
        _ = dialogue.run("| wc -l")
        _ = dialogue.handle(.output(["7"], command: "wc -l"))
        #expect(dialogue.output().contains("7"))
        #expect(dialogue.state.text == nil && dialogue.output() == [])
    }

    @Test("says the level of a reply instead of drawing bars")
    func levels() {
        var session = BrowseSession(ListRow.samples(["One"]))
        session.press("enter")
        session.give(lines: ["The post"], isEnd: false)
        for (depth, id) in ["ann", "bee", "cid"].enumerated() { session.give(comment: id, depth: depth) }
        var dialogue = LineDialogue(session.state)
        let heads = dialogue.output().filter { $0.hasSuffix(" · 3h") }
        #expect(heads == ["ann · 3h", "Level 2: bee · 3h", "Level 3: cid · 3h"])
    }

    @Test("reads the page behind a link here")
    func link() {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One"])).state)
        _ = dialogue.run("link 2")
        #expect(dialogue.output().last?.hasPrefix("Open a post first") == true)
        _ = dialogue.run("1")
        #expect(dialogue.run("link 2").map(BrowseSession.text) == ["read link 2 of 1"])
        #expect(dialogue.isWaiting)
        let effects = (1...9).flatMap { dialogue.handle(.linked(.sample("9", "Nine"), number: $0)) }
        #expect(effects.map(BrowseSession.text).contains { $0.hasPrefix("read 9 at ") })
    }

    @Test("asks whether to follow what was found, and takes a line as the answer")
    func follow() {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One"])).state)
        #expect(dialogue.run("follow example.org").map(BrowseSession.text) == ["look up example.org"])
        let found = FollowProposal(
            address: "example.org", title: "Example", name: "example", posts: 3, isFollowed: false)
        _ = dialogue.handle(.found(found))
        #expect(dialogue.output().contains { $0.hasPrefix("Follow “Example” (3 posts) as: example (") })
        var other = dialogue
        #expect(dialogue.run("").map(BrowseSession.text) == ["follow example.org|--as|example"])
        #expect(other.run("q").map(BrowseSession.text) == [] && other.state.prompt == nil)
    }

    @Test("takes a number after an action on a source for that of a post")
    func numbered() {
        var session = BrowseSession([.sample("1", "One", of: "a"), .sample("2", "Two", of: "b")])
        session.give(.sources([.sample("a"), .sample("b")]))
        var dialogue = LineDialogue(session.state)
        #expect(dialogue.run("rename 2").map(BrowseSession.text) == [])
        #expect(dialogue.output().contains { $0.hasPrefix("New name of b: b (") })
    }

    @Test(
        "takes a label after its name or key, perhaps after the number of a post",
        arguments: [
            ("label to read", "labelled to read 1"), ("t 2", "labelled 2 1"), ("label 2 to read", "labelled to read 2"),
            (":label x", "labelled x 1"),
        ])
    func label(typed: String, mark: String) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One", "Two"])).state)
        if typed == "t 2" {
            #expect(dialogue.run(typed).compactMap(Self.text) == [])
            #expect(dialogue.output().contains { $0.hasPrefix("Add or remove label:") })
        } else {
            #expect(dialogue.run(typed).compactMap(Self.text) == [mark])
        }
    }

    @Test("takes the words of an action after its name", arguments: ["rename b", ":rename b"])
    func words(typed: String) {
        var session = BrowseSession(ListRow.samples(["One"]))
        session.give(.sources([.sample("a")]))
        var dialogue = LineDialogue(session.state)
        #expect(dialogue.run(typed).map(BrowseSession.text) == ["follow a|--as|b"])
    }

    /// The work for a post that a command names.
    private static func text(_ effect: BrowseEffect) -> String? {
        switch effect {
        case .mark(let mark, let posts): "\(mark.text) \(posts.map(\.local).joined(separator: " "))"
        case .open, .copy, .run: BrowseSession.text(effect)
        default: nil
        }
    }
}
