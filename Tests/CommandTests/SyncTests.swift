import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog sync", .serialized) struct SyncTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(MadeUpSite(posts: 6))
    }

    @Test("summarizes on stderr, and prints nothing on stdout without a format")
    func summary() async throws {
        let first = try await site.blog("sync", "--limit", "2")
        #expect(first.output == "")
        #expect(first.errors == "blog: 6 new posts; 2 bodies: 2 new.\n")
        let second = try await site.blog("sync", "--json")
        #expect(second.errors == #"{"code":"notice","message":"6 bodies: 4 new, 2 unchanged."}"# + "\n")
        let sources = try #require(try second.json() as? [[String: Any]])
        #expect(sources.count == 1)
        #expect(sources[0]["address"] as? String == site.server.address)
        #expect(sources[0]["new"] as? Int == 4 && sources[0]["unchanged"] as? Int == 2)
        #expect(sources[0]["status"] as? String == "ok" && sources[0]["dueAt"] is String)
        #expect(try await site.blog("sync", "--quiet").errors == "")
    }

    @Test("says what failed, keeps the others and exits 5")
    func partly() async throws {
        site.server.setFault(.html, for: "/post/\(MadeUpSite.postId(3))")
        let run = try await site.blog("sync", "--format", "tsv")
        #expect(run.code == 5)
        #expect(run.errors.hasPrefix("blog: Could not fetch “3”: the response from "))
        #expect(run.errors.hasSuffix("blog: 6 new posts; 6 bodies: 5 new, 1 failed.\n"))
        #expect(run.lines.count { $0.contains("\t5\t0\t0\t1\t") && $0.contains("is a web page, not JSON") } == 1)
    }

    @Test("counts posts that were skipped after refusals as failed")
    func refusals() async throws {
        site.server.setFault(.status(429), for: (1...6).map { "/post/\(MadeUpSite.postId($0))" })
        let run = try await site.blog("sync", "--jobs", "1", "--json")
        #expect(run.code == 5)
        #expect(run.errors.hasSuffix("6 bodies: 1 failed, 5 skipped.\"}\n"), "\(run.errors)")
        let sources = try #require(try run.json() as? [[String: Any]])
        #expect(sources.map { $0["failed"] as? Int } == [6])
    }

    @Test("makes everything readable and searchable offline")
    func offline() async throws {
        _ = try await site.blog("sync")
        site.server.stop()
        let bodies = try await site.blog("read", "1", "2", "3", "4", "5", "6", "--offline")
        #expect(bodies.code == 0)
        let word = try #require(bodies.output.split(separator: " ").first { $0.allSatisfy(\.isLetter) && $0.count > 3 })
        #expect(try await site.blog("search", String(word)).lines.count > 0)
        let run = try await site.blog("sync")
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("blog: \(site.server.address)/post-metadata: connection refused"))
    }

    @Test("gives the most common reason for failures, with one example")
    func mostCommonReason() async throws {
        for post in 1...6 {
            site.server.setFault(post == 3 ? .html : .status(404), for: "/post/\(MadeUpSite.postId(post))")
        }
        let run = try await site.blog("sync")
        #expect(run.code == 5)
        #expect(
            run.errors.contains("blog: 5 of 6 failed for the same reason, for example: could not fetch “"))
    }

    @Test("says where Ctrl-C stopped it, and how to continue")
    func interrupted() async throws {
        site.server.setFault(.delay(60_000), for: "/post/\(MadeUpSite.postId(4))")
        let terminal = try Terminal(columns: 80, rows: 24)
        let process = site.process(["sync", "--jobs", "2"])
        async let code = terminal.run(process, input: terminal.program)
        try await terminal.wait(for: "5/6")
        process.interrupt()
        #expect(try await code == 130)
        try await terminal.wait(for: "blog: Stopped after 5 of 6 posts. To continue, run the same command again.")
    }

    @Test("rejects --offline and invalid options")
    func usage() async throws {
        #expect(try await site.blog("sync", "--offline").code == 2)
        #expect(try await site.blog("sync", "x").code == 2)
        #expect(try await site.blog("sync", "--jobs", "0").code == 2)
        #expect(try await site.blog("sync", "--jobs", "33").code == 2)
    }

    @Test("shows a bar with count, rate and title on a terminal")
    func bar() async throws {
        let paths = (1...6).map { "/post/\(MadeUpSite.postId($0))" }
        site.server.setFault(.hold, for: paths)
        let terminal = try Terminal(columns: 80, rows: 24)
        let process = site.process(["sync", "--jobs", "1", "--timeout", "600"])
        async let code = terminal.run(process, input: terminal.program)
        // Only the first post gets its response until the bar with it has been drawn.
        var first: String?
        while first == nil {
            try await Task.sleep(for: .milliseconds(5))
            first = site.server.requests.map(\.path).first(where: paths.contains)
        }
        site.server.setFault(nil, for: try #require(first))
        try await terminal.wait(for: "░ 1/6 · ")
        try await terminal.wait(for: " a second · ")
        site.server.setFault(nil, for: paths)
        #expect(try await code == 0)
        try await terminal.wait(for: "6 new posts; 6 bodies: 6 new.")
    }
}
