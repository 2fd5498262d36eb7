import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A rule", .serialized) struct RuleTests {
    private let site: TestSite
    private static let feeds = Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")

    init() async throws {
        site = try await TestSite.followingFeeds()
    }

    private func ids(_ arguments: String...) async throws -> [String] {
        try await site.blog(arguments + ["--format", "ids"]).lines
    }

    private func add(_ arguments: String...) async throws {
        let run = try await site.blog(["rule", "add"] + arguments)
        #expect(run.code == 0 && run.output.isEmpty, "\(run.errors)")
    }

    @Test("hides what it finds from lists, searches, counts, --new and marking, until it is removed")
    func hiding() async throws {
        let export = try await site.blog("store", "export").output
        let all = try await ids("list", "-s", "tide")
        #expect(all == ["tide:4", "tide:3", "tide:2", "tide:1"])
        let added = try await site.blog("rule", "add", "ferry", "-source:garden", "--hide")
        #expect(added.errors == "blog: Rule 1: hide 1 post.\n")
        let missing = try await site.blog("search", "ferry")
        #expect(
            missing.errors.contains("Rules hide 1 post that match: blog search 'in:hidden ferry'"), "\(missing.errors)")
        #expect(try await ids("list", "-s", "tide") == ["tide:3", "tide:2", "tide:1"])
        #expect(try await ids("list", "-s", "tide", "--unread") == ["tide:3", "tide:2", "tide:1"])
        #expect(try await ids("search", "ferry").isEmpty)
        #expect(try await ids("search", "ferry in:hidden") == ["tide:4"])
        #expect(try await ids("list", "--hidden") == ["tide:4"])
        #expect(try await ids("list", "-s", "tide", "--new=x", "--peek").count == 3)
        #expect(try await site.blog("sources", "-s", "tide", "--fields", "posts,unread").lines == ["3\t3"])
        #expect(try await site.blog("mark", "read", "--all", "-s", "tide").errors.contains("3 posts"))
        #expect(try await ids("list", "--hidden", "--unread") == ["tide:4"])
        #expect(try await site.blog("read", "latest", "-s", "tide", "--no-mark").output.contains("Ferry") == false)
        #expect(try await site.blog("read", "tide:4", "--no-mark").code == 0)
        #expect(try await site.blog("mark", "saved", "tide:4").code == 0)
        #expect(try await ids("list", "--saved").isEmpty)
        #expect(try await site.blog("store", "check").code == 0)
        let removed = try await site.blog("rule", "remove", "1")
        #expect(
            removed.errors
                == "blog: Removed rule 1. To add it again: blog rule add 'ferry -source:garden' --hide\n")
        #expect(try await ids("list", "-s", "tide") == all)
        #expect(try await ids("list", "--saved") == ["tide:4"])
        // The first says that a removed rule can't be brought back by it.
        for _ in 1...3 { #expect(try await site.blog("undo").code == 0) }
        #expect(try await site.blog("store", "export").output == export)
    }

    @Test("applies to posts that arrive or change, and to their texts")
    func arriving() async throws {
        try await add("boat", "--hide")
        try await add("ferry", "--read", "--save", "--label", "to see")
        #expect(try await ids("list", "--saved") == ["tide:4"])
        #expect(try await ids("list", "--label", "to see") == ["tide:4"])
        let feed = try String(contentsOf: Self.feeds.appending(path: "feed.xml"), encoding: .utf8)
        func serve(_ text: String) { site.server.setFault(.body(Data(text.utf8)), for: "/feeds/feed.xml") }
        // The words of an entry change, and so does what is hidden.
        serve(feed.replacing("Ferry", with: "Boat").replacing("ferry-wouldnt", with: "boat-wouldnt"))
        #expect(try await site.blog("list", "-s", "tide", "--refresh").code == 0)
        #expect(try await ids("list", "--hidden").first?.hasPrefix("tide:") == true)
        let count = try await ids("list", "-s", "tide").count
        serve(feed)
        #expect(try await site.blog("list", "-s", "tide", "--refresh").code == 0)
        #expect(try await ids("list", "-s", "tide").count >= count)
        #expect(try await ids("list", "--hidden", "--title", "ferry").isEmpty)
        // A mark that the user takes back stays so.
        #expect(try await site.blog("mark", "unsaved", "tide:4").code == 0)
        serve(feed.replacing("</title>", with: "!</title>"))
        #expect(try await site.blog("list", "-s", "tide", "--refresh").code == 0)
        #expect(try await ids("list", "--saved") == [])
    }

    @Test("marks what is stored in one step that can be undone, and once only")
    func marks() async throws {
        let export = try await site.blog("store", "export").output
        try await add("source:tide", "--read", "--save", "--label", "x")
        #expect(try await ids("list", "-s", "tide", "--unread").isEmpty)
        #expect(try await ids("list", "--saved").count == 4)
        #expect(try await site.blog("undo").errors.contains("and its marks from 4 posts"))
        #expect(try await site.blog("label").output.isEmpty)
        #expect(try await ids("list", "-s", "tide", "--unread").count == 4)
        #expect(try await site.blog("store", "export").output == export)
    }

    @Test("is tested before it is added, and listed with the current names of sources")
    func listed() async throws {
        let tested = try await site.blog("rule", "test", "source:tide", "--format", "ids")
        #expect(tested.code == 0 && tested.errors.contains("The rule would find"), "\(tested.errors)")
        try await add("title:ferry", "--hide", "--expires", "2999")
        #expect(try await site.blog("rule", "--format", "ids").lines == ["1"])
        try await add("soon", "--hide", "--expires", "30d")
        #expect(try await site.blog("rule", "remove", "2").code == 0)
        try await add("source:garden", "--label", "green", "--read")
        let rows = try await site.blog("rule", "--fields", "number,words,actions,expires,status").lines
        #expect(
            rows == [
                "1\ttitle:ferry\thide\t2999-12-31\tok", "2\tsource:garden\tmark as read and label “green”\t\tok",
            ])
        #expect(try await site.blog("rule", "--json").output.contains("\"words\":\"title:ferry\""))
        #expect(try await site.blog("follow", "garden", "--as", "plot").code == 0)
        #expect(try await site.blog("rule", "--fields", "words").lines == ["title:ferry", "source:plot"])
        #expect(try await site.blog("unfollow", "plot", "--forget").code == 0)
    }

    @Test("doesn't mark what is imported, nor what the user has marked otherwise, also of sources that come and go")
    func once() async throws {
        try await add("source:tide", "--read", "--save")
        #expect(try await site.blog("mark", "unread", "tide:1").code == 0)
        #expect(try await site.blog("mark", "unsaved", "tide:2").code == 0)
        let export = try await site.blog("store", "export").output
        #expect(try await site.blog("unfollow", "tide").code == 0)
        #expect(try await site.blog("follow", "\(site.server.address)/feeds/feed.xml", "--as", "tide").code == 0)
        #expect(try await ids("list", "-s", "tide", "--unread") == ["tide:1"])
        #expect(try await ids("list", "--saved", "-s", "tide") == ["tide:4", "tide:3", "tide:1"])
        let other = try TestSite()
        #expect(try await other.blog("rule", "add", "ferry OR fog", "--read", "--save").code == 0)
        #expect(try await other.blog("store", "import", "-", input: export).code == 0)
        #expect(
            try await other.blog("list", "--unread", "--offline", "--format", "ids", "-s", "tide").lines == ["tide:1"])
        #expect(try await other.blog("list", "--saved", "--offline", "--format", "ids", "-s", "tide").lines.count == 3)
        // The name of a label is the same everywhere.
        try await add("fog", "--label", "later")
        #expect(try await site.blog("search", "label:later", "--as", "later").code == 0)
        #expect(try await site.blog("label", "rename", "later", "to read").code == 0)
        #expect(try await site.blog("rule", "--fields", "actions").lines.last == "label “to read”")
        #expect(try await ids("list", "-s", "later") == ["tide:1"])
    }

    @Test("comes along in an export, with marks as they are")
    func exported() async throws {
        try await add("ferry", "--hide", "--save")
        try await add("source:garden", "--read", "--expires", "2999")
        #expect(try await site.blog("mark", "unsaved", "tide:4").code == 0)
        let export = try await site.blog("store", "export").output
        let other = try TestSite()
        let imported = try await other.blog("store", "import", "-", input: export)
        #expect(imported.code == 0 && !imported.errors.contains("Skipped"), "\(imported.errors)")
        #expect(try await other.blog("list", "--hidden", "--format", "ids", "--offline").lines == ["tide:4"])
        #expect(try await other.blog("store", "export").output == export)
        #expect(try await other.blog("store", "import", "-", input: export).code == 0)
        #expect(try await other.blog("rule", "--fields", "number").lines == ["1", "2"])
        for bad in [
            "{\"rule\":\"x\"}", "{\"rule\":\"x\",\"marks\":[\"unsaved\"]}",
            "{\"rule\":\"x\",\"marks\":[\"labelled \"]}",
        ] {
            #expect(try await other.blog("store", "import", "-", input: bad + "\n").errors.contains("Skipped line"))
        }
        let many = (1...499).map { "{\"rule\":\"x\($0)\",\"hide\":true}\n" }.joined()
        let excess = try await other.blog("store", "import", "-", input: many)
        #expect(excess.code == 1)
        #expect(excess.errors.contains("Rules left out: 1. There can be at most 500."), "\(excess.errors)")
        #expect(try await other.blog("rule", "test", "x", "--format", "html").code == 2)
    }

    @Test(
        "explains what is wrong, with the place in its search",
        arguments: [
            (["add"], "Missing argument: words"), (["add", "ferry"], "what to do: --hide, --read, --save or --label"),
            (["add", "is:unread", "--hide"], "“is:” can't be used in a rule"),
            (["add", "x -label:a", "--hide"], "(at character 4)"),
            (["add", "x in:hidden", "--hide"], "“in:” can't be used in a rule"),
            (["add", "x since:7d", "--hide"], "“since:” needs a fixed date in a rule, like 2026-07 (at character 3)"),
            (["add", "-x", "--hide"], "There are no words to search for"),
            (["add", "source:nope", "--hide"], "Invalid value “nope” for “source:”"),
            (["add", "x", "--hide", "--expires", "2001"], "--expires 2001 is in the past"),
            (["add", "x", "--label", "a\"b"], "Invalid label"), (["ad", "x"], "Did you mean “add”?"),
            (["test", "is:saved"], "can't be used in a rule"),
            (["add", "(x", "--hide"], "isn't closed (at character 1)"),
            (["add", "x", "--hide", "-s", "tide"], "write source:NAME in its search"),
            (["add", "x in:title", "--hide"], "use title:, author: or another field"),
            (["add", "x", "--hide", "--expires", "soon"], "or an age like 30d"),
            (["test", "x", "--hide"], "--hide only works with rule add"),
            (["remove"], "the number of a rule"), (["remove", "x"], "“x” isn't the number of a rule"),
            (["remove", "9"], "No rule has the number 9"), (["--limit", "3"], "--limit only works with rule test"),
            (["add", "ferry", "--save"], "This rule exists already"),
        ])
    func errors(arguments: [String], message: String) async throws {
        try await add("ferry", "--save")
        let run = try await site.blog(["rule"] + arguments)
        #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(message), "\(run.code): \(run.errors)")
    }

    @Test("says if it finds more than 30 % of the last 30 days")
    func large() async throws {
        let now = Date().ISO8601Format()
        let items = (1...9).map {
            "<item><title>\($0 > 7 ? "ad" : "news") \($0)</title><pubDate>\(now)</pubDate></item>"
        }
        let feed = "<rss version=\"2.0\"><channel><title>F</title>\(items.joined())</channel></rss>"
        site.server.setFault(.body(Data(feed.utf8)), for: "/feeds/feed.xml")
        #expect(try await site.blog("list", "-s", "tide", "--refresh").code == 0)
        let small = try await site.blog("rule", "add", "title:ad", "--hide")
        #expect(small.errors.contains("hide 2 posts, 2 of") && !small.errors.contains("30 %"), "\(small.errors)")
        let large = try await site.blog("rule", "add", "title:news", "--hide")
        #expect(
            large.errors.contains("That is more than 30 %. To remove the rule: blog rule remove 2"), "\(large.errors)")
        #expect(try await site.blog("rule", "--fields", "posts").lines == ["2", "7"])
    }
}
