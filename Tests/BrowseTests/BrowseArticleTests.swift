import BlogMarkup
import BlogModel
import BlogTestSupport
import Testing
@testable import BlogBrowse
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogStore
@testable import BlogTerminal

@Suite("An article in blog browse") struct BrowseArticleTests {
    private static let lines = (1...20).map { "line \($0)" }

    /// A session in which the first of three posts is open with its own text.
    private func reading(isEnd: Bool = true) -> BrowseSession {
        var session = BrowseSession(ListRow.samples(["One", "Two", "Three"]))
        session.press("enter")
        session.give(lines: Self.lines, isEnd: isEnd)
        _ = session.takeWork()
        return session
    }

    /// The same session after its article has arrived.
    private func readingArticle(_ lines: [String] = ["article [1]"]) -> BrowseSession {
        var session = reading()
        session.press("x")
        session.give(.article(request: session.reading))
        session.give(lines: lines)
        _ = session.takeWork()
        return session
    }

    @Test("is toggled by x, and what is shown stays until the other text arrives")
    func toggled() {
        var session = reading()
        session.press("j j")
        #expect(session.press("x") == ["read 1 at 42, article: always"])
        #expect(session.screen[0] == " line 3")
        #expect(session.status.contains("loading the article"))
        session.give(.article(request: session.reading))
        session.give(lines: ["article"])
        #expect(session.screen[0] == " article")
        #expect(!session.status.contains("loading the article"))
        #expect(session.press("x") == ["read 1 at 42, article: never"])
        #expect(session.screen[0] == " article")
        session.give(lines: Self.lines)
        #expect(session.screen[0] == " line 1")
        #expect(session.press("x") == ["read 1 at 42, article: always"])
    }

    @Test("is the only text of a page stored by its address")
    func page() {
        let metadata = PostMetadata(
            id: "1", title: "One", publishDate: .init(secondsSince1970: 0), postId: "1", summary: nil,
            author: Author(name: "Kerri Lane"))
        let post = StoredPost(
            metadata: metadata, source: SourceID(kind: PageSource.kind.name, address: ""), group: nil,
            state: PostState(isRead: false, isSaved: false), rank: nil)
        var session = BrowseSession([ListRow(post, source: nil, group: nil)])
        session.press("enter")
        session.give(lines: Self.lines)
        #expect(session.press("x") == [])
        #expect(session.status.contains("This page has no text other than its article"))
    }

    @Test("leaves the screen unchanged if it can't be fetched, and says why", arguments: ["", "j", "G", "j j k"])
    func failed(keys: String) {
        var session = reading()
        session.press(keys)
        let before = session.screen.dropLast()
        session.press("x")
        #expect(session.give(.articleFailed("No article: it is a PDF.", request: session.reading)) == [])
        #expect(session.screen.dropLast() == before)
        #expect(session.status.contains("No article: it is a PDF."))
        #expect(session.press("x") == ["read 1 at 42, article: always"])
    }

    @Test("is an older copy if a newer one can't be fetched, and says why")
    func old() {
        var session = reading()
        session.press("x")
        let number = session.reading
        session.give(.article(request: number))
        #expect(session.give(.articleFailed("No article: timed out.", request: number)) == [])
        session.give(lines: ["old copy"])
        #expect(session.screen.dropLast().filter { !$0.isEmpty } == [" old copy"])
        #expect(session.status.contains("No article: timed out."))
        #expect(session.press("x") == ["read 1 at 42, article: never"])
    }

    @Test("has the post's own text read again if that was incomplete when the article failed")
    func failedEarly() {
        var session = reading(isEnd: false)
        session.press("x")
        let work = session.give(.articleFailed("No article.", request: session.reading))
        #expect(work.contains { $0.hasPrefix("read 1 at 42") })
        session.give(lines: Self.lines)
        #expect(session.screen[0] == " line 1")
    }

    @Test(
        "blocks no keys while it is loading",
        arguments: [
            ("j", " line 2"), ("G", " line 16"), ("space", " line 5"), ("J", " Two"),
        ])
    func keys(key: String, first: String) {
        var session = reading()
        session.press("x \(key)")
        #expect(session.screen[0] == first)
    }

    @Test("is dropped if the user has moved on, or returned to the post's own text", arguments: ["J", "q", "x"])
    func late(keys: String) {
        var session = reading()
        session.press("x")
        let number = session.reading
        session.press(keys)
        let before = session.screen
        session.give(.article(request: number))
        session.give(.lines(["late"], isSummary: false, request: number))
        session.give(.articleFailed("too late", request: number))
        session.give(.postLoaded(nil, request: number))
        #expect(session.screen == before)
    }

    @Test("is used by links, commands and a resized screen")
    func shown() {
        var session = readingArticle()
        session.press("1")
        #expect(session.press("o") == ["link 1 of 1, article: always"])
        session.press("|")
        #expect(session.enter("wc -w") == ["1, article: always, to “wc -w”"])
        let work = session.resize(60, 8)
        #expect(work.contains("read 1 at 58, article: always"))
    }

    @Test("is fetched again by r if it is shown, else the post's own text is")
    func refreshed() {
        var session = readingArticle()
        #expect(session.press("r").contains("read 1 again at 42, article: always"))
        session = reading()
        #expect(session.press("r").contains("read 1 again at 42"))
    }

    @Test("is still shown if the screen is resized before it arrives")
    func resizedEarly() {
        var session = reading()
        session.press("x")
        #expect(session.resize(60, 8).contains("read 1 at 58, article: always"))
        session.give(.article(request: session.reading))
        session.give(lines: ["article"])
        #expect(session.screen[0] == " article")
    }

    @Test("can be opened from the list")
    func list() {
        var session = BrowseSession(ListRow.samples(["One", "Two"]))
        #expect(session.press("j x") == ["read 2 at 42, article: always"])
        session.give(.article(request: session.reading))
        session.give(lines: ["article"])
        #expect(session.screen[0] == " article")
        #expect(session.press("x") == ["read 2 at 42, article: never"])
    }

    @Test("isn't shown for the next post")
    func neighbour() {
        var session = readingArticle()
        #expect(session.press("J").contains("read 2 at 42"))
    }

    @Test("is available without the full screen", arguments: ["x", "article"])
    func dialogue(command: String) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One", "Two"])).state)
        _ = dialogue.run("1")
        let number = dialogue.state.post?.number ?? 0
        _ = dialogue.handle(.lines([StyledText("own text")], isSummary: false, request: number))
        _ = dialogue.handle(.postLoaded(nil, request: number))
        let requests = dialogue.run(command).compactMap { effect -> PostRequest? in
            if case .loadPost(let request) = effect { request } else { nil }
        }
        #expect(requests.map(\.article) == [.always])
        #expect(requests.map(\.post.local) == ["1"])
    }

    @Test("of a post can be read by its number without the full screen", arguments: ["x 2", "article 2"])
    func numbered(command: String) {
        var dialogue = LineDialogue(BrowseSession(ListRow.samples(["One", "Two"])).state)
        let requests = dialogue.run(command).compactMap { effect -> PostRequest? in
            if case .loadPost(let request) = effect { request } else { nil }
        }
        #expect(requests.map(\.article) == [.always])
        #expect(requests.map(\.post.local) == ["2"])
    }
}
