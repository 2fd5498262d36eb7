import BlogCommandLine
import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("The settings in use", .serialized) struct SettingsFileTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    /// Settings, and command lines to which they don't apply.
    static let lines: [(String, [String])] = [
        ("plain", ["list", "search releases", "read 1"]), ("images = always", ["sync", "sources"]),
        ("keep = 1y", ["list", "store", "undo"]), ("article = never", ["list", "read 1", "sync"]),
        ("oneline", ["sources", "read 1 --format json", "list --format csv"]), ("width = 40", ["mark saved 1"]),
    ]

    @Test("don't matter to other commands", arguments: lines)
    func ignored(settings: String, commands: [String]) async throws {
        _ = try await site.blog("list")
        try site.set(settings)
        for command in commands {
            let run = try await site.run(command)
            #expect(run.code == 0, "\(command): \(run.errors)")
        }
    }

    @Test(
        "have a store whose path is expanded as in a shell, and is relative to the file",
        arguments: [
            ("~/a.db", "a.db"), ("$HOME/a.db", "a.db"), ("${HOME}/x/a.db", "x/a.db"), ("\"$HOME/a b.db\"", "a b.db"),
            ("'~/a.db'", "a.db"), ("a.db", ".config/blog/a.db"),
        ])
    func storePath(written: String, path: String) async throws {
        try site.set("store = \(written)")
        let run = try await site.blog(
            ["config", "--fields", "value", "--format", "tsv"], environment: ["BLOG_STORE": ""])
        #expect(
            run.lines.contains { $0.hasSuffix(site.home.appending(path: path).path) }, "\(run.output) \(run.errors)")
    }

    @Test(
        "have no store whose path only a shell could expand", arguments: ["$XDG_DATA_HOME/a.db", "~alice/a.db", "''"])
    func unknownStorePath(written: String) async throws {
        try site.set("store = \(written)")
        let run = try await site.blog("list")
        #expect(run.code == 2)
        #expect(
            run.errors.contains("/.config/blog/settings:1: Invalid value “\(written)” for --store"), "\(run.errors)")
    }

    @Test("leave what a pipe gets as it is")
    func pipe() async throws {
        let usual = try await site.run("list").output
        try site.set("oneline\nwidth = 40\ndates = absolute\nimages = always\nhyperlinks = always\npager = no\n")
        #expect(try await site.run("list").output == usual)
    }

    @Test(
        "leave an option that doesn't apply an error",
        arguments: [
            "sources --format ids", "store --fields title", "list --fields snippet", "list --sort rank",
            "list --section best", "mark saved 1 --author kerri", "list --format ids --fields id",
        ])
    func typed(line: String) async throws {
        _ = try await site.blog("list")
        #expect(try await site.run(line).code == 2)
    }

    @Test("are switched off by an option of their name")
    func negated() async throws {
        try site.set("source = nobody\nwidth = 20\nquiet\nstore = ~/elsewhere/here.db\n")
        #expect(try await site.run("list --format ids").code == 2)
        let run = try await site.run("list --no-source --no-width --no-quiet --no-store --format text")
        #expect(run.code == 0 && run.lines.contains { $0.count > 20 })
        #expect(FileManager.default.fileExists(atPath: site.storePath))
        #expect(try await site.run("list --no-source=x").code == 2)
    }

    @Test("are rejected with the line if they are wrong", arguments: ["fields = title", "width = 5", "limit = 3"])
    func inapplicable(setting: String) async throws {
        try site.set(setting)
        let run = try await site.run("list")
        #expect(run.code == 2)
        #expect(run.errors.contains(".config/blog/settings:1: "), "\(run.errors)")
    }

    @Test("are named with the line if they name an unknown source, but not if that was typed")
    func unknownSource() async throws {
        try site.set("oneline\nsource = nobody")
        let run = try await site.run("list")
        #expect(run.code == 2)
        #expect(run.errors.contains(".config/blog/settings:2: Unknown source “nobody”"), "\(run.errors)")
        #expect(run.errors.hasSuffix("\nTo leave it out once: --no-source\n"))
        #expect(try await site.run("list --no-source").code == 0)
        #expect(try await site.run("list -s anybody").errors.contains("blog: Unknown source “anybody”"))
    }

    @Test(
        "don't say of which kind the server at --url is, or at BLOG_URL until a source is followed",
        arguments: ["--url", "BLOG_URL"])
    func kindOfAddress(place: String) async throws {
        try site.set("source = hn\n")
        let typed = place == "--url"
        let run = try await site.blog(
            ["list", "--format", "ids"] + (typed ? ["--url", site.server.address] : []),
            environment: typed ? ["BLOG_URL": "http://127.0.0.1:1"] : [:])
        #expect(run.code == 0 && run.lines.contains("42"), "\(run.errors)")
        #expect(site.server.requestLines == ["GET /post-metadata"])
    }

    @Test("are listed with their origins, and can begin with the example")
    func config() async throws {
        try site.set("oneline\nkeep = 1y\nurl = http://me:secret@a.example\n")
        let rows = try await site.run("config").lines
        #expect(rows.map { $0.prefix { $0 != "\t" } } == Settings.table.map { $0.name[...] })
        #expect(rows.contains { $0.hasPrefix("keep\t1y\t") && $0.hasSuffix("/.config/blog/settings") })
        #expect(rows.contains { $0.hasPrefix("oneline\tyes\t") })
        #expect(rows.contains("dates\trelative\tdefault") && rows.contains("width\t\tdefault"))
        #expect(rows.contains("url\t\(site.server.address)\tBLOG_URL"))
        #expect(rows.contains { $0.hasPrefix("store\t") && $0.hasSuffix("\tdefault") })
        try site.set(try await site.run("config --example").output)
        let unset = try await site.run("config").lines.filter { !$0.hasSuffix("\tdefault") }
        #expect(unset == ["url\t\(site.server.address)\tBLOG_URL"])
    }
}
