import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A changed post", .serialized) struct ChangedPostTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private func rename() throws {
        let list = try String(contentsOf: Repository.mockBlog.appending(path: "all.json"), encoding: .utf8)
        let other = list.replacing("An Apology to the Back Button", with: "An Apology to a Button")
        #expect(other != list)
        site.server.setFault(.body(Data(other.utf8)), for: "/post-metadata")
    }

    @Test("is listed by --new again, but isn't unread again")
    func new() async throws {
        _ = try await site.blog("list", "--new=cron")
        _ = try await site.blog("mark", "read", "11")
        try rename()
        let run = try await site.blog("list", "--new=cron", "--json=id,title,read,changed")
        let posts = try #require(try run.json() as? [[String: Any]])
        #expect(posts.count == 1)
        #expect(posts[0]["title"] as? String == "An Apology to a Button")
        #expect(posts[0]["read"] as? Bool == true)
        #expect((posts[0]["changed"] as? String)?.hasSuffix("Z") == true)
        #expect(try await site.blog("list", "--new=cron").output == "")
    }

    @Test("has a changed date in TSV, in JSON and on its card")
    func changedField() async throws {
        _ = try await site.blog("list")
        #expect(try await !site.blog("list", "--json").output.contains("\"changed\""))
        try rename()
        let lines = try await site.blog("list", "--fields", "id,changed").lines
        #expect(lines.filter { !$0.hasSuffix("\t") }.map { $0.prefix(5) } == ["11\t20"])
        #expect(try await site.blog("list", "--json").output.split(separator: "\"changed\":").count == 2)
        let cards = try await site.blog("list", "--format", "text", "--color", "never")
        #expect(cards.lines.count { $0.contains(" · changed now · 11") } == 1)
        #expect(cards.lines.count { $0.contains("changed") } == 1)
    }
}
