import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A story in several sources", .serialized) struct DuplicateTests {
    private let site: TestSite

    /// Follows an aggregator, and then the site's own feed, which is on another server.
    init() async throws {
        site = try TestSite(FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        try await follow(
            "feed.xml", "news",
            """
            <item><title>A bird</title><link>https://birds.example/bird-story?utm_source=news</link><guid>news-1</guid>
            <description>&lt;a href="https://news.example/s/1"&gt;Comments&lt;/a&gt;</description></item>
            """)
        try await follow(
            "garden/feed.xml", "birds",
            """
            <item><title>Bird!</title><link>https://www.birds.example/bird-story/</link><guid>b-1</guid>
            <description>\(Self.text)</description></item>
            <item><title>Other</title><link>https://birds.example/other</link><guid>b-2</guid></item>
            """, home: "https://birds.example/")
    }

    private static let text = String(repeating: "What I know about this, in my own words. ", count: 5)

    private func follow(_ path: String, _ name: String, _ items: String, home: String = "") async throws {
        let feed = "<rss version=\"2.0\"><channel><title>\(name)</title><link>\(home)</link>\(items)</channel></rss>"
        site.server.setFault(.body(Data(feed.utf8)), for: "/feeds/\(path)")
        let run = try await site.blog("follow", "\(site.server.address)/feeds/\(path)", "--as", name)
        #expect(run.code == 0, "\(run.errors)")
    }

    private func ids(_ arguments: String...) async throws -> Set<String> {
        Set(try await site.blog(arguments + ["--format", "ids"]).lines)
    }

    @Test("is listed once, as the site's own post, which names the others")
    func once() async throws {
        #expect(try await ids("list") == ["birds:2", "birds:1"])
        #expect(try await ids("list", "--duplicates", "show") == ["birds:2", "birds:1", "news:1"])
        #expect(try await ids("list", "-s", "news") == ["news:1"])
        #expect(try await ids("list", "--title", "a bird") == ["news:1"])
        #expect(try await ids("search", "bird") == ["birds:2"])
        let story = try await ids("search", "\"bird story\"")
        #expect(story == ["birds:2"])
        let card = try await site.blog("list", "--title", "bird", "--format", "text").output
        #expect(card.contains("also in news"), "\(card)")
        let json = try await site.blog("list", "--title", "bird", "--json=id,duplicates").output
        #expect(json.contains("\"duplicates\":[{\"id\":\"news:1\",\"source\":\"news\"}]"), "\(json)")
        #expect(try await site.blog("read", "birds:2", "--no-mark", "--format", "text").output.contains("also in news"))
        #expect(try await site.blog("read", "birds:2", "--no-mark", "--json").output.contains("\"news:1\""))
        let settings = ["XDG_CONFIG_HOME": site.home.path]
        try FileManager.default.createDirectory(
            at: site.home.appending(path: "blog"), withIntermediateDirectories: true)
        try Data("duplicates = show\n".utf8).write(to: site.home.appending(path: "blog/settings"))
        #expect(try await site.blog(["list", "--format", "ids"], environment: settings).lines.count == 3)
    }

    @Test("is read everywhere once it was read at its site, but not if only a link to it was seen")
    func read() async throws {
        #expect(try await site.blog("read", "news:1").code == 0)
        #expect(try await ids("list", "--unread") == ["birds:2", "birds:1"])
        #expect(try await ids("list", "-s", "news", "--unread").isEmpty)
        #expect(try await site.blog("undo").code == 0)
        #expect(try await site.blog("read", "birds:2").code == 0)
        #expect(try await ids("list", "--unread", "--duplicates", "show") == ["birds:1"])
        #expect(try await site.blog("undo").code == 0)
        #expect(try await ids("list", "--unread", "--duplicates", "show").count == 3)
        let marked = try await site.blog("mark", "read", "news:1")
        #expect(marked.errors == "blog: 1 post marked as read.\n")
        #expect(try await ids("list", "--unread", "--duplicates", "show") == ["birds:1"])
        #expect(try await site.blog("undo").code == 0)
        #expect(try await ids("list", "--unread", "--duplicates", "show").count == 3)
        // Saving stays with the post, which is listed then.
        #expect(try await site.blog("mark", "saved", "news:1").code == 0)
        #expect(try await ids("list", "--saved") == ["news:1"])
        #expect(try await site.blog("mark", "unsaved", "--all").errors == "blog: 1 post marked as unsaved.\n")
        // A rule hides the site's own post, so that the other one is shown.
        #expect(try await site.blog("rule", "add", "title:bird", "source:birds", "--hide").code == 0)
        #expect(try await ids("list") == ["birds:1", "news:1"])
    }

    @Test("is never hidden because a feed says that it is of all sites of a domain", arguments: ["com", "co.uk"])
    func wholeDomain(domain: String) async throws {
        func items(_ name: String) -> String {
            (1...5).map {
                "<item><title>\(name) \($0)</title><link>https://site\($0).\(domain)/story</link>"
                    + "<guid>\(name)-\($0)</guid></item>"
            }.joined()
        }
        try await follow("links.xml", "links", items("Link"))
        try await follow("greedy.xml", "greedy", items("Greedy"), home: "https://\(domain)/")
        #expect(try await ids("list").filter { $0.hasPrefix("links:") }.count == 5)
    }

    @Test("isn't a post with a text of its own, nor several posts of one source, nor a home page")
    func others() async throws {
        let own = site.server.address + "/weblog/"
        try await follow(
            "atom.xml", "weblog",
            """
            <item><title>On birds</title><link>https://birds.example/bird-story</link><guid>w-1</guid>
            <description>\(Self.text)</description></item>
            <item><title>On others</title><link>https://birds.example/other</link>
            <guid isPermaLink="true">\(own)on-others</guid><description>\(Self.text)</description></item>
            <item><title>One</title><link>https://birds.example/other</link><guid>w-2</guid></item>
            <item><title>Two</title><link>https://birds.example/other</link><guid>w-3</guid></item>
            <item><title>Three</title><link>https://birds.example/</link><guid>w-4</guid></item>
            """, home: own)
        let listed = try await site.blog("list", "--fields", "title").lines
        // Of the two with one address, only the first is taken for the story.
        #expect(Set(listed).subtracting(["One", "Two"]) == ["Bird!", "Other", "On birds", "On others", "Three"])
        #expect(listed.count == 6)
        #expect(try await site.blog("mark", "read", "--all", "-s", "birds").code == 0)
        #expect(try await ids("list", "-s", "weblog", "--unread").count == 4)
        let export = try await site.blog("store", "export").output
        let other = try TestSite()
        #expect(try await other.blog("store", "import", "-", input: export).code == 0)
        #expect(try await other.blog("list", "--offline", "--fields", "title").lines == listed)
        #expect(try await other.blog("store", "export").output == export)
        #expect(try await site.blog("store", "check").code == 0)
    }

    @Test("isn't what another source on the same host, or that claims to be of the site, says about it")
    func sharedHosts() async throws {
        let host = site.server.address
        func items(_ title: String, _ numbers: ClosedRange<Int>, guid: String = "post", _ end: String = "") -> String {
            numbers.map { number in
                """
                <item><title>\(title) \(number)</title><link>\(host)/posts/\(number)\(end)</link>
                <guid isPermaLink="false">\(guid)-\(number)</guid><description>\(Self.text)</description></item>
                """
            }.joined()
        }
        // A site's feed of one tag, its comments with and without titles of their own, and then its posts.
        try await follow("weblog/tag.xml", "tag", items("Post", 2...2), home: host)
        try await follow("weblog/comments.xml", "comments", items("On", 1...3, "#comment-1"), home: host)
        try await follow("weblog/replies.xml", "replies", items("Post", 1...3, guid: "reply", "#comment-2"), home: host)
        #expect(try await site.blog("mark", "read", "--all", "-s", "comments,replies").code == 0)
        try await follow("weblog/feed.xml", "posts", items("Post", 1...3), home: host)
        #expect(try await ids("list", "--unread", "-s", "posts").count == 3)
        #expect(try await ids("list", "-s", "comments,replies,posts").count == 9)
        #expect(try await ids("list", "-s", "tag,posts").count == 3)
        // An address that is a post's ID is the same in each of its spellings.
        for (number, name) in ["one", "two"].enumerated() {
            let address = "\(host)/posts/9\(number == 0 ? "" : "/?utm_source=feed")"
            try await follow(
                "weblog/\(name).xml", name,
                """
                <item><title>Nine</title><link>\(address)</link><guid>\(address)</guid>
                <description>\(Self.text)</description></item>
                """, home: host)
        }
        #expect(try await ids("list", "-s", "one,two").count == 1)
        // A post that becomes another one is no duplicate any more.
        let tag = "<rss version=\"2.0\"><channel><title>tag</title>\(items("Changed", 2...2))</channel></rss>"
        site.server.setFault(.body(Data(tag.utf8)), for: "/feeds/weblog/tag.xml")
        #expect(try await site.blog("list", "--refresh", "-s", "tag").code == 0)
        #expect(try await ids("list", "-s", "tag,posts").count == 4)
    }
}
