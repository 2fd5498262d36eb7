import BlogMockServer
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
        let process = try site.process(arguments, environment: environment)
        #expect(try await terminal.run(process, input: terminal.program) == 0)
        #expect(terminal.output.contains(screen) == opensScreen)
        #expect(terminal.output.contains("\u{1B}[?1049l") == opensScreen)
    }

    @Test("are read without a pager by blog browse --plain, however long they are")
    func lines() async throws {
        let terminal = try Terminal(columns: 80, rows: 10, response: Terminal.Response(to: "> ", "1\nQ\n"))
        let process = try site.process(["browse", "--plain"], environment: ["PAGER": "echo the pager runs; cat"])
        #expect(try await terminal.run(process, input: terminal.program) == 0)
        #expect(terminal.output.contains("1. "))
        #expect(!terminal.output.contains("the pager runs"))
    }
}
