import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog sources and blog store", .serialized) struct StoreCommandTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(MadeUpSite(posts: 3))
    }

    private func source() async throws -> [String: Any]? {
        let sources = try await site.blog("sources", "--json").json() as? [[String: Any]]
        return sources?.first { $0["address"] as? String == site.server.address }
    }

    @Test("show what is stored, and how the last refresh ended")
    func sources() async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("read", "1")
        let before = try #require(try await source())
        #expect(before["posts"] as? Int == 3 && before["bodies"] as? Int == 1 && before["unread"] as? Int == 2)
        #expect(before["status"] as? String == "ok" && before["reason"] as? String == nil)
        site.server.setFault(.status(500), for: "/post-metadata")
        _ = try await site.blog("list", "--offline")
        #expect(try await source()?["status"] as? String == "ok")
        _ = try await site.blog("list")
        let after = try #require(try await source())
        #expect(after["status"] as? String == "failed")
        #expect(after["reason"] as? String == "HTTP 500 Internal Server Error")
        #expect(after["refreshedAt"] as? String == before["refreshedAt"] as? String)
    }

    @Test("show the size of a store behind a symbolic link")
    func link() async throws {
        _ = try await site.blog("list")
        let alias = site.home.appending(path: "alias.sqlite3").path
        try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: site.storePath)
        let facts = try await site.blog("store", "--store", alias, "--json=bytes").json() as? [String: Int]
        #expect(facts?["bytes"].map { $0 > 4096 } == true)
    }

    @Test("check the default source even if nothing of it is stored, and no other")
    func unknownSource() async throws {
        let run = try await site.blog("sources", "--check", "--fields", "address,status")
        #expect(run.output == "\(site.server.address)\tok\n")
        #expect(run.code == 0)
        site.server.setFault(.status(500), for: "/post-metadata")
        let other = site.home.appending(path: "other.sqlite3").path
        let failing = try await site.blog("sources", "--check", "--fields", "status,reason", "--store", other)
        #expect(failing.output == "failed\tHTTP 500 Internal Server Error\n")
        #expect(failing.code == 5)
    }

    @Test("say that there is no store, and don't create it", arguments: ["check", "vacuum", "export"])
    func noStore(action: String) async throws {
        let run = try await site.blog("store", action)
        #expect(run.code == 2)
        #expect(run.errors == "blog: No store at \(site.storePath) yet.\nTo create it: blog list\n")
        let typed = try await site.blog("store", action, "--store", "./new store")
        #expect(typed.errors == "blog: No store at ./new store yet.\nTo create it: blog list --store './new store'\n")
        #expect(!FileManager.default.fileExists(atPath: site.storePath))
        let list = try await site.blog("list", "--offline", "--store", "other")
        let hint = "To fetch them: blog list --store other, or with their bodies: blog sync --store other\n"
        #expect(list.errors.hasSuffix(hint), "\(list.errors)")
    }

    @Test("refresh each source with --check, and exit 5 if any fail")
    func check() async throws {
        _ = try await site.blog("list")
        site.server.stop()
        let run = try await site.blog("sources", "--check", "--fields", "address,status")
        #expect(run.code == 5)
        #expect(run.lines.contains("\(site.server.address)\tunreachable"))
        #expect(run.errors.contains("\(site.server.address)/post-metadata: connection refused"))
        // It may be this machine's network.
        #expect(try await site.blog("sources", "--failing").lines.isEmpty)
    }

    @Test("export posts and import them again")
    func travel() async throws {
        _ = try await site.blog("sync")
        _ = try await site.blog("mark", "saved", "2")
        let export = try await site.blog("store", "export")
        #expect(export.lines.count == 4)
        let other = site.home.appending(path: "other.sqlite3").path
        for expected in ["3 posts: 3 new, 0 changed, 0 unchanged", "3 posts: 0 new, 0 changed, 3 unchanged"] {
            let run = try await site.blog("store", "import", "--store", other, input: export.output)
            #expect(run.code == 0)
            #expect(run.errors == "blog: \(expected).\n")
            #expect(try await site.blog("store", "export", "--store", other).output == export.output)
        }
        let flawed = export.lines[0] + "\nnonsense\n\n{}\n" + export.lines[1] + "\n"
        let run = try await site.blog("store", "import", "-", "--store", other + "2", input: flawed)
        #expect(run.code == 5)
        #expect(run.errors.hasSuffix("blog: Skipped lines 2 and 4: they aren't exported posts.\n"))
        #expect(try await site.blog("store", "import", "/nowhere").code == 2)
    }

    @Test("show, check and shrink the store")
    func maintenance() async throws {
        _ = try await site.blog("sync")
        let facts = try #require(try await site.blog("store", "--json").json() as? [String: Any])
        #expect(facts["path"] as? String == site.storePath)
        #expect(facts["posts"] as? Int == 3 && facts["bodies"] as? Int == 3)
        let check = try await site.blog("store", "check")
        #expect(check.code == 0)
        #expect(check.errors == "blog: \(site.storePath) is intact.\n")
        try FileManager.default.linkItem(atPath: site.storePath, toPath: site.storePath + ".other")
        #expect(try await site.blog("store", "check").errors.contains("It has 2 names (hard links)"))
        #expect(try await site.blog("store", "vacuum").code == 0)
        #expect(try await site.blog("store", "burn").code == 2)
    }
}
