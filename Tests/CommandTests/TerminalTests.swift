import BlogMarkup
import BlogMockServer
import BlogRendering
import BlogTestSupport
import Foundation
import Testing

@Suite("blog on a terminal") struct TerminalTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    @Test(
        "shows dates in the user's time zone, in summer and in winter",
        arguments: [
            ("UTC", "5 Oct 2018", "18 Jan 2016"), ("WIN-14SUM+1,M3.1.0,M11.1.0", "4 Oct 2018", "19 Jan 2016"),
            ("FAR-14", "5 Oct 2018", "19 Jan 2016"), ("FAR+12", "4 Oct 2018", "17 Jan 2016"),
            ("", "5 Oct 2018", "18 Jan 2016"), ("Nowhere/Land", "5 Oct 2018", "18 Jan 2016"),
            ("/etc/passwd", "5 Oct 2018", "18 Jan 2016"), ("<", "5 Oct 2018", "18 Jan 2016"),
        ])
    func days(zone: String, summer: String, winter: String) async throws {
        let screen = try await site.screen(["list", "--color", "never"], environment: ["TZ": zone])
        #expect(screen.contains(summer))
        #expect(screen.contains(winter))
    }

    @Test(
        "lists the posts of a day as the day is shown, in pipes too",
        arguments: [
            ("UTC", "2018-10-05", 1), ("WIN-14SUM+1,M3.1.0,M11.1.0", "2018-10-04", 1), ("FAR+12", "2018-10-05", 0),
        ])
    func daysAsShown(zone: String, day: String, count: Int) async throws {
        let days = ["list", "--since", day, "--until", day]
        #expect(try await site.blog(days, environment: ["TZ": zone]).lines.count == count)
        #expect(
            try await site.blog("search", "since:\(day) until:\(day)", environment: ["TZ": zone]).lines.count == count)
    }

    @Test("says once how to read a post with the searched words highlighted")
    func hint() async throws {
        _ = try await site.blog("sync")
        #expect(try await site.screen(["search", "releases"]).contains("blog read ID --mark releases"))
        #expect(!(try await site.screen(["search", "releases"]).contains("--mark")))
    }

    @Test("shows cards in colour, with a header for each group", arguments: [80, 50])
    func cards(columns: Int) async throws {
        let screen = try await site.screen(["list", "--group", "author"], columns: columns)
        #expect(screen.contains("\u{1B}[1;34mKerri Lane\u{1B}[0m · \u{1B}[2m4 posts\u{1B}[0m"))
        let plain = screen.replacing(#/\e\[[0-9;]*m/#, with: "")
        #expect(plain.split(separator: "\n").allSatisfy { DisplayWidth.of($0) <= columns })
    }

    @Test(
        "shows below a list how much of it was shown, and how to see more",
        arguments: [
            (["--limit", "5"], "5 of 15 · 14 unread ", "more with --page 2"),
            (["--limit", "5", "--page", "2"], "6 to 10 of 15 · 14 unread ", "more with --page 3"),
            (["--limit", "5", "--page", "3"], "11 to 15 of 15 · 14 unread ", nil),
            (["--limit", "20"], "15 posts · 14 unread ", nil), ([], "15 posts · 14 unread ", nil),
            (["--unread"], "14 posts ", nil), (["--limit", "4", "--page", "4"], "13 to 15 of 15 · 14 unread ", nil),
        ] as [([String], String, String?)])
    func footer(options: [String], counts: String, more: String?) async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "read", "14")
        let screen = try await site.screen(["list", "--color", "never"] + options)
        let footer = screen.split(separator: "\n").suffix(2).joined(separator: " ")
        #expect(footer.contains(counts), "\(footer)")
        #expect(footer.contains(more ?? counts) && footer.contains("more with") == (more != nil), "\(footer)")
    }

    @Test("shows how many posts of a source are unread, and how many bodies are missing")
    func sources() async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "read", "14")
        #expect(try await site.screen(["sources"]).contains("15 posts · 14 unread · 15 bodies missing"))
        _ = try await site.blog("sync", "--limit", "14")
        #expect(try await site.screen(["sources"]).contains("15 posts · 14 unread · 1 body missing"))
    }

    @Test("doesn't count beyond 10,000 posts below a list")
    func longFooter() async throws {
        let site = try TestSite(MadeUpSite(posts: 10_001))
        let screen = try await site.screen(["list", "--limit", "1", "--color", "never", "--width", "120"])
        #expect(screen.contains("1 of 10000+ · 10000+ unread · "), "\(screen)")
    }

    @Test("shows facts in columns with a header")
    func facts() async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "saved", "1", "2")
        _ = try await site.blog("mark", "read", "3")
        let screen = try await site.screen(["undo", "--list", "--color", "never"])
        #expect(
            screen.split(separator: "\n") == [
                "mark   posts  titles", "read   1      “Éclairs, Gradients and Other Layers”",
                "saved  2      “Reading a Stack Trace, Part 2”, “The Case for Small Releases”",
            ])
        #expect(try await site.screen(["undo", "--list", "--format", "tsv"]).contains("saved\t2\t“Reading"))
    }

    @Test(
        "shows no colour if it is turned off",
        arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func noColour(environment: [String: String]) async throws {
        let screen = try await site.screen(["list"], environment: environment)
        #expect(screen.contains("Kerri Lane") && !screen.contains(#/\e\[[0-9;:]*m/#))
    }

    @Test("prints colour in a pipe if it is forced")
    func forcedColour() async throws {
        let run = try await site.blog("list", "--oneline", "--color", "always")
        #expect(run.output.contains("\u{1B}[1m"))
        let forced = try await site.blog("list", "--oneline", environment: ["CLICOLOR_FORCE": "1"])
        #expect(forced.output.contains("\u{1B}[1m"))
        let other = try await site.blog("list", "--oneline", environment: ["FORCE_COLOR": "1", "CLICOLOR": "0"])
        #expect(other.output == forced.output)
        #expect(try await !site.screen(["list", "--oneline"], environment: ["CLICOLOR": "0"]).contains("\u{1B}[3"))
        let plain = try await site.blog("list", "--oneline", environment: ["CLICOLOR_FORCE": "0"])
        #expect(!plain.output.contains("\u{1B}"))
    }

    @Test("shows a post with its title and date, at most 80 columns wide")
    func article() async throws {
        let screen = try await site.screen(["read", "1", "--color", "never"], columns: 200)
        #expect(
            screen.contains("━━━\nKerri Lane, iOS Engineer · 11 February 2016 · 1\n\nBig releases"))
        #expect(screen.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("shows each post as soon as it arrives if there is no pager", arguments: ["", "cat", "no-such-pager"])
    func withoutPager(command: String) async throws {
        _ = try await site.blog("list")
        site.server.setFault(.stall, for: "/post/2002")
        let terminal = try Terminal(columns: 80, rows: 24)
        let process = site.process(["read", "1", "2"], environment: ["BLOG_PAGER": command])
        async let code = terminal.run(process)
        try await terminal.wait(for: "Big releases")
        process.interrupt()
        #expect(try await code == 130)
    }

    @Test("shows that it waits for a post, and draws nothing over the pager's page")
    func massive() async throws {
        let site = try TestSite(LongPost(lines: 24_000, apart: "\n\n"))
        site.server.setFault(.hold, for: "/post/1")
        let terminal = try Terminal(columns: 80, rows: 24)
        // However long a busy machine takes to let it go on.
        let process = site.process(
            ["read", "1", "--timeout", "600"], environment: ["BLOG_PAGER": "sed 's/^/> /'"])
        async let code = terminal.run(process)
        try await terminal.wait(for: " waiting")
        site.server.setFault(nil, for: "/post/1")
        #expect(try await code == 0)
        try await terminal.wait(for: "> line 24000\n")
        let page = try #require(terminal.output.firstRange(of: "> "))
        #expect(!terminal.output[page.lowerBound...].contains(#/[⠀-⣿]/#))
    }

    @Test("says once what it waits for if a screen reader reads all that it writes")
    func accessible() async throws {
        let site = try TestSite(LongPost(lines: 10))
        site.server.setFault(.hold, for: "/post/1")
        let terminal = try Terminal(columns: 80, rows: 24)
        let process = site.process(
            ["read", "1", "--timeout", "600"], environment: ["ACCESSIBLE": "1", "PAGER": "cat"])
        async let code = terminal.run(process)
        try await terminal.wait(for: "blog: Waiting for 127.0.0.1…\n")
        site.server.setFault(nil, for: "/post/1")
        #expect(try await code == 0)
        #expect(terminal.count(of: "Waiting") == 1)
        #expect(!terminal.output.contains(#/[⠀-⣿]|\e\[K/#))
    }

    @Test("starts the pager only for output longer than the screen")
    func pager() async throws {
        let pager = ["BLOG_PAGER": "sed 's/^/> /'"]
        #expect(try await site.screen(["list"], rows: 10, environment: pager).contains(">    \u{1B}[36m田中 美咲\u{1B}[0m"))
        #expect(
            try await site.screen(["list", "--color=never"], rows: 10, environment: pager).contains(">    田中 美咲 · ")
        )
        #expect(try await !site.screen(["list"], rows: 300, environment: pager).contains("> "))
        #expect(
            try await site.screen(["list"], rows: 10, environment: ["BLOG_PAGER": "no-such-pager -x"]).contains(
                "Caches"))
        #expect(try await !site.screen(["list", "--no-pager"], rows: 10, environment: pager).contains("> "))
    }

    @Test("shows what it waits for, and clears the line afterwards")
    func progress() async throws {
        site.server.setFault(.hold, for: "/post-metadata")
        let terminal = try Terminal(columns: 80, rows: 200)
        let process = site.process(["list", "--timeout", "600"])
        async let code = terminal.run(process)
        try await terminal.wait(for: "127.0.0.1 waiting")
        site.server.setFault(nil, for: "/post-metadata")
        #expect(try await code == 0)
        try await terminal.wait(for: "\r\u{1B}[K\u{1B}[34m●\u{1B}[0m  \u{1B}[1mCaches")
    }

    @Test("ends at once on Ctrl-C, with the store intact")
    func interrupt() async throws {
        _ = try await site.blog("list")
        let before = try await site.blog("store", "export").lines
        #expect(before.count == 16)
        site.server.setFault(.stall, for: "/post/2001")
        let terminal = try Terminal(columns: 80, rows: 24)
        let process = site.process(["read", "1", "--timeout", "86400"])
        async let code = terminal.run(process)
        try await terminal.wait(for: "127.0.0.1")
        process.interrupt()
        #expect(try await code == 130)
        #expect(try await site.blog("store", "check").code == 0)
        #expect(try await site.blog("store", "export").lines == before)
    }

    @Test("wraps messages between words, without a line that looks like another message", arguments: [40, 61])
    func notices(columns: Int) async throws {
        let name = "nobody blog: FAKE blog: FAKE blog: FAKE blog: FAKE"
        let screen = try await site.screen(["list", "--author", name], columns: columns)
        let lines = screen.split(separator: "\n")
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= columns }, "\(screen)")
        let words = screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words == "blog: No matching posts by “\(name)”. To see the authors: blog list --group author")
        #expect(lines.count { $0.hasPrefix("blog: ") } == 1)
    }
}
