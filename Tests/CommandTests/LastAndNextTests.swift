import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("The ID “last”", .serialized) struct LastTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    /// The post that `last` means.
    private func last(_ options: String...) async throws -> String {
        try await site.blog(["read", "last", "--format", "ids"] + options).lines.joined(separator: " ")
    }

    @Test("means the post read last in every command, offline too", arguments: [[], ["--offline"]])
    func commands(options: [String]) async throws {
        _ = try await site.blog("list")
        let read = try await site.blog("read", "3")
        if !options.isEmpty { site.server.stop() }
        #expect(try await site.blog(["read", "last"] + options).output == read.output)
        #expect(try await site.blog(["mark", "saved", "last"] + options).errors == "blog: 1 post marked as saved.\n")
        #expect(try await site.blog("list", "--saved", "--offline", "--format", "ids").output == "3\n")
        #expect(
            try await site.blog(["open", "last", "--page", "--print"] + options).output
                == site.blog(["open", "3", "--page", "--print"] + options).output)
        #expect(try await site.blog(["read", "last", "--json=id"] + options).output == "{\"id\":\"3\"}\n")
        let piped = try await site.blog("read", "-", "--format", "ids", input: "3\nlast\n")
        #expect(piped.lines == ["3", "3"])
    }

    @Test("means the last of several posts, even if they were read before")
    func several() async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("read", "5", "4", "14")
        #expect(try await last() == "14")
        _ = try await site.blog("read", "5", "4")
        #expect(try await last() == "4")
        _ = try await site.blog("read", "next")
        #expect(try await last() == "13")
    }

    @Test(
        "isn't changed by other commands",
        arguments: [
            ["mark", "read", "7"], ["mark", "unread", "3"], ["undo"], ["read", "7", "--no-mark"],
            ["read", "7", "--json=id,title"], ["read", "x"], ["list"], ["sync"],
        ])
    func unchanged(arguments: [String]) async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("read", "3")
        _ = try await site.blog(arguments)
        #expect(try await last() == "3")
    }

    @Test(
        "is rejected with a hint until a post has been read",
        arguments: [["read", "last"], ["mark", "saved", "last"], ["mark", "saved", "3", "last"], ["open", "last"]])
    func none(arguments: [String]) async throws {
        _ = try await site.blog("list")
        let run = try await site.blog(arguments)
        #expect(run.code == 3 && run.output.isEmpty)
        #expect(
            run.errors == """
                blog: No post for “last”: you haven't read one yet, or it was deleted.
                To read the newest post: blog read latest

                """)
        #expect(try await site.blog("list", "--saved", "--format", "ids").output == "")
    }

    @Test("is rejected once its post is deleted")
    func deleted() async throws {
        #expect(try await site.blog("follow", site.server.address, "--as", "nerds").code == 0)
        _ = try await site.blog("read", "nerds:3")
        #expect(try await site.blog("unfollow", "nerds").code == 0)
        #expect(try await last("--offline") == "nerds:3")
        #expect(try await site.blog("follow", site.server.address, "--as", "nerds").code == 0)
        #expect(try await site.blog("unfollow", "nerds", "--forget").code == 0)
        let run = try await site.blog("read", "last")
        #expect(run.code == 3)
        #expect(run.errors.contains("or it was deleted."))
    }

    @Test("isn't exported")
    func export() async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("read", "3")
        let export = try await site.blog("store", "export").output
        #expect(try await site.blog("store", "import", "--store", "other", input: export).code == 0)
        #expect(try await site.blog("read", "last", "--store", "other").code == 3)
    }

    @Test("means a post of the source it was read from, even if others have the same ID")
    func source() async throws {
        let other = try TestSite(MadeUpSite(posts: 5))
        #expect(try await site.blog("list").code == 0)
        let read = try await site.blog("read", "3", "--url", other.server.address)
        #expect(try await site.blog("read", "last").output == read.output)
        #expect(try await site.blog("read", "3").output != read.output)
        #expect(try await site.blog("follow", site.server.address, "--as", "nerds").code == 0)
        _ = try await site.blog("read", "3", "--url", other.server.address)
        #expect(try await site.blog("read", "last", "-s", "nerds").output == read.output)
    }

    @Test("means a blog's own post with that ID if it has one")
    func own() async throws {
        let record =
            #"{"id":"last","title":"Own","publishDate":"2018-07-20T23:03:29Z","postId":"2001","author":{"name":"a"}}"#
        let body = #"{"id":"2001","body":"its own text","metadata":\#(record)}"#
        site.server.setFault(.body(Data(body.utf8)), for: "/post/2001")
        site.server.setFault(.body(Data("[\(record)]".utf8)), for: "/post-metadata")
        let other = try TestSite(MadeUpSite(posts: 5))
        _ = try await site.blog("read", "3", "--url", other.server.address)
        #expect(try await site.blog("list").lines.count == 1)
        #expect(try await site.blog("read", "last", "--body").output == "its own text\n")
        #expect(try await site.blog("mark", "saved", "last").code == 0)
        #expect(try await site.blog("list", "--saved", "--format", "ids").output == "last\n")
    }
}

@Suite("The ID “next” with --skip", .serialized) struct SkipTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    static let lines: [(String, String)] = [
        ("next", "14"), ("next --skip", "13"), ("--skip next", "13"), ("next --skip=2", "12"), ("next --skip=0", "14"),
        ("next:3 --skip=2", "12 11 10"), ("next next:2 --skip", "13 13 12"), ("next --skip=13", "42"),
        ("next:9 --skip=12", "1 42"), ("next --skip=14", ""),
    ]

    @Test("skips unread posts, offline too", arguments: lines)
    func skips(words: String, ids: String) async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("mark", "read", "2")
        #expect(try await site.run("read \(words) --format ids").lines.joined(separator: " ") == ids)
        #expect(try await site.run("read \(words) --format ids --offline").lines.joined(separator: " ") == ids)
    }

    @Test("leaves the skipped posts unread, and says that there are no more")
    func unread() async throws {
        #expect(try await site.blog("follow", site.server.address, "--as", "nerds").code == 0)
        #expect(try await site.blog("mark", "read", "--all").code == 0)
        #expect(try await site.blog("mark", "unread", "nerds:5", "nerds:3").code == 0)
        #expect(
            try await site.run("read nerds:next --skip --body").output
                == site.run("read nerds:3 --no-mark --body").output)
        #expect(try await site.blog("list", "--unread", "--format", "ids").output == "nerds:5\n")
        let none = try await site.run("read next --skip")
        #expect(none.code == 0 && none.output.isEmpty)
        #expect(none.errors.hasPrefix("blog: No further unread posts in "))
    }

    @Test(
        "is rejected with other IDs",
        arguments: [
            "11 --skip", "latest --skip", "next 11 --skip", "- --skip=2", "3-7 --skip", "last --skip", "next --skip 2",
        ])
    func others(words: String) async throws {
        let run = try await site.run("read \(words)")
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(run.errors == "blog: --skip only works with next, as in: blog read next --skip=2\n")
    }

    @Test("is rejected with an invalid number", arguments: ["x", "-1", "1.5", "1000001"])
    func numbers(number: String) async throws {
        let run = try await site.run("read next --skip=\(number)")
        #expect(run.code == 2)
        let sentence = "blog: Invalid value “\(number)” for --skip (use a whole number from 0 to 1000000)."
        #expect(run.errors.hasPrefix(sentence))
    }
}
