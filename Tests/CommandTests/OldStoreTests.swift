import BlogTestSupport
import Foundation
import Testing
@testable import BlogStore

@Suite("A store of an older version, opened by a command", .serialized) struct OldStoreTests {
    private let site: TestSite

    init() async throws {
        site = try TestSite()
        try FileManager.default.createDirectory(
            atPath: URL(filePath: site.storePath).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try await OldStore.unpack(to: site.storePath)
    }

    private var copy: String { site.storePath + ".version-12" }

    /// Commands that migrate it, and whether they say so.
    static let commands: [(command: String, isTold: Bool)] = [
        ("list -s tide --offline --format ids", true), ("store --format tsv", true), ("store --quiet", false),
    ]

    @Test("is migrated by it, which says once on stderr where the copy is", arguments: commands)
    func notice(command: String, isTold: Bool) async throws {
        let run = try await site.run(command)
        let notice = """
            blog: The store was changed to a new version. A copy of the old one is in \(copy): delete it when all is well.

            """
        #expect(run.code == 0 && run.errors.hasPrefix(isTold ? notice : ""), "\(run.errors)")
        #expect(run.errors.contains("copy") == isTold && !run.output.contains("copy"))
        let again = try await site.run(command)
        #expect(again.code == 0 && !again.errors.contains("copy"), "\(again.errors)")
        let old = try Database(path: copy, mode: .readOnly)
        #expect(try old.integer("PRAGMA user_version") == 12)
        #expect(try old.integer("SELECT sum(length(CAST(text AS BLOB))) FROM body_parts") == 22_000_000)
    }

    @Test("shows its long bodies, and its marks are still to be sent")
    func shown() async throws {
        #expect(
            try await site.run("list --saved --format ids").lines == [
                "pages:1", "fresh/blog-1:29", "hn:8863", "nerds:103",
            ])
        #expect(try await site.run("list --hidden --format ids").lines == ["nerds:14"])
        let labels = try await site.run("label --format tsv").lines
        #expect(labels == ["later\t4\t4", "r & d\t1\t1", "weg\t3\t2"])
        let rules = try await site.run("rule --fields words,actions --format tsv").lines
        #expect(rules == ["title:caches\thide", "teil\tlabel “weg”"])
        for (id, size) in OldStore.longBodies.prefix(2) {
            let run = try await site.run("read nerds:\(id) --offline --body --raw")
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.utf8.count >= size && run.output.contains("## Teil"), "\(run.output.utf8.count)")
        }
        // What was read last was marked as read.
        #expect(try await site.run("undo").errors.contains("A body of 2000000 bytes"))
        #expect(try await site.run("store check").code == 0)
    }

    @Test("is only read for completion, and stays as it is")
    func completion() async throws {
        let before = FileManager.default.contents(atPath: site.storePath)
        let run = try await site.blog("__complete", "zsh", "read", "tide:")
        #expect(run.code == 0 && run.errors == "" && run.lines.count == 4, "\(run.output)")
        #expect(FileManager.default.contents(atPath: site.storePath) == before)
        #expect(!FileManager.default.fileExists(atPath: copy))
    }
}
