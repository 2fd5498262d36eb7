import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A sync server on the command line") struct ServiceCommandTests {
    private let site: TestSite
    private let service = ServiceSite(.freshRSS, feeds: 2, items: 3)
    private var base: String { site.server.address + "/api/greader.php" }

    init() throws {
        site = try TestSite(service)
    }

    private func login(password: String = "apipass1") throws { try site.login("alice", password: password) }

    private func follow() async throws {
        try login()
        let run = try await site.blog("follow", site.server.address, "--as", "home")
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("is followed with its feeds, listed, marked and synced")
    func usual() async throws {
        try login()
        let followed = try await site.blog("follow", site.server.address, "--as", "home")
        #expect(
            followed.errors
                == "blog: Following home (\(base)): FreshRSS, 2 feeds, 6 posts. To list them: blog list -s home\n")
        #expect(try await site.run("list --unread --format ids --sort date").lines.first == "home/blog-2:3")
        #expect(try await site.run("list --folder Tech --format ids").lines.count == 3)
        #expect(try await site.run("mark saved home/blog-1:2 --offline").code == 0)
        #expect(try await site.run("read home/blog-1:3 --offline").output.contains("1 < 2"))
        let card = try await site.run("sources -s home --format text").output
        #expect(card.contains("FreshRSS (home) · \(base)\n  2 feeds, 6 posts · 5 unread\n"))
        #expect(card.contains(" · 2 marks to send since "))
        let sync = try await site.blog("sync")
        #expect((sync.code, sync.errors) == (0, "blog: 2 marks sent.\n"))
        #expect(service.items.values.count { $0.isStarred } == 1)
        #expect(service.items.values.count { $0.isRead } == 1)
        #expect(try await site.run("sources -s home --json=name,marksToSend").output.contains("\"marksToSend\":0"))
    }

    @Test("is told by another store of the marks that it was exported before they were sent")
    func exported() async throws {
        try await follow()
        _ = try await site.run("read home/blog-1:2 --offline")
        _ = try await site.blog("sync")
        for mark in ["mark saved home/blog-1:1", "mark read home/blog-1:3", "mark unread home/blog-1:2"] {
            #expect(try await site.run(mark + " --offline").code == 0)
        }
        _ = try await site.run("label add later home/blog-2:1 --offline")
        let export = try await site.blog("store", "export").output
        let other = ["BLOG_STORE": site.home.appending(path: "other.sqlite3").path]
        #expect(try await site.blog(["store", "import", "-"], input: export, environment: other).code == 0)
        // Imported posts are listed without a login, too.
        let netrc = site.home.appending(path: ".netrc")
        try FileManager.default.removeItem(at: netrc)
        let list = try await site.blog("list", "-s", "home", "--format", "ids", environment: other)
        #expect(list.lines.count == 6 && list.errors.contains("you haven't typed its address"), "\(list.errors)")
        let card = try await site.blog("sources", "--failing", "--format", "text", environment: other).output
        #expect(card.contains("If it is yours: blog follow \(base)"), "\(card)")
        try login()
        #expect(try await site.blog("sync", environment: other).code == 1)
        let confirmed = try await site.blog("follow", site.server.address, environment: other)
        #expect(
            (confirmed.code, confirmed.errors) == (
                0, "blog: Now requested, as are other sources of its server: home (\(base)), 6 posts.\n"
            ))
        let unread = try await site.blog("list", "--unread", "--format", "ids", environment: other).lines
        // It isn't known whether the first store has told the server since that this post is unread: it stays read.
        #expect(Set(unread) == ["home/blog-1:1", "home/blog-2:1", "home/blog-2:2", "home/blog-2:3"])
        #expect(service.items.values.count { $0.isStarred } == 1)
        #expect(service.items.values.count { $0.isRead } == 2)
        #expect(service.items.values.count { !$0.labels.isEmpty } == 1)
    }

    @Test("has its feeds exported as OPML, with their own addresses")
    func opml() async throws {
        try await follow()
        let opml = try await site.run("sources -s home --format opml")
        #expect(opml.output.contains("xmlUrl=\"https://blog-1.example/feed.xml\""))
        #expect(!opml.output.contains("greader"))
        #expect(opml.errors == "")
    }

    @Test("follows another feed, and unfollows one of its own, or says why not")
    func feeds() async throws {
        try await follow()
        let added = try await site.run("follow new.example --in home")
        #expect(
            (added.code, added.errors) == (0, "blog: Following home/new (https://new.example/feed.xml): 3 posts.\n"))
        #expect(service.feeds.map(\.address).last == "https://new.example/feed.xml")
        let refused = try await site.run("follow nofeed.example --in home")
        #expect(refused.code == 1)
        #expect(refused.errors == "blog: \(base) refused the change: No feed found on <https://nofeed.example>\n")
        #expect(try await site.run("follow a.example --in work").code == 2)
        #expect(try await site.run("label add later home/blog-1:1").code == 0)
        #expect(try await site.run("sync").code == 0)
        let clash = try await site.run("follow home/new --folder later")
        #expect(clash.code == 1 && clash.errors.contains("it may have a label of that name"), "\(clash.errors)")
        let offline = try await site.run("unfollow home/new --offline")
        #expect(offline.errors == "blog: \(base) has to be asked: leave out --offline.\n")
        #expect(try await site.run("unfollow home/new").code == 0)
        #expect(service.feeds.count == 2)
    }

    @Test("takes its password from a command, which prints it on its first line")
    func command() async throws {
        try site.set("login.home = alice printf 'apipass1\\nnever shown\\n'; echo asking >&2")
        let followed = try await site.blog("follow", site.server.address, "--as", "home", "--verbose")
        #expect(followed.code == 0, "\(followed.errors)")
        #expect(!followed.errors.contains("apipass1") && !followed.errors.contains("GoogleLogin"))
        #expect(followed.errors.contains("POST \(base)/accounts/ClientLogin"))
        try site.set("login.home = alice exit 3")
        let failed = try await site.blog("sync")
        #expect(failed.errors == "blog: The command in login.home failed: exit status 3\n")
        try site.set("login.home = alice")
        #expect(try await site.blog("list").code == 2)
    }

    @Test("isn't followed without a valid login, and the message says what to do")
    func messages() async throws {
        let none = try await site.blog("follow", site.server.address, "--as", "home")
        #expect(none.code == 4 || none.code == 1)
        #expect(
            none.errors == """
                blog: No login for “home” (\(base))
                Add a line to ~/.netrc: machine 127.0.0.1 login NAME password API-PASSWORD
                Or set a command that prints the API password: login.home = NAME COMMAND

                """)
        try login(password: "webpass1")
        let wrong = try await site.blog("follow", site.server.address, "--as", "home")
        #expect(
            wrong.errors == """
                blog: \(base): the server rejected the user name or the API password
                Use the API password: it is set in the server's settings, apart from the one for the website.

                """)
        try login()
        service.set(isEnabled: false)
        for arguments in [[site.server.address], [base], [base, "--kind", "service"]] {
            let off = try await site.blog(["follow"] + arguments + ["--as", "home"])
            #expect(off.errors.hasPrefix("blog: \(base): the API is switched off\nIn FreshRSS, "), "\(off.errors)")
        }
        let gone = try await site.blog("follow", "http://127.0.0.1:1", "--as", "home", "--kind", "service")
        #expect(gone.code == 4 && gone.errors.contains("connection refused"))
        #expect(try await site.blog("sources").output.contains("home") == false)
    }

    @Test("isn't followed without encryption, unless that is allowed")
    func encryption() async throws {
        try login()
        let line = #"{"source":"service","address":"http://rss.invalid","name":"home","folder":"","followedAt":1}"#
        let imported = try await site.blog(["store", "import", "-"], input: line + "\n")
        #expect(imported.code != 0)
        #expect(
            imported.errors.contains("To follow it: blog follow http://rss.invalid --allow-http\n"),
            "\(imported.errors)")
        let run = try await site.blog("follow", "http://rss.invalid", "--as", "home", "--kind", "service")
        #expect(run.code != 0)
        let help = try await site.blog("help", "follow")
        #expect(help.output.contains("--allow-http"))
    }

    @Test("says that more posts are to come")
    func more() async throws {
        service.addItems(1200, to: 1)
        try login()
        let followed = try await site.blog("follow", site.server.address, "--as", "home")
        #expect(followed.errors.contains("FreshRSS, 2 feeds, 1,000 posts, 206 posts to come."))
        let limited = try await site.run("sync -s home --limit 6")
        #expect(limited.errors.contains("blog: home: 200 posts to come (to fetch all now: blog sync -s home --all)\n"))
        let all = try await site.run("sync -s home --all")
        #expect(all.errors == "blog: 200 new posts.\n")
    }

    @Test("keeps its feeds while it can't be reached, and what else was asked for happens")
    func unreachable() async throws {
        try await follow()
        let search = try await site.run("search first --as made")
        #expect(search.code == 0, "\(search.errors)")
        site.server.stop()
        let moved = try await site.run("follow home/blog-1 --folder News")
        #expect(moved.code == 4 && moved.errors.contains("connection refused"), "\(moved.errors)")
        let ended = try await site.run("unfollow home/blog-1 made home/blog-2")
        #expect(ended.code == 5)
        #expect(ended.errors.contains("Removed the search made."), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count { $0.contains("connection refused") } == 2)
        #expect(try await site.run("sources --json=name").output.contains("home/blog-1"))
        #expect(try await site.run("unfollow home/blog-1").code == 4)
    }
}
