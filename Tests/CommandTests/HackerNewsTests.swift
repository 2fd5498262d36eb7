import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog with Hacker News", .serialized) struct HackerNewsTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(Repository.hackerNewsSite.get())
    }

    private func news(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        return try await site.blog(arguments + ["--url", site.server.address + "/v0"], environment: environment)
    }

    @Test("lists the front page by rank, one post per line, each with its ID first")
    func list() async throws {
        let run = try await news("list", "-s", "hn")
        #expect(run.code == 0)
        #expect(run.lines.count == 30)
        #expect(run.lines[0].hasPrefix("hn:8863\t"))
        #expect(run.lines.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 5 })
        #expect(try await news("list", "-s", "hn", "--fields", "rank").lines == (1...30).map { "\($0)" })
    }

    @Test(
        "lists, sorts and filters a section",
        arguments: [
            (["--section", "ask", "--format", "ids"], "hn:2005"),
            (["--sort", "comments", "--format", "ids"], "hn:2000000"),
            (["--title", "quire", "--format", "ids"], "hn:8863"),
        ])
    func sections(arguments: [String], first: String) async throws {
        #expect(
            try await site.blog(["list", "--source", "hackernews", "--url", site.server.address + "/v0"] + arguments)
                .lines.first == first)
    }

    @Test(
        "resolves latest and next by rank, even if other sources are followed",
        arguments: [
            ("hn:latest", "hn:8863"), ("hn:latest:3", "hn:8863 hn:500000 hn:2000000"),
            ("hn:next:2", "hn:8863 hn:500000"),
        ])
    func latest(word: String, ids: String) async throws {
        #expect(try await news("read", "-s", "hn", word, "--format", "ids").lines.joined(separator: " ") == ids)
        let other = try TestSite()
        for (address, name) in [(site.server.address + "/v0", "hn"), (other.server.address, "other")] {
            #expect(try await site.blog("follow", address, "--as", name).code == 0)
        }
        #expect(try await site.blog("read", word, "--format", "ids").lines.joined(separator: " ") == ids)
        #expect(try await site.blog("read", "other:latest", "--format", "ids").lines == ["other:14"])
    }

    @Test("stores the stories that it showed, even if their reader stops after two")
    func earlyEnd() async throws {
        let address = site.server.address + "/v0"
        let shown = try await site.shell("list -s hn --url \(address) --format ids", "| head -n 2").lines
        #expect(shown == ["hn:8863", "hn:500000"])
        site.server.stop()
        for id in shown { #expect(try await news("read", id, "--no-comments", "--offline").code == 0) }
    }

    @Test("reads a story from the server at the address given, even if another one is followed as hn")
    func otherServer() async throws {
        #expect(try await site.blog("follow", site.server.address + "/v0", "--as", "hn").code == 0)
        let other = try TestSite(Repository.hackerNewsSite.get())
        site.server.clearRequests()
        let run = try await site.blog("read", "hn:8863", "--no-comments", "--url", other.server.address + "/v0")
        #expect(run.code == 0 && !other.server.requests.isEmpty && site.server.requests.isEmpty)
    }

    @Test("uses the source in BLOG_SOURCE, even if others are followed")
    func environment() async throws {
        let other = try TestSite()
        let addresses = [site.server.address + "/v0", other.server.address]
        for (address, name) in zip(addresses, ["hn", "other"]) {
            #expect(try await site.blog("follow", address, "--as", name).code == 0)
        }
        let all = try await site.blog("list", "--format", "ids")
        #expect(all.lines.contains { $0.hasPrefix("other:") })
        let named = try await site.blog("list", "--format", "ids", environment: ["BLOG_SOURCE": "hn"])
        #expect(named.lines.count == 30 && named.lines.allSatisfy { $0.hasPrefix("hn:") }, "\(named.errors)")
    }

    @Test("reads a story with its comments, by an ID with the source")
    func read() async throws {
        let run = try await news("read", "hn:8863")
        #expect(run.code == 0)
        let title = "Quire: keep every version of a folder, without a server"
        #expect(run.lines.prefix(2) == [title, String(repeating: "━", count: title.count)])
        #expect(run.lines[2] == "orlaf · 2026-02-09T11:15:50Z · 412 points · 12 comments · hn:8863")
        #expect(run.lines[3] == "https://quire.example/")
        #expect(run.output.contains(/\n│ orlaf \(OP\) · 2026-02-09T[0-9:]+Z · 1 reply · hn:8871\n│ Author here./))
        let alone = try await news("read", "hn:8863", "--no-comments")
        #expect(alone.lines.count == 4)
    }

    @Test("prints a thread as nested JSON")
    func json() async throws {
        let run = try await news("read", "hn:8863", "--json")
        struct Node: Decodable {
            let id: String
            let comments: [Node]
            var all: Int { comments.reduce(comments.count) { $0 + $1.all } }
        }
        let thread = try JSONDecoder().decode(Node.self, from: Data(run.output.utf8))
        #expect(thread.comments.map(\.id) == ["hn:8870", "hn:8875", "hn:8877", "hn:8881"])
        // One of the twelve is dead, and has no replies.
        #expect(thread.all == 11)
    }

    @Test("shows the rest and exits 5 if comments can't be fetched")
    func partly() async throws {
        site.server.setFault(.status(404), for: "/v0/item/8870.json")
        let run = try await news("read", "hn:8863")
        #expect(run.code == 5)
        #expect(run.errors.hasPrefix("blog: Could not fetch 1 comment and its replies: http"))
        #expect(run.output.contains(" · hn:8877\n"))
    }

    @Test("has its comments counted in the store, apart from articles")
    func counts() async throws {
        _ = try await news("read", "hn:8863")
        let counts = try await news("store", "--fields", "articles,comments").output.split(separator: "\t")
        #expect(counts.first == "0" && counts.last != "0\n")
    }

    @Test("says that no story matches, even if one of the list is missing on the server")
    func nothing() async throws {
        site.server.setFault(.body(Data("null".utf8)), for: "/v0/item/8863.json")
        let run = try await news("list", "-s", "hn", "--title", "zzzzz")
        #expect(run.code == 0)
        #expect(run.errors.hasPrefix("blog: No matching posts in "), "\(run.errors)")
    }

    @Test("applies the source of an ID to that ID only")
    func mixed() async throws {
        _ = try await news("read", "hn:1001")
        let run = try await site.blog("read", "1", "hn:1001", "--offline")
        // The blog of this test is empty, and nothing is stored from the usual address of Hacker News.
        #expect(run.errors.contains("The post “1” from \(site.server.address) isn't stored."))
        #expect(run.errors.contains("The post “1001” from https://hacker-news.firebaseio.com/v0 isn't stored."))
    }

    @Test("finds words but not tags, and says which story a comment is on")
    func search() async throws {
        _ = try await news("sync", "-s", "hn", "--limit", "1", "--comments")
        let run = try await news("search", "-s", "hn", "in:comments", "rsync", "--format", "text", "--width", "60")
        #expect(run.output.contains("So it's **rsync** & cron with a nicer name."))
        #expect(run.output.contains("on hn:8863 “Quire: keep every"))
        #expect(try await news("search", "-s", "hn", "href", "--format", "ids").output.isEmpty)
        #expect(
            try await news("search", "-s", "hn", "rsync", "--json=id,parent,story").output.contains(
                #"{"id":"hn:8877","parent":"hn:8863","story":"hn:8863"}"#))
        #expect(try await news("search", "-s", "hn", "in:coments", "x").code == 2)
    }

    @Test("lists imported stories, even without a ranking")
    func imported() async throws {
        _ = try await news("sync", "-s", "hn", "--limit", "2")
        let lines = try await news("store", "export").output
        let file = site.home.appending(path: "posts.jsonl")
        try lines.write(to: file, atomically: true, encoding: .utf8)
        let other = site.home.appending(path: "other.sqlite3").path
        _ = try await news("store", "import", file.path, "--store", other)
        let list = try await news("list", "-s", "hn", "--offline", "--store", other, "--format", "ids")
        #expect(Set(list.lines) == ["hn:8863", "hn:500000"])
    }

    @Test("prints Markdown with the link")
    func markdown() async throws {
        let story = try await news("read", "hn:8863", "--format", "markdown")
        #expect(
            story.output.hasPrefix(
                "# [Quire: keep every version of a folder, without a server](<https://quire.example/>)"))
    }

    @Test("says that a refresh failed, or that no comment is by an author")
    func notices() async throws {
        site.server.setFault(.status(500), for: "/v0/topstories.json")
        #expect(
            try await news("read", "hn:8863", "--by", "nobody-there").errors.contains(
                "No comments by “nobody-there” on this post."))
        #expect(try await news("list", "-s", "hn").code == 1)
        #expect(try await news("sources", "-s", "hn").output.contains("failed"))
    }

    @Test(
        "says how many comments there are if it shows fewer",
        arguments: [(3, "blog: Showing the first 3 of 4 comments.\n"), (4, ""), (5, "")])
    func commentLimit(limit: Int, errors: String) async throws {
        #expect(try await news("read", "hn:1001", "--comments", String(limit)).errors == errors)
    }

    @Test(
        "exits 5 if some listed posts can't be fetched, and 1 if none can",
        arguments: [(["8863"], 5), (["8863", "500000"], 1)] as [([String], Int32)])
    func missingPosts(ids: [String], code: Int32) async throws {
        site.server.setFault(.html, for: ids.map { "/v0/item/\($0).json" })
        let run = try await news("list", "-s", "hn", "--limit", "2", "--format", "ids")
        #expect(run.code == code, "\(run.errors)")
        #expect(run.lines.count == 2 - ids.count)
    }

    @Test("shows a user")
    func user() async throws {
        let run = try await news("read", "hn:user:kerri")
        #expect(run.lines.first == "kerri")
        #expect(run.lines[2] == "since 2007-02-11T22:56:07Z · 48211 karma · hn:user:kerri")
        #expect(try await news("read", "hn:user:nobody-there").code == 3)
    }

    @Test(
        "opens the link, or the discussion if requested",
        arguments: [
            (["hn:8863"], "https://quire.example/"),
            (["hn:8863", "--discussion"], "https://news.ycombinator.com/item?id=8863"),
            (["hn:2008"], "https://news.ycombinator.com/item?id=2008"),
        ])
    func open(arguments: [String], target: String) async throws {
        #expect(
            try await site.blog(
                ["open", "--url", site.server.address + "/v0"] + arguments, environment: ["BROWSER": "true"]
            ).errors == "blog: Opened \(target)\n")
    }

    @Test("syncs the articles of its front page and of saved stories, wherever they are listed")
    func savedArticles() async throws {
        _ = try await news("list", "-s", "hn", "--limit", "60")
        _ = try await news("mark", "saved", "hn:1001")
        _ = try await news("sync", "-s", "hn", "--articles", "--limit", "1")
        let saved = try await news("read", "hn:1001", "--article", "--offline", "--no-comments")
        #expect(saved.code == 0, "\(saved.errors)")
        let other = try await news("read", "hn:1002", "--article", "--offline", "--no-comments")
        #expect(other.code != 0)
    }

    @Test("syncs whole threads for reading and searching offline")
    func sync() async throws {
        let run = try await news("sync", "-s", "hn", "--limit", "1", "--comments")
        #expect(run.errors == "blog: 1 body, 12 comments: 13 new.\n")
        site.server.stop()
        #expect(try await news("read", "hn:8863", "--offline").output.contains(" · hn:8881\n"))
        let found = try await news("search", "-s", "hn", "in:comments", "quireignore", "--format", "ids")
        #expect(found.output == "hn:8871\n")
        let all = try await news("search", "-s", "hn", "in:comments", "--format", "ids")
        #expect(all.lines.count == 12)
        #expect(all.lines.contains("hn:8871"))
        #expect(try await news("mark", "saved", "hn:8871").code == 0)
        #expect(try await news("list", "-s", "hn", "--saved", "--format", "ids").output == "hn:8871\n")
    }

    @Test(
        "rejects options that other sources don't support",
        arguments: [
            (["list", "--section", "top"], "hn or 500px"), (["list", "--sort", "score"], "hn"),
            (["sync", "--comments"], "hn or 500px"), (["list", "--sort", "rating"], "500px"),
        ])
    func refusal(arguments: [String], kinds: String) async throws {
        let run = try await site.blog(arguments)
        #expect(run.code == 2)
        #expect(run.errors.contains("only works with a single source of kind \(kinds): select one with -s."))
    }

    @Test("suggests a command that lists existing IDs", arguments: ["read hn:99999999", "read -s hn 99999999"])
    func hint(line: String) async throws {
        let url = site.server.address + "/v0"
        let run = try await site.bash("blog \(line) --url \(url)")
        #expect(run.code == 3)
        let hint = try #require(run.errors.firstMatch(of: #/To list the IDs: (blog list .*)\n/#)?.1)
        let list = try await site.bash(String(hint))
        #expect(list.code == 0 && list.lines.count == 30, "\(hint): \(list.errors)")
    }

    @Test("says how to fetch what isn't stored", arguments: ["list -s hn", "read hn:1", "read 1 -s hackernews"])
    func fetchHint(line: String) async throws {
        let run = try await site.bash("blog \(line) --offline")
        #expect(run.code == 4)
        #expect(run.errors.contains(" -s hn") || run.errors.contains("leave out --offline"), "\(run.errors)")
    }

    @Test("says how to fetch bodies for a search")
    func searchHint() async throws {
        _ = try await site.blog("list")
        _ = try await news("list", "-s", "hn", "--limit", "3")
        let run = try await news("search", "-s", "hn", "nonesuch")
        #expect(run.errors.contains("with: blog sync") == run.errors.contains("with: blog sync -s hn"), "\(run.errors)")
    }
}
