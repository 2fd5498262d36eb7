import BlogMockServer
@testable import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("Several posts on a terminal") struct ReadOnScreenTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    /// Options and environment, and whether the posts are read on the full screen.
    static let runs: [(arguments: [String], environment: [String: String], opensScreen: Bool)] = [
        (["read", "1", "2"], [:], true), (["read", "next:3"], [:], true), (["read", "1", "2"], ["PAGER": "cat"], true),
        (["read", "1", "2"], ["BLOG_PAGER": "cat"], false), (["read", "1", "2", "--no-pager"], [:], false),
        (["read", "1", "2"], ["TERM": "dumb"], false),
        (["read", "1", "2"], ["ACCESSIBLE": "1", "PAGER": "cat"], false),
        (["read", "1", "2", "--format", "json"], ["PAGER": "cat"], false), (["read", "1"], ["PAGER": "cat"], false),
        (["search", "the", "--browse"], [:], true), (["browse"], [:], true),
        (["browse"], ["BLOG_PAGER": "cat"], true),
    ]

    @Test("are read on the full screen unless the user chose otherwise", arguments: runs)
    func choice(arguments: [String], environment: [String: String], opensScreen: Bool) async throws {
        let screen = "\u{1B}[?1049h"
        let terminal = try Terminal(columns: 80, rows: 24, response: Terminal.Response(to: screen, "Q"))
        let process = site.process(arguments, environment: environment)
        #expect(try await terminal.run(process, input: terminal.program) == 0)
        #expect(terminal.output.contains(screen) == opensScreen)
        #expect(terminal.output.contains("\u{1B}[?1049l") == opensScreen)
    }

    @Test("are left at once while another process holds the store, which says what isn't stored")
    func busy() async throws {
        _ = try await site.blog("list")
        let other = try Database(path: site.storePath, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        #expect(try await site.run("list --offline").code == 0)
        let terminal = try Terminal(columns: 80, rows: 24, response: Terminal.Response(to: "Caches", "sq"))
        let process = site.process(["browse", "--offline"])
        #expect(try await terminal.run(process, input: terminal.program) == 5)
        // The screen is left before the mark is waited for.
        let screen = try #require(terminal.output.range(of: "\u{1B}[?1049l"))
        #expect(terminal.output[screen.upperBound...].contains("Waiting until"))
        #expect(terminal.output.contains("The last marks are not stored"))
        try other.execute("ROLLBACK")
        #expect(try await site.blog("list", "--saved").lines.isEmpty)
    }

    @Test("count as read in a pipe, or it is said that they don't, because another process is using the store")
    func unmarked() async throws {
        _ = try await site.blog("sync")
        let other = try Database(path: site.storePath, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let run = try await site.blog("read", "14", "11")
        #expect(run.code == 5 && run.output.contains("Caches"))
        #expect(
            run.errors == """
                blog: Not marked as read, because another process is using the store. To mark it: blog mark read 14 11

                """)
        try other.execute("ROLLBACK")
        #expect(try await site.blog("list", "--unread").lines.count == 15)
    }

    @Test(
        "are left, and nothing more is stored, once a newer version has changed the store",
        arguments: [
            (["browse"], "Caches", "s"), (["browse", "--plain"], "> ", "s 1\n"),
            (["read", "1", "2"], "Small Releases", "s"),
        ])
    func migrated(arguments: [String], shown: String, keys: String) async throws {
        _ = try await site.blog("list")
        let terminal = try Terminal(columns: 200, rows: 24)
        let process = site.process(arguments + ["--offline"])
        async let run = terminal.run(process, input: terminal.program)
        try await terminal.wait(for: shown)
        let other = try Database(path: site.storePath, mode: .readWrite)
        other.setBusyTimeout(milliseconds: 10_000)
        try other.execute("PRAGMA user_version = 99")
        try terminal.type(keys)
        #expect(try await run == 1)
        let sentence = "blog: The store \(site.storePath) was changed by a newer version of blog: start again."
        #expect(terminal.output.hasSuffix(sentence + "\n"), "\(terminal.output.suffix(500))")
        #expect(!terminal.output.contains("SQL"))
        #expect(try other.integer("SELECT count(*) FROM posts WHERE is_saved") == 0)
    }

    @Test("can be saved while more commands of the user's run than there are processors")
    func commands() async throws {
        // It ends only if a key has to wait for it.
        try site.set("command.wait = sleep 20; touch ended\nkey.wait = P\n")
        _ = try await site.blog("list")
        let presses = String(repeating: "P", count: ProcessInfo.processInfo.activeProcessorCount + 2)
        let terminal = try Terminal(columns: 80, rows: 24, response: Terminal.Response(to: "Caches", presses + "sq"))
        let process = site.process(["browse", "--offline"])
        #expect(try await terminal.run(process, input: terminal.program) == 0)
        #expect(try await site.blog("list", "--saved").lines.count == 1)
        #expect(!FileManager.default.fileExists(atPath: site.home.appending(path: "ended").path))
    }

    @Test("are read without a pager by blog browse --plain, however long they are")
    func lines() async throws {
        let terminal = try Terminal(columns: 80, rows: 10, response: Terminal.Response(to: "> ", "1\nQ\n"))
        let process = site.process(["browse", "--plain"], environment: ["PAGER": "echo the pager runs; cat"])
        #expect(try await terminal.run(process, input: terminal.program) == 0)
        #expect(terminal.output.contains("1. "))
        #expect(!terminal.output.contains("the pager runs"))
    }
}
