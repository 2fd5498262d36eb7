import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("HTML output", .serialized) struct PagesTests {
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private var folder: URL { site.home.appending(path: "pages") }

    private func page(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The names of the pages of posts.
    private func pages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "posts").path).sorted()
    }

    /// The addresses of other files in a page.
    private func links(in page: String) -> [String] {
        page.split(separator: "href=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
            .filter { !$0.hasPrefix("http") && !$0.hasPrefix("#") && !$0.hasPrefix("data:") }
    }

    @Test("is a page with a list in groups")
    func list() async throws {
        let run = try await site.blog("list", "--group", "author", "--format", "html")
        #expect(run.output.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        #expect(run.output.hasSuffix("<footer><p>15 posts</p></footer>\n</body>\n</html>\n"))
        #expect(run.output.contains("<h2 id=\"group-3\"><span lang=\"und\">Kerri Lane</span>"))
        #expect(run.output.contains("src=\"\(site.server.address)/images/authors/kerri.jpg\""))
        let without = try await site.blog("list", "--format", "html", "--images", "never")
        #expect(!without.output.contains("<img"))
    }

    @Test("includes its pictures with --embed, and says which are missing")
    func embedded() async throws {
        let run = try await site.blog("list", "--format", "html", "--embed")
        #expect(run.output.contains("src=\"data:image/jpeg;base64,"))
        #expect(!run.output.contains("src=\"http") && run.output.contains("img-src data:;"))
        #expect(
            run.errors.contains("Could not load 1 picture: \(site.server.address)/images/authors/misaki.jpg: HTTP 404"))
        #expect(run.code == 0)
        let post = try await site.blog("read", "42", "--format", "html", "--embed")
        #expect(post.output.contains("src=\"data:image/png;base64,") && !post.output.contains("src=\"http"))
        #expect(try await site.blog("list", "--embed").code == 2)
    }

    @Test("is a page with a post, with several, or with search results")
    func read() async throws {
        let one = try await site.blog("read", "1", "--format", "html").output
        let host = site.server.address.dropFirst("http://".count)
        #expect(one.contains("<title>The Case for Small Releases – \(host)</title>"))
        #expect(one.contains("<p>Big releases hide"))
        let two = try await site.blog("read", "1", "2", "--format", "html").output
        #expect(two.split(separator: "<article").count == 3 && two.split(separator: "<!DOCTYPE").count == 1)
        let found = try await site.blog("search", "releases", "--format", "html").output
        #expect(found.contains("<h1>“releases”</h1>") && found.contains("<mark>"))
    }

    @Test("is a folder with an index and a page per post, whose links all work")
    func site() async throws {
        let run = try await site.blog("list", "--format", "html", "-o", "pages", "--limit", "6")
        #expect(run.code == 0 && run.output.isEmpty)
        #expect(run.errors == "blog: Wrote pages/index.html and 6 pages.\n")
        let index = try page("index.html")
        #expect(try links(in: index).sorted() == pages().map { "posts/" + $0 })
        for name in try pages() {
            let page = try page("posts/" + name)
            #expect(!page.contains("The body of this post is not stored."))
            let targets = links(in: page)
            #expect(targets.first == "../index.html" && (2...3).contains(targets.count))
            for target in targets {
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: "posts/" + target).path))
            }
        }
    }

    @Test("is a folder of search results, too")
    func found() async throws {
        _ = try await site.blog("sync")
        let run = try await site.blog("search", "the", "--format", "html", "-o", "pages", "--limit", "2")
        #expect(run.code == 0 && run.errors.contains("Wrote pages/index.html and 2 pages.\n"))
        #expect(try links(in: page("index.html")).sorted() == pages().map { "posts/" + $0 })
        #expect(try page("index.html").contains("<mark>") && !page("index.html").contains("blog read"))
        #expect(try await site.blog("search", "the", "-o", "pages").code == 2)
    }

    @Test("has an index of several pages if the list is long")
    func long() async throws {
        let posts = (1...201).map { number in
            #"{"id":"\#(number)","title":"T","publishDate":"2018-07-15T23:03:29Z","postId":"x\#(number)","author":{"name":"a"}}"#
        }
        site.server.setFault(.body(Data("[\(posts.joined(separator: ","))]".utf8)), for: "/post-metadata")
        _ = try await site.blog("list")
        let run = try await site.blog("list", "--format", "html", "-o", "pages", "--offline")
        #expect(run.errors.contains("Wrote pages/index.html and 201 pages.\n"))
        #expect(try links(in: page("index.html")).filter { !$0.hasPrefix("posts/") } == ["page-2.html"])
        #expect(try links(in: page("page-2.html")).filter { !$0.hasPrefix("posts/") } == ["index.html"])
        #expect(try pages().count { try page("posts/" + $0).contains("href=\"../page-2.html\"") } == 1)
        _ = try await site.blog("list", "--format", "html", "-o", "pages", "--offline", "--limit", "200")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "page-2.html").path))
    }

    @Test("is updated in the same folder, where only its own pages are removed")
    func again() async throws {
        _ = try await site.blog("list", "--format", "html", "-o", "pages", "--limit", "3")
        let first = try pages()
        try Data("x".utf8).write(to: folder.appending(path: "posts/notes.html"))
        _ = try await site.blog("list", "--format", "html", "-o", "pages", "--limit", "2")
        #expect(try pages().count == 3 && pages().contains("notes.html"))
        #expect(try pages().filter { $0 != "notes.html" }.allSatisfy(first.contains))
    }

    @Test("is completed by the next run after one that was interrupted or killed", arguments: [SIGINT, SIGKILL])
    func interrupted(signal: Int32) async throws {
        site.server.setFault(.stall, for: "/post/2007")
        let process = site.process(["list", "--format", "html", "-o", "pages"])
        async let outcome = process.run(input: "")
        while !site.server.requestLines.contains("GET /post/2007") || (try? pages().isEmpty) != false {
            try await Task.sleep(for: .milliseconds(5))
        }
        process.send(signal)
        #expect(try await outcome.code == 128 + signal)
        site.server.setFault(nil, for: "/post/2007")
        try Data("mine".utf8).write(to: folder.appending(path: "posts/mine-0123456789ab.html"))
        let run = try await site.blog("list", "--format", "html", "-o", "pages", "--limit", "6")
        #expect(run.code == 0 && run.errors == "blog: Wrote pages/index.html and 6 pages.\n")
        #expect(try pages().count == 7 && page("posts/mine-0123456789ab.html") == "mine")
    }

    @Test("says which file is in its way, and leaves that unchanged")
    func inTheWay() async throws {
        _ = try await site.blog("list", "--format", "html", "-o", "pages", "--limit", "3")
        _ = try await site.blog("list", "--format", "html", "-o", "other", "--limit", "2")
        let other = site.home.appending(path: "other/posts")
        let written = try FileManager.default.contentsOfDirectory(atPath: other.path)
        let name = try #require(try pages().first { !written.contains($0) })
        try Data("mine".utf8).write(to: other.appending(path: name))
        let run = try await site.blog("list", "--format", "html", "-o", "other", "--limit", "3")
        #expect(run.code == 2)
        #expect(
            run.errors == """
                blog: other/posts/\(name) wasn't written by blog, so it was left alone.
                Move it elsewhere, or use another directory with -o.

                """)
        #expect(try String(contentsOf: other.appending(path: name), encoding: .utf8) == "mine")
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).sorted() == (written + [name]).sorted())
    }

    @Test("isn't written among other files", arguments: ["full", "full/file", "other"])
    func foreign(path: String) async throws {
        for (name, text) in [("full/file", "mine"), ("other/index.html", "<!DOCTYPE html><title>mine</title>")] {
            let file = site.home.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let run = try await site.blog("list", "--format", "html", "--output", path)
        #expect(run.code == 2 && run.errors.contains("\nUse -o with a directory that is new"))
        #expect(site.server.requests.isEmpty)
        for folder in ["full", "other"] {
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: site.home.appending(path: folder).path).count == 1)
        }
    }

    @Test(
        "needs a folder that can be written, and the right format",
        arguments: [(["-o", "/dev/null/x"], 2), (["-o", ""], 2)])
    func unusable(options: [String], code: Int) async throws {
        let arguments = ["list", "--format", "html"] + options
        #expect(try await site.blog(arguments).code == code)
        #expect(try await site.blog("list", "-o", "pages").errors.hasSuffix("list > FILE\n"))
    }

    @Test("has summaries if bodies aren't stored, and no requests with --offline")
    func offline() async throws {
        _ = try await site.blog("list")
        _ = try await site.blog("read", "1")
        site.server.stop()
        let run = try await site.blog("list", "--format", "html", "-o", "pages", "--offline")
        #expect(run.code == 0 && run.errors.contains("14 posts have no stored body. To fetch the bodies: blog sync\n"))
        let read = try #require(try pages().first { $0.hasPrefix("the-case-for-small-releases-") })
        #expect(try page("posts/" + read).contains("<p>Big releases hide"))
        let other = try #require(try pages().first { $0.hasPrefix("caches-3-hard-things-") })
        #expect(try page("posts/" + other).contains("The body of this post is not stored."))
    }

    @Test("says which bodies couldn't be fetched, and goes without them")
    func failing() async throws {
        site.server.setFault(.status(500), for: "/post/2014")
        let run = try await site.blog("list", "--format", "html", "-o", "pages", "--limit", "3")
        #expect(run.code == 5 && run.errors.contains("Could not fetch 1 body: "))
        #expect(try pages().count == 3)
    }

    @Test("has file names of its own, whatever the IDs and titles are")
    func names() async throws {
        let titles = ["../../evil", "a/b\\c", "..", "", "x\\u0000y", "Same", "Same"]
        let posts = titles.enumerated().map { index, title in
            #"{"id":"../\#(index)","title":"\#(title.replacing("\\c", with: "\\\\c"))","publishDate":"2018-07-15T23:03:29Z","postId":"/etc/\#(index)","author":{"name":"a"}}"#
        }
        site.server.setFault(.body(Data("[\(posts.joined(separator: ","))]".utf8)), for: "/post-metadata")
        _ = try await site.blog("list", "--format", "html", "-o", "pages")
        #expect(try pages().count == 7)
        #expect(try pages().allSatisfy { $0.wholeMatch(of: #/[a-z0-9-]+\.html/#) != nil })
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                == [".blog-pages", "index.html", "posts"])
    }
}
