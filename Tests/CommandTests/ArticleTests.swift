import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog with linked articles", .serialized) struct ArticleTests {
    private let site: TestSite

    init() async throws {
        site = try TestSite(
            FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        #expect(try await site.blog("follow", address("feed.xml"), "--as", "lantern").code == 0)
        site.server.clearRequests()
    }

    private func address(_ page: String) -> String { site.server.address + "/feeds/lantern/" + page }

    private func setFault(_ fault: Fault?) { site.server.setFault(fault, for: "/feeds/lantern/fog.html") }

    /// The ID of the post about the fog signal.
    private let fog = "lantern:3"
    private let sign = "Behind the diaphragm sat a nest"
    private let summary = "and then somebody cleaned it. Read more"

    // MARK: Reading

    @Test(
        "shows the article in every format",
        arguments: [
            ([], ["How the fog signal found its note", "Article: The Lantern Room"]),
            (["--format", "markdown"], ["*Article: The Lantern Room*"]), (["--format", "html"], ["The Lantern Room"]),
            (["--format", "text"], ["The Lantern Room"]), (["--body"], []), (["--raw"], []),
        ] as [([String], [String])])
    func formats(arguments: [String], signs: [String]) async throws {
        let run = try await site.blog(["read", fog, "--article"] + arguments)
        #expect(run.code == 0 && run.errors == "")
        for sign in signs + ["sat a nest"] { #expect(run.output.contains(sign), "\(run.output)") }
        for other in [summary, "Opening hours", "Tickets", "Tell a friend", "Join us"] {
            #expect(!run.output.contains(other), "\(other)")
        }
    }

    @Test("doesn't mark a post as read if its article was requested and failed")
    func unread() async throws {
        setFault(.status(500))
        let read = try await site.blog("read", fog, "--article")
        #expect(read.code != 0 && read.output.contains(summary))
        #expect(try await site.blog("list", "--unread", "--format", "ids").output.contains(fog))
        setFault(nil)
        #expect(try await site.blog("read", fog, "--article").code == 0)
        #expect(!(try await site.blog("list", "--unread", "--format", "ids").output.contains(fog)))
    }

    @Test("prints the article as JSON beside the post's own fields")
    func json() async throws {
        let run = try await site.blog("read", fog, "--article", "--json")
        let post = try #require(try run.json() as? [String: Any])
        let article = try #require(post["article"] as? [String: Any])
        #expect(try #require(post["body"] as? String).contains(sign))
        #expect(article["link"] as? String == address("fog.html"))
        #expect(article["site"] as? String == "The Lantern Room")
        #expect(article["author"] as? String == "Signe Abara")
        #expect(article["format"] as? String == "html")
        #expect(article["isComplete"] as? Bool == true)
        let plain = try #require(try await site.blog("read", fog, "--json").json() as? [String: Any])
        #expect(plain["article"] == nil || plain["article"] is NSNull)
    }

    @Test("shows which fields of the page differ from the post's, and that it may be incomplete")
    func facts() async throws {
        let head =
            "<meta name=author content='Ada B.'><meta property='article:published_time' content='2020-02-03T04:05:06Z'>"
        setFault(
            .body(
                Data(
                    "<html><head><title>Another title</title>\(head)</head><article><p>Only a few words, but words.</p></article></html>"
                        .utf8),
                headers: ["Content-Type": "text/html"]))
        let run = try await site.blog("read", fog, "--article")
        #expect(
            run.output.contains(
                "Article: “Another title” · Ada B. · 127.0.0.1 · 2020-02-03T04:05:06Z · may be incomplete"))
    }

    @Test("says which of several pages it shows, and where the next one is")
    func severalPages() async throws {
        let text = String(repeating: "The fog came in at noon, and stayed. ", count: 20)
        setFault(
            .body(
                Data(
                    "<html><article><p>\(text)</p></article><a href=fog-2.html>2</a> <a href=fog-3.html>3</a></html>"
                        .utf8),
                headers: ["Content-Type": "text/html"]))
        let run = try await site.blog("read", fog, "--article")
        #expect(run.output.contains("may be incomplete"))
        #expect(run.output.contains("Page 1 of 3. Next page: \(address("fog-2.html"))"), "\(run.output)")
    }

    /// What is typed to follow and to read, the settings, and whether the article is shown.
    static let choices: [(follow: String?, settings: String, read: String?, isShown: Bool)] = [
        (nil, "", nil, false), (nil, "", "--article", true), (nil, "", "--article=always", true),
        (nil, "", "--article=auto", true), (nil, "article = auto", nil, true), (nil, "article = always", nil, true),
        ("never", "article = always", nil, false), ("auto", "", nil, true), ("always", "article = never", nil, true),
        ("none", "article = auto", nil, true), ("always", "article = always", "--article=never", false),
    ]

    @Test("shows the article by the option, else by the source's choice, else by the settings", arguments: choices)
    func choice(follow: String?, settings: String, read: String?, isShown: Bool) async throws {
        try site.set(settings)
        if let follow {
            let run = try await site.blog("follow", "lantern", "--article", follow)
            #expect(run.code == 0, "\(run.errors)")
        }
        let run = try await site.blog(["read", fog] + [read].compactMap(\.self))
        #expect(run.code == 0 && run.errors == "")
        #expect(run.output.contains(sign) == isShown)
    }

    @Test(
        "shows the article of a typed address even if the feed has more text, but only by choice",
        arguments: [("", false), ("article = never", false), ("article = always", true)])
    func typedAddress(settings: String, isShown: Bool) async throws {
        try site.set(settings)
        setFault(
            .body(Data("<article><p>A few words.</p></article>".utf8), headers: ["Content-Type": "text/html"]))
        let run = try await site.blog("read", address("fog.html"))
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("A few words.") == isShown)
        #expect(run.output.contains(summary) == !isShown)
    }

    @Test("requests a page that failed again at once if auto is typed, but not if it is a setting")
    func again() async throws {
        try site.set("article = auto")
        setFault(.status(500))
        #expect(try await site.blog("read", fog).output.contains(summary))
        setFault(nil)
        #expect(try await site.blog("read", fog).output.contains(summary))
        #expect(try await site.blog("read", fog, "--article=auto").output.contains(sign))
    }

    @Test("resets a source's choice and rules with none")
    func none() async throws {
        _ = try await site.blog("follow", "lantern", "--article", "always", "--article-drop", "p")
        #expect(try await site.blog("follow", "lantern", "--article", "none", "--article-drop", "none").code == 0)
        #expect(try await site.blog("read", fog).output.contains(summary))
        #expect(try await site.blog("read", fog, "--article").output.contains(sign))
    }

    @Test(
        "rejects an invalid choice or selector",
        arguments: [
            ["read", "lantern:3", "--article=often"], ["follow", "lantern", "--article", "often"],
            ["follow", "lantern", "--article-body", "a[b"], ["follow", "lantern", "--article-drop", ">"],
        ])
    func badValues(arguments: [String]) async throws {
        let run = try await site.blog(arguments)
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("blog: ") && run.output == "")
        #expect(site.server.requests.isEmpty)
    }

    @Test("stores a source's selectors for articles, and exports them")
    func rules() async throws {
        let run = try await site.blog(
            "follow", "lantern", "--article", "always", "--article-body", ".entry-content", "--article-drop", "img, h1")
        #expect(run.code == 0)
        let sources = try #require(try await site.blog("sources", "--json").json() as? [[String: Any]])
        #expect(sources.first?["article"] as? String == "always")
        let lines = try await site.blog("store", "export").output
        let other = site.home.appending(path: "other.sqlite3").path
        #expect(try await site.blog("store", "import", "-", "--store", other, input: lines).code == 0)
        let read = try await site.blog("read", fog, "--raw", "--store", other)
        #expect(read.output.contains(sign) && !read.output.contains("<img"), "\(read.errors)")
    }

    @Test(
        "warns once if --article-body matches nothing, and finds the article itself",
        arguments: [(".entry-content", ""), (".entry-contents", ".entry-contents"), ("main b", "'main b'")])
    func unmatchedRule(rule: String, named: String) async throws {
        _ = try await site.blog("follow", "lantern", "--article-body", rule)
        let run = try await site.blog("read", fog, "--article")
        let notice = "blog: --article-body \(named) matches nothing on the page that “lantern:3” links to.\n"
        #expect(run.errors == (named.isEmpty ? "" : notice))
        #expect(run.code == 0 && run.output.contains(sign))
        let again = try await site.blog("read", fog, "--article")
        #expect(again.errors == "" && again.output.contains(sign))
    }

    @Test(
        "shows the feed's text if the article fails, with one line about that and a hint",
        arguments: [
            Fault.status(404), .status(500), .refuse, .redirectLoop, .redirect("http://10.0.0.1/"),
            .body(Data("%PDF".utf8), headers: ["Content-Type": "application/pdf"]),
            .body(Data("<div id=root></div>".utf8), headers: ["Content-Type": "text/html"]),
        ])
    func faults(fault: Fault) async throws {
        setFault(fault)
        let run = try await site.blog("read", fog, "--article", "--timeout", "5")
        #expect(run.code != 0)
        #expect(run.output.contains(summary))
        let lines = run.errors.split(separator: "\n")
        #expect(
            lines.count == 2 && lines[0].hasPrefix("blog: Could not show the article for “lantern:3”: "),
            "\(run.errors)")
        #expect(lines.last == "To open the page in the browser: blog open lantern:3")
        setFault(nil)
        _ = try await site.blog("read", fog, "--article")
        setFault(fault)
        #expect(try await site.blog("read", fog, "--article", "--refresh", "--timeout", "5").output.contains(sign))
    }

    @Test("writes no control characters of a page to the terminal")
    func hostile() async throws {
        let page = """
            <html><head><title>T\u{1B}]0;x\u{7}</title><meta name=author content="A\u{9B}2J"></head><article>
            <p>Words\u{1B}[2J and\u{202E} more, \u{7} with commas, and so on.</p></article></html>
            """
        setFault(.body(Data(page.utf8), headers: ["Content-Type": "text/html; charset=utf-8"]))
        for format in ["text", "markdown", "html"] {
            let run = try await site.blog("read", fog, "--article", "--format", format)
            #expect(run.output.contains("more, "))
            let isClean = (run.output + run.errors).unicodeScalars.allSatisfy {
                $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
            }
            #expect(isClean, "\(format)")
        }
    }

    @Test("opens a link of the article by its number")
    func links() async throws {
        let own = try await site.blog("open", fog, "--link", "1", "--print")
        #expect(own.code == 3)
        let run = try await site.blog("open", fog, "--link", "1", "--article", "--print")
        #expect(run.output == site.server.address + "/feeds/feed.xml\n")
        // A relative link is relative to the article's page, not to the source's site.
        _ = try await site.blog("follow", "lantern", "--site", "https://elsewhere.example/")
        setFault(.body(Data("See [more](more.html).".utf8), headers: ["Content-Type": "text/markdown"]))
        let relative = try await site.blog("open", fog, "--link", "1", "--article", "--refresh", "--print")
        #expect(relative.output == address("more.html") + "\n", "\(relative.errors)")
    }

    @Test("syncs pictures of an article from where its page is, not from the source's site")
    func pictures() async throws {
        _ = try await site.blog("follow", "lantern", "--site", "https://elsewhere.example/")
        setFault(.body(Data("Text\n\n![a](a.png)".utf8), headers: ["Content-Type": "text/markdown"]))
        _ = try await site.blog("read", fog, "--article")
        _ = try await site.blog("sync", "--images")
        #expect(site.server.requests.contains { $0.path == "/feeds/lantern/a.png" })
    }

    @Test("shows a story's article, then its comments")
    func story() async throws {
        let news = try TestSite(Repository.hackerNewsSite.get())
        let url = news.server.address + "/v0"
        let run = try await news.blog("read", "hn:1001", "--article", "--url", url)
        #expect(run.code == 0)
        let text = try #require(run.output.firstRange(of: "The planner had a choice now."))
        let thread = try #require(run.output.firstRange(of: " · hn:7000"))
        #expect(text.upperBound < thread.lowerBound)
        #expect(!run.output.contains("Try it free"))
        let alone = try await news.blog("read", "hn:1001", "--article", "--no-comments", "--url", url)
        #expect(alone.output.contains("The planner had a choice now.") && !alone.output.contains("hn:7000"))
        let pdf = try await news.blog("read", "hn:1025", "--article", "--url", url)
        #expect(pdf.errors.contains("kerning.pdf: a PDF, not a web page"))
        #expect(try await news.blog("read", "hn:1013", "--article", "--url", url).output.contains("# Reading 1 TB"))
    }

    // MARK: Pages

    @Test("reads, lists, searches, marks and unfollows any page")
    func pages() async throws {
        let site = try TestSite(
            FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        let lens = site.server.address + "/feeds/lantern/lens.html"
        for _ in 1...2 { #expect(try await site.blog("read", lens).output.contains("in forty crates")) }
        #expect(site.server.requestLines == ["GET /feeds/lantern/lens.html"])
        #expect(try await site.blog("list", "-s", "pages", "--format", "ids").output == "pages:1\n")
        #expect(try await site.blog("search", "-s", "pages", "vinegar", "--format", "ids").output == "pages:1\n")
        #expect(try await site.blog("mark", "saved", lens).code == 0)
        #expect(try await site.blog("list", "-s", "pages", "--saved", "--format", "ids").output == "pages:1\n")
        #expect(try await site.blog("unfollow", "pages").code == 0)
        #expect(try await site.blog("sources", "--format", "ids").output.contains("pages") == false)
    }

    @Test(
        "completes the address of a page, or says what is wrong with it",
        arguments: [
            ("ftp://a.example/x", 2, "Invalid address “ftp://a.example/x”"),
            ("http://127.0.0.1:1/x", 4, "connection refused"), ("127.0.0.1:1/x", 4, "http://127.0.0.1:1/x: "),
            ("https://", 2, "Invalid address"),
            ("no-such-post", 3, "No post “no-such-post”"),
        ])
    func typed(address: String, code: Int32, message: String) async throws {
        let run = try await site.blog("read", address)
        #expect(run.code == code)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test("applies changed rules to a page that hasn't changed")
    func changedRules() async throws {
        _ = try await site.blog("follow", "lantern", "--as", "tower")
        #expect(try await site.blog("read", "tower:3", "--article").output.contains(sign))
        #expect(try await site.blog("follow", "tower", "--article-drop", "p").code == 0)
        #expect(try await !site.blog("read", "tower:3", "--article", "--refresh").output.contains(sign))
    }

    @Test("says each time its address is typed that a page has no article")
    func noArticle() async throws {
        for _ in 0..<2 {
            let run = try await site.blog("read", address("entry.html"))
            #expect(run.code == 1)
            #expect(run.errors.contains("Could not show the article for “lantern:1”: "), "\(run.errors)")
        }
    }

    @Test("stores the address of a page that can't be read, and says so", arguments: ["other.html", "offline"])
    func saved(page: String) async throws {
        let typed = page == "offline" ? address("lens.html?x") : address("other.html")
        let arguments = ["mark", "saved", typed] + (page == "offline" ? ["--offline"] : [])
        let run = try await site.blog(arguments)
        #expect(run.code == 0)
        #expect(run.errors.contains("blog: Stored only the address: "))
        #expect(run.errors.contains("1 post marked as saved."))
        #expect(try await site.blog("list", "--saved", "--format", "ids").output == "pages:1\n")
        // Without its text, it isn't read, whether by its address or by its ID.
        for id in [typed, "pages:1"] { #expect(try await site.blog("read", id, "--offline").code != 0) }
        #expect(try await site.blog("list", "-s", "pages", "--unread", "--format", "ids").output == "pages:1\n")
    }

    @Test("still lists the default source if only pages are followed")
    func defaultSource() async throws {
        let site = try TestSite()
        let other = self.site.server.address + "/feeds/lantern/lens.html"
        let before = try await site.blog("list", "--format", "ids").lines.count
        #expect(try await site.blog("read", other).code == 0)
        #expect(try await site.blog("list", "--format", "ids").lines.count == before + 1)
    }

    // MARK: Syncing

    @Test("syncs the articles of sources that have them, and counts them")
    func sync() async throws {
        let none = try await site.blog("sync", "--articles")
        #expect(
            none.code == 0 && none.errors.contains("No articles: none of these sources has --article auto or always."))
        _ = try await site.blog("follow", "lantern", "--article", "auto")
        _ = try await site.blog("mark", "read", "lantern:2")
        site.server.clearRequests()
        let run = try await site.blog("sync", "--articles")
        // A link to a missing page isn't a failure of the sync.
        #expect(run.code == 0)
        #expect(run.errors.contains("Could not fetch the article for “lantern:1”: "), "\(run.errors)")
        #expect(run.errors.contains("2 articles: 1 new, 1 not available."), "\(run.errors)")
        let again = try await site.blog("sync", "--articles")
        #expect(again.code == 0)
        #expect(again.errors.contains("2 articles: 1 unchanged, 1 not available."), "\(again.errors)")
        site.server.stop()
        #expect(try await site.blog("read", fog, "--offline").output.contains(sign))
        #expect(try await site.blog("search", "glove", "--format", "ids").output == fog + "\n")
    }

    @Test("says that a match is in the article, with or without the snippet", arguments: ["", ",snippet"])
    func snippetPlace(more: String) async throws {
        _ = try await site.blog("read", fog, "--article")
        let run = try await site.blog("search", "glove", "--fields", "id,snippetPlace" + more)
        #expect(run.output.hasPrefix("\(fog)\tarticle"), "\(run.output)")
    }

    @Test("reports failed sources in the exit code even if all articles are there", arguments: [(false, 1), (true, 5)])
    func failedSources(hasOther: Bool, code: Int32) async throws {
        _ = try await site.blog("follow", "lantern", "--article", "auto")
        _ = try await site.blog("mark", "read", "lantern:1", "lantern:2")
        if hasOther {
            #expect(try await site.blog("follow", site.server.address + "/feeds/garden/feed.xml").code == 0)
        }
        #expect(try await site.blog("sync", "--articles").code == 0)
        site.server.setFault(.status(500), for: "/feeds/lantern/feed.xml")
        let run = try await site.blog("sync", "--articles")
        #expect(run.code == code)
        #expect(run.errors.contains("1 article: 1 unchanged."), "\(run.errors)")
    }
}
