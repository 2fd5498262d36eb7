import BlogTestSupport
import Foundation
import Testing

@Suite("A post counts as seen") struct SeenTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    /// The IDs of the posts that have been read.
    private func read() async throws -> [String] {
        let run = try await site.blog("list", "--offline", "--fields", "id,read", "--sort", "date", "--reverse")
        return run.lines.filter { $0.hasSuffix("\ttrue") }.map { String($0.prefix { $0 != "\t" }) }
    }

    /// Reads posts on a terminal of five lines, through a pager or without one.
    private func onTerminal(
        _ arguments: [String], pager: String, of other: TestSite? = nil, code: Int32 = 0
    ) async throws -> String {
        let site = other ?? self.site
        return try await site.screen(
            arguments, rows: 5, environment: ["BLOG_PAGER": pager, "TMPDIR": site.home.path], code: code)
    }

    @Test("in a pager if it was the first one, even if the pager is left early")
    func pager() async throws {
        _ = try await onTerminal(["read", "next:3"], pager: "head -n 1")
        #expect(try await read() == ["14"])
        _ = try await site.blog("mark", "unread", "14")
        let output = try await onTerminal(["read", "next:3"], pager: "tee page")
        #expect(try await read() == ["14"])
        #expect(output.contains("Only 14 counts as read: blog can't tell how far you read in the pager."))
        #expect(output.contains("blog mark read 13 12"))
        #expect(try await site.blog("read", "last", "--format", "ids").output == "14\n")
    }

    @Test("in a pager that is left before all of the post is written to it")
    func longInPager() async throws {
        // More than a pipe holds, so that writing it fails.
        let site = try TestSite(LongPost(lines: 20_000))
        for options in [[], ["--refresh"]] {
            _ = try await site.blog("list")
            _ = try await site.blog("mark", "unread", "1")
            _ = try await onTerminal(["read", "1"] + options, pager: "true", of: site)
            #expect(try await site.blog("list", "--offline", "--fields", "read").output == "true\n")
        }
    }

    @Test("not if the pager fails, which is said", arguments: ["false", "$HOME/none -R", "cat >/dev/null; exit 3"])
    func failingPager(pager: String) async throws {
        for site in [site, try TestSite(LongPost(lines: 20_000))] {
            _ = try await site.blog("list")
            let output = try await onTerminal(["read", "1"], pager: pager, of: site, code: 1)
            #expect(output.contains("The pager “\(pager)” failed (exit status "), "\(output)")
            #expect(try await site.blog("list", "--offline", "--unread", "--format", "ids").lines.contains("1"))
        }
    }

    @Test("in a pager if it was the only one")
    func single() async throws {
        let output = try await onTerminal(["read", "next"], pager: "tee page")
        #expect(try await read() == ["14"])
        #expect(!output.contains("counts as read"))
    }

    @Test("on a terminal without a pager, and in a pipe")
    func others() async throws {
        _ = try await onTerminal(["read", "next:2"], pager: "cat")
        _ = try await site.blog("read", "next")
        #expect(try await read().count == 3)
    }

    @Test("in a pipe if its reader took all of it, but not if that exited before")
    func partOfPipe() async throws {
        // Stored posts are written whole, and arriving ones in pieces.
        _ = try await site.blog("sync")
        _ = try await site.shell("read 14 13 12", "| dd bs=65536 count=1 of=/dev/null status=none")
        #expect(try await read() == ["14"])
        _ = try await site.shell("read 13 12", "| head -c 1")
        #expect(try await read() == ["14"])
        _ = try await site.shell("read 14 13 12", "| cat")
        #expect(try await read() == ["12", "13", "14"])
    }

    /// The output of a shell that runs `blog list --new=x` with another program after it.
    private func new(_ rest: String) async throws -> Outcome { try await site.shell("list --new=x --format ids", rest) }

    @Test("by --new if the reader took the whole list, but not if that exited before")
    func pipe() async throws {
        let first = try await new("| head -n 3")
        #expect(first.lines.count == 3)
        #expect(first.errors.contains("the next --new will list these posts again"))
        #expect(try await new("--peek | cat").lines.count == 15)
        #expect(try await new("| cat").lines.count == 15)
        #expect(try await new("| cat").lines == [])
    }

    @Test("by --new, but not in a pager, which can't tell how far the user read")
    func newInPager() async throws {
        let output = try await onTerminal(["list", "--new=x"], pager: "tee page")
        #expect(output.contains("blog list --new=x > /dev/null"))
        #expect(try await new("| cat").lines.count == 15)
    }

    @Test("by their IDs on stdin, also after a byte order mark")
    func byteOrderMark() async throws {
        _ = try await site.blog("list")
        #expect(try await site.blog(["mark", "read", "-"], input: "\u{FEFF}14\n13\n").code == 0)
        #expect(try await read() == ["13", "14"])
    }

    @Test("by the objects of a list as JSON on stdin", arguments: ["json", "jsonl"])
    func objects(format: String) async throws {
        let list = try await site.blog("list", "--limit", "2", "--format", format).output
        #expect(try await site.blog(["mark", "read", "-"], input: list).code == 0)
        #expect(try await read() == ["13", "14"])
    }

    @Test(
        "only if their text was printed",
        arguments: [("csv", []), ("tsv", []), ("jsonl", ["14"]), ("csv --fields id,body", ["14"])])
    func rows(format: String, read expected: [String]) async throws {
        _ = try await site.blog("list")
        let words = format.split(separator: " ").map(String.init)
        #expect(try await site.blog(["read", "14", "--format"] + words).code == 0)
        #expect(try await read() == expected)
    }

    @Test("by search --new, which lists matches once")
    func newMatches() async throws {
        _ = try await site.blog("sync")
        let all = try await site.blog("search", "the", "--format", "ids").lines
        #expect(all.count > 1)
        #expect(try await site.blog("search", "the", "--new=x", "--peek", "--format", "ids").lines == all)
        #expect(try await site.blog("search", "the", "--new=x", "--format", "ids").lines == all)
        let again = try await site.blog("search", "the", "--new=x", "--format", "ids")
        #expect(again.output.isEmpty && again.errors == "blog: No new posts match.\n")
        let closed = try await site.shell("search the --new=y --format ids", "| head -n 1")
        #expect(closed.errors.contains("the next --new will list these posts again"))
        #expect(try await site.blog("search", "the", "--new=y", "--format", "ids").lines == all)
    }

    @Test("by --new unless it is only peeked at")
    func peek() async throws {
        #expect(try await new("--peek").lines.count == 15)
        #expect(try await new("").lines.count == 15)
        #expect(try await new("").lines == [])
        let run = try await site.blog("list", "--peek")
        #expect(run.code == 2)
        #expect(run.errors.contains("--peek needs --new"))
    }
}
