import BlogMockServer
@testable import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("blog with many sources", .serialized) struct ManySourcesTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(FeedSite(folder: Repository.mockFeeds))
    }

    private func followMany() async throws {
        let addresses = (1...6).map { "\(site.server.address)/feeds/many/\($0)\n" }
        #expect(try await site.blog("follow", "-", input: addresses.joined()).code == 0)
    }

    @Test(
        "says in one line that there is no network, whatever else fails among them, and counts no source as failing",
        arguments: [false, true])
    func unreachable(isMixed: Bool) async throws {
        try await followMany()
        if isMixed {
            // A feed that never worked, and a page, which isn't refreshed.
            try await site.type("http://127.0.0.1:1")
            let opml = "<opml><body><outline xmlUrl='http://127.0.0.1:1/feed'/></body></opml>"
            _ = try await site.blog("follow", "-", input: opml)
            _ = try await site.blog("read", site.server.address + "/feeds/")
        }
        let count = isMixed ? 7 : 6
        site.server.stop()
        let line = "blog: No network: none of the \(count) sources could be reached."
        let list = try await site.blog("list", "--refresh")
        #expect(list.code == 0)
        #expect(list.errors.hasPrefix(line + " To see how old the copies are: blog sources"), "\(list.errors)")
        #expect(list.errors.split(separator: "\n").count == 1)
        let sync = try await site.blog("sync")
        #expect(sync.code == 1 && sync.errors == line + "\n", "\(sync.errors)")
        #expect(try await site.blog("search", "the", "--format", "ids").code == 0)
        let failing = try await site.blog("sources", "--failing").lines
        #expect(failing.count == (isMixed ? 1 : 0), "\(failing)")
    }

    @Test("shows stored posts after waiting for all of them, and says in one line which are late")
    func late() async throws {
        try await followMany()
        for number in 1...5 { site.server.setFault(.delay(600_000), for: "/feeds/many/\(number)") }
        defer { site.server.stop() }
        site.server.clearRequests()
        let list = try await site.blog("list", "--refresh", "--format", "ids")
        #expect(list.code == 0)
        let names = list.lines.map { $0.prefix { $0 != ":" } }
        #expect(Set(names).count == 6)
        let lines = list.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("blog: No response within 5 s from ") == true)
        #expect(lines.first?.hasSuffix(" (showing stored posts). To wait longer: blog sync") == true)
        #expect(
            lines.last?.contains(
                /^blog: [0-9] of 6 sources not refreshed yet \(showing stored posts\)\. To refresh all: blog sync$/)
                == true)
        // Two per host at a time: the others weren't requested, since those didn't respond.
        #expect(site.server.requests.count <= 3)
    }

    @Test("names three failures in one line, and counts the others")
    func failing() async throws {
        try await followMany()
        for number in 1...5 { site.server.setFault(.status(500), for: "/feeds/many/\(number)") }
        for command in ["list", "sync"] {
            let run = try await site.blog(command, "--refresh", "--format", "tsv")
            #expect(run.code == 5)
            let failures = run.errors.split(separator: "\n").filter { $0.contains("HTTP 500 Internal Server Error") }
            #expect(failures.count == 1)
            #expect(failures[0].hasPrefix("blog: Could not refresh 5 of 6 sources: "))
            #expect(failures[0].hasSuffix(", and 2 more. To see what to do: blog sources --failing"))
        }
    }

    @Test("exits 5 if the only source due for a refresh fails, and 1 if all sources fail")
    func onlyDue() async throws {
        try await followMany()
        site.server.setFault(.status(500), for: (1...6).map { "/feeds/many/\($0)" })
        try Database(path: site.storePath, mode: .readWrite).execute(
            "UPDATE sources SET due_at = NULL WHERE address LIKE '%/feeds/many/1'")
        let one = try await site.blog("list", "--format", "ids")
        #expect(one.code == 5)
        #expect(one.errors.split(separator: "\n").count { $0.contains(": HTTP 500 Internal Server Error") } == 1)
        #expect(try await site.blog("list", "--refresh", "--format", "ids").code == 1)
    }

    @Test("exits 4 if a sync reaches none and nothing is stored, as a list does")
    func nothing() async throws {
        // Connections to this port are refused; one that was given back may be another test's by now.
        let outlines = (1...2).map { "<outline xmlUrl='http://127.0.0.1:1/feeds/\($0)'/>" }
        let opml = "<opml><body>\(outlines.joined())</body></opml>"
        try await site.type("http://127.0.0.1:1")
        #expect(try await site.blog("follow", "-", input: opml).code == 4)
        #expect(try await site.blog("list").code == 4)
        let sync = try await site.blog("sync", "--json")
        #expect(sync.code == 4)
        #expect(sync.output.split(separator: "unreachable").count == 3)
        #expect(try await site.blog("sync", "-s", "127-0-0-1").code == 4)
    }

    @Test(
        "requires a post after a source's name, and a tag after tag:",
        arguments: [
            ["read", "mine:"], ["open", "mine:"], ["mark", "saved", "mine:"], ["read", "hn: "], ["search", "tag:"],
        ])
    func empty(arguments: [String]) async throws {
        _ = try await site.blog("follow", site.server.address + "/feeds/feed.xml", "--as", "mine")
        site.server.clearRequests()
        let run = try await site.blog(arguments)
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("blog: ") && run.output.isEmpty)
        #expect(site.server.requests.isEmpty)
    }
}
