import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("Combined options of a list", .serialized) struct ListOptionsTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(Repository.hackerNewsSite.get())
    }

    static let pages: [([String], String)] = [
        (["--limit", "4"], "14 13 12 11"), (["--limit", "4", "--page", "1"], "14 13 12 11"),
        (["--limit", "4", "--page", "2"], "10 9 8 7"), (["--limit", "4", "--page", "4"], "2 1 42"),
        (["--limit", "4", "--page", "5"], ""), (["--limit", "2", "--page", "2", "--reverse"], "2 3"),
        (["--limit", "2", "--page", "2", "--sort", "title"], "13 6"),
        (["--limit", "2", "--page", "2", "--author", "kerri"], "6 1"),
        (["--limit", "3", "--page", "2", "--group", "author"], "11 10 9"),
        (["--limit", "2", "--page", "2", "--since", "2018"], "12 11"),
    ]

    @Test("select a page after sorting and filtering", arguments: pages)
    func page(options: [String], ids: String) async throws {
        let blog = try TestSite()
        let run = try await blog.blog(["list", "--format", "ids"] + options)
        #expect(Set(run.lines) == Set(ids.split(separator: " ").map(String.init)))
        #expect(run.lines.joined(separator: " ") == ids || options.contains("--group"))
    }

    @Test(
        "require a limit for a page, which is at least 1",
        arguments: [["--page", "2"], ["--limit", "2", "--page", "0"]])
    func noLimit(options: [String]) async throws {
        #expect(try await site.blog(["list"] + options).code == 2)
    }

    @Test("select unread posts, saved ones, or both")
    func marks() async throws {
        let site = try TestSite()
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "read", "14", "13", "12")
        _ = try await site.blog("mark", "saved", "13", "11", "9")
        func ids(_ options: String...) async throws -> String {
            try await site.blog(["list", "--format", "ids"] + options).lines.joined(separator: " ")
        }
        #expect(try await ids("--saved") == "13 11 9")
        #expect(try await ids("--unread", "--limit", "3") == "11 10 9")
        #expect(try await ids("--saved", "--unread") == "11 9")
        #expect(try await ids("--saved", "--unread", "--reverse", "--limit", "1") == "9")
        #expect(try await ids("--saved", "--until", "2018-08-31", "--since", "2018-08") == "11")
    }

    @Test("select posts with enough points")
    func score() async throws {
        let run = try await site.blog(
            "list", "-s", "hn", "--url", site.server.address + "/v0", "--min-score", "600", "--fields", "id,score")
        let scores = run.lines.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }
        #expect(scores.count > 10 && scores.count == run.lines.count)
        #expect(scores.allSatisfy { $0 >= 600 })
        let exact = try #require(scores.min())
        let again = try await site.blog(
            "list", "-s", "hn", "--url", site.server.address + "/v0", "--min-score", String(exact + 1), "--format",
            "ids")
        #expect(again.lines.count == scores.count { $0 > exact })
    }

    static let filters = [
        ("--title zzz", "title"), ("--tag zzz", "tag"), ("--since 2100", "since"), ("--until 1999", "until"),
        ("--min-score 1", "min-score"), ("--unread --since 2000", "unread"), ("--saved", "saved"),
    ]

    @Test("say that there are no unread posts")
    func noUnread() async throws {
        let site = try TestSite()
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "read", "--all")
        #expect(try await site.blog("list", "--unread").errors == "blog: No unread posts in \(site.server.address).\n")
    }

    @Test("name the one that leaves no posts", arguments: filters)
    func onlyFilter(option: String, name: String) async throws {
        let site = try TestSite()
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "read", "--all")
        let run = try await site.blog(["list"] + option.split(separator: " ").map(String.init))
        #expect(run.code == 0 && run.output == "")
        #expect(run.errors.hasSuffix(". 15 posts match without --\(name).\n"), "\(run.errors)")
    }

    @Test("set the date style")
    func dates() async throws {
        let site = try TestSite()
        let cards = ["list", "--limit", "1", "--format", "text", "--color", "never"]
        #expect(try await site.blog(cards + ["--dates", "absolute"]).output.contains("2018-10-05 00:00"))
        #expect(try await site.blog(cards + ["--dates", "relative"]).output.contains("5 Oct 2018"))
        #expect(try await site.blog(cards + ["--dates", "soon"]).code == 2)
    }

    @Test("select a tag of a feed, which was tried in a dry run and followed as read")
    func feeds() async throws {
        let site = try TestSite(
            FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        let address = site.server.address + "/feeds/feed.xml"
        let dry = try await site.blog("follow", address, "--dry-run")
        #expect(dry.lines == ["127-0-0-1\tfeed\t\t4\tThe Tidewater Reader\t\(address)"] && dry.code == 0)
        #expect(try await site.blog("list", "--offline").code == 4)
        _ = try await site.blog("follow", address, "--as", "f", "--read")
        #expect(try await site.blog("list", "--fields", "id,read").lines.allSatisfy { $0.hasSuffix("\ttrue") })
        #expect(try await site.blog("list", "--tag", "people & boats", "--format", "ids").lines == ["f:4", "f:3"])
        #expect(try await site.blog("list", "--tag", "people", "--format", "ids").output == "")
        #expect(try await site.blog("list", "--tag", "CODE", "--format", "ids").lines == ["f:2"])
        #expect(try await site.blog("search", "the", "tag:code", "--format", "ids").lines == ["f:2"])
        _ = try await site.blog("follow", site.server.address + "/feeds/garden/feed.xml", "--as", "g")
        let elsewhere = try await site.blog("search", "ferry", "-s", "g").errors
        #expect(elsewhere.contains(" contain “ferry”.\nf has matching posts: blog search ferry -s f\n"))
        #expect(elsewhere.hasPrefix("blog: No stored posts in "))
        #expect(try await site.blog("search", "tag:none").errors.contains("No stored posts match “tag:none”."))
        func ids(_ search: String) async throws -> [String] {
            try await site.blog("search", search, "--sort", "date", "--format", "ids").lines
        }
        #expect(try await ids("source:f") == ["f:4", "f:3", "f:2", "f:1"])
        #expect(try await ids("-tag:code source:f") == ["f:4", "f:3", "f:1"])
        let ferry = try await ids("ferry source:f")
        #expect(!ferry.isEmpty && !ferry.contains("f:2"))
        #expect(try await ids("(ferry OR tag:code) source:f -is:saved").sorted() == (ferry + ["f:2"]).sorted())
        #expect(try await ids("ferry source:g").isEmpty)
        _ = try await site.blog("mark", "saved", "f:2")
        #expect(try await ids("is:saved") == ["f:2"])
        #expect(try await ids("(ferry OR tag:code) -is:saved").sorted() == ferry.sorted())
        #expect(try await ids("is:unread source:f").isEmpty)
        _ = try await site.blog("follow", "f", "--folder", "sea/coast")
        #expect(try await ids("folder:sea tag:code") == ["f:2"])
        #expect(try await ids("folder:se").isEmpty)
        #expect(try await ids("-folder:sea is:unread").allSatisfy { $0.hasPrefix("g:") })
    }
}
