import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

/// Feeds that no server sends.
@Suite("A command or a file as a source", .serialized) struct LocalFeedTests {
    private let site: TestSite
    private let feed = Repository.mockFeeds.appending(path: "lantern/feed.xml").path

    init() throws { site = try TestSite(FeedSite(folder: Repository.mockFeeds)) }

    /// A command that leaves a trace, so that a test sees whether it ran.
    private var traced: String { "echo ran >> '\(site.home.path)/trace'; cat '\(feed)'" }
    private var runs: Int {
        let text = try? String(contentsOf: site.home.appending(path: "trace"), encoding: .utf8)
        return text?.split(separator: "\n").count ?? 0
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let url = site.home.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test("is followed under its name, listed, refreshed and read offline")
    func command() async throws {
        try site.set("exec.lantern = \(traced)\n")
        let followed = try await site.blog("follow", "exec:lantern")
        #expect(followed.errors.hasPrefix("blog: Following lantern (exec:lantern): 3 posts."), "\(followed.errors)")
        _ = try await site.blog("list", "--refresh")
        #expect(runs == 2)
        let read = try await site.blog("read", "lantern:1", "--offline")
        #expect(read.code == 0 && read.output.contains("The keeper’s last entry"))
        #expect(try await site.blog("sources", "--format", "opml").output.contains("exec:") == false)
    }

    @Test(
        "says why it can't be read, in its own words",
        arguments: [
            ("exec:bad", "exit status 3: no such page"), ("exec:silent", "exit status 1"), ("exec:html", "not a feed"),
            ("exec:none", "no command “exec.none” in the settings"), ("exec:killed", "signal 15"),
            ("file:///nowhere.xml", "No such file or directory"), ("file:///dev/null", "not a file"),
        ])
    func failures(address: String, reason: String) async throws {
        try site.set(
            """
            exec.bad = echo one >&2; echo no such page >&2; exit 3
            exec.silent = false
            exec.html = echo '<p>hello'
            exec.killed = kill -TERM $$
            """)
        let run = try await site.blog("follow", address)
        #expect(run.code == 1)
        #expect(run.errors == "blog: \(address): \(reason)\n")
    }

    @Test("is made of a page without a feed by the recipe in docs/cookbook.md")
    func recipe() async throws {
        let cookbook = try String(contentsOf: Repository.root.appending(path: "docs/cookbook.md"), encoding: .utf8)
        let line = try #require(cookbook.split(separator: "\n").first { $0.hasPrefix("exec.pier = ") })
        let page = """
            <ul><li><a class="news" href="https://pier.example/fog">Fog & "rain"</a></li>
            <li><a class="news" href="https://pier.example/lamp">The lamp</a> <a href="/about">About</a></li></ul>
            """
        let settings = line.replacing(
            "curl -fsS https://pier.example/news.html", with: "cat '\(try file("news.html", page))'")
        #expect(settings != line)
        try site.set(settings + "\n")
        let followed = try await site.blog("follow", "exec:pier")
        #expect(followed.errors.contains("2 posts"), "\(followed.errors)")
        let lines = try await site.blog("list", "-s", "pier", "--fields", "title,link").lines
        #expect(lines.sorted() == ["Fog & \"rain\"\thttps://pier.example/fog", "The lamp\thttps://pier.example/lamp"])
    }

    @Test("keeps its posts while it fails, and is among the failing ones")
    func failing() async throws {
        try site.set("exec.lantern = \(traced)\n")
        _ = try await site.blog("follow", "exec:lantern")
        try site.set("exec.lantern = echo gone >&2; exit 1\n")
        let list = try await site.blog("list", "--refresh", "--format", "ids")
        #expect(list.output.split(separator: "\n").count == 3)
        #expect(try await site.blog("sources", "--failing").output.contains("exit status 1: gone"))
    }

    @Test("is a file that is a feed, and lists are what they were", arguments: ["", "file://"])
    func file(scheme: String) async throws {
        let followed = try await site.blog("follow", scheme + feed)
        #expect(followed.code == 0 && followed.errors.contains(" (file://"), "\(followed.errors)")
        let list = try file("list", site.server.address + "/feeds/feed.xml\n")
        #expect(try await site.blog("follow", list).errors.contains("blog: Following 127-0-0-1 ("))
    }

    @Test(
        "is run by nothing that the user hasn't typed: no list, feed of a page, redirect or change of address",
        arguments: [
            "exec:lantern", "EXEC:lantern", "feed:exec:lantern", "exec://lantern", "exec:%6cantern", "\"exec:lantern\"",
            " exec:lantern tag", "file:FILE", "file://FILE", "FILE:///etc/hostname", "feed:file://FILE",
            "http:exec:lantern",
        ])
    func untyped(address: String) async throws {
        try site.set("exec.lantern = \(traced)\n")
        let address = address.replacing("FILE", with: feed)
        let opml = """
            <opml version="2.0"><body><outline text="x" type="rss" xmlUrl="\(address.replacing("\"", with: "&quot;"))"/></body></opml>
            """
        _ = try await site.blog("follow", file("feeds.opml", opml))
        _ = try await site.blog("follow", file("urls", "\(address)\n\(site.server.address)/feeds/feed.xml\n"))
        for option in ["--refresh", "--offline"] { _ = try await site.blog("list", option) }
        _ = try await site.blog("sync")
        #expect(runs == 0)
        #expect(try await site.blog("sources", "--json=address").output.contains("lantern") == false)
    }

    @Test("waits, if it came with an export, until the user follows it by its address")
    func imported() async throws {
        try site.set("exec.lantern = \(traced)\n")
        _ = try await site.blog("follow", "exec:lantern")
        let export = try file("posts.jsonl", try await site.blog("store", "export").output)
        let store = site.home.appending(path: "other.sqlite3").path
        #expect(try await site.blog("store", "import", export, "--store", store).code == 0)
        let before = runs
        let list = try await site.blog("list", "--refresh", "--format", "ids", "--store", store)
        #expect(list.output.split(separator: "\n").count == 3 && runs == before)
        #expect(list.errors.contains("exec:lantern: it came with a list or an export"), "\(list.errors)")
        _ = try await site.blog("follow", "exec:lantern", "--store", store)
        #expect(runs == before + 1)
    }

    @Test("is followed again by an undo, as what was done before is undone")
    func undone() async throws {
        try site.set("exec.lantern = \(traced)\n")
        _ = try await site.blog("follow", "exec:lantern")
        _ = try await site.blog("mark", "saved", "lantern:1")
        _ = try await site.blog("unfollow", "lantern")
        #expect(try await site.blog("undo").errors.contains("Following lantern again"))
        #expect(try await site.blog("undo").errors.contains("marked as unsaved again"))
        #expect(runs == 2)
    }

    @Test("is offered as a line of the settings for newsboat's commands and filters")
    func newsboat() async throws {
        let urls = """
            "exec:~/bin/pier-news.sh --rss" tech
            filter:~/bin/short:https://pier.example/feed?a=1&b
            "query:Unread:unread = \\"yes\\""
            \(site.server.address)/feeds/feed.xml
            """
        let run = try await site.blog("follow", file("urls", urls))
        #expect(run.errors.contains("exec.pier-news = ~/bin/pier-news.sh --rss, then: blog follow exec:pier-news"))
        #expect(
            run.errors.contains(
                "exec.short = curl -fsSL 'https://pier.example/feed?a=1&b' | ~/bin/short, then: blog follow exec:short"),
            "\(run.errors)")
        #expect(run.errors.contains("From newsboat, a search as unread: is:unread"))
    }
}
