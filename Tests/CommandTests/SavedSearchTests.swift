import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A saved search", .serialized) struct SavedSearchTests {
    private let site: TestSite

    init() async throws {
        site = try await TestSite.followingFeeds()
    }

    private func ids(_ arguments: String...) async throws -> [String] {
        try await site.blog(arguments + ["--format", "ids"]).lines
    }

    private func keep(_ words: String, as name: String) async throws {
        let run = try await site.blog("search", words, "--as", name)
        #expect(run.code == 0 && run.output.isEmpty, "\(run.errors)")
    }

    @Test("is listed by its name, with what a search finds, newest first")
    func listed() async throws {
        let kept = try await site.blog("search", "(ferry OR tag:code) -source:garden", "--as", "boats")
        #expect(kept.errors == "blog: Kept the search as boats: 2 posts. To list them: blog list -s boats\n")
        #expect(try await ids("list", "-s", "boats") == ["tide:4", "tide:2"])
        #expect(try await ids("list", "-s", "boats", "--sort", "date", "--reverse") == ["tide:2", "tide:4"])
        #expect(try await ids("list", "-s", "boats", "--title", "ferry") == ["tide:4"])
        #expect(try await ids("search", "ferry", "-s", "boats") == ["tide:4"])
        #expect(try await ids("search", "in:title ferry", "-s", "boats") == ["tide:4"])
        #expect(try await ids("search", "tag:code", "-s", "boats") == ["tide:2"])
        #expect(try await site.blog("mark", "read", "tide:4").code == 0)
        #expect(try await ids("list", "-s", "boats", "--unread") == ["tide:2"])
        let rows = try await site.blog("sources", "--fields", "name,kind,posts,unread,status,address").lines
        #expect(rows.last == "boats\tsearch\t2\t1\tok\t(ferry OR tag:code) -source:garden")
        #expect(try await site.blog("sources", "-s", "boats", "--fields", "name").lines == ["boats"])
        let card = try await site.blog("sources", "-s", "boats", "--format", "text").lines
        #expect(card == ["boats · search: (ferry OR tag:code) -source:garden", "  2 posts · 1 unread"])
    }

    @Test("has new posts, marks and syncs of its own posts")
    func commands() async throws {
        try await keep("source:tide -ferry", as: "calm")
        #expect(try await ids("list", "-s", "calm", "--new=mail") == ["tide:3", "tide:2", "tide:1"])
        #expect(try await ids("list", "-s", "calm", "--new=mail") == [])
        #expect(try await site.blog("mark", "read", "--all", "-s", "calm").errors.contains("3 posts marked as read"))
        #expect(try await ids("list", "-s", "tide", "--unread") == ["tide:4"])
        #expect(try await site.blog("undo").code == 0)
        #expect(try await ids("list", "-s", "calm", "--unread").count == 3)
        let empty = try await site.blog("list", "-s", "calm", "--since", "2999")
        #expect(empty.errors.contains("3 posts match without --since"), "\(empty.errors)")
        try await keep("nosuchword", as: "none")
        #expect(try await site.blog("list", "-s", "none").errors == "blog: No posts match the search “none”.\n")
        site.server.clearRequests()
        #expect(try await site.blog("sync", "-s", "none", "--articles").code == 0)
        #expect(!site.server.requests.contains { $0.path.contains("html") })
        // A post that its feed doesn't list any more is found, and so marked.
        let feed = try String(
            contentsOf: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds/feed.xml"),
            encoding: .utf8)
        site.server.setFault(
            .body(Data(feed.replacing("Ferry", with: "Boat").replacing("ferry-wouldnt", with: "boat-wouldnt").utf8)),
            for: "/feeds/feed.xml")
        #expect(try await site.blog("list", "-s", "tide", "--refresh").code == 0)
        try await keep("ferry OR boat OR tide", as: "water")
        #expect(try await site.blog("mark", "read", "--all", "-s", "water").code == 0)
        #expect(try await ids("list", "-s", "water", "--unread") == [])
    }

    @Test("evaluates its dates when it is used, beside those of options")
    func dates() async throws {
        try await keep("source:tide since:2026-03", as: "late")
        let late = try await ids("list", "-s", "late")
        #expect(try await ids("search", "source:tide since:2026-03", "--sort", "date") == late)
        #expect(!late.isEmpty && late.count < 4)
        #expect(try await ids("list", "-s", "late", "--until", "2026-03-01").count < late.count)
        #expect(try await ids("list", "-s", "late", "--since", "2020") == late)
    }

    @Test("is renamed and removed as a source is, and its name is its own")
    func names() async throws {
        try await keep("ferry", as: "boats")
        #expect(try await site.blog("follow", "boats", "--as", "ships").code == 0)
        #expect(try await ids("list", "-s", "ships") == ["tide:4"])
        #expect(try await site.blog("list", "-s", "boats").code == 2)
        for (words, name) in [("x", "tide"), ("x", "ships"), ("x", "hn"), ("x", "a b"), ("ferry", "other")] {
            #expect(try await site.blog("search", words, "--as", name).code == 2, "\(name)")
        }
        #expect(try await site.blog("follow", "tide", "--as", "ships").code == 2)
        #expect(try await site.blog("follow", "ships", "--folder", "news").code == 2)
        #expect(try await site.blog("list", "-s", "ships,tide").code == 2)
        let removed = try await site.blog("unfollow", "ships")
        #expect(
            removed.errors == "blog: Removed the search ships. To keep it again: blog search ferry --as ships\n")
        #expect(try await site.blog("sources", "--fields", "name").lines == ["garden", "tide"])
        #expect(try await site.blog("list", "-s", "ships").code == 2)
    }

    @Test("follows its sources when they are renamed, and says what is missing instead of listing other posts")
    func references() async throws {
        try await keep("-source:tide is:unread OR", as: "rest")
        try await keep("ferry (source:tide OR tag:none) -source:garden", as: "boats")
        let before = try await ids("list", "-s", "rest")
        #expect(!before.isEmpty && before.allSatisfy { $0.hasPrefix("garden:") })
        #expect(try await site.blog("follow", "tide", "--as", "harbour").code == 0)
        #expect(try await ids("list", "-s", "rest") == before)
        #expect(try await ids("list", "-s", "boats") == ["harbour:4"])
        let words = try await site.blog("sources", "-s", "boats", "--fields", "address").lines
        #expect(words == ["ferry (source:harbour OR tag:none) -source:garden"])
        #expect(try await site.blog("follow", "garden", "--folder", "plants").code == 0)
        try await keep("-folder:plants", as: "dry")
        #expect(try await ids("list", "-s", "dry").count == 4)
        #expect(try await site.blog("follow", "garden", "--folder", "/").code == 0)
        let broken = try await site.blog("mark", "read", "--all", "-s", "dry")
        #expect(broken.code == 2 && broken.errors.contains("Invalid value “plants” for “folder:”"), "\(broken.errors)")
        let failing = try await site.blog("sources", "--failing", "--format", "json").output
        #expect(failing.contains("\"name\":\"dry\"") && failing.contains("plants"), "\(failing)")
        #expect(try await site.blog("search", "x source:rest").code == 2)
        for options in [["--repair"], ["--address", "http://a.example/"]] {
            #expect(try await site.blog(["follow", "rest"] + options).errors.contains("has posts of other sources"))
        }
    }

    @Test("isn't the source at an address, and a source that moved can be forgotten")
    func addresses() async throws {
        let feed = "\(site.server.address)/feeds/garden/feed.xml"
        #expect(try await site.blog("unfollow", "garden", "--forget").code == 0)
        try await keep(feed, as: "links")
        #expect(try await site.blog("follow", feed, "--as", "garden").errors.contains("Following garden"))
        let other = "\(site.server.address)/feeds/saltmarsh/atom.xml"
        let moved = try await site.blog("follow", "garden", "--address", other)
        #expect(moved.code == 0, "\(moved.errors)")
        #expect(try await site.blog("unfollow", "garden", "--forget").code == 0)
        #expect(try await site.blog("sources", "--fields", "name").lines == ["tide", "links"])
    }

    @Test("is imported with the names that its sources have there, and not if it finds nothing")
    func imported() async throws {
        try await keep("source:tide -ferry", as: "calm")
        let export = try await site.blog("store", "export").output
        let empty = #"{"source":"search","address":"-beta","name":"x","folder":""}"#
        let file = site.home.appending(path: "export.jsonl")
        try Data((empty + "\n" + export).utf8).write(to: file)
        let other = site.home.appending(path: "other.sqlite3").path
        let garden = "\(site.server.address)/feeds/garden/feed.xml"
        #expect(try await site.blog("follow", garden, "--as", "tide", "--store", other).code == 0)
        _ = try await site.blog("store", "import", file.path, "--store", other)
        let rows = try await site.blog("sources", "--fields", "name,kind,address", "--store", other).lines
        let name = try #require(rows.first { $0.hasSuffix("/feeds/feed.xml") }?.split(separator: "\t").first)
        #expect(rows.last == "calm\tsearch\tsource:\(name) -ferry" && name != "tide")
        #expect(!rows.contains { $0.contains("-beta") })
        #expect(try await ids("list", "-s", "calm", "--offline", "--store", other).count == 3)
    }

    @Test("says what a search ignores when it is kept")
    func notices() async throws {
        let run = try await site.blog("search", "sourc:hn tag:code - ferry", "--as", "odd")
        #expect(run.errors.contains("“sourc:” isn't a search filter") && run.errors.contains("“-” was ignored"))
    }

    @Test("is kept alone, and only if its conditions make sense")
    func rejected() async throws {
        for options in [["--unread"], ["-s", "tide"], ["--folder", "x"], ["--limit", "2"], ["--new=a"]] {
            let run = try await site.blog(["search", "ferry", "--as", "boats"] + options)
            #expect(run.code == 2 && run.errors.contains("can't be combined"), "\(options) \(run.errors)")
        }
        let unknown = try await site.blog("search", "ferry source:nobody", "--as", "boats")
        #expect(
            unknown.code == 2
                && unknown.errors
                    == "blog: Invalid value “nobody” for “source:”: use garden or tide (at character 7).\n"
        )
        // The source with this title is meant.
        let titled = try await site.blog("search", "ferry source:\"the tide\"", "--as", "boats")
        #expect(titled.errors.contains("use tide (at"), "\(titled.errors)")
        #expect(try await site.blog("search", "x folder:none").code == 2)
        #expect(try await site.blog("search", "-ferry", "--as", "boats").code == 2)
        try await keep("tag:code", as: "code")
        let known = try await site.blog("search", "tag:code", "--as", "other")
        #expect(known.code == 2)
        #expect(
            known.errors == "blog: This search is kept as “code”.\nTo rename it: blog follow code --as NAME\n")
        #expect(try await site.blog("unfollow", "code").code == 0)
        #expect(try await site.blog("sources", "--fields", "name").lines == ["garden", "tide"])
    }

    @Test("is in exports and imports, and in completions, but not in OPML")
    func copies() async throws {
        try await keep("tag:code OR \"the ferry\"", as: "boats")
        let file = site.home.appending(path: "export.jsonl").path
        let export = try await site.blog("store", "export")
        try Data(export.output.utf8).write(to: URL(filePath: file))
        let other = site.home.appending(path: "other.sqlite3").path
        #expect(try await site.blog("store", "import", file, "--store", other).code == 0)
        #expect(
            try await ids("list", "-s", "boats", "--offline", "--store", other)
                == (try await ids("list", "-s", "boats")))
        #expect(try await site.blog("store", "export", "--store", other).output == export.output)
        #expect(try await site.blog("__complete", "bash", "blog", "list", "-s", "bo").output.hasPrefix("boats"))
        #expect(!(try await site.blog("sources", "--format", "opml").output.contains("boats")))
    }
}
