@testable import BlogStore
import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A source that fails", .serialized) struct FailingSourcesTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(EmptySite())
        serve(Self.feed("One", "Two"), at: "/a.xml")
        serve(Self.feed("Three"), at: "/b.xml")
    }

    private static func feed(_ titles: String...) -> String {
        let items = titles.map { "<item><guid>\($0)</guid><title>\($0)</title><description>Text</description></item>" }
        return "<rss version='2.0'><channel><title>Feed</title>\(items.joined())</channel></rss>"
    }

    private func serve(_ text: String, at path: String) { site.server.setFault(.body(Data(text.utf8)), for: path) }

    private func follow() async throws {
        for name in ["a", "b"] {
            #expect(try await site.blog("follow", "\(site.server.address)/\(name).xml", "--as", name).code == 0)
        }
    }

    /// What its server does, and what to do about it.
    static let problems: [(fault: Fault, reason: String, advice: String)] = [
        (.status(404), "HTTP 404 Not Found", "To look for its new address: blog follow a --repair"),
        (.status(410), "HTTP 410 Gone", "It was removed. To stop following it: blog unfollow a"),
        (.status(403), "HTTP 403 Forbidden", "Its server refuses this program."),
        (
            .raw(Data("HTTP/1.1 403 Forbidden\r\nCf-Mitigated: challenge\r\nContent-Length: 0\r\n\r\n".utf8)),
            "HTTP 403: Cloudflare lets only browsers in", "Its server refuses this program."
        ),
        (
            .status(401), "HTTP 401: login required",
            "Check ~/.netrc for a line: machine 127.0.0.1 login NAME password PASSWORD"
        ),
        (.html, "the response isn't a feed", "To look for its new address: blog follow a --repair"),
        (.status(500), "HTTP 500 Internal Server Error", "blog will try again."),
    ]

    @Test("is listed with the reason, the time since when, and what to do", arguments: problems.indices)
    func listed(index: Int) async throws {
        let problem = Self.problems[index]
        try await follow()
        #expect(try await site.blog("sources", "--failing").errors == "blog: No source is failing.\n")
        site.server.setFault(problem.fault, for: "/a.xml")
        let list = try await site.blog("list", "--refresh", "--format", "ids")
        #expect(list.code == 5)
        #expect(list.errors.hasPrefix("blog: Could not refresh a: "))
        #expect(list.errors.hasSuffix(". To see what to do: blog sources --failing\n"))
        // Some servers refuse requests at random.
        let first = try await site.blog("sources", "--failing", "--fields", "advice").output
        #expect(first.contains("--repair") == false && first.contains("refuses") == false, "\(first)")
        try Database(path: site.storePath, mode: .readWrite).execute(
            "UPDATE sources SET failures = 2, due_at = NULL WHERE name = 'a'")
        #expect(try await site.blog("list", "--refresh", "--format", "ids").code == 5)
        let failing = try await site.blog("sources", "--failing", "--format", "text").lines
        #expect(failing.count >= 3)
        #expect(failing[0].hasPrefix("Feed (a) · http://127.0.0.1:"))
        #expect(failing.joined(separator: " ").replacing(#/ +/#, with: " ").contains(" · last refreshed 20"))
        #expect(try await site.blog("sources", "--failing").lines.first?.contains("\t\(problem.advice)") == true)
        let facts = try await site.blog("sources", "--failing", "--fields", "name,reason,advice").lines
        #expect(facts.count == 1)
        let fields = facts[0].split(separator: "\t").map(String.init)
        #expect(fields[0] == "a")
        #expect(fields[1].hasPrefix(problem.reason), "\(fields[1])")
        #expect(fields[2].hasPrefix(problem.advice))
    }

    @Test("isn't mentioned by a list that doesn't ask it")
    func quiet() async throws {
        try await follow()
        site.server.setFault(.status(500), for: "/a.xml")
        #expect(try await site.blog("list", "--refresh").code == 5)
        site.server.clearRequests()
        let list = try await site.blog("list", "--format", "ids")
        #expect(list.code == 0 && list.errors.isEmpty && list.lines.count == 3)
        #expect(site.server.requests.isEmpty)
    }

    @Test("is found again on its site, and keeps its numbers and marks")
    func repaired() async throws {
        try await follow()
        #expect(try await site.blog("mark", "saved", "a:1").code == 0)
        let before = try await site.blog("list", "-s", "a", "--offline", "--fields", "id,title").output
        site.server.setFault(.status(404), for: "/a.xml")
        serve("<html><link rel=alternate type=application/rss+xml href=/new.xml></html>", at: "/")
        serve(Self.feed("Two", "One"), at: "/new.xml")
        let shown = try await site.blog("follow", "a", "--repair", "--dry-run", "--fields", "name,address")
        #expect(shown.output == "a\t\(site.server.address)/new.xml\n")
        #expect(try await site.blog("sources", "-s", "a", "--fields", "address").output.hasSuffix("/a.xml\n"))
        #expect(try await site.blog("follow", "a", "--repair", "--as", "b").code == 2)
        #expect(try await site.blog("sources", "-s", "a", "--fields", "address").output.hasSuffix("/a.xml\n"))
        let repair = try await site.blog("follow", "a", "--repair")
        #expect(repair.code == 0)
        let (old, new) = ("\(site.server.address)/a.xml", "\(site.server.address)/new.xml")
        #expect(repair.errors == "blog: Moved a from \(old) to \(new): 2 posts.\n")
        #expect(try await site.blog("list", "-s", "a", "--fields", "id,title").output == before)
        #expect(try await site.blog("list", "--saved", "--format", "ids").output == "a:1\n")
        #expect(try await site.blog("sources", "--failing").output.isEmpty)
    }

    @Test("isn't replaced by a feed with none of its posts, which is shown with the command to take it")
    func otherFeed() async throws {
        try await follow()
        site.server.setFault(.status(404), for: "/a.xml")
        serve("<html><link rel=alternate type=application/rss+xml href=/new.xml></html>", at: "/")
        serve(Self.feed("Buy now"), at: "/new.xml")
        #expect(try await site.blog("follow", "a", "--repair", "--dry-run").code == 1)
        let repair = try await site.blog("follow", "a", "--repair")
        #expect(repair.code == 1)
        let new = "\(site.server.address)/new.xml"
        #expect(
            repair.errors == """
                blog: Found \(new), which has none of the stored posts of “a”.
                To follow it instead: blog follow a --address \(new)

                """)
        #expect(try await site.blog("sources", "-s", "a", "--fields", "address,posts").output.hasSuffix("/a.xml\t2\n"))
    }

    @Test("is advised to move to the address that its server has named, quoted for a shell")
    func moved() async throws {
        try await follow()
        site.server.setFault(
            .raw(Data("HTTP/1.1 301 x\r\nLocation: /$(id);b.xml\r\nContent-Length: 0\r\n\r\n".utf8)), for: "/a.xml")
        serve(Self.feed("One", "Two"), at: "/$(id);b.xml")
        _ = try await site.blog("list", "--refresh")
        let advice = try await site.blog("sources", "-s", "a", "--fields", "advice").output
        #expect(advice == "It has moved: blog follow a --address '\(site.server.address)/$(id);b.xml'\n", "\(advice)")
    }

    @Test("isn't followed by its page, which says what is wrong with its feed")
    func brokenFeed() async throws {
        serve("<html><link rel=alternate type=application/rss+xml href=/gone.xml></html>", at: "/blog")
        site.server.setFault(.status(410), for: "/gone.xml")
        let run = try await site.blog("follow", "\(site.server.address)/blog")
        let feed = "\(site.server.address)/gone.xml"
        #expect(run.code == 1)
        #expect(
            run.errors.hasPrefix(
                "blog: Could not follow \(site.server.address)/blog: it is a web page whose feed, \(feed), can't be fetched (HTTP 410 Gone).\n"
            ), "\(run.errors)")
    }

    @Test("keeps its address if that works again, or if nothing is found")
    func unchanged() async throws {
        try await follow()
        site.server.setFault(.status(404), for: "/a.xml")
        let lost = try await site.blog("follow", "a", "--repair")
        #expect(lost.code == 1)
        #expect(lost.errors.hasPrefix("blog: Found no feed of “a” on its site ("), "\(lost.errors)")
        #expect(lost.errors.hasSuffix("If you know its new address: blog follow a --address URL\n"))
        serve(Self.feed("One", "Two", "Four"), at: "/a.xml")
        let found = try await site.blog("follow", "a", "--repair")
        #expect(found.code == 0)
        #expect(found.errors == "blog: a works: its feed is at \(site.server.address)/a.xml\n")
        #expect(try await site.blog("list", "-s", "a", "--offline", "--format", "ids").lines.count == 3)
        #expect(try await site.blog("follow", "a", "b", "--repair").code == 2)
    }
}

private struct EmptySite: MockSite {
    func response(to request: MockRequest) -> MockResponse? { nil }
}
