import BlogMockServer
@testable import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("Old posts", .serialized) struct PruneTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(MadeUpSite(posts: 6))
    }

    /// Follows a blog of six posts; 1 to 4 left the list long ago, and 2 is saved.
    private func follow() async throws {
        #expect(try await site.blog("follow", site.server.address, "--as", "made").code == 0)
        #expect(try await site.blog("sync").code == 0)
        #expect(try await site.blog("mark", "saved", "2").code == 0)
        try Database(path: site.storePath, mode: .readWrite).execute(
            "UPDATE posts SET (listed, changed_at, date_key) = (0, 0, 0) WHERE id IN ('1', '2', '3', '4')")
    }

    private func posts() async throws -> Int? {
        try (await site.blog("store", "--json").json() as? [String: Any])?["posts"] as? Int
    }

    @Test("are deleted by blog store prune unless they are saved, and counted with --dry-run")
    func prune() async throws {
        try await follow()
        let dry = try await site.blog("store", "prune", "--older-than", "1y", "--dry-run")
        #expect(dry.code == 0)
        #expect(dry.output.hasPrefix("made\t\(site.server.address)\t3\t0\t"))
        #expect(dry.errors.hasPrefix("blog: Would delete 3 posts, about "))
        #expect(try await posts() == 6)
        let json = try await site.blog("store", "prune", "--older-than", "1y", "--dry-run", "--json=posts").json()
        #expect(json as? [[String: Int]] == [["posts": 3]])
        let run = try await site.blog("store", "prune", "--older-than", "1y")
        #expect(run.code == 0 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("blog: Deleted 3 posts. \(site.storePath) is now "))
        #expect(try await posts() == 3)
        #expect(try await site.blog("list", "--saved", "--format", "ids").output == "made:2\n")
        #expect(try await site.blog("store", "check").code == 0)
        let again = try await site.blog("store", "prune", "--older-than", "1y")
        #expect(
            (again.code, again.errors) == (
                0,
                "blog: No posts to delete.\n3 posts that old stay: still listed by a source, changed lately, saved or labelled.\n"
            ))
        #expect(try await site.blog("undo").code == 0)
    }

    @Test("are deleted from all sources, except those with --keep all that aren't named")
    func sources() async throws {
        try await follow()
        #expect(try await site.blog("follow", "made", "--keep", "all").code == 0)
        #expect(try await site.blog("sources", "--fields", "name,keep").output == "made\tall\n")
        #expect(try await site.blog("store", "prune", "--older-than", "1y", "--quiet").code == 0)
        #expect(try await posts() == 6)
        #expect(try await site.blog("store", "prune", "--older-than", "1y", "--source", "mad").code == 2)
        #expect(try await site.blog("store", "prune", "--older-than", "1y", "--source", "made").code == 0)
        #expect(try await posts() == 3)
    }

    @Test("are deleted by a sync at most once a day")
    func onceADay() async throws {
        try await follow()
        try site.set("keep = 6w\n")
        #expect(try await site.blog("sync").errors.contains("Deleted 3 posts"))
        try Database(path: site.storePath, mode: .readWrite).execute(
            "UPDATE posts SET (listed, changed_at, date_key) = (0, 0, 0) WHERE id = '5'")
        #expect(!(try await site.blog("sync").errors.contains("Deleted")))
    }

    @Test(
        "are deleted by a sync as the settings, the source or an option says",
        arguments: ["settings", "source", "option"])
    func sync(place: String) async throws {
        try await follow()
        switch place {
        case "settings": try site.set("keep = 6w\n")
        case "source": #expect(try await site.blog("follow", "made", "--keep", "3m").code == 0)
        default: break
        }
        // A source's own age takes precedence over that in the settings.
        if place == "source" { try site.set("keep = all\n") }
        let run =
            place == "option" ? try await site.blog("sync", "--keep", "30d") : try await site.blog("sync")
        #expect(run.code == 0)
        #expect(run.errors.hasSuffix("blog: Deleted 3 posts older than --keep allows.\n"))
        #expect(try await posts() == 3)
    }

    @Test("stay if their source keeps them, until that is reset")
    func kept() async throws {
        try await follow()
        try site.set("keep = 1y\n")
        #expect(try await site.blog("follow", "made", "--keep", "all").code == 0)
        #expect(try await site.blog("sync").code == 0)
        #expect(try await posts() == 6)
        #expect(try await site.blog("follow", "made", "--keep", "none").code == 0)
        #expect(try await site.blog("sources", "--fields", "name,keep").output == "made\t\n")
        #expect(try await site.blog("store", "prune").code == 0)
        #expect(try await posts() == 3)
    }

    @Test("are deleted with all others of a source by --forget, and it can be followed again")
    func forget() async throws {
        try await follow()
        #expect(try await site.blog("search", "part", "--format", "ids").lines.count == 6)
        let run = try await site.blog("unfollow", "made", "--forget")
        #expect((run.code, run.output) == (0, ""))
        #expect(run.errors == "blog: Unfollowed made and deleted 5 posts. Saved and labelled posts were kept.\n")
        #expect(try await site.blog("list", "--saved", "--format", "ids").output == "made:2\n")
        #expect(try await site.blog("search", "part", "--format", "ids").output == "made:2\n")
        #expect(try await site.blog("store", "check").code == 0)
        #expect(try await site.blog("mark", "unsaved", "made:2").code == 0)
        #expect(try await site.blog("unfollow", "made", "--forget").code == 0)
        #expect(try await site.blog("unfollow", "made", "--forget").code == 2)
        #expect(try await posts() == 0)
        #expect(try await site.blog("follow", site.server.address, "--as", "made").code == 0)
        #expect(try await site.blog("list", "--unread", "--format", "ids").lines.count == 6)
    }

    @Test(
        "must have a valid age, in the commands that take one",
        arguments: [
            ["store", "prune", "--older-than", "1h"], ["store", "prune", "--older-than", "all"], ["store", "prune"],
            ["store", "prune", "--older-than", "0d"], ["sync", "--keep", "year"], ["follow", "made", "--keep", "1"],
            ["store", "check", "--older-than", "1y"], ["store", "vacuum", "--dry-run"],
        ])
    func ages(arguments: [String]) async throws {
        try await follow()
        let run = try await site.blog(arguments)
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("blog: ") && run.output.isEmpty)
        #expect(try await posts() == 6)
    }

    @Test("aren't pruned without an age")
    func noAge() async throws {
        try await follow()
        let run = try await site.blog("store", "prune")
        #expect(run.code == 2)
        #expect(
            run.errors
                == "blog: blog store prune needs --older-than or --keep, as in: blog store prune --older-than 1y\n")
    }

    @Test("leave a smaller file")
    func size() async throws {
        let site = try TestSite(MadeUpSite(posts: 3000))
        #expect(try await site.blog("list", "--limit", "1").code == 0)
        let database = try Database(path: site.storePath, mode: .readWrite)
        try database.execute(
            "UPDATE posts SET (listed, changed_at, date_key) = (0, 0, 0) WHERE id NOT IN ('1', '3000')")
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        func bytes() throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: site.storePath)[.size] as? Int)
        }
        let before = try bytes()
        #expect(try await site.blog("store", "prune", "--older-than", "1y").code == 0)
        #expect(try bytes() < before / 3)
        #expect(try await site.blog("store", "check").code == 0)
    }
}
