import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A message on stderr", .serialized) struct MessageTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private static let forgery = "a\nblog: FAKE\u{2028}blog: FAKE\u{85}blog: FAKE\rblog: FAKE"

    private static let commandLines = [
        ["read", forgery], ["read", "--offline", forgery], ["mark", "read", forgery], ["open", forgery],
        ["list", "--store", forgery + "/"], ["list", "--url", forgery], ["list", "--limit", forgery],
        ["list", "--sort", forgery], ["list", "--author", forgery], ["list", "--since", forgery], [forgery],
        ["--" + forgery], ["list", forgery], ["search", forgery], ["search", "in:" + forgery],
        ["store", forgery], ["store", "import", forgery], ["list", "--fields", forgery],
        ["store", "check", "--store", forgery], ["list", "--verbose", "--store", forgery],
        ["mark", forgery, "1"], ["help", forgery], ["read", "hn:" + forgery, "--offline"], ["list", "-s", forgery],
    ]

    @Test("has no line forged by input or by a server")
    func forgedLine() async throws {
        _ = try await site.blog("list")
        for arguments in Self.commandLines {
            let run = try await site.blog(arguments)
            let lines = run.errors.split(whereSeparator: \.isNewline)
            #expect(!lines.contains { $0.hasPrefix("blog: FAKE") }, "\(arguments): \(run.errors)")
            #expect(lines.first?.hasPrefix("blog: ") != false)
        }
    }

    @Test("follows the output that was written before it, also in one file with it")
    func order() async throws {
        let lines = try await site.bash("blog list --verbose 2>&1").output.split(separator: "\n")
        let last = lines.last { !$0.hasPrefix("blog: ") }
        #expect(lines.count > 2)
        #expect(lines.last?.hasPrefix("blog: ") == true && last == lines.dropLast().last)
    }

    @Test("shows IDs from stdin on one line")
    func standardInput() async throws {
        let run = try await site.blog("read", "-", input: "a\u{2028}blog: FAKE\n")
        #expect(run.errors.hasPrefix("blog: No post “a blog: FAKE”"))
    }

    @Test("shows the path of the settings on one line")
    func settings() async throws {
        let folder = site.home.appending(path: "a\nblog: FAKE/blog")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("nonsense\n".utf8).write(to: folder.appending(path: "settings"))
        let run = try await site.blog(
            "list", environment: ["XDG_CONFIG_HOME": folder.deletingLastPathComponent().path])
        #expect(run.code == 2)
        #expect(run.errors.contains("a blog: FAKE/blog/settings:1: "))
    }

    @Test("has one line for each missing post, and one hint", arguments: [["read"], ["mark", "read"]])
    func missing(command: [String]) async throws {
        _ = try await site.blog("list")
        let run = try await site.blog(command + ["x", "y", "z"])
        #expect(run.code == 3)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == (command[0] == "mark" ? 5 : 4), "\(run.errors)")
        #expect(lines.count { $0.contains("No post “") || $0.hasSuffix(": no such stored post") } == 3, "\(run.errors)")
    }

    @Test("has one line for each post that can't be fetched, and one hint")
    func offline() async throws {
        _ = try await site.blog("list")
        let run = try await site.blog(["read", "--offline", "1", "2", "3"])
        #expect(run.code == 4)
        #expect(run.errors.split(separator: "\n").count == 4, "\(run.errors)")
    }
}
