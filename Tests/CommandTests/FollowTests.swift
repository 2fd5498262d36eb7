import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog follow", .serialized) struct FollowTests {
    private let site: TestSite
    private let other: MockServer
    private let news: MockServer

    init() throws {
        site = try TestSite()
        other = try MockServer(sites: [MadeUpSite(posts: 120)])
        news = try MockServer(sites: [
            HackerNewsSite(
                folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "hackernews"))
        ])
    }

    private func followAll() async throws {
        _ = try await site.blog("follow", site.server.address, "--as", "nerds", "--folder", "work")
        _ = try await site.blog("follow", other.address, "--as", "other")
        _ = try await site.blog("follow", news.address + "/v0", "--as", "news")
    }

    @Test("names each source in a sync whose bodies are new or failed")
    func syncLines() async throws {
        _ = try await site.blog("follow", site.server.address, "--as", "nerds")
        _ = try await site.blog("follow", other.address, "--as", "other")
        other.setFault(.html, for: (1...120).map { "/post/\(MadeUpSite.postId($0))" })
        let run = try await site.blog("sync")
        #expect(run.errors.contains("blog: nerds: "), "\(run.errors)")
        #expect(run.errors.contains("blog: other: "), "\(run.errors)")
    }

    @Test("accepts several addresses, and lines on stdin, and reports each in order")
    func several() async throws {
        try await site.type(other.address)
        let run = try await site.blog(["follow", "-"], input: "\(other.address)\n\(site.server.address)/nothing\n")
        #expect(run.code == 5)
        let lines = run.errors.split(separator: "\n")
        #expect(lines[0].hasPrefix("blog: Following 127-0-0-1 (\(other.address)): 120 posts."))
        #expect(lines[1].contains("/nothing: HTTP 404 Not Found"))
        #expect(run.output.isEmpty)
        let again = try await site.blog("follow", other.address)
        #expect(again.code == 0)
        #expect(again.errors == "blog: Already following 127-0-0-1: \(other.address)\n")
        #expect(try await site.blog("follow", site.server.address + "/nothing").code == 1)
        #expect(try await site.blog("follow").code == 2)
        #expect(try await site.blog("follow", "nonsense").code == 2)
    }

    @Test("has a source refreshed as often as it is told, also after an export and import")
    func interval() async throws {
        _ = try await site.blog("follow", other.address, "--as", "other", "--every", "never")
        _ = try await site.blog("follow", site.server.address, "--as", "nerds")
        func due() async throws -> [String] {
            try await site.blog("sources", "--fields", "name,every,dueAt").lines.map { String($0.prefix(18)) }
        }
        let century = "other\tnever\t\(Calendar(identifier: .gregorian).component(.year, from: Date()) / 100 + 1)"
        #expect(try await due().contains { $0.hasPrefix(century) })
        #expect(try await due().contains { $0.hasPrefix("nerds\t\t2") })
        #expect(try await site.blog("follow", "other", "--every", "1d").errors.hasPrefix("blog: Updated other"))
        #expect(try await due().contains { $0.hasPrefix("other\t1d\t2") && !$0.hasPrefix(century) })
        let export = try await site.blog("store", "export").output
        let copy = try TestSite()
        _ = try await copy.blog(["store", "import", "-"], input: export)
        #expect(try await copy.blog("sources", "--fields", "name,every").lines.contains("other\t1d"))
        #expect(try await site.blog("follow", "other", "--every", "none").code == 0)
        #expect(try await site.blog("sources", "--fields", "name,every").lines.contains("other\t"))
        #expect(try await site.blog("follow", "other", "--every", "soon").code == 2)
    }

    @Test("shows a source under the title that it is given, also after an export and import, or else under its own")
    func title() async throws {
        func titles(_ site: TestSite) async throws -> [String] {
            try await site.blog("sources", "--fields", "name,title").lines
        }
        let both = try await site.blog("follow", site.server.address, other.address, "--title", "Both")
        #expect(both.code == 2 && both.errors.contains("--title only works with a single source."))
        _ = try await site.blog("follow", site.server.address)
        _ = try await site.blog("follow", other.address, "--as", "other", "--title", " Days\u{7}  and nights ")
        #expect(try await titles(site).contains("other\tDays and nights"))
        #expect(
            try await site.blog("list", "--group", "source", "--format", "text").output.contains(
                "Days and nights (other)"))
        let copy = try TestSite()
        _ = try await copy.blog(["store", "import", "-"], input: site.blog("store", "export").output)
        #expect(try await titles(copy).contains("other\tDays and nights"))
        #expect(
            try await site.blog("follow", "other", "--as", "o", "--folder", "a/b").errors
                == "blog: Renamed other to o in the folder “a/b”: \(other.address)\n")
        #expect(try await titles(site).contains("o\tDays and nights"))
        #expect(try await site.blog("follow", "o", "--title", "none").errors.hasPrefix("blog: Updated o"))
        #expect(try await titles(site).contains("o\t"))
    }

    @Test("gives a source a new address if there is one like it, with its posts, marks and name")
    func newAddress() async throws {
        let site = try TestSite(
            FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        func feed(_ name: String) -> String { "\(site.server.address)/feeds/\(name)/feed.xml" }
        func addresses() async throws -> [String] {
            try await site.blog("sources", "--fields", "name,address,status").lines
        }
        _ = try await site.blog("follow", feed("garden"), "--as", "g")
        _ = try await site.blog("mark", "saved", "--all")
        let saved = try await site.blog("list", "--saved", "--format", "ids").lines
        site.server.setFault(.status(404), for: "/feeds/garden/feed.xml")
        _ = try await site.blog("list", "--refresh")
        #expect(try await addresses() == ["g\t\(feed("garden"))\tfailed"])
        let dry = try await site.blog("follow", "g", "--address", feed("bakery"), "--dry-run")
        #expect(dry.code == 0 && dry.output.contains(feed("bakery")))
        #expect(try await site.blog("follow", "g", "--address", feed("garden")).code == 1)
        #expect(try await site.blog("follow", "g", "--address", other.address).code == 2)
        #expect(try await site.blog("follow", "nobody", "--address", feed("bakery")).code == 2)
        #expect(try await site.blog("follow", "g", "x", "--address", feed("bakery")).code == 2)
        #expect(try await addresses() == ["g\t\(feed("garden"))\tfailed"])
        let run = try await site.blog("follow", "g", "--address", feed("bakery"))
        #expect(run.code == 0 && run.errors.hasPrefix("blog: Moved g from \(feed("garden")) to \(feed("bakery")): "))
        #expect(try await addresses() == ["g\t\(feed("bakery"))\tok"])
        #expect(try await site.blog("list", "--saved", "--format", "ids").lines == saved)
        #expect(try await site.blog("list", "--format", "ids").lines.count > saved.count)
        _ = try await site.blog("follow", other.address, "--as", "other")
        #expect(try await site.blog("follow", "other", "--address", other.address + "/").code == 0)
        #expect(try await site.blog("follow", "g", "--address", feed("bakery")).code == 0)
        _ = try await site.blog("unfollow", "g")
        _ = try await site.blog("follow", "\(site.server.address)/feeds/feed.xml", "--as", "new")
        let kept = try await site.blog("follow", "new", "--address", feed("bakery"))
        #expect(kept.code == 2)
        #expect(kept.errors.hasPrefix("blog: \(feed("bakery")) is the address of “g”.\n"))
        #expect(kept.errors.hasSuffix(": blog follow g\n"))
    }

    @Test("makes one list of all sources")
    func list() async throws {
        try await followAll()
        let list = try await site.blog("list", "--format", "ids")
        #expect(list.lines.count == 165)
        #expect(Set(list.lines.map { $0.split(separator: ":")[0] }) == ["nerds", "other", "news"])
        #expect(try await site.blog("list", "--folder", "work", "--format", "ids").lines.count == 15)
        #expect(try await site.blog("list", "-s", "nerds,other", "--format", "ids").lines.count == 135)
        #expect(try await site.blog("list", "-s", "nobody").code == 2)
        #expect(try await site.blog("list", "--folder", "nowhere").code == 2)
        #expect(try await site.blog("list", "--json=source", "-s", "nerds").output.contains(#"{"source":"nerds"}"#))
        let grouped = try await site.blog("list", "--group", "source", "--fields", "id", "--limit", "165")
        #expect(grouped.lines.first?.hasPrefix("nerds\tnerds:") == true)
        // An address in the environment replaces the sources only if none are followed.
        #expect(try await site.blog("list", "--url", site.server.address, "--format", "ids").lines.count == 15)
    }

    @Test("doesn't name all sources in the title of a post's page")
    func pageTitle() async throws {
        try await followAll()
        let page = try await site.blog("read", "nerds:1", "--format", "html").output
        #expect(page.contains(/<title>[^<–]+<\/title>/))
    }

    @Test("reverses posts within their groups, and groups only if requested")
    func reversed() async throws {
        let first = try await site.blog("list", "--group", "author", "--fields", "id").lines
        let posts = try await site.blog("list", "--group", "author", "--reverse", "--fields", "id").lines
        let groups = try await site.blog("list", "--group", "author", "--reverse-groups", "--fields", "id").lines
        func names(_ lines: [String]) -> [String] {
            lines.map { String($0.split(separator: "\t")[0]) }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
        #expect(names(posts) == names(first))
        #expect(names(groups) == names(first).reversed())
        #expect(posts != first && Set(posts) == Set(first))
    }

    static let feedlike = ["/x.xml", "/blog/feed", "/a.atom", "/gone"]

    @Test("requests no list of an API if neither the address nor the response is an API's", arguments: feedlike)
    func noAPI(path: String) async throws {
        other.setFault(.status(path == "/gone" ? 410 : 500), for: path)
        other.clearRequests()
        #expect(try await site.blog("follow", other.address + path).code == 1)
        #expect(Set(other.requests.map(\.path)) == [path])
    }

    @Test("leaves out a source that stalls, and says so in one line")
    func stalled() async throws {
        try await followAll()
        other.setFault(.stall, for: "/post-metadata")
        let run = try await site.blog("list", "--refresh", "--format", "ids")
        #expect(run.lines.count == 165)
        #expect(run.code == 0)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        // On a busy machine, others may be late too.
        #expect(run.errors.contains(/^blog: No response within 5 s from [a-z, ]*other[, ]/))
    }

    @Test("exits 5 if one of several sources fails, and shows everything stored")
    func failing() async throws {
        try await followAll()
        other.setFault(.status(500), for: "/post-metadata")
        let run = try await site.blog("list", "--refresh", "--format", "ids")
        #expect(run.code == 5)
        #expect(run.lines.count == 165)
        #expect(try await site.blog("sources").output.contains("failed"))
        [site.server, other, news].forEach { $0.stop() }
        let unreachable = try await site.blog("list", "--refresh", "--format", "ids")
        #expect(unreachable.code == 0, "\(unreachable.errors)")
        #expect(try await site.blog("search", "the", "--format", "ids").code == 0)
        #expect(try await site.blog("list", "--offline", "--unread", "--format", "ids").lines.count == 165)
    }

    @Test("reads and marks 300 IDs of three sources from stdin")
    func manyIDs() async throws {
        try await followAll()
        _ = try await site.blog("sync")
        let some = try await site.blog("list", "--format", "ids", "--offline").lines
        let ids = (some + some).prefix(300).joined(separator: "\n")
        let read = try await site.blog("read", "-", "--offline", "--json=id", "--no-mark", "--no-comments", input: ids)
        #expect(read.code == 0, "\(read.errors)")
        #expect(
            (try read.json() as? [[String: String]])?.compactMap { $0["id"] }
                == ids.split(separator: "\n").map(String.init))
        let marked = try await site.blog("mark", "read", "-", input: ids)
        #expect(marked.code == 0)
        #expect(marked.errors == "blog: 165 posts marked as read.\n")
        #expect(try await site.blog("list", "--unread", "--offline").output.isEmpty)
        #expect(try await site.blog("undo").errors.contains("165 posts marked as unread again"))
    }

    @Test("shows what is stored of a post without its body, and says that only that is missing")
    func summaries() async throws {
        _ = try await site.blog("list")
        let run = try await site.blog("read", "11", "--offline", "--format", "text")
        #expect(run.code == 4)
        #expect(run.output.contains("An Apology to the Back Button"))
        #expect(run.output.contains("We took it over, we broke it"))
        #expect(run.errors.hasPrefix("blog: The body of “11” from \(site.server.address) isn't stored."))
        let piped = try await site.blog("read", "11", "--offline")
        #expect(piped.code == 4)
        #expect(piped.output.hasPrefix("An Apology to the Back Button\n="))
        #expect(piped.output.contains("We took it over, we broke it"))
        #expect(try await site.blog("read", "11", "--offline", "--body").output.isEmpty)
    }

    @Test("says that --store created a store, and that AND was ignored")
    func notices() async throws {
        let place = site.home.appending(path: "new.sqlite3").path
        #expect(try await site.blog("list", "--store", place).errors == "blog: Created the store \(place)\n")
        #expect(try await site.blog("list", "--store", place).errors.isEmpty)
        let nowhere = try await site.blog("list", "--store", "/proc/x/y")
        #expect(nowhere.errors == "blog: Could not write to /proc/x/y (changes won't be saved)\n")
        #expect(
            try await site.blog("search", "caches AND the", "--store", place).errors.contains("“AND” was ignored"))
        #expect(!(try await site.blog("search", "caches and the", "--store", place).errors.contains("AND")))
    }

    @Test("doesn't follow another feed of a site if the given one is broken")
    func broken() async throws {
        let site = try TestSite(BrokenFeed())
        let run = try await site.blog("follow", site.server.address + "/broken.xml")
        #expect(run.code == 1)
        #expect(run.errors.contains("JSON, but not a feed"))
        #expect(!site.server.requests.contains { $0.path == "/feed.json" })
    }

    @Test("is exported and imported with names, folders and posts")
    func export() async throws {
        try await followAll()
        let lines = try await site.blog("store", "export").output
        let place = site.home.appending(path: "other.sqlite3").path
        let imported = try await site.blog("store", "import", "-", "--store", place, input: lines)
        #expect(imported.code == 0)
        #expect(imported.errors.contains("Following 3 more sources."))
        let fields = ["--fields", "name,kind,address,folder,posts"]
        #expect(
            try await site.blog(["sources", "--store", place] + fields).output == site.blog(["sources"] + fields).output
        )
        #expect(try await site.blog("store", "export", "--store", place).output == lines)
        #expect(try await site.blog("unfollow", "news", "--store", place).code == 0)
        let again = try await site.blog("store", "import", "-", "--store", place, input: lines)
        #expect(again.errors.contains("Following 1 more source."))
    }

    @Test("has its sources and folders completed in a shell")
    func completion() async throws {
        try await followAll()
        func words(_ line: String...) async throws -> [String] {
            try await site.blog(["__complete", "zsh"] + line).lines.map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try await words("list", "-s", "n") == ["nerds", "news"])
        #expect(try await words("list", "-s", "nerds,o") == ["nerds,other"])
        #expect(try await words("list", "--source=n") == ["--source=nerds", "--source=news"])
        #expect(try await words("list", "--source=nerds,o") == ["--source=nerds,other"])
        let all = ["news", "other", "blog", "hn", "500px", "pages", "linked"]
        #expect(try await words("list", "-s", "nerds,") == all.map { "nerds," + $0 })
        #expect(try await words("list", "--folder", "") == ["work"])
        #expect(try await words("list", "--folder=w") == ["--folder=work"])
        #expect(try await words("unfollow", "ot") == ["other"])
        #expect(try await words("read", "nerds:1").contains("nerds:14"))
    }
}

/// A site with a feed at a well-known address, and a broken one.
private struct BrokenFeed: MockSite {
    func response(to request: MockRequest) -> MockResponse? {
        switch request.path {
        case "/broken.xml": .json(Data(#"{"broken": true}"#.utf8))
        case "/feed.json": .json(Data(#"{"version": "https://jsonfeed.org/version/1.1", "items": []}"#.utf8))
        default: nil
        }
    }
}
