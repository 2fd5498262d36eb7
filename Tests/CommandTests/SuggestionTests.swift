import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogLibrary
@testable import BlogRendering

@Suite("What people know from other programs", .serialized) struct SuggestionTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    static let same: [(String, String)] = [
        ("ls --format ids", "list --format ids"), ("list -n 3 --format ids", "list --limit 3 --format ids"),
        ("show 1", "read 1"), ("cat 1 --body", "read 1 --body"), ("version", "--version"),
        ("list -h", "help list"), ("ls --json id,title", "list --json=id,title"),
        ("list --fields id,date", "list --fields id,publishDate"), ("grep caches -n 1", "search caches --limit 1"),
        ("read latest --format ids", "read 14 --format ids"),
        ("read latest:3 --format ids", "read 14 13 12 --format ids"),
        ("read 3-5 --format ids", "read 3 4 5 --format ids"),
        ("read blog:3-5 --format ids", "read 3 4 5 --format ids"),
        ("list --oneline", "list --format table"), ("read latest:2 --json=id", "read 14 13 --json=id"),
        ("list -n3 --format ids", "list --limit 3 --format ids"),
        ("list --title trace --format ids", "list --title *race* --format ids"),
    ]

    @Test("works if there is an equivalent")
    func sameAs() async throws {
        _ = try await site.blog("list")
        for (typed, meant) in Self.same {
            let (first, second) = (try await site.run(typed), try await site.run(meant))
            #expect(
                first.code == 0 && first.output == second.output && !first.output.isEmpty, "\(typed): \(first.errors)")
        }
    }

    static let elsewhere: [(String, String)] = [
        ("update", "blog sync"), ("fetch", "blog sync"), ("rm swift", "blog unfollow NAME"),
        ("import", "blog follow FILE"), ("reload", "blog list --refresh"), ("feeds", "blog sources"),
        ("unread", "blog list --unread"), ("next", "blog read next"), ("export", "blog store export"),
        ("star 3", "blog mark saved ID"), ("read 1 --mark x", "--highlight WORDS"),
        ("remove swift", "blog unfollow NAME"), ("7", "blog read 7"), ("hn", "blog list -s hn"),
        ("list -o posts.txt", "> FILE"),
        ("read 1 --output x", "> FILE"), ("read 1 -o posts.txt", "> FILE"), ("list --count 3", "wc -l"),
        ("list --after 2018", "--since DATE"), ("list --before 2018", "--until DATE"),
        ("list --starred", "--saved"), ("list --no-color", "--color never"), ("list --plain", "--format text"),
        ("list --csv", "--format csv"), ("list --html", "--format html"),
        ("list --since 2018 --until 2017", "--since 2017 --until 2018"), ("list swift", "blog list -s swift"),
        ("list --new cron", "blog list --new=cron"), ("search x --page 2", "blog search … --limit 20 --page 2"),
        (
            "follow hn --url http://a.b",
            "blog: --url can't be used with blog follow. Did you mean blog follow http://a.b --as NAME?\n"
        ),
        ("store vacuum --dry-run", "blog: --dry-run only works with blog store prune.\n"),
        ("store --keep 1y", "blog: --keep only works with blog store prune.\n"),
        ("completions", "blog: Missing argument: bash, zsh or fish\n"),
        ("list -s blog --section top", "blog: --section isn't supported by blog, only by hn and 500px.\n"),
        ("read latest:0", "use latest, latest:3, next, next:3 or 3-7"),
        ("read 1-99999999999999999999", "at most 1,000 posts"), ("sources --fields name,xyz", "“xyz”"),
        ("list --format yaml", "markdown or html)"), ("sources --format yaml", "csv or opml)"),
        ("list --format opml", "markdown or html)"), ("read 1 --format table", "“table”"),
        ("read 7-3", "“7-3” isn't supported"), ("read 1-1001", "at most 1,000 posts"),
        ("search since:2026-13", "Invalid value “2026-13” for “since:”"),
        ("mark 7 read", "blog mark read 7"), ("mark 7 8 saved", "blog mark saved 7 8"),
        ("follow htp://x.example", "Did you mean “http://x.example”?"),
        ("lsit", "“list”"), ("search word --output DIR", "> FILE"),
        ("list --limt 3", "Did you mean --limit?"),
    ]

    @Test("leads to a message with the command to type", arguments: elsewhere)
    func suggestion(typed: String, part: String) async throws {
        let outcome = try await site.run(typed)
        #expect(outcome.code == 2 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }

    @Test("includes reading the next unread post, until there is none")
    func next() async throws {
        _ = try await site.blog("mark", "read", "--all")
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "read", "--all")
        _ = try await site.blog("mark", "unread", "3", "5")
        #expect(try await site.run("read next").output.hasPrefix("Reading a Stack Trace, Part 10\n"))
        #expect(try await site.run("read next").output.hasPrefix("Éclairs, Gradients"))
        let none = try await site.run("read next")
        #expect(none.code == 0 && none.errors.contains("No unread posts"))
    }

    @Test("includes printing an address instead of opening it")
    func address() async throws {
        site.server.setFault(
            .body(Data(##"{"id":"2001","body":"See [one](https://a.example/#x)."}"##.utf8)), for: "/post/2001")
        #expect(try await site.run("open 1 --link 1 --print").output == "https://a.example/#x\n")
    }

    @Test("includes listing the marks that can be undone, and naming the undone one")
    func undo() async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "saved", "1", "2")
        _ = try await site.blog("mark", "read", "3")
        let list = try await site.run("undo --list")
        #expect(
            list.lines == [
                "read\t1\t“Éclairs, Gradients and Other Layers”",
                "saved\t2\t“Reading a Stack Trace, Part 2”, “The Case for Small Releases”",
            ])
        #expect(
            try await site.run("undo").errors
                == "blog: 1 post marked as unread again: “Éclairs, Gradients and Other Layers”\n")
    }

    @Test("includes naming the filter that hides every post")
    func filters() async throws {
        _ = try await site.blog("list")
        let none = try await site.run("list --author kerri --title caches")
        #expect(none.errors.contains("No matching posts in \(site.server.address). 4 posts match without --title.\n"))
        let one = try await site.run("list --title layers --since 2030")
        #expect(one.errors.contains(" 1 post matches without --since.\n"), "\(one.errors)")
    }

    @Test("includes showing the settings in force, with their origins")
    func config() async throws {
        let config = try await site.run("config --format jsonl")
        #expect(config.output.contains(#"{"name":"store","value":""#))
        #expect(config.output.contains(#""origin":"BLOG_STORE"}"#) || config.output.contains(#""origin":"default"}"#))
    }
}
