import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("blog follow FILE", .serialized) struct FollowFileTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(FeedSite(folder: Repository.mockFeeds))
    }

    private var feeds: String { site.server.address + "/feeds" }

    private func file(_ text: String) throws -> String {
        let url = site.home.appending(path: "list")
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test("exports the site of a feed, which is the one that was set, or else the feed's own")
    func exportedSites() async throws {
        _ = try await site.blog("follow", "\(feeds)/feed.xml")
        _ = try await site.blog("follow", "\(feeds)/garden/feed.xml", "--site", "https://mine.example/")
        let opml = try await site.blog("sources", "--format", "opml").output
        #expect(opml.contains("htmlUrl=\"https://tidewater.example/\""), "\(opml)")
        #expect(opml.contains("htmlUrl=\"https://mine.example/\"") && !opml.contains("garden.example"))
    }

    @Test("rejects a pipe without waiting for it, but reads what a shell makes of <(command)")
    func pipes() async throws {
        let path = site.home.appending(path: "list.opml").path
        #expect(mkfifo(path, 0o600) == 0)
        for arguments in [["follow", path], ["store", "import", path]] {
            let run = try await site.blog(arguments)
            #expect(run.code == 2)
            #expect(run.errors == "blog: Could not read \(path): not a regular file\n")
        }
        let run = try await site.bash("blog follow <(echo \(feeds)/feed.xml)")
        #expect(run.code == 0 && run.errors.contains("Following"), "\(run.errors)")
    }

    @Test("says in one message that a file isn't a list of addresses, or which lines aren't")
    func junk() async throws {
        let junk = try await site.blog("follow", file("once upon\na time\nthere was\n"))
        #expect(junk.code == 2)
        #expect(junk.errors.split(separator: "\n").count == 1)
        #expect(junk.errors.contains(": neither OPML nor a list of addresses"))
        site.server.clearRequests()
        let some = try await site.blog(
            "follow", file("# mine\n\(feeds)/feed.xml\nonce upon a time\nlocalhost:1/feed.xml netnewswire\n"))
        #expect(some.code == 5)
        #expect(some.errors.contains("/list: lines 3 and 4 aren't addresses, for example “once upon a time”\n"))
        #expect(some.errors.contains("blog: Following 127-0-0-1 ("))
        #expect(some.errors.split(separator: "\n").count == 2)
        #expect(Set(site.server.requests.map(\.path)) == ["/feeds/feed.xml"])
    }

    @Test("says that a file has no addresses", arguments: ["", "# nothing yet\n\n"])
    func empty(text: String) async throws {
        let run = try await site.blog("follow", file(text))
        #expect(run.code == 2)
        #expect(run.errors.hasSuffix("/list: no addresses found\n"), "\(run.errors)")
    }

    @Test("names at most ten lines that only Newsboat can follow, and counts the others")
    func manySpecialLines() async throws {
        let lines = (1...12).map { "exec:program\($0)\n" }.joined()
        let run = try await site.blog("follow", file(lines + "\(feeds)/feed.xml\n"))
        #expect(run.errors.components(separatedBy: " not followed: ").count == 11, "\(run.errors)")
        #expect(run.errors.contains("/list: 2 similar lines not shown\n"))
    }

    @Test("follows the feeds of an incomplete OPML file, and says that some may be missing")
    func incomplete() async throws {
        let list = "<opml><body><outline xmlUrl='\(feeds)/feed.xml'/><outline xmlUrl='\(feeds)/gar"
        let run = try await site.blog("follow", file(list))
        #expect(run.code == 5)
        #expect(run.errors.contains("/list: the file ends before </opml>, so feeds may be missing\n"))
        #expect(try await site.blog("sources", "--fields", "address").lines == ["\(feeds)/feed.xml"])
    }

    @Test("follows addresses with the scheme feed", arguments: ["feed:", "feed:http:", "FEED:"])
    func feedScheme(scheme: String) async throws {
        let address = feeds.replacing("http:", with: scheme) + "/feed.xml"
        #expect(try await site.blog("follow", file("\(address)\n")).code == 0)
        let list = "<opml><body><outline xmlUrl='\(address)'/></body></opml>"
        #expect(try await site.blog("follow", file(list)).errors.contains("Already following 127-0-0-1"))
        #expect(try await site.blog("sources", "--fields", "address").lines == ["\(feeds)/feed.xml"])
    }

    @Test("rejects files too long for a list, and doesn't take an address for a file")
    func long() async throws {
        let path = try file(String(repeating: "x", count: 17 << 20))
        let run = try await site.blog("follow", path)
        #expect(run.code == 2)
        #expect(run.errors.contains(": larger than 16 MiB"))
        let address = try await site.blog("follow", "http://127.0.0.1:1/list.opml")
        #expect(!address.errors.contains("file"))
    }

    @Test("puts a feed that OPML lists twice into its folder", arguments: [true, false])
    func twice(isFirstInFolder: Bool) async throws {
        let feed = "<outline xmlUrl='\(feeds)/feed.xml'/>"
        let outlines = [feed, "<outline text='Sea'>\(feed)</outline>"]
        let body = (isFirstInFolder ? outlines.reversed() : outlines).joined()
        let run = try await site.blog("follow", file("<opml><body>\(body)</body></opml>"))
        #expect(run.errors.contains("1 of 2 feeds ignored as duplicates"))
        #expect(try await site.blog("sources", "--fields", "folder").output == "Sea\n")
    }

    @Test("keeps a feed's own title if OPML repeats its name or address", arguments: ["name", "address", "other"])
    func repeatedTitle(text: String) async throws {
        let title = ["name": "tide", "address": feeds + "/feed.xml"][text] ?? "Low tide"
        let opml = "<opml><body><outline text='\(title)' blogName='tide' xmlUrl='\(feeds)/feed.xml'/></body></opml>"
        #expect(try await site.blog("follow", file(opml)).code == 0)
        let shown = try await site.blog("sources", "--fields", "name,title").output
        #expect(shown == "tide\t\(text == "other" ? title : "The Tidewater Reader")\n")
    }

    @Test("prefers --site to the site in OPML")
    func siteOfFile() async throws {
        let outline = "<outline text='a' xmlUrl='\(feeds)/feed.xml' htmlUrl='https://theirs.example/'/>"
        let path = try file("<opml><body>\(outline)</body></opml>")
        #expect(try await site.blog("follow", path, "--site", "https://mine.example/").code == 0)
        #expect(try await site.blog("sources", "--fields", "site").output == "https://mine.example/\n")
    }

    @Test("lists sources for people by title, whatever its case")
    func order() async throws {
        let outlines = [("b", "feed"), ("C", "garden/feed"), ("A", "lantern/feed")].map { title, path in
            "<outline text='\(title)' xmlUrl='\(feeds)/\(path).xml'/>"
        }
        #expect(try await site.blog("follow", file("<opml><body>\(outlines.joined())</body></opml>")).code == 0)
        let cards = try await site.blog("sources", "--format", "text", "--color", "never").lines
        #expect(cards.compactMap { $0.wholeMatch(of: /([AbC]) \(.*/)?.1 } == ["A", "b", "C"])
    }

    @Test("shows sources by their titles, and accepts those")
    func titles() async throws {
        _ = try await site.blog("follow", feeds + "/feed.xml", "--as", "tide")
        _ = try await site.blog("follow", feeds + "/garden/feed.xml", "--as", "garden")
        let titles = try await site.blog("sources", "--fields", "title").lines
        #expect(titles.contains("The Tidewater Reader"))
        let cards = ["--format", "text", "--color", "never", "--width", "100"]
        for title in titles {
            #expect(try await site.blog(["list"] + cards).output.contains(" \(title) "), "\(title)")
            #expect(try await site.blog(["sources"] + cards).output.contains("\(title) ("))
        }
        #expect(
            try await site.blog(["list", "--group", "source"] + cards).output.contains("The Tidewater Reader (tide)"))
        #expect(try await site.blog("list", "--group", "source").lines.contains { $0.hasPrefix("tide\t") })
        for name in ["The Tidewater Reader", "the tidewater", "ti"] {
            #expect(try await site.blog("list", "-s", name, "--format", "ids").lines.count == 4)
        }
        let cardsPage = try await site.blog("list", "--format", "html").output
        for title in titles { #expect(cardsPage.contains(">\(title)</span>"), "\(title)") }
        #expect(
            try await site.blog("search", "the", "--format", "html").output.contains(">The Tidewater Reader</span>"))
        let page = try await site.blog("list", "--format", "html", "--group", "source").output
        #expect(page.split(separator: "The Tidewater Reader (tide)").count == 3, "in the contents and above the posts")
        #expect(!(try await site.blog("list", "-s", "tide", "--format", "html").output.contains("class=\"source\"")))
        let table = try await site.blog("list", "--oneline", "--color", "never", "--width", "120").output
        #expect(table.contains("The Tidewater Rea"))
        #expect(!(try await site.blog(["list", "-s", "tide"] + cards).output.contains("· The Tidewater Reader ·")))
    }

    @Test("prefers a source to a folder of the same name here")
    func folderOfThatName() async throws {
        _ = try await site.blog("follow", "\(feeds)/saltmarsh/atom.xml", "--as", "tide")
        let folderHere = site.home.appending(path: "tide")
        try FileManager.default.createDirectory(at: folderHere, withIntermediateDirectories: true)
        let run = try await site.blog("follow", "tide", "--folder", "Coast")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try await site.blog("list", "--folder", "Coast", "--format", "ids").output.contains("tide:"))
        let path = try await site.blog("follow", "./tide")
        #expect(path.code == 2 && path.errors.contains("./tide: "), "\(path.errors)")
    }

    @Test("imports newsboat's urls with titles and folders, and reports what isn't supported")
    func newsboat() async throws {
        let run = try await site.blog(
            "follow", "-",
            input: """
                # my feeds
                \(feeds)/feed.xml "~My own title" tech "other tag" # read daily
                \(feeds)/garden/feed.xml "!" "at home"
                "query:Old:age > 7"
                filter:/bin/false:\(feeds)/saltmarsh/atom.xml
                exec:/bin/false
                \(feeds.replacing("://", with: "://me:secret@"))/members.xml tech
                \(feeds)/feed.xml "~Another title" news
                file:///home/me/feed.xml
                "query:Unread:unread = \\"yes\\""

                """)
        #expect(run.code == 5)
        let errors = run.errors.split(separator: "\n")
        #expect(run.errors.contains("blog: From newsboat, a search as unread: is:unread\n"))
        #expect(try await site.blog("list", "-s", "unread", "--limit", "1").lines.count == 1)
        #expect(errors[0].hasPrefix("blog: standard input: line 4 not followed: “\"query:Old:"))
        #expect(errors[1].hasPrefix("blog: standard input: line 5 not followed: “filter:/bin/false:"))
        #expect(errors[2].contains("line 6 not followed: “exec:/bin/false” (put this into the settings: exec.false"))
        #expect(
            errors[3].contains(
                "line 9 not followed: “file:///home/me/feed.xml” (to follow it: blog follow file:///home"))
        #expect(
            run.errors.contains(
                """
                blog: standard input: tags not kept: “other tag” in line 2 (only the first tag of each feed is kept, as \
                its folder)
                blog: standard input: line 3: hidden in Newsboat, but listed by blog
                blog: standard input: line 8 ignored as a duplicate

                """))
        #expect(run.errors.contains("Addresses can't include a user name or password: …@127.0.0.1"))
        #expect(!run.errors.contains("secret"))
        let fields = try await site.blog("sources", "--fields", "title,folder,address").lines
        #expect(fields.contains("My own title\ttech\t\(feeds)/feed.xml"))
        #expect(fields.count == 3 && fields.contains { $0.contains("\tat home\t") })
        // A refresh brings the feed's own title, which the chosen one overrides.
        _ = try await site.blog("list", "--refresh")
        #expect(try await site.blog("sources", "--fields", "title").lines.contains("My own title"))
        #expect(try await site.blog("sources", "--format", "opml").output.contains(#"text="My own title""#))
        let place = site.home.appending(path: "other").path
        let exported = try await site.blog("store", "export").output
        _ = try await site.blog("store", "import", "-", "--store", place, input: exported)
        #expect(try await site.blog("store", "export", "--store", place).output == exported)
    }

    @Test("follows the sources of a list whose servers refuse them for now, but not others that can't be fetched")
    func refused() async throws {
        for (number, status) in [429, 503, 404].enumerated() {
            site.server.setFault(.status(status, retryAfter: nil), for: "/feeds/\(number).xml", times: 10)
        }
        // One by one, because a 429 stops all requests to its host.
        for (address, isFollowed) in [
            ("\(feeds)/1.xml", true), ("http://127.0.0.1:1/feed.xml", true), ("\(feeds)/2.xml", false),
            ("http://nowhere.invalid/feed.xml", false), ("\(feeds)/0.xml", true),
        ] {
            #expect(try await site.blog("follow", address, "--timeout", "5").code != 0)
            try await site.type(address)
            #expect(try await site.blog("follow", file(address + "\n"), "--timeout", "5").code != 0)
            let followed = try await site.blog("sources", "--fields", "address").lines.contains(address)
            #expect(followed == isFollowed, "\(address)")
        }
    }

    @Test("asks no server of a private network that only the list names, and says once how to allow it")
    func unconfirmed() async throws {
        let other = try MockServer(sites: [FeedSite(folder: Repository.mockFeeds)])
        defer { other.stop() }
        let addresses = ["feed.xml", "garden/feed.xml", "many/1", "many/2"].map { "\(other.address)/feeds/\($0)" }
        // The usual default source counts only as itself.
        let all = addresses + ["http://localhost:8106/feeds/feed.xml"]
        let outlines = all.map { "<outline type='rss' xmlUrl='\($0)'/>" }
        let opml = try file("<opml><body>\(outlines.joined())</body></opml>")
        let usual = ["BLOG_URL": "http://localhost:8106"]
        let run = try await site.blog("follow", opml, environment: usual)
        #expect(run.errors.contains("5 sources failed:"))
        let hints = run.errors.split(separator: "\n").filter { $0.hasPrefix("To allow it: ") }
        #expect(hints == [addresses[0], all[4]].map { "To allow it: blog follow \($0)" })
        let list = try await site.blog("list", environment: usual)
        #expect(list.code == 1 && list.errors.contains("To allow it: blog follow "), "\(list.errors)")
        #expect(
            try await site.blog("sources", "--fields", "status", environment: usual).lines.allSatisfy {
                $0 == "unconfirmed"
            })
        #expect(other.requests.isEmpty)
        let allowed = try await site.blog("follow", addresses[1], environment: usual)
        #expect(allowed.code == 0 && allowed.errors.contains("Now requested, as are other sources of its server: "))
        _ = try await site.blog("list", environment: usual)
        #expect(
            Set(other.requests.map(\.path)) == [
                "/feeds/feed.xml", "/feeds/garden/feed.xml", "/feeds/many/1", "/feeds/many/2",
            ])
    }

    @Test("imports OPML from an address")
    func address() async throws {
        let outlines =
            "<outline text='a'><outline xmlUrl='\(feeds)/feed.xml'/></outline><outline text='later' type='link' url='http://a.example/'/>"
        let list = Data("<opml><body>\(outlines)</body></opml>".utf8)
        site.server.setFault(.body(list, headers: ["Content-Type": "text/x-opml"]), for: "/list.opml")
        let run = try await site.blog("follow", site.server.address + "/list.opml")
        #expect(run.errors.contains("not followed, because no feed's address is given: “later”"))
        #expect(try await site.blog("sources", "--fields", "address,folder").lines == ["\(feeds)/feed.xml\ta"])
        let missing = try await site.blog("follow", site.server.address + "/none.opml")
        #expect(missing.code == 1 && missing.errors.contains("/none.opml: HTTP 404 Not Found"))
    }

    @Test("asks for changes only, even with --refresh")
    func validators() async throws {
        #expect(try await site.blog("follow", "\(feeds)/feed.xml").code == 0)
        site.server.clearRequests()
        #expect(try await site.blog("list", "--refresh").code == 0)
        #expect(site.server.requests.map { $0.headers["if-none-match"] != nil } == [true])
    }

    @Test("imports OPML nested 150 deep, with titles and sites, and exports the same again")
    func nested() async throws {
        let (depth, numbers) = (150, [1] + stride(from: 10, through: 150, by: 10))
        let outlines = (1...depth).map { number in
            let feed =
                "<outline text='text \(number)' htmlUrl='https://a.example/\(number)' xmlUrl='\(feeds)/many/\(number)'/>"
            return "<outline text='folder \(number)'>" + (numbers.contains(number) ? feed : "")
        }
        let list = "<opml><body>\(outlines.joined())\(String(repeating: "</outline>", count: depth))</body></opml>"
        _ = try await site.blog("follow", file(list))
        let exported = try await site.blog("sources", "--format", "opml").output
        #expect(exported.split(separator: "xmlUrl").count == numbers.count + 1)
        for number in numbers {
            #expect(exported.contains("text=\"text \(number)\""))
            #expect(exported.contains("htmlUrl=\"https://a.example/\(number)\""))
        }
        let place = site.home.appending(path: "other").path
        _ = try await site.blog("follow", file(exported), "--store", place)
        #expect(try await site.blog("sources", "--format", "opml", "--store", place).output == exported)
    }

    @Test("reports many sources in one line, and each failure in a line of its own")
    func many() async throws {
        let good: [String] = (1...5).map { "\(feeds)/many/\($0)" }
        let bad: [String] = (1...2).map { "\(feeds)/nothing/\($0).xml" }
        let list = try file((good + bad).joined(separator: "\n"))
        let dry = try await site.blog("follow", list, "--dry-run")
        #expect(dry.lines.map { $0.split(separator: "\t").last.map(String.init) } == good)
        #expect(dry.lines.allSatisfy { $0.contains("\tfeed\t\t") })
        #expect(dry.errors.split(separator: "\n").count == 2)
        #expect(try await site.blog("sources", "--fields", "kind").lines == ["blog"])
        let first = try await site.blog("follow", good[0], good[1], list)
        #expect(first.code == dry.code && dry.code == 5)
        let lines = first.errors.split(separator: "\n")
        #expect(lines.count == 3, "\(first.errors)")
        #expect(
            lines[0].hasPrefix("blog: Following 5 sources (") || lines[0].hasPrefix("blog: Following 5 more sources ("))
        #expect(lines[0].hasSuffix(" 2 sources failed:"))
        #expect(lines[1].contains("/nothing/1.xml: HTTP 404 Not Found"))
        let known = try await site.blog("follow", list, "--dry-run")
        let posts = try await site.blog("sources", "--fields", "posts").lines
        #expect(known.lines.map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[3]) } == posts)
        #expect(known.errors.contains("blog: Already following: 127-0-0-1, 127-0-0-1-2, 127-0-0-1-3, "))
        #expect(!posts.contains("0"))
        let again = try await site.blog("follow", file(good.joined(separator: "\n")))
        #expect(again.errors == "blog: Already following 5.\n")
        let moved = try await site.blog(["follow", feeds + "/feed.xml?new", "--folder", "other"] + good)
        #expect(moved.errors.contains(/^blog: Following 1 more source \([0-9]+ posts\)\. Updated 5 sources\./))
    }

    @Test("gives sources the same names and the same exit code in a dry run", arguments: [true, false])
    func dryRun(isOPML: Bool) async throws {
        let addresses = ["\(feeds)/feed.xml", "\(feeds)/garden/feed.xml", "\(feeds)/gone.xml", "http://127.0.0.1:1/x"]
        let outlines = addresses.map { "<outline xmlUrl='\($0)'/>" }.joined()
        let list = try file(isOPML ? "<opml><body>\(outlines)</body></opml>" : addresses.joined(separator: "\n"))
        try await site.type("http://127.0.0.1:1")
        let dry = try await site.blog("follow", list, "--dry-run", "--folder", "all")
        #expect(try await site.blog("sources", "--fields", "kind").lines == ["blog"])
        let real = try await site.blog("follow", list, "--folder", "all")
        #expect(dry.code == real.code && real.code == 5)
        #expect(dry.errors.split(separator: "\n").count == 2)
        let fields = try await site.blog(
            "sources", "--fields", "name,kind,folder,posts,title,address", "--folder", "all")
        #expect(Set(dry.lines) == Set(fields.lines))
        // In a list of addresses, what is gone isn't taken for a feed.
        #expect(dry.lines.count == (isOPML ? 4 : 3))
    }

    @Test("imports what --format opml prints, with names and folders, even those with slashes")
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
        let run = try await site.blog(fields)
        #expect(run.lines == ["127-0-0-1\tall/Science \\/ Tech/b", "mine\t"])
        #expect(try await site.blog("list", "--folder", #"all/Science \/ Tech"#, "--store", place).lines.count == 3)
    }

    @Test("keeps an unreachable feed from OPML, but not one given with its kind")
    func down() async throws {
        let nothing = feeds + "/nothing.xml"
        let typed = try await site.blog("follow", nothing, "--kind", "feed")
        #expect(typed.code == 1)
        #expect(typed.errors.contains("HTTP 404"))
        #expect(try await site.blog("sources", "--fields", "kind").lines == ["blog"])
        let list = "<opml><body><outline xmlUrl='\(nothing)'/></body></opml>"
        #expect(try await site.blog("follow", file(list)).code == 1)
        #expect(try await site.blog("sources", "--fields", "kind,status").lines == ["feed\tmissing"])
        site.server.stop()
        let unreachable = try await site.blog("follow", feeds + "/feed.xml", "--kind", "feed")
        #expect(unreachable.code == 4)
        #expect(try await site.blog("sources", "--fields", "name").lines.count == 1)
    }

    @Test("follows a source as the first of several lines says, even behind a redirect")
    func repeated() async throws {
        let list = try file("\(feeds)/garden/feed.xml veg\n\(feeds)/old-garden.xml moved\n\(feeds)/feed.xml\n")
        let dry = try await site.blog("follow", list, "--dry-run", "--json=name,kind")
        #expect(dry.output.split(separator: "\"name\"").count == 3)
        #expect(dry.errors == #"{"code":"notice","message":"Listed more than once: 127-0-0-1"}"# + "\n")
        let run = try await site.blog("follow", list)
        #expect(run.errors.contains("Listed more than once: 127-0-0-1"))
        let sources = try await site.blog("sources", "--fields", "name,folder").lines
        #expect(sources.sorted() == ["127-0-0-1\tveg", "127-0-0-1-feeds\t"])
    }
}
