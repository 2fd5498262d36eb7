import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A command whose work is to store", .serialized) struct UnstoredTests {
    /// Each of them, but for those that need an existing store.
    static let commands = [
        "follow URL", "follow URL --as x --quiet", "unfollow blog", "unfollow blog --forget", "mark saved blog:11",
        "mark read --all", "label add later blog:11", "label rename later now", "label delete later",
        "rule add title:review --hide", "rule remove 1", "undo", "sync", "sync --format tsv",
        "sync --quiet", "sync --images",
        "search trace --as traces", "store import posts.jsonl",
    ]

    /// Commands that read, and store only what they fetch.
    static let readers = ["list", "read blog:11", "sources", "label", "rule", "undo --list", "follow URL --dry-run"]

    private let site: TestSite

    init() throws { site = try TestSite() }

    private func run(_ command: String, store: String) async throws -> Outcome {
        let words = command.replacing("URL", with: site.server.address).split(separator: " ").map(String.init)
        return try await site.blog(words, environment: ["BLOG_STORE": store])
    }

    @Test("fails where nothing can be stored, says so, and says no success", arguments: commands)
    func nowhere(command: String) async throws {
        try Data("{}\n".utf8).write(to: site.home.appending(path: "posts.jsonl"))
        let run = try await run(command, store: "/proc/nowhere/blog.sqlite3")
        #expect(run.code == 1)
        #expect(
            run.errors == """
                blog: Could not write to the store /proc/nowhere/blog.sqlite3
                Change its permissions, or use another file with --store.

                """)
        #expect(run.output.isEmpty)
        // What can't be stored isn't fetched.
        #expect(site.server.requests.isEmpty)
    }

    @Test("isn't one that reads, which works in memory with a warning", arguments: readers)
    func reading(command: String) async throws {
        let run = try await run(command, store: "/proc/nowhere/blog.sqlite3")
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("fails with a store of a newer version, and leaves it unchanged", arguments: commands + readers)
    func newer(command: String) async throws {
        let path = site.home.appending(path: "store.sqlite3").path
        _ = try await run("list", store: path)
        try Database(path: path, mode: .readWrite).execute("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = FileManager.default.contents(atPath: path)
        let run = try await run(command, store: path)
        #expect(run.code == 1 && run.errors.contains("supports only schema versions up to"), "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test("fails as soon as the disk is full, and keeps what was stored before")
    func full() async throws {
        let folder = try TemporaryFolder()
        let store = try PostStore(path: folder.path("store.sqlite3"), needsDisk: true)
        let library = Library(store: store, client: .impatient())
        _ = try await library.follow(site.server.address, as: "nerds")
        try await store.limitPages(by: 0)
        await #expect(throws: StoreError(path: folder.path("store.sqlite3"), reason: .notStored(.diskFull))) {
            try await library.sync()
        }
        let kept = try PostStore(path: folder.path("store.sqlite3"))
        #expect(try await kept.read { try Sources($0).followed() }.map(\.posts) == [15])
        #expect(await kept.notice == nil)
    }
}
