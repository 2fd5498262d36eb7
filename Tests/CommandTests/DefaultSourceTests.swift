import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

/// The default source is an ordinary one: it is as if it were followed from its first list until another source is.
@Suite("The default source") struct DefaultSourceTests {
    private let site: TestSite
    private let feeds: MockServer

    init() throws {
        site = try TestSite()
        feeds = try MockServer(sites: [
            FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds"))
        ])
    }

    /// What the commands say of everything.
    private struct Answers: Equatable {
        /// The title of `blog` alone.
        var overview: String
        /// The numbers of posts and unread posts in `blog sources`.
        var sources: [String]
        var listed: Int
        var unread: Int
        var saved: [String]
        var labelled: [String]
        /// What searches for the marks find.
        var searched: [[String]]
        var found: [String]
        /// The name of the first list of `blog browse`, and how many posts it has.
        var browsed: String
    }

    private func ids(_ arguments: String...) async throws -> [String] {
        try await site.blog(arguments + ["--offline", "--format", "ids"]).lines.filter { !$0.isEmpty }
    }

    private func answers() async throws -> Answers {
        let overview = try await site.blog([]).lines
        let sources = try await site.blog("sources", "--fields", "name,posts,unread").lines
        // How many are unread is there as soon as they are counted.
        let browsed = try await site.blog("browse", "--plain", "--offline", input: "q\n").lines.first?
            .replacing(#/\d+ unread of (\d+):/#) { "\($0.output.1) posts:" }
        return Answers(
            overview: overview.first ?? "", sources: sources.filter { !$0.isEmpty },
            listed: try await ids("list").count, unread: try await ids("list", "--unread").count,
            saved: try await ids("list", "--saved"), labelled: try await ids("list", "--label", "fixes"),
            searched: [try await ids("search", "is:saved"), try await ids("search", "label:fixes")],
            found: try await ids("search", "harbour four lines"), browsed: browsed ?? "")
    }

    @Test("is read, kept and searched like any other, whatever is followed after it")
    func story() async throws {
        let posts = try await site.blog("list", "--format", "ids").lines.filter { !$0.isEmpty }.count
        #expect(try await site.blog("read", "42").code == 0)
        #expect(try await site.blog("mark", "saved", "42").code == 0)
        #expect(try await site.blog("label", "add", "fixes", "42").code == 0)
        let first = try await answers()
        #expect(
            first
                == Answers(
                    overview: "\(posts - 1) unread in 1 source", sources: ["blog\t\(posts)\t\(posts - 1)"],
                    listed: posts,
                    unread: posts - 1, saved: ["42"], labelled: ["42"], searched: [["42"], ["42"]],
                    found: ["42"],
                    browsed: "\(site.server.address.dropFirst(7)), \(posts) posts:"))

        #expect(try await site.blog("follow", feeds.address + "/feeds/feed.xml", "--as", "tide").code == 0)
        #expect(
            try await answers()
                == Answers(
                    overview: "4 unread in 1 source", sources: ["tide\t4\t4"], listed: 4, unread: 4,
                    saved: ["blog:42"], labelled: ["blog:42"], searched: [["blog:42"], ["blog:42"]],
                    found: ["blog:42"],
                    browsed: "The Tidewater Reader, 4 posts:"))
        #expect(try await site.blog("read", "blog:42", "--offline", "--body").code == 0)
        #expect(try await site.blog("read", "42", "--offline", "--body").code == 0)
        #expect(try await site.blog("list", "--offline", "-s", "blog", "--format", "ids").lines.contains("42"))

        #expect(try await site.blog("unfollow", "tide").code == 0)
        let afterOne = try await answers()
        #expect(afterOne == first)
        _ = try await site.blog("follow", feeds.address + "/feeds/feed.xml", feeds.address + "/feeds/garden/feed.xml")
        #expect(try await answers().sources.count == 2)
        for source in try await site.blog("sources", "--fields", "address").lines where !source.isEmpty {
            #expect(try await site.blog("unfollow", source).code == 0)
        }
        let afterTwo = try await answers()
        #expect(afterTwo == first)
    }

    @Test("is the one at BLOG_URL, also when it is followed by its name, and labels count its posts alone")
    func otherServer() async throws {
        _ = try await site.blog("list")
        #expect(try await site.blog("label", "add", "fixes", "42").code == 0)
        let other = try TestSite()
        let labels = try await site.blog(
            ["label", "--fields", "label,posts"], environment: ["BLOG_URL": other.server.address])
        #expect(labels.lines == ["fixes\t0"])
        #expect(try await site.blog("follow", "blog").errors.contains("Following blog"))
        #expect(try await site.blog("sources", "--fields", "address").lines == [site.server.address])
        #expect(try await site.blog("label", "--fields", "label,posts").lines == ["fixes\t1"])
    }

    @Test("isn't unfollowed, but can be forgotten, except for what is saved")
    func unfollowed() async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "saved", "42")
        let run = try await site.blog("unfollow", "blog")
        #expect(run.code == 2)
        #expect(
            run.errors == """
                blog: “blog” is the default source, which is read until you follow another.
                To read another instead: blog follow ADDRESS

                """)
        #expect(try await site.blog("unfollow", "--forget", "blog").code == 0)
        #expect(try await ids("list", "--saved") == ["42"])
        #expect(try await ids("search", "harbour") == ["42"])
    }

    @Test("has plain IDs beside those of single pages")
    func pages() async throws {
        let first = try #require(try await site.blog("list", "--format", "ids").lines.first { $0 == "1" })
        #expect(try await site.blog("read", feeds.address + "/feeds/lantern/fog.html").code == 0)
        #expect(try await ids("list").contains(first))
        let run = try await site.blog("read", first, "--json=id")
        #expect(run.output.contains("\"1\""), "\(run.errors)")
    }

    @Test("may be unknown to a new store, which says so")
    func unknown() async throws {
        let run = try await site.blog("mark", "saved", "42")
        #expect(run.code == 3)
        #expect(run.errors.contains("To list the IDs: blog list"), "\(run.errors)")
    }
}
