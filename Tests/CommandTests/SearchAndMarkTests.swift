import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog search, mark, undo and list --new", .serialized) struct SearchAndMarkTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    @Test("finds words in stored posts, without a request")
    func search() async throws {
        _ = try await site.blog("list")
        site.server.clearRequests()
        let run = try await site.blog("search", "caches")
        #expect(run.lines.count == 1)
        #expect(run.lines[0].contains("**Caches**"))
        #expect(run.errors == "")
        let json = try await site.blog("search", "caches", "--json").json() as? [[String: Any]]
        #expect((json?.first?["snippet"] as? String)?.contains("**Caches**") == true)
        #expect(try await site.blog("search", "caches", "--format", "csv").lines.last?.contains("**Caches**") == true)
        #expect(try await site.blog("search", "caches", "-caches").output == "")
        #expect(site.server.requests.isEmpty)
    }

    @Test("says once that many posts are indexed first")
    func unindexed() async throws {
        let site = try TestSite(MadeUpSite(posts: 5001))
        _ = try await site.blog("list", "--limit", "1")
        let run = try await site.blog("search", "part", "--format", "ids")
        #expect(
            run.errors.hasPrefix("blog: Indexing 5001 posts first, which may take a while."))
        #expect(try await site.blog("search", "part", "--format", "ids").errors == "")
    }

    @Test("explains why nothing was found, and rejects an empty search")
    func nothing() async throws {
        _ = try await site.blog("list")
        let run = try await site.blog("search", "nonexistentword")
        #expect(run.code == 0 && run.output == "")
        #expect(
            run.errors.hasSuffix(
                "15 of 15 posts have no stored body. To fetch the bodies: blog sync\n"))
        for words in [[], [""], ["*"], ["-x"]] {
            #expect(try await site.blog(["search"] + words).code == 2)
        }
        let empty = try await site.blog("search", "x", "--store", site.home.appending(path: "other").path)
        #expect(empty.code == 4)
        #expect(empty.errors.contains("blog sync"))
        for filter in [["--until", "2001"], ["in:author"]] {
            let filtered = try await site.blog(["search", "caches"] + filter)
            #expect(filtered.errors.hasPrefix("blog: No matching posts contain “caches”."), "\(filtered.errors)")
        }
    }

    @Test(
        "rejects a search without words, and says why",
        arguments: [
            ("+++", "“+++” contains no words to search for. To find symbols in titles: blog list --title +++"),
            ("🎉", "“🎉” contains no words to search for. To find symbols in titles: blog list --title '🎉'"),
            ("→ ::", "“→ ::” contains no words to search for. To find symbols in titles: blog list --title '→ ::'"),
            ("- *", "“- *” contains no words to search for."), ("x-y -z", nil), ("a-", nil),
            ("-x", "“-x” contains no words to search for. -WORD only excludes posts: add a word to search for."),
            (
                "+ -x -y",
                "“+ -x -y” contains no words to search for. -WORD only excludes posts: add a word to search for."
            ),
        ])
    func noWord(words: String, message: String?) async throws {
        let run = try await site.blog("search", "--offline", "--", words)
        #expect(!run.errors.contains("contains no words") == (message == nil))
        if let message { #expect(run.code == 2 && run.errors == "blog: \(message)\n") }
    }

    @Test(
        "says what it ignores",
        arguments: [
            ("+ caches", "“+” was ignored: symbols can't be searched for."), ("caches #5", "“#” was ignored"),
            ("a+b OR caches", "“+” was ignored"), ("C++ OR caches €", "“€” was ignored"),
            ("release 🚀", "“🚀” was ignored: symbols can't"),
            ("C# OR caches", nil), ("the AND caches", "“AND” was ignored: all words must match anyway."),
            ("caches OR", "“OR” was ignored: write it between two words."), ("OR caches", "“OR” was ignored"),
            ("caches OR the", nil), ("2^10", nil), ("AND", nil), ("state-of-the-art", nil),
            ("caches -\"zzz qqq\"", nil), ("-\"zzz\" caches", nil), ("\"the caches\" OR caches", nil),
            ("caches - \"zzz\"", "“-” was ignored"),
        ])
    func ignored(words: String, notice: String?) async throws {
        _ = try await site.blog("list")
        let run = try await site.blog("search", "--offline", "--", words)
        #expect(run.code == 0 && run.errors.contains("was ignored") == (notice != nil))
        if let notice { #expect(run.errors.contains("blog: " + notice), "\(run.errors)") }
    }

    @Test("names IDs without a stored post as they were typed")
    func unknownIDs() async throws {
        _ = try await site.blog("follow", site.server.address, "--as", "nerds")
        let run = try await site.blog("mark", "read", "nerds:99", "nerds:1", "x")
        #expect(run.code == 5)
        let lines = Set(run.errors.split(separator: "\n").map(String.init))
        #expect(
            lines == [
                "blog: nerds:99: no such stored post", "blog: x: no such stored post", "blog: 1 post marked as read.",
            ])
        let again = try await site.blog("mark", "read", "nerds:1", "x")
        #expect(again.code == 5)
        #expect(again.errors == "blog: x: no such stored post\nblog: 0 posts marked as read; 1 already was.\n")
        let five = try await site.blog(["mark", "read"] + (100...104).map { "nerds:\($0)" })
        #expect(five.errors.split(separator: "\n").count == 7 && !five.errors.contains("not found"))
        let ids = (100...106).map { "nerds:\($0)" }.joined(separator: "\n")
        let many = try await site.blog("mark", "read", "-", input: ids)
        #expect(many.code == 3)
        #expect(many.errors.split(separator: "\n").count == 8)
        #expect(
            many.errors.contains(
                "blog: 7 IDs not found in the store.\nblog: To list the IDs: blog list --format ids\n"))
    }

    @Test("marks posts in a pipeline, and undoes that")
    func pipeline() async throws {
        let ids = try await site.blog("list", "--unread", "--format", "ids").lines
        let mark = try await site.blog("mark", "read", "-", input: ids.prefix(5).joined(separator: "\n"))
        #expect(mark.errors == "blog: 5 posts marked as read.\n")
        let again = try await site.blog("mark", "read", "-", input: ids.prefix(5).joined(separator: "\n"))
        #expect(again.errors == "blog: 0 posts marked as read; 5 already were.\n")
        #expect(try await site.blog("list", "--unread", "--format", "ids").lines == Array(ids.dropFirst(5)))
        #expect(try await site.blog("undo").errors.hasPrefix("blog: 5 posts marked as unread again: “"))
        #expect(try await site.blog("list", "--unread", "--format", "ids").lines == ids)
        #expect(try await site.blog("undo").errors == "blog: Nothing to undo.\n")
        for (count, end) in [(3, "”\n"), (4, "” and 1 more\n")] {
            _ = try await site.blog("mark", "read", "-", input: ids.prefix(count).joined(separator: "\n"))
            #expect(try await site.blog("undo").errors.hasSuffix(end))
        }
    }

    @Test("marks posts that were read, and all that match a filter")
    func reading() async throws {
        let count = try await site.blog("list").lines.count
        _ = try await site.blog("read", "1")
        #expect(try await site.blog("list", "--unread").lines.count == count - 1)
        _ = try await site.blog("read", "2", "--no-mark")
        _ = try await site.blog("read", "3", "--json=id,title")
        #expect(try await site.blog("list", "--unread").lines.count == count - 1)
        _ = try await site.blog("undo")
        #expect(try await site.blog("list", "--unread").lines.count == count)
        #expect(
            try await site.blog("mark", "saved", "--all", "--title", "caches").errors
                == "blog: 1 post marked as saved.\n")
        #expect(try await site.blog("list", "--saved", "--json=id,read,saved").lines.count == 3)
        #expect(
            try await site.blog("list", "--saved", "--fields", "title,saved").output == "Caches: 3 Hard Things\ttrue\n")
    }

    @Test(
        "rejects what it can't mark",
        arguments: [
            (["mark"], 2), (["mark", "red", "1"], 2), (["mark", "read"], 2), (["mark", "read", "1", "--all"], 2),
            (["mark", "read", "--title", "x"], 2), (["mark", "read", "1", "--title", "x"], 2),
            (["mark", "read", "x"], 3),
            (["mark", "read", "1", "x"], 5),
        ])
    func refusal(arguments: [String], code: Int) async throws {
        _ = try await site.blog("list")
        let run = try await site.blog(arguments)
        #expect(Int(run.code) == code)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("blog: "))
    }

    @Test("lists what is new for each name, and moves on only once all of it was written")
    func new() async throws {
        let all = try await site.blog("list", "--new").lines
        #expect(all.count == 15)
        #expect(try await site.blog("list", "--new").output == "")
        #expect(try await site.blog("list", "--new=cron", "--limit", "3").lines.count == 3)
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let code = try await site.process(["list", "--new=cron"]).run(
            input: .nullDevice, output: full, errors: .nullDevice)
        #expect(code == 1)
        #expect(try await site.blog("list", "--new=cron").lines == all)
        #expect(try await site.blog("list", "--new=cron").output == "")
    }
}
