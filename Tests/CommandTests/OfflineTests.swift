import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog without a network", .serialized) struct OfflineTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    @Test("shows stored posts with the time of their refresh")
    func seen() async throws {
        let before = try await site.blog("list")
        _ = try await site.blog("read", "1")
        site.server.stop()
        let list = try await site.blog("list")
        #expect(list.output == before.output)
        #expect(list.code == 0)
        let notice =
            "blog: Could not refresh \(site.server.address): connection refused (showing the copy from "
        #expect(list.errors.hasPrefix(notice))
        #expect(list.errors.split(separator: "\n").count == 1)
        let read = try await site.blog("read", "1")
        #expect(read.code == 0)
        #expect(read.output.contains("\nBig releases"))
    }

    @Test("says that a post of a feed couldn't be refreshed")
    func post() async throws {
        let site = try await TestSite.followingFeeds()
        let before = try await site.blog("read", "tide:1")
        site.server.stop()
        let run = try await site.blog("read", "tide:1", "--refresh")
        #expect(run.code == 0 && run.output == before.output)
        #expect(run.errors.contains("connection refused (showing the copy from "), "\(run.errors)")
        #expect(try await site.blog("read", "tide:1").errors.isEmpty)
    }

    @Test("has no list if only single posts were read, and says so")
    func singlePosts() async throws {
        let read = try await site.blog("read", "11")
        #expect(read.code == 0)
        let run = try await site.blog("list", "--offline")
        #expect(run.code == 4)
        let message = "blog: The list of posts from \(site.server.address) isn't stored, only individual posts.\n"
        #expect(run.errors == message + "To fetch it: blog list\n")
        #expect(try await site.blog("list").lines.count == 15)
    }

    @Test("fails with a message of two lines if nothing is stored")
    func unseen() async throws {
        site.server.stop()
        for arguments in [["list"], ["list", "--offline"], ["read", "1"], ["read", "1", "--offline"]] {
            let run = try await site.blog(arguments)
            #expect(run.code == 4)
            #expect(run.output == "")
            #expect(run.errors.split(separator: "\n").count == 2, "\(run.errors)")
        }
    }

    @Test("makes no request with --offline")
    func noRequest() async throws {
        _ = try await site.blog("list")
        site.server.clearRequests()
        #expect(try await site.blog("list", "--offline").lines.count == 15)
        #expect(site.server.requests.isEmpty)
    }

    @Test("keeps and shows stored posts if the response is invalid, and fails")
    func nonsense() async throws {
        let before = try await site.blog("list")
        site.server.setFault(.html, for: "/post-metadata")
        let run = try await site.blog("list")
        #expect(run.output == before.output)
        #expect(run.code == 1)
        #expect(run.errors.contains("is a web page, not JSON"))
    }

    @Test("works without a writable folder, with one warning")
    func readOnly() async throws {
        let run = try await site.blog("list", environment: ["HOME": "/proc/nowhere"])
        #expect(run.lines.count == 15)
        #expect(run.code == 0)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains("Could not write to"))
    }

    @Test("leaves a damaged store unchanged, and says so")
    func damaged() async throws {
        _ = try await site.blog("list")
        let garbage = Data(String(repeating: "garbage ", count: 1000).utf8)
        try garbage.write(to: URL(filePath: site.storePath))
        let run = try await site.blog("list")
        #expect(run.code == 1)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("blog: \(site.storePath) is damaged or isn't a blog store."))
        #expect(FileManager.default.contents(atPath: site.storePath) == garbage)
    }
}
