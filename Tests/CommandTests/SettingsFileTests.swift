import BlogTestSupport
import Foundation
import BlogMockServer
import Testing

@Suite("A setting that doesn't apply to a command", .serialized) struct SettingsFileTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private func set(_ settings: String) throws {
        let folder = site.home.appending(path: ".config/blog")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(settings.utf8).write(to: folder.appending(path: "settings"))
    }

    private func run(_ line: String) async throws -> Outcome {
        try await BlogProcess(
            line.split(separator: " ").map(String.init), environment: site.environment, folder: site.home
        ).run(input: "")
    }

    /// Settings, and command lines to which they don't apply.
    static let lines: [(String, [String])] = [
        ("format = ids", ["sources", "store", "list", "read 1 --raw", "list --fields id"]),
        ("format = markdown", ["sources", "store", "list"]),
        ("fields = title,score", ["sources", "store", "list", "list --format ids", "sync"]),
        ("json = snippet", ["sources", "list", "search releases", "read 1 --raw"]),
        ("format = ids\nfields = id", ["list", "read 1"]),
        ("raw", ["read 1 --json", "read 1"]), ("no-comments", ["read 1 --depth 1"]),
        ("depth = 2", ["read 1 --no-comments"]), ("comments = 20", ["sync", "read 1"]),
        ("sort = rank", ["list", "search releases"]), ("sort = relevance", ["list", "search releases"]),
        ("section = best", ["list", "sync"]), ("author = kerri", ["mark saved 1", "mark saved --all"]),
        ("skip = 2", ["read 1", "read next latest"]),
    ]

    @Test("is ignored", arguments: lines)
    func ignored(settings: String, commands: [String]) async throws {
        _ = try await site.blog("list")
        try set(settings)
        for command in commands {
            let run = try await run(command)
            #expect(run.code == 0, "\(command): \(run.errors)")
        }
    }

    @Test("doesn't change the command's default order")
    func order() async throws {
        let usual = try await run("list --format ids").output
        try set("sort = rank\nsection = best\n")
        #expect(try await run("list --format ids").output == usual)
    }

    @Test(
        "is still an error on the command line",
        arguments: [
            "sources --format ids", "store --fields title", "list --fields snippet", "list --sort rank",
            "list --section best", "mark saved 1 --author kerri", "list --format ids --fields id",
        ])
    func typed(line: String) async throws {
        _ = try await site.blog("list")
        #expect(try await run(line).code == 2)
    }

    @Test("is still an error if no command could use it", arguments: ["fields = titel", "width = 5", "limit = x"])
    func inapplicable(setting: String) async throws {
        try set(setting)
        let run = try await run("list")
        #expect(run.code == 2)
        #expect(run.errors.contains(".config/blog/settings"), "\(run.errors)")
    }
}
