import Foundation
import MockServer
import Testing

@Suite("blog follow FILE", .serialized) struct FollowFileTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(FeedSite(folder: TestSite.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
    }

    private var feeds: String { site.server.address + "/feeds" }

    private func file(_ text: String) throws -> String {
        let url = site.home.appending(path: "list")
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test("says in one message that a file is no list of addresses, or which of its lines are none")
    func junk() async throws {
        let junk = try await site.blog("follow", file("once upon\na time\nthere was\n"))
        #expect(junk.code == 2)
        #expect(junk.errors.split(separator: "\n").count == 1)
        #expect(junk.errors.contains("it is neither OPML nor a list of addresses"))
        let some = try await site.blog("follow", file("# mine\n\(feeds)/feed.xml\nonce upon a time\n"))
        #expect(some.code == 5)
        #expect(some.errors.hasPrefix("blog: 2 lines are no address in "))
        #expect(some.errors.contains("for example “# mine”.\nblog: Following 127-0-0-1 ("))
        #expect(some.errors.split(separator: "\n").count == 2)
    }

    @Test("takes what --format opml prints with its names and folders, slashes in those too")
    func opml() async throws {
        let outline = #"<outline type="rss" text="x" xmlUrl="\#(feeds)/garden/feed.xml"/>"#
        let list =
            "<opml><body><outline text='Science / Tech'><outline text='b'>\(outline)</outline></outline></body></opml>"
        _ = try await site.blog("follow", file(list), "--folder", "all")
        _ = try await site.blog("follow", feeds + "/feed.xml", "--as", "mine")
        let place = site.home.appending(path: "other").path
        let exported = try await site.blog("sources", "--format", "opml").output
        #expect(try await site.blog("follow", file(exported), "--store", place).code == 0)
        #expect(try await site.blog("sources", "--format", "opml", "--store", place).output == exported)
        let fields = ["sources", "--fields", "name,folder", "--store", place]
        let run = try await BlogProcess(fields, environment: site.environment, folder: site.home).run(input: "")
        #expect(run.lines == ["127-0-0-1\tall/Science \\/ Tech/b", "mine\t"])
        #expect(try await site.blog("list", "--folder", #"all/Science \/ Tech"#, "--store", place).lines.count == 3)
    }

    @Test("keeps a feed of OPML that is down, and none that was typed with its kind")
    func down() async throws {
        let nothing = feeds + "/nothing.xml"
        let typed = try await site.blog("follow", nothing, "--kind", "feed")
        #expect(typed.code == 1)
        #expect(typed.errors.contains("responded with 404"))
        #expect(try await site.blog("sources", "--fields", "kind").lines == ["blog"])
        let list = "<opml><body><outline xmlUrl='\(nothing)'/></body></opml>"
        #expect(try await site.blog("follow", file(list)).code == 1)
        #expect(try await site.blog("sources", "--fields", "kind,status").lines == ["feed\tfailed"])
        site.server.stop()
        let unreachable = try await site.blog("follow", feeds + "/feed.xml", "--kind", "feed")
        #expect(unreachable.code == 4)
        #expect(try await site.blog("sources", "--fields", "name").lines.count == 1)
    }
}
