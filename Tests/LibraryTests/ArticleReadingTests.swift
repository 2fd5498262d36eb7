import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A post read with its linked article", .serialized) struct ArticleReadingTests {
    private let feed: LanternFeed
    /// In the article, and not in the feed.
    private let sign = "Behind the diaphragm sat a nest"
    /// In the feed, and not in the article.
    private let summary = "and then somebody cleaned it. Read more"

    init() throws {
        feed = try LanternFeed()
    }

    // MARK: Choices

    /// The option given, the source's choice and the settings', and whether the article is shown.
    static let choices: [(asked: ArticleChoice?, own: ArticleChoice?, usual: ArticleChoice, isShown: Bool)] = [
        (nil, nil, .never, false), (nil, nil, .auto, true), (nil, nil, .always, true), (nil, .never, .always, false),
        (nil, .auto, .never, true), (nil, .always, .never, true), (.never, .always, .always, false),
        (.always, .never, .never, true), (.auto, .never, .never, true), (.auto, .always, .always, true),
    ]

    @Test("shows the article by the option given, else the source's choice, else the settings", arguments: choices)
    func choice(asked: ArticleChoice?, own: ArticleChoice?, usual: ArticleChoice, isShown: Bool) async throws {
        try await feed.follow(.choice(own))
        let post = try await feed.post()
        let choice = try await feed.library().reading.articles.choice(
            ArticlePreference(explicit: asked, fallback: usual), for: post.source)
        let read = try await feed.library().read(post, article: choice)
        #expect(read.post.body.contains(sign) == isShown)
        #expect(read.post.body.contains(summary) == !isShown)
        #expect((read.article != nil) == isShown)
        #expect(feed.requested.contains("fog.html") == isShown)
    }

    @Test("keeps the feed's text, which is shown without the article")
    func feedText() async throws {
        try await feed.follow()
        #expect(try await feed.read().post.body.contains(sign))
        #expect(try await feed.read("fog.html", .never).post.body.contains(summary))
        #expect(try await feed.library().storedMetadata(of: feed.post())?.title == "How the fog signal found its note")
    }

    /// The text in the feed, and whether it is a summary, for which the article is requested.
    static let texts: [(text: String, isSummary: Bool)] = [
        ("Short.", true), ("", true), (LanternFeed.words("Whole"), false),
        (LanternFeed.words("Begun") + " [...]", true), (LanternFeed.words("Begun") + " Read more", true),
        (LanternFeed.words("Begun") + "…", true), (LanternFeed.words("Angefangen") + " Weiterlesen", true),
    ]

    @Test("requests the page only for summaries if the choice is auto", arguments: texts)
    func summaries(text: String, isSummary: Bool) async throws {
        let item = "<item><guid>1</guid><title>t</title><link>fog.html</link><description>\(text)</description></item>"
        feed.serve(items: item)
        try await feed.follow()
        _ = try await feed.read("fog.html", .auto)
        #expect(feed.requested.contains("fog.html") == isSummary)
    }

    @Test(
        "with a long summary shows the longer text with auto, and the article with always",
        arguments: [ArticleChoice.auto, .always])
    func longer(choice: ArticleChoice) async throws {
        let text = LanternFeed.words("The feed") + "…"
        let item = "<item><guid>1</guid><title>t</title><link>fog.html</link><description>\(text)</description></item>"
        feed.serve(items: item)
        try await feed.follow()
        feed.serve(LanternFeed.page("The page has, by comparison, hardly anything to say, but it says it."))
        let read = try await feed.read("fog.html", choice)
        #expect(read.post.body.contains("The feed") == (choice == .auto))
        #expect(read.articleError == nil)
    }

    @Test(
        "reports a missing link only if the choice is always",
        arguments: ["", "<link>mailto:a@b.example</link>"])
    func noLink(link: String) async throws {
        let item =
            "<item><guid isPermaLink='false'>1</guid><title>t</title>\(link)<description>Text</description></item>"
        feed.serve(items: item)
        try await feed.follow()
        let post = try await feed.library().postID("1")
        let read = try await feed.library().read(post, article: .always)
        #expect(read.articleError as? PageError == .noLink)
        #expect(read.post.body == "Text")
        #expect(try await feed.library().read(post, article: .auto).articleError == nil)
    }

    // MARK: Fetching

    @Test("fetches the page once, revalidates it on refresh, and sends nothing offline")
    func freshness() async throws {
        try await feed.follow()
        let offline = try await feed.read("fog.html", .always, .offline)
        #expect(offline.post.body.contains(summary))
        #expect(offline.articleError as? PageError == .notStored(try #require(URL(string: feed.address("fog.html")))))
        #expect(try await feed.read("fog.html", .auto, .offline).articleError == nil)
        #expect(feed.requested == [])
        for _ in 1...2 { #expect(try await feed.read().post.body.contains(sign)) }
        #expect(feed.requested == ["fog.html"])
        feed.wait(hours: 1)
        let first = try await feed.read().article?.fetchedAt
        let again = try await feed.read("fog.html", .always, .refresh)
        #expect(again.post.body.contains(sign))
        #expect(feed.server.requests.last { $0.path.hasSuffix("fog.html") }?.headers["if-none-match"] != nil)
        #expect(again.article?.fetchedAt == first)
        #expect(try await feed.read().article?.fetchedAt == first?.addingTimeInterval(3600))
        #expect(try await feed.read("fog.html", .always, .offline).post.body.contains(sign))
    }

    @Test("shows the new article after a refresh if the page has changed")
    func changed() async throws {
        try await feed.follow()
        _ = try await feed.read()
        feed.serve(LanternFeed.page(LanternFeed.words("Something new")))
        #expect(try await !feed.read().post.body.contains("Something new"))
        #expect(try await feed.read("fog.html", .always, .refresh).post.body.contains("Something new"))
        #expect(try await feed.read("fog.html", .always, .offline).post.body.contains("Something new"))
    }

    @Test("retries a failed page after a day, and a missing one never, unless the choice is always")
    func failed() async throws {
        try await feed.follow()
        feed.server.setFault(.status(500), for: "/feeds/lantern/fog.html")
        func requests(_ choice: ArticleChoice, _ page: String) async throws -> Int {
            feed.server.clearRequests()
            _ = try await feed.read(page, choice)
            return feed.requested.count
        }
        #expect(try await requests(.auto, "fog.html") == 1)
        #expect(try await requests(.auto, "fog.html") == 0)
        feed.wait(hours: 23.9)
        #expect(try await requests(.auto, "fog.html") == 0)
        #expect(try await requests(.always, "fog.html") == 1)
        feed.wait(hours: 24.1)
        #expect(try await requests(.auto, "fog.html") == 1)
        #expect(try await requests(.auto, "entry.html") == 1)
        feed.wait(hours: 10_000)
        #expect(try await requests(.auto, "entry.html") == 0)
        #expect(try await requests(.always, "entry.html") == 1)
    }

    /// Faults of the server.
    static let faults = [
        "status:403", "status:404", "status:410", "status:429", "status:503", "refuse", "cut-head", "reset", "endless",
        "wrong-length", "redirect-loop", "redirect-file", "redirect:http://10.0.0.1/", "html", "null",
    ]

    @Test(
        "shows the feed's text if the server fails, or the stored article if there is one",
        arguments: faults)
    func fault(name: String) async throws {
        try await feed.follow()
        let fault = try #require(Fault(name))
        feed.server.setFault(fault, for: "/feeds/lantern/fog.html")
        let read = try await feed.read()
        // A page of few words is an article, too.
        guard name != "html" else { return #expect(read.article?.isComplete != true) }
        #expect(read.post.body.contains(summary))
        #expect(read.article == nil && read.articleError != nil)
        // Without validators, so that the server can't send a 304.
        feed.serve(LanternFeed.page(LanternFeed.words(sign)))
        _ = try await feed.read()
        feed.server.setFault(fault, for: "/feeds/lantern/fog.html")
        let old = try await feed.read("fog.html", .always, .refresh)
        #expect(old.post.body.contains(sign))
        #expect(old.article != nil && old.articleError != nil)
        #expect(try await feed.read().articleError == nil)
    }

    @Test("follows redirects, and resolves links against the final URL")
    func redirect() async throws {
        try await feed.follow()
        feed.server.setFault(.redirect("/feeds/lantern/lens.html"), for: "/feeds/lantern/fog.html")
        feed.serve(LanternFeed.page("<a href='more.html'>More</a> " + LanternFeed.words("Elsewhere")), at: "lens.html")
        let read = try await feed.read()
        #expect(read.article?.address == feed.address("lens.html"))
        #expect(read.post.body.contains(feed.address("more.html")))
    }

    @Test("sends no login for the page, though the feed gets one")
    func login() async throws {
        let library = feed.library(netrc: "machine 127.0.0.1 login me password pw")
        let source = try await library.follow(feed.address("feed.xml")).source
        _ = await library.refresh([source], onlyDue: false)
        _ = try await library.read(feed.post(), article: .always)
        let logins = feed.server.requests.map { ($0.path, $0.headers["authorization"] != nil) }
        #expect(logins.contains { $0.0.hasSuffix("feed.xml") && $0.1 })
        #expect(logins.filter { $0.0.hasSuffix("fog.html") }.map(\.1) == [false])
    }

    @Test(
        "requests a page in a private network only if the feed is at the same address and origin",
        arguments: [
            ("http://feed.example/1", "10.0.0.5", "10.0.0.5", true),
            ("http://page.example/", "10.0.0.5", "10.0.0.5", false),
            ("http://feed.example:8080/", "10.0.0.5", "10.0.0.5", false),
            ("http://feed.example/1", "10.0.0.5", "10.0.0.6", false),
            ("http://page.example/", "8.8.8.8", "192.168.1.1", false),
            ("http://page.example/", "8.8.8.8", "127.0.0.1", false),
            ("http://page.example/", "8.8.8.8", "8.8.4.4", true),
        ])
    func privateNetwork(page: String, feedPeer: String, pagePeer: String, isRead: Bool) async throws {
        let item = "<item><guid isPermaLink='false'>1</guid><link>\(page)</link><title>t</title></item>"
        let html = HTTPHead(status: 200, headers: ["Content-Type": "text/html"])
        let network = PeersByAddress(
            [
                "http://feed.example/": (feedPeer, HTTPHead(status: 200)), page: (pagePeer, html),
            ],
            bodies: [
                "http://feed.example/": Data(LanternFeed.rss([item]).utf8),
                page: Data(LanternFeed.page(LanternFeed.words("Private")).utf8),
            ])
        let library = feed.library(transport: network)
        _ = try await library.follow("http://feed.example/")
        let read = try await library.read(library.postID("1"), article: .always)
        #expect((read.article != nil) == isRead)
        if feedPeer != pagePeer { #expect(network.connected.contains(pagePeer) == isRead) }
    }

    // MARK: Kinds of pages

    /// The media type and the body of a page, and the format of what is shown.
    static let kinds: [(type: String?, body: String, format: BodyFormat)] = [
        ("text/plain; charset=utf-8", "One & two <b>", .plain), ("text/markdown", "# One\n\n*Two*", .markdown),
        ("text/x-markdown", "*Two*", .markdown), (nil, "Neither this nor that", .plain),
        ("text/html", LanternFeed.page(LanternFeed.words("Web")), .html),
        ("application/xhtml+xml", LanternFeed.page(LanternFeed.words("Web")), .html),
        (nil, "<!DOCTYPE html>" + LanternFeed.page(LanternFeed.words("Web")), .html),
    ]

    @Test("shows plain text and Markdown unchanged, and the article of web pages", arguments: kinds)
    func kind(type: String?, body: String, format: BodyFormat) async throws {
        try await feed.follow()
        feed.serve(body, as: type.map { ["Content-Type": $0] } ?? [:])
        let read = try await feed.read()
        #expect(read.post.bodyFormat == format && read.article?.format == format)
        #expect(format == .html ? read.post.body.contains("Web and then") : read.post.body == body)
        #expect(!read.post.body.contains("Menu"))
    }

    /// Media types and bodies without an article, and the expected error.
    static let others: [(type: String, body: String, error: PageError.Kind)] = [
        ("application/pdf", "%PDF-1.7", .notAPage), ("image/png", "\u{89}PNG", .notAPage),
        ("text/xml", "<rss version='2.0'><channel><title>x</title></channel></rss>", .notAPage),
        ("application/octet-stream", "x", .notAPage), ("application/json", "{}", .notAPage),
        ("text/html", "a\0b", .notAPage), ("text/plain", "\0\0", .notAPage), ("text/html", "", .noText),
        ("text/html", "<html><div id='root'></div><script>draw()</script></html>", .noText),
        ("text/plain", " \n ", .noText),
    ]

    @Test("says why a page has no article", arguments: others)
    func other(type: String, body: String, error: PageError.Kind) async throws {
        try await feed.follow()
        feed.serve(body, as: ["Content-Type": type])
        let read = try await feed.read()
        #expect((read.articleError as? PageError)?.kind == error)
        #expect(read.post.body.contains(summary))
    }

    @Test("doesn't download files it can't show, or pages over the limit")
    func limits() async throws {
        try await feed.follow()
        // Never complete, so that reading all of it would fail.
        let pdf = "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 999999999\r\n\r\n%PDF-1.7"
        feed.server.setFault(.raw(Data(pdf.utf8)), for: "/feeds/lantern/fog.html")
        #expect(try await (feed.read().articleError as? PageError)?.kind == .notAPage)
        feed.serve(
            Data(repeating: 0x61, count: HTTPLimits.pageBytes + 1), as: ["Content-Type": "text/plain"], at: "lens.html")
        let read = try await feed.read("lens.html")
        #expect(read.article == nil && read.articleError is HTTPError)
    }

    /// The Content-Type header, the head of the page, and its encoding.
    static let encodings: [(type: String, head: String, encoding: String.Encoding)] = [
        ("text/html; charset=windows-1252", "", .windowsCP1252), ("text/html", "<meta charset=utf-8>", .utf8),
        ("text/html", "<meta charset=\"windows-1252\">", .windowsCP1252), ("text/html; charset=utf-8", "", .utf8),
        ("text/html", "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-1'>", .isoLatin1),
        ("text/html; charset=utf-8", "<meta charset=windows-1252>", .utf8), ("text/html", "", .utf8),
        ("text/html; charset=shift_jis", "", .shiftJIS),
    ]

    @Test("is decoded by the charset in the header, else by the page's", arguments: encodings)
    func encoded(type: String, head: String, encoding: String.Encoding) async throws {
        try await feed.follow()
        let words = encoding == .shiftJIS ? "日本語" : "Möwe, Straße, café"
        let page = LanternFeed.page(LanternFeed.words(words), head: head)
        feed.serve(try #require(page.data(using: encoding)), as: ["Content-Type": type])
        #expect(try await feed.read().post.body.contains(words))
    }

    @Test("shows only the part of the page that the source selects, without what it drops")
    func rules() async throws {
        try await feed.follow(.body("#story"), .drop(".advert, h4"))
        let story = "<p>The story, which is short.</p><p class='advert'>Buy!</p><h4>Tags</h4>"
        feed.serve("<html><article><p>\(LanternFeed.words("Other"))</p></article><div id='story'>\(story)</div></html>")
        let body = try await feed.read().post.body
        #expect(
            body.contains("The story") && !body.contains("Other") && !body.contains("Buy!") && !body.contains("Tags"))
    }

    @Test(
        "has an incomplete article if the page is short or not free",
        arguments: [
            (LanternFeed.page("Only a few words, and no more of them."), false),
            (LanternFeed.page(LanternFeed.words("Enough")), true),
            (
                LanternFeed.page(
                    LanternFeed.words("Paid"),
                    head: """
                        <script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle", \
                        "headline": "Paid", "isAccessibleForFree": false}</script>
                        """), false
            ),
        ])
    func incomplete(page: String, isComplete: Bool) async throws {
        try await feed.follow()
        feed.serve(page)
        #expect(try await feed.read().article?.isComplete == isComplete)
    }

    /// The texts of a post and of its page, and whether the latter is complete.
    private static let beginnings: [(post: String, page: String, isComplete: Bool)] = {
        let (words, other) = (LanternFeed.words("Fog came in"), LanternFeed.words("Gulls went out"))
        return [
            (words + "…", words, false), (words + "…", words + " Subscribe to read on.", true),
            (words + "… Read more", words, false),
            (words + "…", words + " " + other, true), (words, words, true), (words + " First seen here.", words, true),
            (words + "</p><p>" + other, words, false),
            (words + "</p><p>" + other, words + " Log in to read on.", false),
            (other + " " + words, words, true), (words, other, true), ("Fog…", words, true), ("", words, true),
        ]
    }()

    @Test(
        "has an incomplete article if that is only the beginning of the post, or no more than its summary",
        arguments: beginnings)
    func beginning(post: String, page: String, isComplete: Bool) async throws {
        let text = "<![CDATA[<p>\(post)</p>]]>"
        feed.serve(
            items: "<item><guid>1</guid><title>t</title><link>fog.html</link><description>\(text)</description></item>")
        try await feed.follow()
        feed.serve(LanternFeed.page(page))
        #expect(try await feed.read().article?.isComplete == isComplete)
        #expect(try await feed.read("fog.html", .always, .offline).article?.isComplete == isComplete)
    }
}

extension PageError {
    /// The error without its details.
    enum Kind { case notAPage, noText, tooComplicated, noLink, notStored }

    var kind: Kind {
        switch self {
        case .notAPage: .notAPage
        case .noText: .noText
        case .tooComplicated: .tooComplicated
        case .noLink: .noLink
        case .notStored: .notStored
        }
    }
}
