import BlogMockServer
@testable import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("A damaged store", .serialized) struct DamagedStoreTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(MadeUpSite(posts: 100))
    }

    /// Zeroes the page of the store that contains a text.
    private func zeroPage(with text: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: site.storePath))
        try zeroPages([try #require(bytes.range(of: Data(text.utf8))).lowerBound / 4096])
    }

    private func zeroPages(_ numbers: [Int]) throws {
        var bytes = try Data(contentsOf: URL(filePath: site.storePath))
        for number in numbers {
            bytes.replaceSubrange(number * 4096..<(number + 1) * 4096, with: Data(count: 4096))
        }
        try bytes.write(to: URL(filePath: site.storePath))
    }

    /// A synced store and its export, made once: each test damages a copy.
    private static let synced = Task {
        let site = try TestSite(MadeUpSite(posts: 100))
        _ = try await site.blog("sync")
        _ = try await site.blog("store", "vacuum")
        let lines = try await site.blog("store", "export").lines
        return (store: try Data(contentsOf: URL(filePath: site.storePath)), lines: lines)
    }

    private func fill() async throws -> [String] {
        let synced = try await Self.synced.value
        let file = URL(filePath: site.storePath)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try synced.store.write(to: file)
        return synced.lines
    }

    /// Damages the page with a post's summary, and returns the export from before.
    private func damage() async throws -> [String] {
        let whole = try await fill()
        let line = try #require(try JSONSerialization.jsonObject(with: Data(whole[50].utf8)) as? [String: Any])
        let metadata = try #require(line["metadata"] as? [String: Any])
        try zeroPage(with: try #require(metadata["summary"] as? String))
        return whole
    }

    @Test("is exported as far as it can be read, and what is missing is counted")
    func export() async throws {
        let whole = try await damage()
        let run = try await site.blog("store", "export")
        #expect(run.code == 5)
        let lines = run.lines.dropLast()
        #expect(lines.count > 50 && lines.count < 100)
        #expect(Set(lines).isSubset(of: whole))
        #expect(run.errors == Self.losses("\(100 - lines.count) posts", in: site.storePath))
    }

    @Test("is exported without the bodies that can't be read")
    func bodies() async throws {
        let line = try #require(try JSONSerialization.jsonObject(with: Data(await fill()[50].utf8)) as? [String: Any])
        let body = try #require((line["body"] as? [String: Any])?["text"] as? String)
        try zeroPage(with: String(body.prefix(200)))
        let run = try await site.blog("store", "export")
        #expect(run.code == 5)
        let lines = run.lines.dropLast()
        #expect(lines.count == 100)
        let lost = lines.count { !$0.contains(#""body":{"#) }
        #expect(lost > 0 && lost < 50)
        #expect(run.errors == Self.losses(lost == 1 ? "1 body" : "\(lost) bodies", in: site.storePath))
    }

    @Test(
        "is exported without its sources or all its posts if their beginning is lost",
        arguments: [
            (["sources"], 0, "the sources and 100 posts"), (["posts"], 1, "100 posts"),
            (["posts", "sqlite_autoindex_posts_1"], 1, "all posts"),
        ])
    func roots(names: [String], sources: Int, losses: String) async throws {
        _ = try await fill()
        let pages = try {
            let database = try Database(path: site.storePath, mode: .readWrite)
            try database.execute("UPDATE sources SET (name, followed_at) = ('made', 1)")
            return try names.map { name in
                let root = try database.integer("SELECT rootpage FROM sqlite_schema WHERE name = ?", [.text(name)])
                return Int(try #require(root)) - 1
            }
        }()
        try zeroPages(pages)
        let run = try await site.blog("store", "export")
        #expect(run.code == (sources == 0 ? 1 : 5) && run.lines.count == (sources == 0 ? 0 : sources + 1))
        #expect(run.errors == Self.losses(losses, in: site.storePath))
    }

    /// The report of an incomplete export.
    private static func losses(_ losses: String, in path: String) -> String {
        "blog: Left out \(losses) that could not be read.\n" + recovery(of: path)
    }

    /// The message about a file that isn't a store, or is too damaged to be opened.
    private static func unopenable(_ path: String) -> String {
        "blog: \(path) is damaged or isn't a blog store.\nUse another file with --store. " + recovery(of: path)
    }

    private static func recovery(of path: String) -> String {
        """
        To recover a damaged store into a new one:
        sqlite3 \(path) .recover | sqlite3 recovered.sqlite3

        """
    }

    @Test("is checked with advice that helps", arguments: ["check", "vacuum"])
    func check(action: String) async throws {
        _ = try await damage()
        let run = try await site.blog("store", action)
        #expect(run.code == 1)
        #expect(!run.errors.contains("store check"))
        #expect(run.errors.hasSuffix(Self.advice()), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 4, "\(run.errors)")
    }

    /// The advice for a damaged store.
    private static func advice(_ option: String = "") -> String {
        """

        To recover the readable posts:
        blog store export\(option) > posts.jsonl
        Then move the store elsewhere, and import the file: blog store import\(option) posts.jsonl

        """
    }

    @Test("is exported by the command that its check suggests, even at a path that needs quotes")
    func typedPath() async throws {
        _ = try await damage()
        let place = site.home.appending(path: "a b")
        try FileManager.default.moveItem(at: URL(filePath: site.storePath), to: place)
        let run = try await site.blog("store", "check", "--store", place.path)
        #expect(run.errors.hasSuffix(Self.advice(" --store '\(place.path)'")), "\(run.errors)")
        let command = try #require(run.errors.split(separator: "\n").first { $0.hasPrefix("blog store export") })
        let export = try await site.bash(String(command))
        #expect(export.errors.hasSuffix(Self.recovery(of: "'\(place.path)'")))
        let saved = try String(contentsOf: site.home.appending(path: "posts.jsonl"), encoding: .utf8)
        #expect(saved.split(separator: "\n").count > 50)
    }

    @Test("is reported without advice to move it if it may be another file")
    func otherFile() async throws {
        let path = site.home.appending(path: "words").path
        try Data(String(repeating: "root:x:0:0\n", count: 1000).utf8).write(to: URL(filePath: path))
        let run = try await site.blog("list", "--store", path)
        #expect(run.code == 1)
        #expect(run.errors == Self.unopenable(path))
        // On a narrow terminal, the command can still be copied.
        let terminal = try Terminal(columns: 40, rows: 24)
        #expect(try await terminal.run(site.process(["list", "--store", path])) == 1)
        #expect(terminal.output.contains("\nsqlite3 \(path) .recover | sqlite3 recovered.sqlite3"))
    }

    @Test(
        "that SQLite can't open is reported with a command that may recover it",
        arguments: ["check", "vacuum", "export"])
    func unopenable(action: String) async throws {
        _ = try await fill()
        for damage in [{ try zeroPages([0]) }, { try Data("garbage".utf8).write(to: URL(filePath: site.storePath)) }] {
            try damage()
            let run = try await site.blog("store", action)
            #expect(run.code == 1 && run.output.isEmpty)
            #expect(run.errors == Self.unopenable(site.storePath))
        }
    }

    @Test(
        "with an invalid version is reported in one sentence by every command",
        arguments: [-1, Int(Int32.min), Int(Int32.max)])
    func version(number: Int) async throws {
        _ = try await site.blog("list")
        try Database(path: site.storePath, mode: .readWrite).execute("PRAGMA user_version = \(number)")
        for arguments in [
            ["list"], ["search", "x"], ["sources"], ["store"], ["store", "check"], ["store", "vacuum"],
            ["store", "export"],
        ] {
            let run = try await site.blog(arguments)
            let sentence =
                number < 0
                ? "\(site.storePath) is damaged or isn't a" : "The store \(site.storePath) has schema version"
            #expect(run.code == 1 && run.errors.hasPrefix("blog: \(sentence) "), "\(run.errors)")
        }
    }
}
